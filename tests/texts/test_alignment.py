"""eflomal is run as it wants to be, and tables are what its links count to."""

import importlib.util
import shutil
import sys

import numpy as np
import pandas as pd
import pytest

from cr5.base.errors import UserError
from cr5.texts import alignment, reading

PAIRS = [((0, 1, 2), (0, 1)), ((2,), (1, 0))]
there = shutil.which(alignment.NAME) or importlib.util.find_spec(alignment.NAME)
installed = pytest.mark.skipif(not there, reason="eflomal is not installed")
LINKS = {"forward": "0-0 2-1\n0-0\n", "reverse": "\n0-1\n"}


PROGRAM = """import sys, pathlib
output = 'forward' if '-f' in sys.argv else 'reverse'
urandom = '/dev/urandom'
"""


@pytest.fixture
def eflomal(program):
    """Puts Python that knows `output` and `urandom` in the place of the program."""
    return lambda script: program("eflomal", PROGRAM + script, sys.executable)


def writes(links):
    return f"pathlib.Path(output).write_text({links}[output])"


def align(tmp_path, seed=1, **given):
    return alignment.align(PAIRS, seed, tmp_path / "out.json", **given)


@pytest.mark.parametrize("links", ["\n0-9\n", "\n"])
def test_links_beyond_the_sentences_are_those_of_another_program(eflomal, tmp_path, links):
    eflomal(writes(LINKS | {"reverse": links}))
    with pytest.raises(UserError, match=r"within the sentences.* is it eflomal 2\.0\.0\?"):
        align(tmp_path)


def test_the_program_is_given_sentences_a_seed_and_one_thread_and_leaves_its_links(
    eflomal, tmp_path
):
    seen = tmp_path / "seen"
    seen.mkdir()
    tell = (
        "import os\n"
        f"to = pathlib.Path({str(seen)!r}) / output\n"
        "texts = [pathlib.Path(name).read_text() for name in ('first', 'second')]\n"
        "seed = pathlib.Path(urandom).read_bytes().hex()\n"
        "to.write_text(repr((texts, seed, os.environ['OMP_NUM_THREADS'], sys.argv[1:])))\n"
    )
    eflomal(tell + writes(LINKS))

    def told(seed, threads=1):
        found = align(tmp_path, seed, threads=threads)
        assert found == ([[(0, 0), (2, 1)], [(0, 0)]], [[], [(0, 1)]])
        return [eval((seen / name).read_text()) for name in ("forward", "reverse")]

    (forward, reverse), again, other = told(1), told(1, threads=2), told(2)
    assert forward[0] == reverse[0] == ["2 3\n3 0 1 2\n1 2\n", "2 2\n2 0 1\n2 1 0\n"]
    assert forward[2] == "1"
    assert len(bytes.fromhex(forward[1])) >= 8
    assert forward[1] == reverse[1] == again[0][1] != other[0][1]
    assert "-3 3536" in " ".join(forward[3])  # 5000 over the root of two sentences
    assert sorted(path.name for path in tmp_path.iterdir()) == ["bin", "seen"]


@installed
def test_the_same_seed_gives_the_same_links(tmp_path):
    """Of sentences without sense there is much to choose from."""
    generator = np.random.default_rng(4)
    pairs = [tuple(generator.integers(0, 9, (2, 6)).tolist()) for _ in range(100)]
    one = alignment.align(pairs, 7, tmp_path / "out")
    assert alignment.align(pairs, 7, tmp_path / "out", threads=2) == one
    assert alignment.align(pairs, 8, tmp_path / "out") != one


TRAINED = pd.DataFrame({"concept": ["a", "b", "a", "c"], "language": ["da", "da", "en", "en"]})


def test_paragraphs_are_those_of_documents_that_train_in_both_languages(tmp_path):
    danish = [("a", "1", "Hus"), ("a", "2", "hus!"), ("a", "3", "kat")]
    english = [("a", "1", "House"), ("a", "2", "a house")]
    for language, rows in (("da", danish), ("en", english)):
        others = [(concept, "1", f"{language} {concept}") for concept in "bcd"]
        reading.write_paragraphs(tmp_path / language, rows + others, language)
    table, counts = alignment.of_paragraphs({x: tmp_path / x for x in ("da", "en")}, TRAINED)
    both = table.dropna(subset=["da", "en"])
    assert both[["id", "da", "en"]].to_numpy().tolist() == [["a#1", "Hus", "House"]]
    assert set(table["concept"]) == {"a"}
    assert counts[0]["double"] == 1  # the same word as before, in another spelling


def test_entries_are_the_twenty_most_probable_of_a_hundredth_or_more():
    targets = [f"t{i:02}" for i in range(25)]
    rare, many = [1, 199, 2, *[0] * 22], [1] * 24 + [6]
    links = [
        (row, i)
        for row, line in ((0, rare), (2, many))
        for i, n in enumerate(line)
        for _ in range(n)
    ]
    linked = pd.DataFrame(links, columns=["da", "en"])
    found = alignment.entries(linked, {"da": ["x", "y", "z"], "en": targets}, "da", "en")
    assert found.to_numpy().tolist() == [
        *(["x", "t01", 199 / 202],),
        *(["z", name, n / 30] for name, n in [("t24", 6), *((x, 1) for x in targets[:19])]),
    ]
    assert alignment.entries(linked[:0], {"da": [], "en": []}, "en", "da").empty
