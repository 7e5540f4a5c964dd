"""A model of any kind in one safetensors file; needs an optional library.

model.safetensors holds `tables.LANGUAGE`, `weights.LANGUAGE` and so on (`flat`), words as JSON in
byte arrays, and in its metadata `cr5`: the description, and how the model was made.
"""

import json
from collections.abc import Iterable, Mapping
from pathlib import Path
from types import ModuleType
from typing import Any

import numpy as np

from cr5.base.errors import UserError
from cr5.base.extras import needed
from cr5.base.refusals import DAMAGED, pass_on
from cr5.models.contract import Model
from cr5.models.formats.flat import BROKEN, flatten, unflatten
from cr5.models.kinds import UnknownClassError

FILE = "model.safetensors"


def write(folder: Path, model: Model, about: Mapping[str, Any], half: bool = False) -> None:
    """Write the file, in float16 if wanted."""
    description, arrays = flatten(model, half)
    text = json.dumps({"model": description, "about": about}, ensure_ascii=False)
    write_file(folder / FILE, arrays, {"cr5": text})


def read(folder: Path, classes: Iterable[type[Model]] = ()) -> tuple[Model, dict[str, Any]]:
    """Read what `write` wrote.

    Args:
        folder: of the model.
        classes: that it may be of besides ours.

    Raises:
        UserError: the file is missing, damaged or of another version.
    """
    arrays, texts = read_file(folder / FILE)
    try:
        stored = json.loads(texts["cr5"])
        return unflatten(stored["model"], arrays, classes), stored["about"]
    except UnknownClassError as error:
        raise error.at(folder) from None
    except BROKEN as error:
        raise UserError(
            f"{folder / FILE}: holds no model that this version can read ({error}); export it again"
        ) from error


def write_file(path: Path, arrays: Mapping[str, np.ndarray], texts: Mapping[str, str]) -> None:
    """Write named arrays, and texts as metadata."""
    contiguous = {name: np.ascontiguousarray(array) for name, array in arrays.items()}
    # the library writes metadata in a random order; with a single text there is none
    path.write_bytes(_library().numpy.save(contiguous, metadata=dict(texts) or None))


def read_file(path: Path) -> tuple[dict[str, np.ndarray], dict[str, str]]:
    """Read the output of `write_file`.

    Raises:
        UserError: the file is missing, truncated or damaged.
    """
    library = _library()
    try:
        path.open("rb").close()  # the library says of a file that may not be read that it is none
        with library.safe_open(path, framework="numpy") as file:
            return {name: file.get_tensor(name) for name in file.keys()}, file.metadata() or {}  # noqa: SIM118
    except (*DAMAGED, MemoryError, library.SafetensorError) as error:
        pass_on(error)
        raise UserError(
            f"{path}: not a whole file of safetensors ({error}); get a whole copy"
        ) from error


def _library() -> ModuleType:
    with needed("export", "this format"):
        import safetensors
        import safetensors.numpy
    return safetensors
