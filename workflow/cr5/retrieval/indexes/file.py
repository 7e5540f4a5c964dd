"""index.json: which model an index on disk is of, and which segments it consists of."""

import json
import math
import re
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from cr5.base.errors import UserError
from cr5.base.refusals import DAMAGED, pass_on
from cr5.retrieval.indexes.identity import fingerprint
from cr5.retrieval.loading import place_of

FORMAT = 1
FILE = "index.json"
NAME = re.compile(r"[0-9]{6,}")  # becomes part of a path: it must not lead elsewhere
LANGUAGE = re.compile(r"[^/\\\0]+")  # likewise
KINDS = {"model": Mapping, "counter": int, "languages": Mapping}
OF_MODEL = {"path": str, "fingerprint": str}
OF_SEGMENT = {"name": str, "texts": int, "largest": float, "dense": int, "sparse": int}


def read_json(path: Path) -> dict[str, Any]:
    """Read what index.json says.

    Raises:
        UserError: it is missing, damaged or of another version.
    """
    try:
        said = json.loads((path / FILE).read_text(encoding="utf-8"))
        found = said["format"]
        if found == FORMAT:
            _check(said)
    except DAMAGED as error:
        pass_on(error)
        if not (path / FILE).exists():
            raise UserError(f"{path}: this is no index; expected a folder with {FILE}") from error
        raise damaged(path / FILE, error) from error
    if found != FORMAT:
        raise UserError(
            f"{path}: an index of format {found}, and this version reads {FORMAT}; build it again"
        )
    return said


def model_of(path: Path, given: Path | None) -> Path:
    """Where the model of an index is: as it says itself, or where somebody says that it is now.

    Raises:
        UserError: it is not there, or another one.
    """
    said = read_json(path)["model"]
    recorded = (path / said["path"]).resolve()
    try:
        place = place_of(given or recorded)
    except UserError as error:
        raise UserError(
            f"{path}: its model, {given or recorded}, is not there; say where it is now "
            "(--model, or open_index(..., model))"
        ) from error
    if fingerprint(place) != said["fingerprint"]:
        raise UserError(
            f"{path}: this index was built with another model than {place}: with that which was "
            f"at {recorded} then; name that one, or build the index again"
        )
    return place


def is_index(path: str | Path) -> bool:
    """Say whether this is the folder of an index."""
    return (Path(path) / FILE).is_file()


def damaged(path: Path, error: Exception) -> UserError:
    """Say that a file of an index is damaged."""
    return UserError(f"{path}: damaged ({error}); build the index again")


def _check(said: Mapping[str, Any]) -> None:
    """Raise `ValueError` or `LookupError` where something is not what `Folder.commit` wrote."""
    _check_kinds(said, KINDS)
    _check_kinds(said["model"], OF_MODEL)
    names: list[str] = []
    for language, segments in said["languages"].items():
        if not isinstance(segments, list) or not LANGUAGE.fullmatch(language):
            raise ValueError(f"expected a language and a list of its segments in {language!r}")
        for each in segments:
            names += _names(each)
    if len(set(names)) < len(names):
        raise ValueError("a segment, or what was removed from one, is named twice")
    if said["counter"] < max(map(int, names), default=0):
        raise ValueError(f"'counter' is {said['counter']}, below the name of a segment")


def _names(said: Any) -> list[str]:
    """Names that were given to a segment and to what was removed from it."""
    _check_kinds(said, OF_SEGMENT)
    names = [said["name"], *([said["removed"]] if said["removed"] is not None else [])]
    if not all(isinstance(x, str) and NAME.fullmatch(x) for x in names):
        raise ValueError(f"expected names of six digits, found {names}")
    if min(said[x] for x in ("texts", "dense", "sparse")) < 0:
        raise ValueError(f"segment {said['name']}: a size below 0")
    if not 0 < said["largest"] < math.inf:
        raise ValueError(f"segment {said['name']}: 'largest' is {said['largest']}")
    return names


def _check_kinds(said: Any, kinds: Mapping[str, type]) -> None:
    if not isinstance(said, Mapping):
        raise ValueError(f"expected an object with {', '.join(kinds)}, found {said!r:.40}")
    for name, kind in kinds.items():
        if not isinstance(said[name], kind) or isinstance(said[name], bool):
            raise ValueError(f"{name!r}: expected {kind.__name__}, found {said[name]!r:.40}")
