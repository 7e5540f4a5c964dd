import re

import numpy as np
import pytest

from cr5.base.errors import UserError
from cr5.fitting.alignments import read_alignments

WORDS = {"da": ["hus", "kat", "og", "taxi"], "en": ["cat", "house", "taxi"]}


def read(path, text, pair=("da", "en")):
    path.write_bytes(text if isinstance(text, bytes) else text.encode())
    return read_alignments({pair: path}, WORDS)


def test_a_file_by_hand(tmp_path, caplog):
    caplog.set_level("INFO")
    text = "kat\tcat\t0.75\nhus\thouse\t1\nkat\thouse\t2.5e-1\nhund\tdog\t1\r\nhus\thome\t.5\n"
    [(source, [(target, table)])] = [
        (source, list(by_target.items()))
        for source, by_target in read(tmp_path / "t", text).items()
    ]
    assert (source, target) == ("da", "en")
    expected = [[0, 1, 0], [0.75, 0.25, 0], [0, 0, 0], [0, 0, 0]]
    np.testing.assert_array_equal(table.toarray(), expected)
    assert f"{tmp_path / 't'}: 3 of 5 entries are of the vocabularies" in caplog.text


def test_every_pair_has_its_own_table(tmp_path):
    (tmp_path / "da-en").write_text("kat\tcat\t1\n")
    (tmp_path / "en-da").write_text("house\thus\t0.5\n")
    files = {pair: tmp_path / "-".join(pair) for pair in (("da", "en"), ("en", "da"))}
    tables = read_alignments(files, WORDS)
    assert tables["da"]["en"].shape == (4, 3)
    assert tables["en"]["da"].toarray().tolist() == [[0] * 4, [0.5, 0, 0, 0], [0] * 4]


@pytest.mark.parametrize(
    "line",
    [
        "",
        "kat cat 1",
        "kat\tcat",
        "kat\tcat\t1\tmore",
        "kat\tcat\tone",
        "kat\tcat\t0",
        "kat\tcat\t-0.5",
        "kat\tcat\t1.01",
        "kat\tcat\tnan",
        "kat\tcat\tinf",
        "kat\tcat\t",
    ],
)
def test_a_bad_line_is_named(tmp_path, line):
    path = tmp_path / "t"
    expected = f"{path}, line 2: expected source word, target word and a probability above 0"
    with pytest.raises(UserError, match=re.escape(expected)) as error:
        read(path, f"hus\thouse\t1\n{line}\nkat\tcat\t1\n")
    assert repr(line.split("\t")) in str(error.value)


def test_a_line_with_a_nul_byte_is_named(tmp_path):
    with pytest.raises(UserError, match="t, line 2: it has a NUL byte"):
        read(tmp_path / "t", "hus\thouse\t1\nka\0t\tcat\t1\n")


def test_the_other_direction(tmp_path):
    expected = r"t: 1 of its 3 entries .* 3 if source and target change places; .*other direction"
    with pytest.raises(UserError, match=expected):
        read(tmp_path / "t", "taxi\ttaxi\t1\ncat\tkat\t1\nhouse\thus\t1\n")


def test_no_entry_of_the_vocabularies(tmp_path):
    with pytest.raises(UserError, match="t: none of its 2 entries has both words"):
        read(tmp_path / "t", "Kat\tCat\t1\nchat\tcat\t1\n")


def test_a_file_that_is_not_there_or_not_text(tmp_path):
    with pytest.raises(UserError, match="missing: cannot open"):
        read_alignments({("da", "en"): tmp_path / "missing"}, WORDS)
    with pytest.raises(UserError, match="t, line 1: this is not UTF-8"):
        read(tmp_path / "t", b"k\xe5t\tcat\t1\n")
