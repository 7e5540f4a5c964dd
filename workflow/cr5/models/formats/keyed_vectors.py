"""gensim's KeyedVectors: `KeyedVectors.load(path)` opens a language.

Such a file is a pickle, and a pickle can hold any program. So these are written, for gensim, and
never read: whoever trusts one has gensim turn it into word2vec's binary form.
"""

from pathlib import Path

import numpy as np

from cr5.base.errors import UserError
from cr5.models.formats.vector_files import Part

ENDING = ".kv"


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
    """Refuse to read.

    Raises:
        UserError: always; it says what to do instead.
    """
    binary = path.with_suffix(".bin").name
    raise UserError(
        f"{path}: a file of gensim's own is a pickle, which can hold any program, and is not read. "
        "If you trust it, write it in word2vec's form, with gensim: "
        f"KeyedVectors.load({path.name!r}).save_word2vec_format({binary!r}, binary=True), and "
        "import that as word2vec-binary; of your own model, export another format"
    )
