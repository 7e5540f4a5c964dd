"""cr5.json: stored next to exported vectors, so that documents can be embedded as before."""

import json
import re
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

import numpy as np

from cr5.base.errors import UserError
from cr5.base.refusals import DAMAGED, pass_on
from cr5.models.vector_readers import check_numbers
from cr5.models.word_tables import WordTables

FILE = "cr5.json"
FORMAT = 1
PLAIN = re.compile(r"\w[\w.-]*")  # parts of file names
SETTINGS = ("term_frequency", "input_norm", "norm", "measures")
KINDS = {"name": str, "languages": list, "dimension": int, "settings": dict, "about": dict}


@dataclass(frozen=True)
class Sidecar:
    """How vectors and weights make the vector of a document, and how they were made.

    Attributes:
        kind: name of the format.
        name: prefix of the file names.
        languages: of the model.
        dimension: of vectors.
        settings: the fields of `WordTables` that are numbers or names.
        offsets: per language, or None.
        about: how the model was made.
    """

    kind: str
    name: str
    languages: list[str]
    dimension: int
    settings: dict[str, Any]
    offsets: dict[str, list[float]] | None
    about: dict[str, Any]

    @classmethod
    def of(cls, model: WordTables, kind: str, name: str, about: Mapping[str, Any]) -> "Sidecar":
        """Take from a model what its tables and weights do not hold."""
        dimension = next(iter(model.tables.values())).shape[1]
        settings = {key: getattr(model, key) for key in SETTINGS}
        settings["measures"] = list(model.measures)
        offsets = model.offsets and {x: np.asarray(b).tolist() for x, b in model.offsets.items()}
        return cls(kind, name, list(model.words), dimension, settings, offsets, dict(about))

    def model(self, words: Mapping, tables: Mapping, weights: Mapping) -> WordTables:
        """Rebuild the model."""
        offsets = self.offsets and {x: np.array(b) for x, b in self.offsets.items()}
        return WordTables(words, tables, weights, offsets, **self.settings)


def name_of(about: Mapping[str, Any]) -> str:
    """Prefix of a model's file names: its system's name."""
    return re.sub(r"[^A-Za-z0-9]+", "_", str(about.get("system", ""))).strip("_") or "model"


def write(folder: Path, sidecar: Sidecar) -> None:
    """Write cr5.json."""
    mark(folder, asdict(sidecar))


def mark(folder: Path, content: Mapping[str, Any]) -> None:
    """Write the file that records a folder's format, and further content."""
    text = json.dumps({"format": FORMAT, **content}, indent=1, ensure_ascii=False)
    (folder / FILE).write_text(text + "\n", encoding="utf-8")


def read(folder: Path) -> Sidecar:
    """Read cr5.json.

    Raises:
        UserError: it is missing, damaged or of another version.
    """
    content = _content(folder)
    try:
        del content["format"]
        found = Sidecar(**content)
        _check(found, folder / FILE)
        return found
    except DAMAGED as error:
        raise UserError(
            f"{folder / FILE}: something is missing or damaged ({error}): export the model again"
        ) from error


def kind_of(folder: Path) -> str:
    """Name of the format of a folder; UserError as for `read`."""
    return str(_content(folder).get("kind"))


def _check(sidecar: Sidecar, path: Path) -> None:
    for name, kind in KINDS.items():
        if not isinstance(value := getattr(sidecar, name), kind):
            raise TypeError(f"{name}: expected {kind.__name__}, found {value!r:.40}")
    for name in (sidecar.name, *sidecar.languages):
        if not (isinstance(name, str) and PLAIN.fullmatch(name)):
            raise TypeError(f"{name!r:.40} is not a name of a model or language")
    if len(set(sidecar.languages)) < len(sidecar.languages) or not sidecar.languages:
        raise TypeError(f"languages: {sidecar.languages!r:.60}; expected each once")
    check_numbers(sidecar.dimension, f"{path}: dimension")
    if others := sorted(set(sidecar.settings).difference(SETTINGS)):
        raise TypeError(f"settings: {others[0]!r} is not one of {', '.join(SETTINGS)}")
    if not isinstance(sidecar.offsets, dict | None):
        raise TypeError(f"offsets: {sidecar.offsets!r:.40} are not those of languages")
    for offset in (sidecar.offsets or {}).values():
        if np.array(offset).dtype.kind not in "fi":  # ValueError if lists differ in length
            raise TypeError(f"offsets: {offset!r:.40} are not numbers")
    if not isinstance(measures := sidecar.settings.get("measures", []), list) or not all(
        isinstance(x, str) for x in measures
    ):
        raise TypeError(f"measures: {measures!r:.40} are not names")


def _content(folder: Path) -> dict[str, Any]:
    path = folder / FILE
    try:
        content = json.loads(path.read_text(encoding="utf-8"))
        if content["format"] != FORMAT:
            raise ValueError(f"format {content['format']} is not known")
    except DAMAGED as error:
        pass_on(error)
        raise UserError(
            f"{path}: not what an export of this version writes ({error}): export the model again"
        ) from error
    return content
