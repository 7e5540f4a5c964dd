"""A split that is given: which concepts test, validate and train, by a file or by patterns."""

import fnmatch
import re
from collections.abc import Collection, Mapping, Sequence
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
            listed, part_of, unmatched = _by_patterns(given, concepts, known)
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


def _by_patterns(
    patterns: Patterns, concepts: pd.Index, known: Collection[str]
) -> tuple[dict[str, str], dict[str, str], list[str]]:
    """Return the parts of the names that are no patterns, and of all concepts that are meant.

    And say which patterns match nothing. A name that is known, such as `Foo [b]`, is no pattern.
    """
    listed: dict[str, str] = {}
    part_of: dict[str, str] = {}
    unmatched = []
    for part, names in patterns.items():
        for name in map(folded_name, names):
            matched = [name] if name in concepts else []
            if name in known or not WILDCARD.search(name):
                listed[name] = part
            else:
                matched = fnmatch.filter(concepts, name)
                if not matched:
                    unmatched.append(f"splits.given: {name!r} for {part} matches no concept")
            for concept in matched:
                other_part = part_of.setdefault(concept, part)
                if other_part != part:
                    raise UserError(
                        f"splits.given: {concept!r} matches patterns of both {other_part} and "
                        f"{part}; narrow one of them"
                    )
    return listed, part_of, unmatched


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
