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


def test_the_other_direction(tmp_path):
    expected = r"t: 1 of its 3 entries .* 3 if source and target change places; .*other direction"
    with pytest.raises(UserError, match=expected):
        read(tmp_path / "t", "taxi\ttaxi\t1\ncat\tkat\t1\nhouse\thus\t1\n")


def test_no_entry_of_the_vocabularies(tmp_path):
    with pytest.raises(UserError, match="t: "):
        read(tmp_path / "t", "Kat\tCat\t1\nchat\tcat\t1\n")


def test_a_file_that_is_not_there(tmp_path):
    with pytest.raises(UserError, match="missing"):
        read_alignments({("da", "en"): tmp_path / "missing"}, WORDS)
