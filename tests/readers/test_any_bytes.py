"""Whatever the bytes: what reads others' models and settings does so, or raises a `UserError`."""

import logging
import struct
import tempfile
import warnings
from collections.abc import Callable
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import pytest
import safetensors.numpy
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from cr5.base.errors import UserError
from cr5.fitting import vectors
from cr5.models import store
from cr5.models.word_tables import WordTables
from cr5.plan import config, config_files

WORDS = ["hus", "å", "by"]
ROWS = np.array([[1, 2], [0.5, -3], [1e-3, 7]], np.float32)
VEC = "3 2\nhus 1 2\nå 0.5 -3\nby 1e-3 7\n".encode()
BIN = b"3 2\n" + b"".join(
    word.encode() + b" " + row.astype("<f4").tobytes() + b"\n"
    for word, row in zip(WORDS, ROWS, strict=True)
)
MODEL = WordTables({"da": WORDS}, {"da": ROWS}, {"da": np.array([1.0, 0.5, 2])})
YAML = b"""# mine
languages: [da, en]
corpus: {name: mine, source: files, path: "x/{language}.jsonl"}
systems:
  cr5: &a {ranks: [10, 20], ridges: [1.0e-2]}
  s2net: {<<: {max_words: 100}}
settings: {joint: }
seed: 7
results: |-
  lines
"""
JSON = (
    b'{"languages": ["da", "en"], "corpus": {"name": "m", "source": "files", "path": "{language}"}}'
)


def fasttext(place=0, number=793712314):
    """FastText's own form, as its source writes it, with another number in its header."""
    n_rows, n_columns = ROWS.shape
    n_words = len(WORDS)
    header = [793712314, 12, n_columns, 5, 5, 1, 5, 1, 2, 2, 0, 0, 0, 100]
    content = bytearray()
    content += struct.pack("<14i", *header)
    content += struct.pack("<d", 1e-4)
    content += struct.pack("<3i2q", n_words, n_words, 0, 100, -1)
    for word in WORDS:
        content += word.encode() + b"\0"
        content += struct.pack("<qb", 9, 0)
    matrix = ROWS.astype("<f4").tobytes()
    for _ in range(2):  # of words, and of n-grams
        content += struct.pack("<?2q", False, n_rows, n_columns)
        content += matrix
    struct.pack_into("<i", content, 4 * place, number)
    return bytes(content)


def packed():
    """A model in one file."""
    with tempfile.TemporaryDirectory() as folder:
        store.pack(Path(folder) / "a.cr5", MODEL, {"system": "cr5", "languages": ["da"]})
        return (Path(folder) / "a.cr5").read_bytes()


class Target(NamedTuple):
    """A reader, the name of its file, contents that it accepts, what means something to it."""

    file: str
    read: Callable[[Path], Any]
    seeds: tuple[bytes, ...]
    tokens: tuple[bytes, ...] = ()

    def refusal(self, path, content):
        """Give the reader a content; any other error may none raise."""
        path.write_bytes(content)
        try:
            self.read(path)
        except UserError as error:
            return error
        return None


def configured(path):
    return config.validated(config_files.read(path))


TOKENS = (b"&a ", b"*a", b"<<: ", b"!!python/name:", b"!!int ", b"? ", b"- ", b": ", b"|", b"%YAML")
TARGETS = {
    "vec": Target("da.vec", vectors.read, (VEC, VEC[4:])),
    "bin": Target("da.bin", vectors.read, (BIN,)),
    "fasttext": Target("da.bin", vectors.read, (fasttext(),)),
    "released": Target("x_da.txt", lambda path: vectors.read(path, dimension=2), (VEC[4:],)),
    "packed": Target("a.cr5", store.load, (packed(),)),
    "yaml": Target("mine.yaml", configured, (YAML,), TOKENS),
    "json": Target("mine.json", configured, (JSON,), (b"\\ud800", b"1e999", b"NaN", b"[[[[")),
}
SAID = {"yaml", "json"}  # name an address, a program, a key

ONES = {"a": np.ones(2)}
# The header has the dimension, and numbers of n-grams and of words.
OTHER_NUMBERS = [
    fasttext(2, 1 << 30),
    fasttext(2, 3),
    fasttext(10, 1 << 30),
    fasttext(16, 1 << 30),
]
# gensim's reader waits for ever for the end of a word that is cut off.
CUT_OFF = [fasttext()[:end] for end in range(4, 170)]
OTHER_LENGTHS = [struct.pack("<Q", length) + b"{}" for length in (0, 3, 1 << 40)]
OF_ANOTHER_PROGRAM = safetensors.numpy.save(ONES)
OTHER_FACTS = [safetensors.numpy.save(ONES, {"cr5": about}) for about in ("[" * 50_000, "3", "{}")]
CLAIMED = {  # what is not there
    "fasttext": OTHER_NUMBERS + CUT_OFF,
    "packed": OTHER_LENGTHS + OTHER_FACTS + [OF_ANOTHER_PROGRAM],
}

SAME_EACH_TIME = settings(
    derandomize=True,
    database=None,
    deadline=None,
    max_examples=20,
    suppress_health_check=list(HealthCheck),
)
LARGEST = 4096  # bytes of a mutilated file
ODD = [b"", b"\0", b"\xff", b"\r", b"\xef\xbb\xbf", "\u2028".encode(), b"-1", b"1e999", b"9" * 30]


def mutilated(target):
    """Valid contents with pieces taken away, put in, doubled, or cut off."""
    pieces = st.one_of(
        st.sampled_from(ODD + list(target.tokens)),
        st.binary(max_size=8),
        st.sampled_from(target.seeds).flatmap(lambda seed: st.sampled_from(_slices(seed))),
    )
    place = st.floats(0, 1)
    edits = st.lists(st.tuples(place, st.integers(0, 20), pieces, st.integers(1, 3)), max_size=4)
    return st.builds(_edited, st.sampled_from(target.seeds), edits, st.one_of(st.just(1.0), place))


def _slices(seed):
    return [seed[start : start + 16] for start in range(0, len(seed), 16)]


def _edited(seed, edits, cut):
    for place, taken, piece, times in edits:
        start = int(place * len(seed))
        seed = seed[:start] + piece * times + seed[start + taken :]
    return seed[: int(cut * len(seed))][:LARGEST]


@pytest.fixture(autouse=True)
def quiet():
    """What a reader warns of, beside what it reads, is no failure."""
    logging.disable(logging.CRITICAL)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", UserWarning)
        yield
    logging.disable(logging.NOTSET)


@pytest.mark.parametrize("name", TARGETS)
def test_valid_files_are_read_and_others_are_read_or_refused(name, tmp_path):
    target = TARGETS[name]
    path = tmp_path / target.file
    with pytest.raises(UserError, match=str(path)):
        target.read(path)
    assert [target.refusal(path, seed) for seed in target.seeds] == [None] * len(target.seeds)

    @SAME_EACH_TIME
    @given(mutilated(target))
    def read_or_refused(content):
        error = target.refusal(path, content)
        assert error is None or name in SAID or str(tmp_path) in str(error)

    read_or_refused()
    for content in CLAIMED.get(name, ()):
        assert str(path) in str(target.refusal(path, content)), content[:99]
