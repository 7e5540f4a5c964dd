"""Readers of word vectors and models that somebody published."""

import struct
import tempfile
from pathlib import Path

import numpy as np

from cr5.fitting import vectors
from cr5.models import store
from cr5.models.word_tables import WordTables
from tests.kit.readers.target import Target

WORDS = ["hus", "å", "by"]
ROWS = np.array([[1, 2], [0.5, -3], [1e-3, 7]], np.float32)
VEC = "3 2\nhus 1 2\nå 0.5 -3\nby 1e-3 7\n".encode()
BIN = b"3 2\n" + b"".join(
    word.encode() + b" " + row.astype("<f4").tobytes() + b"\n"
    for word, row in zip(WORDS, ROWS, strict=True)
)
MODEL = WordTables({"da": WORDS}, {"da": ROWS}, {"da": np.array([1.0, 0.5, 2])})
ABOUT = {"system": "cr5", "languages": ["da"]}


def fasttext(words: list[str], rows: np.ndarray) -> bytes:
    """FastText's own form, as its source writes it: header, words, matrix of words and n-grams."""
    dimension = rows.shape[1]
    header = struct.pack("<2i", 793712314, 12)
    header += struct.pack("<12id", dimension, 5, 5, 1, 5, 1, 2, 2, 0, 0, 0, 100, 1e-4)
    header += struct.pack("<3i2q", len(words), len(words), 0, 100, -1)
    entries = b"".join(word.encode() + b"\0" + struct.pack("<qb", 9, 0) for word in words)
    matrices = b""
    for _ in range(2):
        matrices += struct.pack("<?2q", False, *rows.shape) + rows.astype("<f4").tobytes()
    return header + entries + matrices


def packed() -> bytes:
    """A model in one file."""
    with tempfile.TemporaryDirectory() as folder:
        store.pack(Path(folder) / "a.cr5", MODEL, ABOUT)
        return (Path(folder) / "a.cr5").read_bytes()


TARGETS = [
    Target("vec", "da.vec", lambda path: vectors.read(path), (VEC, VEC[4:])),
    Target("bin", "da.bin", lambda path: vectors.read(path), (BIN,)),
    Target(
        "fasttext",
        "da.bin",
        lambda path: vectors.read(path),
        (fasttext(WORDS, ROWS),),
    ),
    Target(
        "released",
        "x_da.txt",
        lambda path: vectors.read(path, dimension=2),
        (VEC[4:],),
    ),
    Target("packed", "a.cr5", store.load, (packed(),)),
]
