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
is_installed = shutil.which(alignment.NAME) or importlib.util.find_spec(alignment.NAME)
installed = pytest.mark.skipif(not is_installed, reason="eflomal is not installed")
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
    reports = tmp_path / "reports"
    reports.mkdir()
    tell = (
        "import os\n"
        f"to = pathlib.Path({str(reports)!r}) / output\n"
        "texts = [pathlib.Path(name).read_text() for name in ('first', 'second')]\n"
        "seed = pathlib.Path(urandom).read_bytes().hex()\n"
        "to.write_text(repr((texts, seed, os.environ['OMP_NUM_THREADS'], sys.argv[1:])))\n"
    )
    eflomal(tell + writes(LINKS))

    def told(seed, threads=1):
        links = align(tmp_path, seed, threads=threads)
        assert links == ([[(0, 0), (2, 1)], [(0, 0)]], [[], [(0, 1)]])
        return [eval((reports / name).read_text()) for name in ("forward", "reverse")]

    forward, reverse = told(1)
    again, _ = told(1, threads=2)
    of_other_seed, _ = told(2)
    assert forward[0] == reverse[0] == ["2 3\n3 0 1 2\n1 2\n", "2 2\n2 0 1\n2 1 0\n"]
    assert forward[2] == "1"
    assert len(bytes.fromhex(forward[1])) >= 8
    assert forward[1] == reverse[1] == again[1] != of_other_seed[1]
    assert "-3 3536" in " ".join(forward[3])  # 5000 over the root of two sentences
    assert sorted(path.name for path in tmp_path.iterdir()) == ["bin", "reports"]


@installed
def test_the_same_seed_gives_the_same_links(tmp_path):
    """Of sentences without sense there is much to choose from."""
    generator = np.random.default_rng(4)
    pairs = [tuple(generator.integers(0, 9, (2, 6)).tolist()) for _ in range(100)]
    links = alignment.align(pairs, 7, tmp_path / "out")
    assert alignment.align(pairs, 7, tmp_path / "out", threads=2) == links
    assert alignment.align(pairs, 8, tmp_path / "out") != links


TRAINED = pd.DataFrame({"concept": ["a", "b", "a", "c"], "language": ["da", "da", "en", "en"]})


def test_paragraphs_are_those_of_documents_that_train_in_both_languages(tmp_path):
    danish = [("a", "1", "Hus"), ("a", "2", "hus!"), ("a", "3", "kat")]
    english = [("a", "1", "House"), ("a", "2", "a house")]
    for language, rows in (("da", danish), ("en", english)):
        of_others = [(concept, "1", f"{language} {concept}") for concept in "bcd"]
        paragraphs = [reading.Paragraph(*row) for row in rows + of_others]
        reading.write_paragraphs(tmp_path / language, paragraphs, language)
    paths = {"da": tmp_path / "da", "en": tmp_path / "en"}
    table, counts = alignment.of_paragraphs(paths, TRAINED)
    in_both = table.dropna(subset=["da", "en"])
    assert in_both[["id", "da", "en"]].to_numpy().tolist() == [["a#1", "Hus", "House"]]
    assert set(table["concept"]) == {"a"}
    assert counts[0]["double"] == 1  # the same word as before, in another spelling


def test_entries_are_the_twenty_most_probable_of_a_hundredth_or_more():
    targets = [f"t{number:02}" for number in range(25)]
    of_x = [(0, 0)] + [(0, 1)] * 199 + [(0, 2)] * 2
    of_z = [(2, target) for target in range(24)] + [(2, 24)] * 6
    linked = pd.DataFrame(of_x + of_z, columns=["da", "en"])
    entries = alignment.entries(linked, {"da": ["x", "y", "z"], "en": targets}, "da", "en")
    expected = [["x", "t01", 199 / 202], ["z", "t24", 6 / 30]]
    expected += [["z", target, 1 / 30] for target in targets[:19]]
    assert entries.to_numpy().tolist() == expected
    assert alignment.entries(linked[:0], {"da": [], "en": []}, "en", "da").empty
