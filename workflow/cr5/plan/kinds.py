"""The section `settings`: which languages train together, one class per kind.

A kind says for each of its models what trains and what is searched (`Group`); no other code asks
for the kind of a setting.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import chain, combinations, pairwise
from typing import Annotated, Any, Literal

from pydantic import (
    AfterValidator,
    BeforeValidator,
    Discriminator,
    Field,
    PositiveInt,
    Tag,
    ValidationInfo,
    field_validator,
)

from cr5.base.parts import Section
from cr5.plan.names import Code, Codes, Known, Once, Systems, Tasks
from cr5.splits.options import HALF, Cut, Share, Shared


def _as_list(pair: Any) -> Any:
    return pair.split("-") if isinstance(pair, str) else pair


def _two(pair: list[str]) -> list[str]:
    if len(set(pair)) != 2 or len(pair) != 2:
        raise ValueError("Input should be a pair of two languages, such as [da, en] or da-en")
    return pair


def _once(pairs: list[list[str]]) -> list[list[str]]:
    if len({frozenset(pair) for pair in pairs}) < len(pairs):
        raise ValueError("Input should have each pair once, in one order of its languages")
    return pairs


Pair = Annotated[
    list[Known],
    AfterValidator(_two),
    BeforeValidator(_as_list, json_schema_input_type=list[Code] | str),
]
Numbers = Annotated[list[PositiveInt], Field(min_length=1), Once, AfterValidator(sorted)]


@dataclass(frozen=True)
class Group:
    """What one model of a setting is trained on and searched for.

    Attributes:
        suffix: suffix of its name, if a setting has several models.
        languages: those that train together, in alphabetical order.
        pairs: searched pairs; unordered, each in alphabetical order.
        cut: what is removed of a pair's shared concepts before training; None for nothing.
    """

    suffix: str
    languages: tuple[str, ...]
    pairs: tuple[tuple[str, str], ...]
    cut: Cut | None = None


class Setting(Section):
    """What every setting has."""

    kind: Literal["joint", "pairwise", "low_resource", "transitive"]
    """Who trains with whom, as below; needed unless the setting is named so."""
    systems: Systems | None = None
    """Which systems are fitted in it; none for all."""
    tasks: Tasks | None = None
    """By which tasks they are tested; none for all."""

    def groups(self) -> Iterator[Group]:
        """Yield what each model trains on and searches, for a completed setting."""
        yield from ()


class Joint(Setting):
    """One model of several languages."""

    kind: Literal["joint"] = "joint"
    languages: Annotated[list[Known], Field(min_length=2), Once] | None = None
    """That train together; none for all."""

    def groups(self) -> Iterator[Group]:
        """Yield one model, searched for all pairs of its languages."""
        languages = tuple(sorted(self.languages))
        yield Group("", languages, tuple(combinations(languages, 2)))


class OfPairs(Setting):
    """Models of which each is searched for one pair of languages."""

    pairs: Annotated[list[Pair], Field(min_length=1), AfterValidator(_once)]
    """Of languages, such as `[da-en, [en, it]]`; their order means nothing. They alone are
    searched, and validated."""

    def _named_pairs(self) -> Iterator[tuple[str, tuple[str, str]]]:
        for pair in self.pairs:
            first, second = sorted(pair)
            yield f"_{first}-{second}", (first, second)


class Pairwise(OfPairs):
    """Models of two languages each."""

    kind: Literal["pairwise"] = "pairwise"

    def groups(self) -> Iterator[Group]:
        """Yield a model of each pair alone."""
        for name, pair in self._named_pairs():
            yield Group(name, pair, (pair,))


class CutPairs(OfPairs):
    """Models for which fewer of the concepts that a pair shares train."""

    via: Codes | None = None
    """Further languages that train with the pair."""
    shared: Shared = "drop"
    """What becomes of concepts of the pair that do not train in both languages. `drop`: they train
    in no language, as in the paper; `split`: each in one of the two, by chance, and in all further
    languages that have it."""

    @field_validator("via")
    @classmethod
    def _is_in_no_pair(cls, via: list[str] | None, info: ValidationInfo) -> list[str] | None:
        if {*(via or ())} & {*chain(*info.data.get("pairs", []))}:
            raise ValueError("Input should be languages that are in none of the pairs")
        return via

    def _languages(self, pair: tuple[str, str]) -> tuple[str, ...]:
        return tuple(sorted({*pair, *(self.via or ())}))


class LowResource(CutPairs):
    """Models for which the concepts that a pair shares are cut to some number."""

    kind: Literal["low_resource"] = "low_resource"
    concepts: Numbers
    """Numbers of concepts that train in both languages of a pair; each has a model of its own."""
    max_share: Share = HALF
    """How these numbers shrink on small corpora: at most this share of the concepts that could
    train in both. Of numbers that shrink alike, the first has a model."""

    def groups(self) -> Iterator[Group]:
        """Yield a model of each pair and number."""
        for name, pair in self._named_pairs():
            for beyond, number in pairwise([0, *self.concepts]):
                cut = Cut(pair, number, self.shared, self.max_share, beyond)
                yield Group(f"{name}_{number}", self._languages(pair), (pair,), cut)


class Transitive(CutPairs):
    """Models of pairs that have no training concept in common, only through other languages."""

    kind: Literal["transitive"] = "transitive"
    via: Codes
    """Languages that link the pairs, such as `[en]`."""

    def groups(self) -> Iterator[Group]:
        """Yield a model of each pair and the languages that link it."""
        for name, pair in self._named_pairs():
            yield Group(name, self._languages(pair), (pair,), Cut(pair, 0, self.shared))


KINDS = {
    "joint": Joint,
    "pairwise": Pairwise,
    "low_resource": LowResource,
    "transitive": Transitive,
}


OTHER = "other"
"""Tag of the variant that a mapping without a known kind is: it takes the mistake."""


def _kind(value: Any) -> str:
    """Return the kind that a mapping, or a section, names if it is known, else `OTHER`."""
    found = value.get("kind") if isinstance(value, dict) else getattr(value, "kind", None)
    return found if isinstance(found, str) and found in KINDS else OTHER


AnySetting = Annotated[
    Annotated[Joint, Tag("joint")]
    | Annotated[Pairwise, Tag("pairwise")]
    | Annotated[LowResource, Tag("low_resource")]
    | Annotated[Transitive, Tag("transitive")]
    | Annotated[Setting, Tag(OTHER)],
    Discriminator(_kind),
]
