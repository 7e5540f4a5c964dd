"""A model as named arrays and a description, for formats that hold any model in one file.

The description is JSON: the class, and the kind of each field:

    {"value": v}                a number, a name, a short list of these, or nothing
    {"by": {key: ...}}          per language
    {"array": name}             an array
    {"sparse": name, "shape"}   three: name.data, name.indices, name.indptr
    {"text": name}              an array of bytes: a list of text as JSON
    ... "scale": s              float16 times s, a power of two
"""

import json
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import numpy as np
from scipy import sparse

from cr5.base.errors import UserError
from cr5.base.refusals import DAMAGED
from cr5.models import kinds
from cr5.models.contract import Model

FORMAT = 1
# raised by `unflatten` if a description is foreign or does not fit its arrays
BROKEN = (*DAMAGED, MemoryError, UserError)
KINDS = "fiu"  # dtype kinds allowed in arrays
LARGEST = 2.0**15  # the largest float16 is 65504


def flatten(model: Model, half: bool = False) -> tuple[dict[str, Any], dict[str, np.ndarray]]:
    """Take a model apart into a description and arrays.

    Args:
        model: of a class that `kinds.check_storable` accepts.
        half: store tables in float16. Each is first scaled by a power of two, so that its largest
            number is near the largest float16: all but the tiniest keep 11 bits.

    Returns:
        The description, and arrays by name.
    """
    arrays: dict[str, np.ndarray] = {}
    contents = {
        name: _put(name, getattr(model, name), arrays, half or name == kinds.BANK)
        for name in kinds.stored(model)
    }
    return {**kinds.described(model), "format": FORMAT, "fields": contents}, arrays


def unflatten(
    description: Mapping[str, Any],
    arrays: Mapping[str, np.ndarray],
    classes: Iterable[type[Model]] = (),
) -> Model:
    """Rebuild a model.

    Args:
        description: as `flatten` returned it.
        arrays: likewise.
        classes: that it may be of besides ours.

    Raises:
        Exception: of `BROKEN`; something is missing or does not fit.
    """
    if bad := [name for name, array in arrays.items() if array.dtype.kind not in KINDS]:
        raise ValueError(f"{bad[0]} is an array of {arrays[bad[0]].dtype}, not of numbers")
    if description["format"] != FORMAT:
        raise ValueError(f"format {description['format']} is not known")
    kind = kinds.class_of(description, classes)
    contents = {name: _take(content, arrays) for name, content in description["fields"].items()}
    model = kind(**contents)
    model.check()
    return model


def _put(name: str, value: Any, arrays: dict[str, np.ndarray], half: bool) -> dict[str, Any]:
    if isinstance(value, Mapping):
        return {"by": {key: _put(f"{name}.{key}", x, arrays, half) for key, x in value.items()}}
    if sparse.issparse(value):
        value = value.tocsr()
        arrays[f"{name}.indices"], arrays[f"{name}.indptr"] = value.indices, value.indptr
        scale = _table(f"{name}.data", value.data, arrays, half)
        return {"sparse": name, "shape": list(value.shape)} | scale
    if isinstance(value, np.ndarray):
        if value.ndim == 2:
            return {"array": name} | _table(name, value, arrays, half)
        arrays[name] = np.asarray(value)
        return {"array": name}
    if value is None or isinstance(value, str | int | float):
        return {"value": value}
    if not isinstance(value, Sequence) or not all(isinstance(x, kinds.PLAIN) for x in value):
        raise UserError(
            f"{name}: a {type(value).__name__} cannot be stored in a model; expected "
            f"{kinds.EXPECTED}"
        )
    if "." not in name:  # names of measures; words are per language
        return {"value": list(value)}
    text = json.dumps(list(value), ensure_ascii=False).encode()
    arrays[name] = np.frombuffer(text, np.uint8)
    return {"text": name}


def _table(
    name: str, values: np.ndarray, arrays: dict[str, np.ndarray], half: bool
) -> dict[str, float]:
    """Store the numbers of a table; return how they were scaled."""
    values = np.asarray(values, np.float32)
    largest = float(np.abs(values).max(initial=0))
    if not half or largest == 0:
        arrays[name] = values.astype(np.float16 if half else np.float32)
        return {}
    scale = 2.0 ** np.floor(np.log2(LARGEST / largest))
    arrays[name] = (values.astype(np.float64) * scale).astype(np.float16)
    return {"scale": 1 / scale}


def _take(content: Mapping[str, Any], arrays: Mapping[str, np.ndarray]) -> Any:
    if "value" in content:
        return content["value"]
    if "by" in content:
        return {key: _take(part, arrays) for key, part in content["by"].items()}
    if "text" in content:
        return json.loads(arrays[content["text"]].tobytes())
    if "array" in content:
        return _unscaled(arrays[content["array"]], content)
    name = content["sparse"]
    data = _unscaled(arrays[f"{name}.data"], content)
    parts = (data, arrays[f"{name}.indices"], arrays[f"{name}.indptr"])
    table = sparse.csr_matrix(parts, tuple(content["shape"]))
    table.check_format(full_check=True)
    return table


def _unscaled(values: np.ndarray, content: Mapping[str, Any]) -> np.ndarray:
    if values.dtype != np.float16:
        return values
    return (values.astype(np.float64) * content.get("scale", 1.0)).astype(np.float32)
