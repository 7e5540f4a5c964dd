"""A split that is given: which concepts test, validate and train, by a file or by patterns."""

import fnmatch
import re
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass

import pandas as pd

from cr5.base.errors import UserError
from cr5.base.text_files import folded_name
from cr5.splits import given_file
from cr5.splits.given_file import PARTS

ROLES = ("test", "validation")
WILDCARD = re.compile(r"[*?\[]")  # of a pattern, rather than a concept

Patterns = Mapping[str, Sequence[str]]  # by part
Given = str | Patterns


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
            listed = given_file.read(given)
            part_of = listed
            unmatched = []
        else:
            entries = _entries(given, concepts, known)
            part_of = _matched(entries)
            listed = _listed(entries)
            unmatched = _unmatched(entries)
        _check_case(listed, known, given)
        absent = _absent(listed, set(concepts), dropped)
        told = absent + unmatched
        stated_parts = pd.Series(concepts.map(part_of), concepts)
        roles = stated_parts.fillna("train")
        parts_with_concepts = set(roles)
        for part in ROLES:
            if part not in parts_with_concepts:
                told.append(f"correct {given}")
                raise UserError(
                    f"splits.given: none of the {len(concepts)} concepts, such as "
                    f"{concepts[0]!r}, is for {part}: {'; '.join(told)}"
                )
        return cls(roles, told)


@dataclass(frozen=True)
class _Entry:
    """What a configuration names for a part: one concept, or by a pattern several."""

    part: str
    name: str
    is_pattern: bool
    concepts: list[str]  # that are there and that it stands for

    @classmethod
    def of(cls, part: str, name: str, concepts: pd.Index, known: Collection[str]) -> "_Entry":
        """Find its concepts; a name that is known, such as `Foo [b]`, is no pattern."""
        if WILDCARD.search(name) and name not in known:
            return cls(part, name, True, fnmatch.filter(concepts, name))
        if name in concepts:
            return cls(part, name, False, [name])
        return cls(part, name, False, [])


def _entries(patterns: Patterns, concepts: pd.Index, known: Collection[str]) -> list[_Entry]:
    entries = []
    for part, names in patterns.items():
        for name in names:
            entry = _Entry.of(part, folded_name(name), concepts, known)
            entries.append(entry)
    return entries


def _matched(entries: Iterable[_Entry]) -> dict[str, str]:
    """Return the part of each concept that a name or a pattern stands for."""
    part_of: dict[str, str] = {}
    for entry in entries:
        for concept in entry.concepts:
            part = part_of.setdefault(concept, entry.part)
            if part != entry.part:
                raise UserError(
                    f"splits.given: {concept!r} matches patterns of both {part} and "
                    f"{entry.part}; narrow one of them"
                )
    return part_of


def _listed(entries: Iterable[_Entry]) -> dict[str, str]:
    """Return the part of each concept that is named, rather than matched by a pattern."""
    return {entry.name: entry.part for entry in entries if not entry.is_pattern}


def _unmatched(entries: Iterable[_Entry]) -> list[str]:
    """Say which patterns match nothing."""
    told = []
    for entry in entries:
        if entry.is_pattern and not entry.concepts:
            told.append(f"splits.given: {entry.name!r} for {entry.part} matches no concept")
    return told


def _check_case(listed: Mapping[str, str], known: Collection[str], given: Given) -> None:
    """Refuse concepts that are there in another case: these would train, whatever was meant."""
    unlisted = {}
    for concept in known:
        if concept not in listed:
            unlisted[concept.casefold()] = concept
    unknown = [name for name in listed if name not in known]
    misspelt = [name for name in unknown if name.casefold() in unlisted]
    if misspelt:
        place = given if isinstance(given, str) else "splits.given"
        first = misspelt[0]
        meant = unlisted[first.casefold()]
        raise UserError(
            f"{place}: {len(misspelt)} of {len(listed)} concepts are not there as they are "
            f"written: {first!r}, did you mean {meant!r}? Correct them"
        )


def _absent(
    listed: Mapping[str, str], concepts: Collection[str], dropped: Collection[str]
) -> list[str]:
    """Say of each part how many of its concepts have no document, and how many none that counts."""
    told = []
    for part in PARTS:
        names = [name for name, part_of_name in listed.items() if part_of_name == part]
        short = [name for name in names if name in dropped]
        beside = [name for name in names if name not in dropped]
        absent = [name for name in beside if name not in concepts]
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
