"""The whole model in one file of safetensors, of any kind of model.

model.safetensors holds `tables.LANGUAGE`, `weights.LANGUAGE` and so on (`flat`), words as JSON in
arrays of bytes, and as its metadata `cr5`: the description, and what made the model.
"""

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from cr5.base.errors import UserError
from cr5.models.contract import Model
from cr5.models.formats import sidecar, tensor_file
from cr5.models.formats.flat import BROKEN, flatten, unflatten

FILE = "model.safetensors"


def write(folder: Path, model: Model, about: Mapping[str, Any], half: bool = False) -> None:
    """Write the file, in float16 if wanted, and the mark of the folder."""
    description, arrays = flatten(model, half)
    text = json.dumps({"model": description, "about": about}, ensure_ascii=False)
    tensor_file.write(folder / FILE, arrays, {"cr5": text})
    sidecar.mark(folder, {"kind": "safetensors"})


def read(folder: Path) -> tuple[Model, dict[str, Any]]:
    """Read what `write` wrote.

    Raises:
        UserError: the file is missing, damaged or of another version.
    """
    arrays, texts = tensor_file.read(folder / FILE)
    try:
        stored = json.loads(texts["cr5"])
        return unflatten(stored["model"], arrays), stored["about"]
    except BROKEN as error:
        raise UserError(
            f"{folder / FILE}: holds no model that this version can read ({error}); export it again"
        ) from error
