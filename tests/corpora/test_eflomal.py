import os
import stat
import sys

import numpy as np
import pytest

from cr5.base.errors import UserError
from cr5.corpora import eflomal

PAIRS = [((0, 1, 2), (0, 1)), ((2,), (1, 0))]
installed = pytest.mark.skipif(eflomal.program() is None, reason="eflomal is not installed")
LINKS = {"forward": "0-0 2-1\n0-0\n", "reverse": "\n0-1\n"}


@pytest.fixture
def program(tmp_path, monkeypatch):
    """Put a program of that name on the PATH; it is given Python, with `output` and `urandom`."""
    folder = tmp_path / "bin"
    folder.mkdir()
    monkeypatch.setenv("PATH", f"{folder}{os.pathsep}{os.environ['PATH']}")

    def make(script, urandom="/dev/urandom"):
        begin = f"output = 'forward' if '-f' in sys.argv else 'reverse'\nurandom = '{urandom}'\n"
        path = folder / "eflomal"
        path.write_text(f"#!{sys.executable}\nimport sys, pathlib\n{begin}{script}\n")
        path.chmod(path.stat().st_mode | stat.S_IXUSR)
        return path

    return make


def writes(links):
    return f"pathlib.Path(output).write_text({links}[output])"


def align(tmp_path, seed=1, **given):
    return eflomal.align(PAIRS, seed, tmp_path / "out.json", **given)


@pytest.mark.parametrize("threads", [1, 2])
def test_links_are_read_in_both_directions_and_nothing_is_left(program, tmp_path, threads):
    program(writes(LINKS))
    forward, reverse = align(tmp_path, threads=threads)
    assert forward == [[(0, 0), (2, 1)], [(0, 0)]]
    assert reverse == [[], [(0, 1)]]
    assert [path.name for path in tmp_path.iterdir()] == ["bin"]


def test_the_program_is_given_sentences_a_seed_and_one_thread(program, tmp_path):
    seen = tmp_path / "seen"
    seen.mkdir()
    tell = (
        "import os\n"
        f"to = pathlib.Path({str(seen)!r}) / output\n"
        "texts = [pathlib.Path(name).read_text() for name in ('first', 'second')]\n"
        "seed = pathlib.Path(urandom).read_bytes().hex()\n"
        "to.write_text(repr((texts, seed, os.environ['OMP_NUM_THREADS'], sys.argv[1:])))\n"
    )
    program(tell + writes(LINKS))

    def told(seed):
        align(tmp_path, seed)
        return [eval((seen / name).read_text()) for name in ("forward", "reverse")]

    (forward, reverse), other = told(1), told(2)
    assert forward[0] == reverse[0] == ["2 3\n3 0 1 2\n1 2\n", "2 2\n2 0 1\n2 1 0\n"]
    assert forward[2] == "1"
    assert len(bytes.fromhex(forward[1])) >= 8
    assert forward[1] == reverse[1] == told(1)[0][1] != other[0][1]
    assert "-3 3536" in " ".join(forward[3])  # 5000 over the root of two sentences


def test_a_program_that_fails_is_quoted(program, tmp_path):
    path = program("sys.exit('out of words')")
    with pytest.raises(UserError, match=f"{path}: "):
        align(tmp_path)
    assert [each.name for each in tmp_path.iterdir()] == ["bin"]


def test_empty_and_long_sentences_cannot_be_aligned():
    assert eflomal.usable([0], [0] * 1023)
    assert not eflomal.usable([], [0])
    assert not eflomal.usable([0], [0] * 1024)


def test_a_relative_place(program, tmp_path, monkeypatch):
    program(writes(LINKS))
    monkeypatch.chdir(tmp_path)
    assert eflomal.align(PAIRS, 1, "out.json")[1] == [[], [(0, 1)]]


@installed
def test_the_same_seed_gives_the_same_links(tmp_path):
    """Of sentences without sense there is much to choose from."""
    generator = np.random.default_rng(4)
    pairs = [tuple(generator.integers(0, 9, (2, 6)).tolist()) for _ in range(100)]
    one = eflomal.align(pairs, 7, tmp_path / "out")
    assert eflomal.align(pairs, 7, tmp_path / "out", threads=2) == one
    assert eflomal.align(pairs, 8, tmp_path / "out") != one


@installed
def test_planted_translations_are_found(tmp_path):
    """Word i of one language is word 29 - i of the other; sentences are turned round."""
    generator = np.random.default_rng(3)
    sentences = [generator.integers(0, 30, generator.integers(3, 9)).tolist() for _ in range(400)]
    pairs = [(x, [29 - word for word in reversed(x)]) for x in sentences]
    forward, reverse = eflomal.align(pairs, 7, tmp_path / "out")
    for links in (forward, reverse):
        found = [x[i] + y[j] for (x, y), line in zip(pairs, links, strict=True) for i, j in line]
        assert len(found) > 0.9 * sum(map(len, sentences))
        assert np.mean(np.array(found) == 29) > 0.98
