"""gensim's KeyedVectors: `KeyedVectors.load(path)` opens a language.

Such a file is a pickle, and a pickle can hold any program. It is read here without gensim, and
only what names vectors in it is let in: a file that asks for anything else is refused.
"""

import pickle
import unicodedata
from pathlib import Path
from typing import Any

import numpy as np

from cr5.base.errors import UserError
from cr5.base.refusals import pass_on
from cr5.models.formats import text_lines
from cr5.models.formats.vector_files import Part

ENDING = ".kv"
CLASS = ("gensim.models.keyedvectors", "KeyedVectors")
NUMPY = {
    *(("numpy", name) for name in ("ndarray", "dtype")),
    *(
        (f"numpy.{core}.{module}", name)
        for core in ("core", "_core")
        for module, name in (
            ("multiarray", "_reconstruct"),
            ("multiarray", "scalar"),
            ("numeric", "_frombuffer"),
        )
    ),
}
BROKEN = (OSError, ValueError, LookupError, TypeError, AttributeError, EOFError, ImportError)
BROKEN += (pickle.UnpicklingError, MemoryError)


def write_vectors(path: Path, part: Part) -> None:
    """Write one language; gensim has each word's weight as its attribute `weight`."""
    from gensim.models import KeyedVectors

    vectors = KeyedVectors(part.table.shape[1])
    vectors.lifecycle_events = None  # the time of day is no part of a model
    vectors.add_vectors(list(part.words), part.table)
    vectors.expandos["weight"] = part.weights
    vectors.save(str(path), separately=["vectors"])


def read_vectors(
    path: Path, dimension: int | None, weights: np.ndarray | None
) -> tuple[list[str], np.ndarray]:
    """Read one language.

    Raises:
        UserError: a file is missing, damaged, or asks for more than vectors.
    """
    words, table = _contents(path)
    if weights is not None:
        text_lines.check_dimension(path, table.shape[1], dimension)
    seen: dict[str, str] = {}
    for number, word in enumerate(words, start=1):
        text_lines.once(unicodedata.normalize("NFC", word), f"{path}, word {number}", seen)
    if not np.isfinite(table).all():
        raise UserError(f"{path}: a number is nan or infinite; the file is damaged")
    return list(seen), table


def _contents(path: Path) -> tuple[list[str], np.ndarray]:
    try:
        with path.open("rb") as file:
            found = _Unpickler(file).load()
        table = found.__dict__.get("vectors")
        if table is None:
            table = np.load(f"{path}.vectors.npy", allow_pickle=False)
        words = found.index_to_key
        if not all(isinstance(x, str) for x in words) or np.shape(table)[:1] != (len(words),):
            raise ValueError(f"{len(words)} words and an array of shape {np.shape(table)}")
        return words, np.asarray(table, np.float32).reshape(len(words), -1)
    except BROKEN as error:
        pass_on(error)
        raise UserError(
            f"{path}: these are no whole KeyedVectors of gensim ({error}): get a whole copy, "
            f"{path.name}.vectors.npy too if there is one"
        ) from error


class _Vectors:
    """Takes the place of gensim's class."""


class _Unpickler(pickle.Unpickler):
    def find_class(self, module: str, name: str) -> Any:
        if (module, name) == CLASS:
            return _Vectors
        if (module, name) in NUMPY:
            return super().find_class(module, name)
        raise pickle.UnpicklingError(f"it asks for {module}.{name}, which is no part of vectors")
