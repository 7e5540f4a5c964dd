"""A split that a paper or a collection fixes, in place of a random draw."""

import logging
import sys
from collections.abc import Mapping, Sequence
from fnmatch import fnmatchcase
from pathlib import Path

import pandas as pd

from cr5.base.errors import UserError
from cr5.texts.rows import named, rows

PARTS = ("train", "validation", "test")
# A given split is a draw of all there are of each part.
EVERYTHING = {
    "test": sys.maxsize,
    "validation": sys.maxsize,
    "candidates": sys.maxsize,
    "max_share": {"test": 1.0, "validation": 1.0, "candidates": 1.0},
    "candidates_reading": "code",
}
REMEDY = "name each concept once"

log = logging.getLogger(__name__)


def given_roles(
    concepts: pd.Index, given: str | Mapping[str, Sequence[str]] | None
) -> pd.Series | None:
    """Return `train`, `validation` or `test` by concept; None if no split is given.

    Args:
        concepts: of the corpus.
        given: path of a file with the columns concept and split; or by part, patterns of concepts
            (`*`: anything). Concepts that neither names train.

    Raises:
        UserError: with file and line: unreadable, an unknown part, a concept twice; or a concept
            matches patterns of both parts; or none of the concepts is for `test` or `validation`.
    """
    if given is None:
        return None
    found = read_split(given) if isinstance(given, str) else _matched(concepts, given)
    roles = pd.Series(concepts.map(found), concepts).fillna("train")
    if isinstance(given, str) and (absent := len(found) - len(concepts.intersection([*found]))):
        log.info("%s: %d of %d concepts are not in the corpus", given, absent, len(found))
    for part in ("test", "validation"):
        if not (roles == part).any():
            raise UserError(
                f"splits.given: none of the {len(concepts)} concepts, such as {concepts[0]!r}, is "
                f"for {part}: correct {given}"
            )
    return roles


def read_split(path: str) -> dict[str, str]:
    """Read `train`, `validation` or `test` by concept.

    Raises:
        UserError: with file and line: unreadable, an unknown part, or a concept twice.
    """
    if not Path(path).is_file():
        raise UserError(f"splits.given: there is no file {path}")
    found = {}
    for concept, row in named(rows(Path(path), ["concept", "split"]), "concept"):
        part = row.name("split")
        if part not in PARTS:
            raise UserError(
                f"{row.where}: the split is {part!r}; expected one of {', '.join(PARTS)}"
            )
        found[concept] = part
    return found


def _matched(concepts: pd.Index, patterns: Mapping[str, Sequence[str]]) -> dict[str, str]:
    found: dict[str, str] = {}
    for part, of_part in patterns.items():
        for concept in concepts:
            if not any(fnmatchcase(concept, pattern) for pattern in of_part):
                continue
            if found.setdefault(concept, part) != part:
                raise UserError(
                    f"splits.given: {concept!r} matches patterns of both {found[concept]} and "
                    f"{part}; narrow one of them"
                )
    return found
