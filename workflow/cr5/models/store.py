"""Models on disk: model.json names the class, every array is a file of its own.

model.json                  class, format, and the fields that are numbers or text
fit.json                    what made the model; or why there is none, and then it stands alone
{field}/{language}.npy      a dense array; .npz a sparse matrix; .parquet a list of text
contents.json               sizes and checksums of these, and the vocabularies' fingerprints

Models of format 1, of versions that knew no contents.json, are read as they are: people share them.
"""

import json
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import fields
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
from scipy import sparse

from cr5.base import contents
from cr5.base.errors import LeftOutError, UserError
from cr5.base.kinds import MODELS
from cr5.base.labels import fingerprint
from cr5.base.matrices import read_npz
from cr5.base.origin import Origin, from_json
from cr5.base.refusals import pass_on
from cr5.models.contract import Model
from cr5.models.joined_tables import JoinedTables
from cr5.models.word_tables import DirectedWordTables, WordTables

CLASSES = {kind.__name__: kind for kind in (WordTables, DirectedWordTables, JoinedTables)}
FORMAT, UNCHECKED = 2, 1
KEY = re.compile(r"\w[\w-]*")
# what json, numpy and pyarrow raise for files that are not theirs, cut off or damaged
BROKEN = (OSError, ValueError, LookupError, TypeError, AttributeError, EOFError, SyntaxError)
BROKEN += (pa.ArrowException, UserError)


def save(
    folder: str | Path,
    model: Model,
    about: Mapping[str, Any],
    fits: Mapping[str, str] | None = None,
) -> None:
    """Write a model; the folder appears whole.

    Args:
        folder: of the model.
        model: of one of `CLASSES`.
        about: settings, seed, versions, convergence: whatever explains the model; JSON-able.
        fits: on what it depends beside its words, see `base/labels.py`.

    Raises:
        UserError: no model of that class, or no key of that kind, can be saved.
    """
    name = type(model).__name__
    if CLASSES.get(name) is not type(model):
        raise UserError(f"a model of class {name} cannot be saved, only {', '.join(CLASSES)}")
    words = {f"vocabulary of {x}": fingerprint(y) for x, y in model.words.items()}
    with contents.written(MODELS, folder, _names(about), {**(fits or {}), **words}) as temporary:
        stored = {
            field.name: _save(temporary / field.name, getattr(model, field.name))
            for field in fields(model)
        }
        _write_json(temporary / "model.json", {"class": name, "format": FORMAT, "fields": stored})
        _write_json(temporary / "fit.json", about)


def _names(about: Mapping[str, Any]) -> dict[str, Any]:
    return {key: about[key] for key in ("setting", "system", "repetition") if key in about}


def leave_out(folder: str | Path, reason: str, about: Mapping[str, Any]) -> None:
    """Write that these data allow no model, and why; what `save` wrote there is removed."""
    with contents.written(MODELS, folder, _names(about)) as temporary:
        _write_json(temporary / "fit.json", {**about, "left_out": reason})


def load(folder: str | Path, **of: str) -> Model:
    """Read a model; dense arrays are read once for their checksum, then mapped into memory.

    Args:
        folder: of the model.
        of: what it must be, such as `system="cr5"`.

    Raises:
        LeftOutError: the data allowed no model.
        UserError: it is another one, or a file is missing, damaged or of another version.
    """
    folder, whole = Path(folder), _opened(folder, **of)
    _check_left_out(folder)
    path = whole("model.json")
    try:
        stored = json.loads(path.read_text(encoding="utf-8"))
        if stored["format"] not in (FORMAT, UNCHECKED) or stored["class"] not in CLASSES:
            raise ValueError(f"class {stored['class']}, format {stored['format']} is not known")
        found = {name: _load(_key(name), each, whole) for name, each in stored["fields"].items()}
        return CLASSES[stored["class"]](**found)
    except contents.DamagedError:
        raise
    except BROKEN as error:
        pass_on(error)
        raise UserError(
            f"{folder}: not a model that this version can read ({error}); remove the folder and "
            "fit it again"
        ) from error


def _opened(folder: str | Path, **of: str) -> Callable[[str], Path]:
    """A function from the name of a file to its path, which raises where that is not whole."""
    folder = Path(folder)
    if not (folder / contents.NAME).exists() and _format(folder) in (UNCHECKED, None):
        return lambda name: folder / name
    return contents.opened(MODELS, folder, **of).file


def _format(folder: Path) -> int | None:
    """That of a model.json that can be read."""
    try:
        return json.loads((folder / "model.json").read_text(encoding="utf-8"))["format"]
    except BROKEN as error:
        pass_on(error)
        return None


def _check_left_out(folder: Path) -> None:
    there = [(folder / name).exists() for name in ("model.json", "fit.json")]
    if there == [False, True] and (reason := about(folder).get("left_out")):
        raise LeftOutError(reason)


def about(folder: str | Path) -> dict[str, Any]:
    """Read what made a model.

    Raises:
        UserError: fit.json is missing or damaged.
    """
    path = _opened(folder)("fit.json")
    try:
        return json.loads(path.read_text(encoding="utf-8"))
    except (OSError, ValueError) as error:
        pass_on(error)
        raise UserError(
            f"{path}: cannot be read ({error}); remove the folder and fit the model again"
        ) from error


def origin_of(folder: str | Path) -> Origin:
    """Read where a model comes from.

    Raises:
        UserError: fit.json is missing, damaged or does not say it.
    """
    try:
        return from_json(about(folder)["origin"])
    except (LookupError, TypeError) as error:
        raise UserError(
            f"{folder}/fit.json does not say where the model comes from; remove the folder and "
            "fit it again"
        ) from error


def _save(path: Path, value: Any) -> Any:
    """Write a field to files that begin with `path`; returns what model.json says of it."""
    if value is None or isinstance(value, str | bool | int | float):
        return {"value": value}
    if isinstance(value, Mapping):
        path.mkdir()
        return {"by": {_key(key): _save(path / key, part) for key, part in value.items()}}
    if sparse.issparse(value):
        sparse.save_npz(f"{path}.npz", _float32(value.tocsr()), compressed=False)
        return {"file": "npz"}
    if isinstance(value, np.ndarray):
        np.save(f"{path}.npy", _float32(value) if value.ndim == 2 else value)
        return {"file": "npy"}
    if isinstance(value, Sequence) and len(value) <= 16:
        return {"value": list(value)}
    pq.write_table(pa.table({"text": pa.array(value, pa.string())}), f"{path}.parquet")
    return {"file": "parquet"}


def _float32(table):
    """A table may be computed in float64; what is kept and embedded with is float32."""
    return table.astype(np.float32, copy=False)


def _load(name: str, content: Mapping[str, Any], whole: Callable[[str], Path]) -> Any:
    if "value" in content:
        return content["value"]
    if "by" in content:
        parts = content["by"].items()
        return {key: _load(f"{name}/{_key(key)}", part, whole) for key, part in parts}
    if content["file"] == "npz":
        return read_npz(whole(f"{name}.npz"))
    if content["file"] == "npy":
        return np.load(whole(f"{name}.npy"), mmap_mode="r", allow_pickle=False)
    return pq.read_table(whole(f"{name}.parquet"))["text"].to_pylist()


def _key(key: str) -> str:
    """A key becomes part of a path: it must not lead elsewhere."""
    if not isinstance(key, str) or not KEY.fullmatch(key):
        raise UserError(f"{key!r} cannot be part of a file's name")
    return key


def _write_json(path: Path, content: Mapping[str, Any]) -> None:
    path.write_text(json.dumps(content, indent=2, ensure_ascii=False) + "\n", encoding="utf-8")
