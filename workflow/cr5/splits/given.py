"""A split that is given: which concepts test, validate and train, by a file or by patterns."""

import fnmatch
import re
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass

import pandas as pd

from cr5.base.errors import UserError
from cr5.base.text_files import folded
from cr5.texts.rows import named, rows

ROLES = ("test", "validation")
PARTS = ("train", "test", "validation")
WILD = re.compile(r"[*?\[]")  # of a pattern, rather than a concept

Given = str | Mapping[str, Sequence[str]]


@dataclass(frozen=True)
class GivenSplit:
    """The part of each concept, and what is named but not there."""

    roles: pd.Series  # `train`, `validation` or `test`, by concept
    told: list[str]

    @classmethod
    def of(cls, concepts: pd.Index, given: Given, dropped: Collection[str] = ()) -> "GivenSplit":
        """Take it from a file, or from concepts and patterns of each part.

        `dropped` are concepts all of whose documents are left out (`bags.unique_words`). UserError:
        a part has none of the concepts, or a concept differs from one that is there by its case.
        """
        known = set(concepts).union(dropped)
        if isinstance(given, str):
            listed = _read(given)
            part_of = listed
            unmatched = []
        else:
            part_of = _matched(concepts, given, known)
            listed = _listed(given, known)
            unmatched = _unmatched(concepts, given, known)
        _check_case(listed, known, given)
        told = _absent(listed, set(concepts), dropped) + unmatched
        roles = pd.Series(concepts.map(part_of), concepts).fillna("train")
        for part in ROLES:
            if not (roles == part).any():
                told.append(f"correct {given}")
                raise UserError(
                    f"splits.given: none of the {len(concepts)} concepts, such as "
                    f"{concepts[0]!r}, is for {part}: {'; '.join(told)}"
                )
        return cls(roles, told)


def _read(path: str) -> dict[str, str]:
    """Return the part of each concept that a file has."""
    part_of = {}
    for concept, row in named(rows(path, ["concept", "split"]), "concept"):
        part = row.name("split")
        if part not in PARTS:
            raise UserError(
                f"{row.where}: the split is {part!r}; expected one of {', '.join(PARTS)}"
            )
        part_of[concept] = part
    return part_of


def _entries(patterns: Mapping[str, Sequence[str]]) -> Iterator[tuple[str, str]]:
    for part, of_part in patterns.items():
        for pattern in of_part:
            yield part, folded(pattern)


def _is_pattern(name: str, known: Collection[str]) -> bool:
    """Whether a name stands for several concepts; one that is known, such as `Foo [b]`, is one."""
    return WILD.search(name) is not None and name not in known


def _listed(patterns: Mapping[str, Sequence[str]], known: Collection[str]) -> dict[str, str]:
    """Return the part of each concept that is named, rather than matched by a pattern."""
    listed = {}
    for part, name in _entries(patterns):
        if not _is_pattern(name, known):
            listed[name] = part
    return listed


def _concepts_of(name: str, concepts: pd.Index, known: Collection[str]) -> list[str]:
    """Return the concepts that a name or pattern stands for."""
    if _is_pattern(name, known):
        return fnmatch.filter(concepts, name)
    return [name] if name in concepts else []


def _matched(
    concepts: pd.Index, patterns: Mapping[str, Sequence[str]], known: Collection[str]
) -> dict[str, str]:
    """Return the part of each concept that a name or a pattern stands for."""
    part_of: dict[str, str] = {}
    for part, name in _entries(patterns):
        for concept in _concepts_of(name, concepts, known):
            if part_of.setdefault(concept, part) != part:
                raise UserError(
                    f"splits.given: {concept!r} matches patterns of both {part_of[concept]} and "
                    f"{part}; narrow one of them"
                )
    return part_of


def _unmatched(
    concepts: pd.Index, patterns: Mapping[str, Sequence[str]], known: Collection[str]
) -> list[str]:
    """Say which patterns match nothing."""
    told = []
    for part, name in _entries(patterns):
        if _is_pattern(name, known) and not _concepts_of(name, concepts, known):
            told.append(f"splits.given: {name!r} for {part} matches no concept")
    return told


def _check_case(listed: Mapping[str, str], known: Collection[str], given: Given) -> None:
    """Refuse concepts that are there in another case: these would train, whatever was meant."""
    folded = {concept.casefold(): concept for concept in known if concept not in listed}
    misspelt = [name for name in listed if name not in known and name.casefold() in folded]
    if misspelt:
        place = given if isinstance(given, str) else "splits.given"
        first = misspelt[0]
        raise UserError(
            f"{place}: {len(misspelt)} of {len(listed)} concepts are not there as they are "
            f"written: {first!r}, did you mean {folded[first.casefold()]!r}? Correct them"
        )


def _absent(
    listed: Mapping[str, str], concepts: Collection[str], dropped: Collection[str]
) -> list[str]:
    """Say of each part how many of its concepts have no document, and how many none that counts."""
    told = []
    for part in PARTS:
        names = [name for name, part_of_name in listed.items() if part_of_name == part]
        short = [name for name in names if name in dropped]
        absent = [name for name in names if name not in concepts and name not in dropped]
        of_part = f"{len(names)} concepts for {part}, such as"
        if absent:
            told.append(
                f"splits.given: {len(absent)} of {of_part} {absent[0]!r}, are in no language"
            )
        if short:
            told.append(
                f"splits.given: {len(short)} of {of_part} {short[0]!r}, have documents that "
                "bags.unique_words leaves out"
            )
    return told
