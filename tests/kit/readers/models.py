"""Readers of word vectors and models that somebody published."""

import io
import struct
import tempfile
import zipfile
from pathlib import Path

import numpy as np

from cr5.base.errors import UserError
from cr5.fitting import given_vectors
from cr5.models import vector_readers
from cr5.models.formats import packed, registry, tensors
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


def exported(kind: str) -> dict[str, bytes]:
    """The files of a model in a format, by their names."""
    with tempfile.TemporaryDirectory() as folder:
        registry.write(kind, Path(folder) / "model", MODEL, ABOUT)
        root = Path(folder) / "model"
        files = [x for x in sorted(root.rglob("*")) if x.is_file()] if root.is_dir() else [root]
        return {str(x.relative_to(root)) if x != root else "": x.read_bytes() for x in files}


def stored() -> bytes:
    """A packed model that is not compressed."""
    data, found = io.BytesIO(), zipfile.ZipFile(io.BytesIO(exported("packed")[""]))
    with zipfile.ZipFile(data, "w") as file:
        for name in found.namelist():
            file.writestr(name, found.read(name))
    return data.getvalue()


def _of_export(path: Path) -> None:
    registry.read(path.parent)


def _array(path: Path) -> None:
    content = path.read_bytes()
    try:
        packed._array(content)
    except packed.BROKEN as error:
        raise UserError(f"{path}: as of `packed.read`") from error


def _described(path: Path) -> None:
    """A description with the arrays of a good model."""
    good = packed_parts()
    with zipfile.ZipFile(path.parent / "a.cr5", "w") as file:
        for name, content in good.items():
            file.writestr(name, path.read_bytes() if name == "model.json" else content)
    registry.read(path.parent / "a.cr5")


def packed_parts() -> dict[str, bytes]:
    """The parts of a packed model."""
    with zipfile.ZipFile(io.BytesIO(PACKED)) as file:
        return {name: file.read(name) for name in file.namelist()}


PACKED = stored()
NPY = packed_parts()["tables.da.npy"]
TENSORS = exported("safetensors")


TARGETS = [
    Target("vec", "da.vec", lambda path: given_vectors.read(path, 100), (VEC, VEC[4:])),
    Target("bin", "da.bin", lambda path: given_vectors.read(path, 100), (BIN,)),
    Target(
        "fasttext",
        "da.bin",
        lambda path: given_vectors.read(path, 100),
        (fasttext(WORDS, ROWS),),
    ),
    Target(
        "released",
        "x_da.txt",
        lambda path: vector_readers.read_vectors(path, WORDS, 2),
        (VEC[4:],),
    ),
    Target("packed", "a.cr5", registry.read, (PACKED,)),
    Target("packed_description", "model.json", _described, (packed_parts()["model.json"],)),
    Target("npy", "a.npy", _array, (NPY,)),
    Target(
        "safetensors",
        "model.safetensors",
        _of_export,
        (TENSORS["model.safetensors"],),
    ),
    Target("tensors", "a.safetensors", tensors.read_file, (TENSORS["model.safetensors"],)),
]
