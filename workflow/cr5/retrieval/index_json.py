"""The file index.json of an index: which model made it, and which chunks it has."""

import json
import re
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from cr5.base.errors import UserError
from cr5.base.refusals import DAMAGED
from cr5.retrieval.identity import fingerprint
from cr5.retrieval.loading import place_of

FORMAT = 2
FILE = "index.json"
NAME = re.compile(r"[0-9]{6,}")  # becomes part of a path: must not lead elsewhere


def parsed(index_json: bytes, path: Path) -> dict[str, Any]:
    """Parse and check the index.json of the folder `path`.

    Raises:
        UserError: it is damaged or of another version.
    """
    try:
        said = json.loads(index_json.decode())
        found = said["format"]
        if found == FORMAT:
            _check(said)
    except DAMAGED as error:
        raise UserError(f"{path / FILE}: damaged ({error}); build the index again") from error
    if found != FORMAT:
        raise UserError(
            f"{path}: an index of format {found}, and this version reads {FORMAT}; remove the "
            "folder and build the index again (`cr5 index`)"
        )
    return said


def model_of(path: Path, given: Path | None = None) -> Path:
    """Path of the model of an index: the recorded one, or where the caller says it is now.

    Raises:
        UserError: there is no index, or its model is missing or another one.
    """
    if not is_index(path):
        raise UserError(f"{path}: not an index; expected a folder with {FILE}")
    said = parsed((path / FILE).read_bytes(), path)
    try:
        place = place_of(given or _recorded(said, path))
    except UserError as error:
        raise UserError(
            f"{path}: its model, {given or _recorded(said, path)}, is not there; say where it is "
            "now (--model, or open_index(..., model))"
        ) from error
    check_made_by(said, fingerprint(place), place, path)
    return place


def is_index(path: str | Path) -> bool:
    """Whether this is the folder of an index."""
    return (Path(path) / FILE).is_file()


def _recorded(said: Mapping[str, Any], path: Path) -> Path:
    return (path / said["model"]["path"]).resolve()


def check_made_by(said: Mapping[str, Any], found: str, place: Path, path: Path) -> None:
    """Refuse a model, of the fingerprint `found`, that did not make this index."""
    if said["languages"] and said["model"]["fingerprint"] != found:
        raise UserError(
            f"{path}: this index was built with another model than {place}: with the one that was "
            f"at {_recorded(said, path)} then; name that one, or build the index again"
        )


def _check(said: Mapping[str, Any]) -> None:
    """Raise `ValueError` or `LookupError` if anything is not as `index_folder` wrote it."""
    names = [name for every in said["languages"].values() for name in every]
    sums = [x for every in said["languages"].values() for x in every.values()]
    if not all(NAME.fullmatch(name) for name in names) or len(set(names)) < len(names):
        raise ValueError(f"expected numbers of six digits, each once, found {names}")
    if not all(type(x) is int for x in (said["counter"], *sums)):
        raise ValueError("expected whole numbers for `counter` and checksums")
    if said["counter"] < max(map(int, names), default=0):
        raise ValueError(f"`counter` is {said['counter']}, below the number of a chunk")
    if not all(isinstance(said["model"][x], str) for x in ("path", "fingerprint")):
        raise ValueError("expected `path` and `fingerprint` of the model")
