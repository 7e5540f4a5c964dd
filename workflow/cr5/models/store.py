"""Models on disk: model.json names the class, every array is a separate file.

model.json                  class (see `kinds`), format, and the fields that are numbers or text
fit.json                    how the model was made; or alone, why there is none
{field}/{language}.npy      a dense array; .npz a sparse matrix; .parquet a list of text
contents.json               sizes and checksums of these files, fingerprints of the vocabularies
"""

import json
import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
from scipy import sparse

from cr5.base import artefacts
from cr5.base.errors import LeftOutError, UserError
from cr5.base.labels import MODELS
from cr5.base.matrices import read_npz
from cr5.base.origin import Origin, from_json
from cr5.base.refusals import DAMAGED, pass_on
from cr5.base.rows import Rows
from cr5.models import kinds
from cr5.models.contract import Model, ModelError

FORMAT = 2
KEY = re.compile(r"\w[\w-]*")
BROKEN = (*DAMAGED, pa.ArrowException, UserError)


def save(
    folder: str | Path,
    model: Model,
    about: Mapping[str, Any],
    depends_on: Mapping[str, str] | None = None,
) -> None:
    """Write a model; the folder appears whole.

    Args:
        folder: of the model.
        model: of a class that `kinds.check_storable` accepts.
        about: settings, seed, versions, convergence and so on; JSON-serialisable.
        depends_on: what it depends on, see `base/labels.py`.

    Raises:
        UserError: models of that class, values in it, or keys of that kind cannot be saved.
    """
    kind = kinds.described(model)
    with artefacts.written(MODELS, folder, _names(about), depends_on or {}) as temporary:
        stored = {
            name: _save(temporary / name, getattr(model, name)) for name in kinds.stored(model)
        }
        _write_json(temporary / "model.json", {**kind, "format": FORMAT, "fields": stored})
        _write_json(temporary / "fit.json", about)


def _names(about: Mapping[str, Any]) -> dict[str, Any]:
    return {key: about[key] for key in ("setting", "system", "repetition") if key in about}


def leave_out(folder: str | Path, reason: str, about: Mapping[str, Any]) -> None:
    """Record that these data allow no model, and why; remove what `save` wrote there."""
    with artefacts.written(MODELS, folder, _names(about)) as temporary:
        _write_json(temporary / "fit.json", {**about, "left_out": reason})


def load(folder: str | Path, classes: Iterable[type[Model]] = (), **subject: str) -> Model:
    """Read a model; dense arrays are verified by checksum, mapped into memory, and checked.

    Args:
        folder: of the model.
        classes: that it may be of besides ours.
        subject: what it must be of, such as `system="cr5"`.

    Raises:
        LeftOutError: the data allowed no model.
        UnknownClassError: it is of a class that is neither ours nor passed.
        UserError: it is a different model, or a file is missing, damaged, of another version, or
            does not fit the others.
    """
    folder, whole = Path(folder), _opened(folder, **subject)
    _check_left_out(folder)
    path = whole("model.json")
    try:
        return _model(json.loads(path.read_text(encoding="utf-8")), whole, classes)
    except artefacts.DamagedError:
        raise
    except kinds.UnknownClassError as error:
        raise error.at(folder) from None
    except ModelError as error:
        raise UserError(
            f"{_place(folder, error.part)}: {error}; {MODELS.remedy.format(path=folder)}"
        ) from error
    except BROKEN as error:
        pass_on(error)
        raise UserError(
            f"{folder}: not a model that this version can read ({error}); remove the folder and "
            "fit it again"
        ) from error


def _model(
    stored: Mapping[str, Any], whole: Callable[[str], Path], classes: Iterable[type[Model]]
) -> Model:
    if stored["format"] != FORMAT:
        raise ValueError(f"format {stored['format']} is not known")
    kind = kinds.class_of(stored, classes)
    found = {name: _load(_key(name), each, whole) for name, each in stored["fields"].items()}
    model = kind(**found)
    model.check()
    return model


def _place(folder: Path, part: str) -> Path:
    """The file of a part of a model, as named by `ModelError`."""
    if not part:
        return folder
    files = (folder / f"{part}.{ending}" for ending in ("npy", "npz", "parquet"))
    return next((file for file in files if file.exists()), folder / "model.json")


def _opened(folder: str | Path, **subject: str) -> Callable[[str], Path]:
    """Return a function from a file name to its path, which raises if the file is not whole."""
    return artefacts.opened(MODELS, Path(folder), **subject).file


def _check_left_out(folder: Path) -> None:
    there = [(folder / name).exists() for name in ("model.json", "fit.json")]
    if there == [False, True] and (reason := about(folder).get("left_out")):
        raise LeftOutError(reason)


def about(folder: str | Path) -> dict[str, Any]:
    """Read how a model was made.

    Raises:
        UserError: fit.json is missing or damaged.
    """
    path = _opened(folder)("fit.json")
    try:
        found = json.loads(path.read_text(encoding="utf-8"))
        if not isinstance(found, dict):
            raise ValueError(f"expected an object, found {found!r:.40}")
        return found
    except DAMAGED as error:
        pass_on(error)
        raise UserError(
            f"{path}: cannot be read ({error}); remove the folder and fit the model again"
        ) from error


def origin_of(folder: str | Path) -> Origin:
    """Read where a model comes from.

    Raises:
        UserError: fit.json is missing or damaged, or does not say.
    """
    try:
        return from_json(about(folder)["origin"])
    except DAMAGED as error:
        raise UserError(
            f"{folder}/fit.json does not say where the model comes from; remove the folder and "
            "fit it again"
        ) from error


def _save(path: Path, value: Any) -> Any:
    """Write a field to files whose names start with `path`; return its entry in model.json."""
    if value is None or isinstance(value, str | bool | int | float):
        return {"value": value}
    if isinstance(value, Mapping):
        path.mkdir()
        return {"by": {_key(key): _save(path / key, part) for key, part in value.items()}}
    if sparse.issparse(value):
        sparse.save_npz(f"{path}.npz", _float32(value.tocsr()), compressed=False)
        return {"file": "npz"}
    if isinstance(value, np.ndarray):
        np.save(f"{path}.npy", _float32(value) if value.ndim == 2 else _floating(value))
        return {"file": "npy"}
    if not isinstance(value, Sequence) or not all(isinstance(x, kinds.PLAIN) for x in value):
        raise UserError(
            f"{path.name}: a {type(value).__name__} cannot be stored in a model; expected "
            f"{kinds.EXPECTED}"
        )
    if len(value) <= 16:
        return {"value": list(value)}
    pq.write_table(pa.table({"text": pa.array(value, pa.string())}), f"{path}.parquet")
    return {"file": "parquet"}


def _float32(table):
    """Convert a table, which may be computed in float64, to float32; a bank stays in float16."""
    return table if table.dtype == np.float16 else table.astype(np.float32, copy=False)


def _floating(vector):
    """Convert weights, which may be computed as integers, to floating-point numbers."""
    return vector.astype(np.float64) if vector.dtype.kind in "iub" else vector


def _load(name: str, content: Mapping[str, Any], whole: Callable[[str], Path]) -> Any:
    if "value" in content:
        return content["value"]
    if "by" in content:
        parts = content["by"].items()
        return {key: _load(f"{name}/{_key(key)}", part, whole) for key, part in parts}
    if content["file"] == "npz":
        return _sparse(whole(f"{name}.npz"), name)
    if content["file"] == "npy":
        return _floats(np.load(whole(f"{name}.npy"), mmap_mode="r", allow_pickle=False), name)
    return pq.read_table(whole(f"{name}.parquet"))["text"].to_pylist()


def _sparse(path: Path, name: str) -> Rows:
    table = _floats(read_npz(path), name)
    try:
        table.check_format(full_check=True)  # scipy reads out of bounds if a column does not exist
    except ValueError as error:
        raise ModelError(f"not a whole sparse matrix ({error})", name) from error
    return table


def _floats(array: Rows, name: str) -> Rows:
    if array.dtype.kind != "f":
        raise ModelError(f"expected floating-point numbers, found {array.dtype}", name)
    return array


def _key(key: str) -> str:
    """Check a key: it becomes part of a path and must not lead elsewhere."""
    if not isinstance(key, str) or not KEY.fullmatch(key):
        raise UserError(f"{key!r} cannot be part of a file's name")
    return key


def _write_json(path: Path, content: Mapping[str, Any]) -> None:
    path.write_text(json.dumps(content, indent=2, ensure_ascii=False) + "\n", encoding="utf-8")
