"""Readers of models and settings that somebody else wrote, each with valid files to start from."""

import struct
import tempfile
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from cr5.base.errors import UserError
from cr5.fitting import vectors
from cr5.models import store
from cr5.models.word_tables import WordTables
from cr5.plan import config, config_files


@dataclass(frozen=True)
class Target:
    """A reader.

    Attributes:
        name: of it.
        file: name of the file that it is given.
        read: called with the path of that file; goes through all that is in it.
        seeds: contents that it accepts.
        tokens: that mean something to it.
    """

    name: str
    file: str
    read: Callable[[Path], Any]
    seeds: tuple[bytes, ...]
    tokens: tuple[bytes, ...] = ()

    def prepare(self, folder: Path) -> Path:
        """Return the path of the file in a folder."""
        return folder / self.file

    def outcome(self, path: Path, content: bytes) -> Exception | None:
        """Give the reader a content.

        Returns:
            The exception that is an answer; None if it was read.

        Raises:
            Exception: any other, which no reader may raise.
        """
        path.write_bytes(content)
        try:
            self.read(path)
        except UserError as error:
            return error
        return None


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


MODELS = [
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

YAML = """# mine
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


def _config(path: Path) -> None:
    config.validated(config_files.read(path))


TOKENS = (b"&a ", b"*a", b"<<: ", b"!!python/name:", b"!!int ", b"? ", b"- ", b": ", b"|", b"%YAML")

SETTINGS = [
    Target("yaml", "mine.yaml", _config, (YAML.encode(),), tokens=TOKENS),
    Target("json", "mine.json", _config, (JSON,), tokens=(b"\\ud800", b"1e999", b"NaN", b"[[[[")),
]

TARGETS = {target.name: target for target in [*MODELS, *SETTINGS]}
