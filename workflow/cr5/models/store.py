"""Models on disk, in the format safetensors: a folder with a file of each language, or one file.

model.safetensors       what the model is, and arrays of no language
{language}.safetensors  arrays of a language: `tables.en`, `weights.en`, words as JSON in bytes
fit.json                how the model was made; or alone, why there is none

A file NAME.cr5 is the same in one, with what fit.json says, a README and a checksum. All that says
what arrays are is JSON under the one key `cr5` of the metadata (several have no fixed order):

    class, module             the module of a class that is not ours
    fields                    of each a description:
    {"value": v}              a number, text, a short list of these, or nothing
    {"by": {key: ...}}        a mapping
    {"array": name}           with "scale": s where it is to be multiplied: float16 to share
    {"sparse": name, "shape"} three: name.data, name.indices, name.indptr
    {"text": name}            a list of text
"""

import json
import re
import zlib
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import fields
from pathlib import Path
from types import ModuleType
from typing import Any

import numpy as np
from safetensors import safe_open
from safetensors.numpy import save as as_bytes
from scipy import sparse

from cr5.base.artefacts import NO_JOB, Artefact, Job
from cr5.base.catalogue import BEFORE
from cr5.base.errors import LeftOutError, UnfitError, UserError, pass_on
from cr5.base.files import atomic_file, check_free, write_json
from cr5.models.autoencoder import Autoencoder
from cr5.models.contract import Model
from cr5.models.encoded_tables import EncodedTables
from cr5.models.text_encoder import TextEncoder
from cr5.models.word_tables import Bm25Tables, JoinedTables, WordTables

CLASSES = (WordTables, Bm25Tables, JoinedTables, EncodedTables, TextEncoder, Autoencoder)
OURS = {kind.__name__: kind for kind in CLASSES}
KIND = "models"
MODEL, ENDING, METADATA = "model.safetensors", ".cr5", "cr5"
KEY = re.compile(r"(?!model$)\w[\w-]*")  # it becomes part of a file's name
KINDS = {"F64": "<f8", "F32": "<f4", "F16": "<f2", "I64": "<i8", "I32": "<i4", "U8": "u1"}
LARGEST = 2.0**15  # the largest float16 is 65504
PLAIN = (str, int, float, bool, type(None))


def save(folder: str | Path, model: Model, about: Mapping[str, Any], job: Job = NO_JOB) -> None:
    """Write a model, a language at a time; `about` is JSON: settings, seed, versions, the fit."""
    said, arrays = _taken_apart(model)
    with job.making(folder, KIND, **_names(about)) as temporary:
        for language in model.words:
            mine = {x: y for x, y in arrays.items() if x.split(".")[1:2] == [language]}
            _write(temporary / f"{language}.safetensors", mine)
            arrays = {x: y for x, y in arrays.items() if x not in mine}
        _write(temporary / MODEL, arrays, said)
        write_json(temporary / "fit.json", about)


def pack(
    path: str | Path, model: Model, about: Mapping[str, Any], half: bool = False, readme: str = ""
) -> None:
    """Write a model as one file, NAME.cr5, which must not exist yet; it appears whole.

    With `half`, tables are float16. Each is first scaled by a power of two, so that its largest
    number is near the largest float16: all but the tiniest keep 11 bits.
    """
    check_free(path)
    said, arrays = _taken_apart(model, half)
    said |= {"about": about, "readme": readme}
    with atomic_file(path) as temporary:
        _write(temporary, arrays, {**said, "checksum": _checksum(said, arrays)})


def leave_out(folder: str | Path, reason: str, about: Mapping[str, Any], job: Job = NO_JOB) -> None:
    """Record that these data allow no model, and why; remove what `save` wrote there."""
    with job.making(folder, KIND, reason, **_names(about)) as temporary:
        write_json(temporary / "fit.json", about)


def is_model(path: str | Path) -> bool:
    """Whether this looks like a model, in a folder or packed."""
    path = Path(path)
    return (path / MODEL).is_file() or (path.is_file() and path.suffix == ENDING)


def load(place: str | Path, classes: Iterable[type[Model]] = (), **subject: str) -> Model:
    """Read a model; arrays are verified by checksum, mapped into memory, and checked.

    No code is run because a file names it, so classes besides ours are passed; `subject` is what a
    folder must be of, such as `system="cr5"`. LeftOutError: the data allowed no model.
    """
    place = Path(place)
    if not place.is_file():
        found = Artefact(place, KIND, **subject)
        if found.left_out is not None:
            raise LeftOutError(found.left_out)
        files = [found.file(x) for x in found.files if x.endswith(".safetensors")]
    with _whole(place):
        if place.is_file():
            said, arrays = _unpacked(place)
        else:
            said, arrays = _read(place / MODEL)
            for each in files:
                arrays |= _read(each)[1]
        name, module = said["class"], said.get("module")
    known = {kind.__name__: kind for kind in classes} if module else OURS
    if module and name not in known:
        raise UserError(
            f"{place}: a model of the class {name} of the module {module}, which is not part of "
            "cr5: no code is run because a file names it. If you trust the module, pass the class, "
            f"cr5.load(..., classes=[{name}]); on the command line, --module FILE.py"
        )
    with _whole(place):
        fields = {x: _take(each, arrays) for x, each in said["fields"].items()}
        model = known[name](**fields)
        model.check()
        return model


def about(place: str | Path) -> dict[str, Any]:
    """Read how a model was made; UserError if what says so is missing or damaged."""
    place = Path(place)
    if not place.is_file():
        return Artefact(place, KIND).json("fit.json")
    with _whole(place):
        return _unpacked(place)[0]["about"]


@contextmanager
def _whole(place: Path) -> Iterator[None]:
    """Say of whatever is wrong with a model's files that it is no whole model."""
    try:
        yield
    except Exception as error:
        pass_on(error)
        what = f"{place}: not a whole model of this version ({error})"
        raise UnfitError(what, "fit it again, or get a whole copy") from error


def classes_in(module: ModuleType) -> list[type[Model]]:
    """Return the classes of models that a module has, imported ones included."""
    kinds = [x for x in vars(module).values() if isinstance(x, type) and issubclass(x, Model)]
    return [x for x in kinds if not x.__abstractmethods__]


def _names(about: Mapping[str, Any]) -> dict[str, Any]:
    return {key: about[key] for key in ("setting", "system", "repetition") if key in about}


def _taken_apart(model: Model, half: bool = False) -> tuple[dict[str, Any], dict[str, np.ndarray]]:
    """What describes a model, and its arrays."""
    kind, arrays = type(model), {}
    stored = [each.name for each in fields(model) if each.metadata.get("stored", True)]
    values = {name: getattr(model, name) for name in stored}
    said = {"class": kind.__name__}
    if OURS.get(kind.__name__) is not kind:
        said["module"] = BEFORE.sub("", kind.__module__)
    return said | {"fields": {x: _put(x, y, arrays, half) for x, y in values.items()}}, arrays


def _put(name: str, value: Any, arrays: dict[str, np.ndarray], half: bool) -> dict[str, Any]:
    if isinstance(value, Mapping):
        return {"by": {_key(x): _put(f"{name}.{x}", y, arrays, half) for x, y in value.items()}}
    if sparse.issparse(value):
        value = value.tocsr()
        arrays[f"{name}.indices"], arrays[f"{name}.indptr"] = value.indices, value.indptr
        scale = _put_table(f"{name}.data", value.data, arrays, half)
        return {"sparse": name, "shape": list(value.shape)} | scale
    if isinstance(value, np.ndarray) and value.ndim == 2:
        return {"array": name} | _put_table(name, value, arrays, half)
    if isinstance(value, np.ndarray) and value.dtype.kind in "fiub":
        arrays[name] = value if value.dtype.kind == "f" else value.astype(np.float64)
        return {"array": name}
    if isinstance(value, PLAIN):
        return {"value": value}
    if not isinstance(value, Sequence) or not all(isinstance(x, PLAIN) for x in value):
        raise UserError(
            f"{name}: a {type(value).__name__} cannot be stored in a model; expected numpy arrays, "
            "sparse matrices, numbers, text, lists of text, and mappings of these by name"
        )
    if "." not in name:  # names of measures; words are per language
        return {"value": list(value)}
    text = json.dumps(list(value), ensure_ascii=False).encode()
    arrays[name] = np.frombuffer(text, np.uint8)
    return {"text": name}


def _put_table(
    name: str, values: np.ndarray, arrays: dict[str, np.ndarray], half: bool
) -> dict[str, float]:
    """Store the numbers of a table, computed in whatever type; return how they are scaled."""
    if values.dtype == np.float16:  # vectors of training documents
        arrays[name] = values
        return {}
    if not half:
        arrays[name] = values.astype(np.float32, copy=False)
        return {}
    largest = float(np.abs(values).max(initial=0))
    scale = 2.0 ** np.floor(np.log2(LARGEST / largest)) if largest else 1.0
    arrays[name] = (values.astype(np.float64) * scale).astype(np.float16)
    return {"scale": 1 / scale}


def _take(content: Mapping[str, Any], arrays: Mapping[str, np.ndarray]) -> Any:
    if "value" in content:
        return content["value"]
    if "by" in content:
        return {_key(x): _take(part, arrays) for x, part in content["by"].items()}
    if "text" in content:
        return json.loads(arrays[content["text"]].tobytes())
    if "array" in content:
        return _unscaled(arrays[content["array"]], content)
    name = content["sparse"]
    data = _unscaled(arrays[f"{name}.data"], content)
    parts = (data, arrays[f"{name}.indices"], arrays[f"{name}.indptr"])
    table = sparse.csr_matrix(parts, tuple(content["shape"]), copy=True)
    table.check_format(full_check=True)  # scipy reads out of bounds if a column does not exist
    return table


def _unscaled(values: np.ndarray, content: Mapping[str, Any]) -> np.ndarray:
    if "scale" not in content:
        return values
    return (values.astype(np.float64) * content["scale"]).astype(np.float32)


def _write(
    path: Path, arrays: Mapping[str, np.ndarray], said: Mapping[str, Any] | None = None
) -> None:
    metadata = {METADATA: json.dumps(said, ensure_ascii=False)} if said else None
    path.write_bytes(as_bytes({x: np.ascontiguousarray(y) for x, y in arrays.items()}, metadata))


def _read(path: Path) -> tuple[Any, dict[str, np.ndarray]]:
    """What a file says, and its arrays, mapped: the library would copy them."""
    path.open("rb").close()  # the library says of a file that may not be read that it is none
    with safe_open(path, framework="numpy") as file:  # it checks that arrays are within the file
        said = (file.metadata() or {}).get(METADATA, "null")
    data = np.memmap(path, np.uint8, "r")
    start = 8 + int.from_bytes(data[:8].tobytes(), "little")
    header = json.loads(data[8:start].tobytes())
    header.pop("__metadata__", None)
    arrays = {}
    for name, each in header.items():
        first, last = each["data_offsets"]
        part = np.asarray(data[start + first : start + last])
        arrays[name] = part.view(KINDS[each["dtype"]]).reshape(each["shape"])
    return json.loads(said), arrays


def _unpacked(path: Path) -> tuple[dict[str, Any], dict[str, np.ndarray]]:
    said, arrays = _read(path)
    if said.pop("checksum") != _checksum(said, arrays):
        raise ValueError("it was changed since it was written")
    return said, arrays


def _checksum(said: Mapping[str, Any], arrays: Mapping[str, np.ndarray]) -> str:
    """The CRC-32 of a whole file: numbers of a table that changed are numbers, too."""
    shapes = sorted((name, str(x.dtype), x.shape) for name, x in arrays.items())
    found = zlib.crc32(json.dumps([said, shapes], sort_keys=True).encode())
    for name, _, _ in shapes:
        found = zlib.crc32(np.ascontiguousarray(arrays[name]), found)
    return f"{found:08x}"


def _key(key: str) -> str:
    """Check a key: it becomes part of a path and must not lead elsewhere."""
    if not isinstance(key, str) or not KEY.fullmatch(key):
        raise UserError(f"{key!r} cannot be part of a file's name")
    return key
