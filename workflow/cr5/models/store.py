"""Models on disk, in the format safetensors: a folder with a file of each language, or one file.

model.safetensors       what the model is, and arrays of no language
{language}.safetensors  arrays of a language: `tables.en`, `weights.en`, words as JSON in bytes
fit.json                how the model was made; or alone, why there is none

A file NAME.cr5 is the same in one, with what fit.json says, a README and a checksum. All that says
what arrays are is JSON under the one key `cr5` of the metadata (several have no fixed order):

    format                    the number of this format
    class, module             the module of a class that is not ours
    fields                    of each a description:
    {"value": v}              a number, text, a short list of these, or nothing
    {"by": {key: ...}}        a mapping
    {"array": name}           with "scale": s where it is to be multiplied: float16 to share
    {"sparse": name, "shape"} three: name.data, name.indices, name.indptr
    {"text": name}            a list of text
    {"record": R, "fields"}   an object of one of `RECORDS`, described as a model is: what stands
                              for unknown words; further kinds of tables or of encoders beside
                              those of the words are records, too, and leave the number as it is

Format 1, which had no number, had fallbacks among the words, marked by soft hyphens.
"""

import json
import re
import zlib
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field, fields
from pathlib import Path
from types import ModuleType
from typing import Any

import numpy as np
from safetensors import safe_open
from safetensors.numpy import save as as_bytes
from scipy import sparse

from cr5.base.artefacts import NO_JOB, Artefact, Job
from cr5.base.errors import LeftOutError, UnfitError, UserError, pass_on
from cr5.base.files import atomic_file, check_free, write_json
from cr5.contracts.model import Model
from cr5.contracts.names import BEFORE
from cr5.contracts.vocabulary import Fallbacks
from cr5.models.autoencoder import Autoencoder
from cr5.models.encoded_tables import EncodedTables
from cr5.models.text_encoder import TextEncoder
from cr5.models.word_tables import Bm25Tables, JoinedTables, WordTables

FORMAT = 2
CLASSES = (WordTables, Bm25Tables, JoinedTables, EncodedTables, TextEncoder, Autoencoder)
OURS = {model_class.__name__: model_class for model_class in CLASSES}
RECORDS = {"Fallbacks": Fallbacks}
KIND = "models"
MODEL = "model.safetensors"
FIT = "fit.json"
ENDING = ".cr5"
METADATA = "cr5"
KEY = re.compile(r"(?!model$)\w[\w-]*")  # it becomes part of a file's name
DTYPES = {"F64": "<f8", "F32": "<f4", "F16": "<f2", "I64": "<i8", "I32": "<i4", "U8": "u1"}
FLOATS = (np.float16, np.float32, np.float64)
LARGEST = 2.0**15  # the largest float16 is 65504
PLAIN = (str, int, float, bool, type(None))

Arrays = dict[str, np.ndarray]
"""By the name that a description has."""
Description = dict[str, Any]
"""JSON that says what arrays are; see above."""


def save(folder: str | Path, model: Model, about: Mapping[str, Any], job: Job = NO_JOB) -> None:
    """Write a model, a language at a time; `about` is JSON: settings, seed, versions, the fit."""
    description, arrays = _described(model)
    with job.making(folder, KIND, **_subject(about)) as temporary:
        for language in model.words:
            names = [name for name in arrays if name.split(".")[1:2] == [language]]  # tables.en
            of_language = {name: arrays.pop(name) for name in names}
            _write(temporary / f"{language}.safetensors", of_language)
        _write(temporary / MODEL, arrays, description)
        write_json(temporary / FIT, about)


def pack(
    path: str | Path, model: Model, about: Mapping[str, Any], half: bool = False, readme: str = ""
) -> None:
    """Write a model as one file, NAME.cr5, which must not exist yet; it appears whole.

    With `half`, tables are float16. Each is first scaled by a power of two, so that its largest
    number is near the largest float16: all but the tiniest keep 11 bits.
    """
    check_free(path)
    description, arrays = _described(model, half)
    description |= {"about": about, "readme": readme}
    description["checksum"] = _checksum(description, arrays)
    with atomic_file(path) as temporary:
        _write(temporary, arrays, description)


def leave_out(folder: str | Path, reason: str, about: Mapping[str, Any], job: Job = NO_JOB) -> None:
    """Record that these data allow no model, and why; remove what `save` wrote there."""
    with job.making(folder, KIND, reason, **_subject(about)) as temporary:
        write_json(temporary / FIT, about)


def is_model(path: str | Path) -> bool:
    """Return whether this looks like a model, in a folder or packed."""
    path = Path(path)
    return (path / MODEL).is_file() or (path.is_file() and path.suffix == ENDING)


def load(place: str | Path, classes: Iterable[type[Model]] = (), **subject: str) -> Model:
    """Read a model; arrays are verified by checksum, mapped into memory, and checked.

    No code is run because a file names it, so classes besides ours are passed; `subject` is what a
    folder must be of, such as `system="cr5"`. LeftOutError: the data allowed no model.
    """
    place = Path(place)
    description, arrays = _stored(place, subject)
    with _refused_unless_whole(place):
        _check_format(place, description)
        name = description["class"]
        module = description.get("module")
    known = OURS
    if module:
        known = {model_class.__name__: model_class for model_class in classes}
    if module and name not in known:
        raise UserError(
            f"{place}: a model of the class {name} of the module {module}, which is not part of "
            "cr5: no code is run because a file names it. If you trust the module, pass the class, "
            f"cr5.load(..., classes=[{name}]); on the command line, --module FILE.py"
        )
    with _refused_unless_whole(place):
        model = _object(known[name], description, arrays)
        model.check()
        return model


def about(place: str | Path) -> dict[str, Any]:
    """Read how a model was made; UserError if what says so is missing or damaged."""
    place = Path(place)
    if not place.is_file():
        return Artefact(place, KIND).json(FIT)
    with _refused_unless_whole(place):
        description, _ = _unpacked(place)
        return description["about"]


def classes_in(module: ModuleType) -> list[type[Model]]:
    """Return the classes of models that a module has, imported ones included."""
    values = vars(module).values()
    classes = [value for value in values if isinstance(value, type)]
    models = [model_class for model_class in classes if issubclass(model_class, Model)]
    return [model_class for model_class in models if not model_class.__abstractmethods__]


def _stored(place: Path, subject: Mapping[str, str]) -> tuple[Description, Arrays]:
    """Read what describes a model, and its arrays; LeftOutError if the data allowed none."""
    if place.is_file():
        with _refused_unless_whole(place):
            return _unpacked(place)
    artefact = Artefact(place, KIND, **subject)
    if artefact.left_out is not None:
        raise LeftOutError(artefact.left_out)
    files = [artefact.file(name) for name in artefact.files if name.endswith(".safetensors")]
    with _refused_unless_whole(place):
        description, arrays = _read(place / MODEL)
        for file in files:
            arrays |= _read(file)[1]
        return description, arrays


def _check_format(place: Path, description: Description) -> None:
    """Refuse what another version of this package stored."""
    number = description.get("format", 1)
    if number != FORMAT:
        raise UnfitError(
            f"{place}: a model in format {number}, and this version of cr5 reads format {FORMAT}",
            "fit it again, or use the version that made it",
        )


@contextmanager
def _refused_unless_whole(place: Path) -> Iterator[None]:
    """Say of whatever is wrong with a model's files that it is no whole model."""
    try:
        yield
    except UnfitError:
        raise
    except Exception as error:
        pass_on(error)
        what = f"{place}: not a whole model of this version ({error})"
        raise UnfitError(what, "fit it again, or get a whole copy") from error


def _subject(about: Mapping[str, Any]) -> dict[str, Any]:
    return {key: about[key] for key in ("setting", "system", "repetition") if key in about}


def _described(model: Model, half: bool = False) -> tuple[Description, Arrays]:
    """Return what describes a model, and its arrays; tables in float16 if they are to be halved."""
    model_class = type(model)
    description: Description = {"format": FORMAT, "class": model_class.__name__}
    if OURS.get(model_class.__name__) is not model_class:
        description["module"] = BEFORE.sub("", model_class.__module__)
    taken = _TakenApart(half)
    description["fields"] = taken.fields("", model)
    return description, taken.arrays


@dataclass
class _TakenApart:
    """The arrays of a model, collected while its values are described."""

    half: bool
    arrays: Arrays = field(default_factory=dict)

    def fields(self, prefix: str, value: Any) -> dict[str, Description]:
        """Describe the fields of a model or record."""
        names = []
        for declared in fields(value):
            if declared.metadata.get("stored", True):
                names.append(declared.name)
        return {name: self.described(prefix + name, getattr(value, name)) for name in names}

    def described(self, name: str, value: Any) -> Description:
        """Describe a value of whatever kind; its arrays get names that begin with `name`."""
        record = type(value).__name__
        if RECORDS.get(record) is type(value):
            return {"record": record, "fields": self.fields(f"{name}.", value)}
        if isinstance(value, Mapping):
            values = {}
            for key, part in value.items():
                values[_key(key)] = self.described(f"{name}.{key}", part)
            return {"by": values}
        if sparse.issparse(value):
            return self.sparse_matrix(name, value.tocsr())
        if isinstance(value, np.ndarray) and (value.ndim == 2 or value.dtype.kind in "fiub"):
            return {"array": name} | self.array(name, value)
        if isinstance(value, PLAIN):
            return {"value": value}
        if isinstance(value, Sequence) and all(isinstance(entry, PLAIN) for entry in value):
            return self.list_of_text(name, value)
        raise UserError(
            f"{name}: a {type(value).__name__} cannot be stored in a model; expected numpy arrays, "
            "sparse matrices, numbers, text, lists of text, and mappings of these by name"
        )

    def array(self, name: str, numbers: np.ndarray) -> dict[str, float]:
        """Store a table, or one dimension of numbers at full precision; return their scale."""
        if numbers.ndim == 2:
            return self.table(name, numbers)
        if numbers.dtype not in FLOATS:  # or of these, but of another order of bytes
            numbers = numbers.astype(np.float64)
        self.arrays[name] = numbers
        return {}

    def sparse_matrix(self, name: str, matrix: sparse.csr_matrix) -> Description:
        """Store the three arrays of a matrix."""
        self.arrays[f"{name}.indices"] = matrix.indices
        self.arrays[f"{name}.indptr"] = matrix.indptr
        scale = self.table(f"{name}.data", matrix.data)
        shape = list(matrix.shape)
        return {"sparse": name, "shape": shape} | scale

    def list_of_text(self, name: str, texts: Sequence[Any]) -> Description:
        """Store a list: a short one, such as names of measures, unless it is of a language."""
        if "." not in name:
            return {"value": list(texts)}
        as_json = json.dumps(list(texts), ensure_ascii=False).encode()
        self.arrays[name] = np.frombuffer(as_json, np.uint8)
        return {"text": name}

    def table(self, name: str, numbers: np.ndarray) -> dict[str, float]:
        """Store the numbers of a table, computed in whatever type; return how they are scaled."""
        if numbers.dtype == np.float16:  # vectors of training documents
            self.arrays[name] = numbers
            return {}
        if not self.half:
            self.arrays[name] = numbers.astype(np.float32, copy=False)
            return {}
        sizes = np.abs(numbers)
        largest = float(sizes.max(initial=0))
        scale = 1.0
        if largest:
            doublings = np.floor(np.log2(LARGEST / largest))
            scale = 2.0**doublings
        enlarged = numbers.astype(np.float64) * scale
        self.arrays[name] = enlarged.astype(np.float16)
        return {"scale": 1 / scale}


def _object(kind: type, description: Description, arrays: Arrays) -> Any:
    """Make a model or record of a class of what describes it."""
    values = {name: _value(part, arrays) for name, part in description["fields"].items()}
    return kind(**values)


def _value(description: Description, arrays: Arrays) -> Any:
    if "value" in description:
        return description["value"]
    if "by" in description:
        return {_key(key): _value(part, arrays) for key, part in description["by"].items()}
    if "record" in description:
        kind = RECORDS[description["record"]]
        return _object(kind, description, arrays)
    if "text" in description:
        as_json = arrays[description["text"]]
        return json.loads(as_json.tobytes())
    if "array" in description:
        numbers = arrays[description["array"]]
        return _unscaled(numbers, description)
    return _sparse_matrix(description, arrays)


def _sparse_matrix(description: Description, arrays: Arrays) -> sparse.csr_matrix:
    name = description["sparse"]
    data = _unscaled(arrays[f"{name}.data"], description)
    indices = arrays[f"{name}.indices"]
    indptr = arrays[f"{name}.indptr"]
    shape = tuple(description["shape"])
    entries = (data, indices, indptr)
    matrix = sparse.csr_matrix(entries, shape, copy=True)
    matrix.check_format(full_check=True)  # scipy reads out of bounds if a column does not exist
    return matrix


def _unscaled(numbers: np.ndarray, description: Description) -> np.ndarray:
    if "scale" not in description:
        return numbers
    unscaled = numbers.astype(np.float64) * description["scale"]
    return unscaled.astype(np.float32)


def _write(path: Path, arrays: Arrays, description: Description | None = None) -> None:
    metadata = None
    if description:
        metadata = {METADATA: json.dumps(description, ensure_ascii=False)}
    contiguous = {name: np.ascontiguousarray(array) for name, array in arrays.items()}
    path.write_bytes(as_bytes(contiguous, metadata))


def _read(path: Path) -> tuple[Any, Arrays]:
    """Return what a file says, and its arrays, mapped: the library would copy them."""
    path.open("rb").close()  # the library says of a file that may not be read that it is none
    with safe_open(path, framework="numpy") as file:  # it checks that arrays are within the file
        metadata = file.metadata() or {}
    description = json.loads(metadata.get(METADATA, "null"))
    return description, _mapped(path)


def _mapped(path: Path) -> Arrays:
    """Return the arrays of a file of safetensors: the header's size, the header, and the data."""
    content = np.memmap(path, np.uint8, "r")
    size = content[:8].tobytes()
    start_of_data = 8 + int.from_bytes(size, "little")
    as_json = content[8:start_of_data].tobytes()
    header = json.loads(as_json)
    header.pop("__metadata__", None)
    data = content[start_of_data:]
    arrays = {}
    for name, entry in header.items():
        first, end = entry["data_offsets"]
        dtype = DTYPES[entry["dtype"]]
        shape = entry["shape"]
        in_bytes = np.asarray(data[first:end])
        numbers = in_bytes.view(dtype)
        arrays[name] = numbers.reshape(shape)
    return arrays


def _unpacked(path: Path) -> tuple[Description, Arrays]:
    description, arrays = _read(path)
    if description.pop("checksum") != _checksum(description, arrays):
        raise ValueError("it was changed since it was written")
    return description, arrays


def _checksum(description: Description, arrays: Arrays) -> str:
    """Return the CRC-32 of a whole file: numbers of a table that changed are numbers, too."""
    in_order = sorted(arrays.items())
    shapes = [(name, str(array.dtype), array.shape) for name, array in in_order]
    header = json.dumps([description, shapes], sort_keys=True)
    checksum = zlib.crc32(header.encode())
    for _, array in in_order:
        contiguous = np.ascontiguousarray(array)
        checksum = zlib.crc32(contiguous, checksum)
    return f"{checksum:08x}"


def _key(key: str) -> str:
    """Check a key: it becomes part of a path and must not lead elsewhere."""
    if not isinstance(key, str) or not KEY.fullmatch(key):
        raise UserError(f"{key!r} cannot be part of a file's name")
    return key
