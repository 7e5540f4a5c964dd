"""The section `settings`: which languages train together, one class per kind.

A kind says for each of its models what trains and what is searched (`matrix.Setting`); no other
code asks for the kind of a setting.
"""

from collections.abc import Iterable, Iterator
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

from cr5.base.parts import Section, or_all
from cr5.plan import matrix
from cr5.plan.names import Code, Codes, Known, Once, Systems, Tasks
from cr5.splits.options import HALF, Cut, Share, Shared


def _as_list(pair: Any) -> Any:
    return pair.split("-") if isinstance(pair, str) else pair


def _two(pair: list[str]) -> list[str]:
    if len(set(pair)) != 2 or len(pair) != 2:
        raise ValueError("Input should be a pair of two languages, such as [da, en] or da-en")
    return sorted(pair)


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

Model = tuple[str, Iterable[str], Iterable[matrix.Pair], Cut | None]
"""The end of a model's name, the languages that train together, searched pairs, what is cut."""


class Setting(Section):
    """What every setting has."""

    kind: Literal["joint", "pairwise", "low_resource", "transitive"]
    """Who trains with whom, as below; needed unless the setting is named so."""
    systems: Annotated[Systems | None, or_all("systems")] = None
    """Which systems are fitted in it; none for all."""
    tasks: Annotated[Tasks | None, or_all("tasks")] = None
    """By which tasks they are tested; none for all."""

    def models(self, series: str) -> Iterator[matrix.Setting]:
        """Yield what each model trains on and searches; `series` is the setting's name."""
        for suffix, languages, pairs, cut in self._models():
            yield matrix.Setting(
                name=f"{series}{suffix}",
                series=series,
                kind=self.kind,
                languages=tuple(sorted(languages)),
                systems=tuple(self.systems),
                tasks=tuple(self.tasks),
                pairs=tuple(pairs),
                cut=cut,
            )

    def _models(self) -> Iterator[Model]:
        raise NotImplementedError


class Joint(Setting):
    """One model of several languages."""

    kind: Literal["joint"] = "joint"
    languages: Annotated[
        Annotated[list[Known], Field(min_length=2), Once] | None, or_all("languages")
    ] = None
    """That train together; none for all."""

    def _models(self) -> Iterator[Model]:
        yield "", self.languages, combinations(sorted(self.languages), 2), None


class OfPairs(Setting):
    """Models of which each is searched for one pair of languages."""

    pairs: Annotated[list[Pair], Field(min_length=1), AfterValidator(_once)]
    """Of languages, such as `[da-en, [en, it]]`; their order means nothing. They alone are
    searched, and validated."""

    def _models(self) -> Iterator[Model]:
        for pair in map(tuple, self.pairs):
            for suffix, cut in self._cuts(pair):
                yield f"_{'-'.join(pair)}{suffix}", self._trained_with(pair), [pair], cut

    def _cuts(self, pair: matrix.Pair) -> Iterator[tuple[str, Cut | None]]:
        yield "", None

    def _trained_with(self, pair: matrix.Pair) -> Iterable[str]:
        return pair


class Pairwise(OfPairs):
    """Models of two languages each."""

    kind: Literal["pairwise"] = "pairwise"


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

    def _trained_with(self, pair: matrix.Pair) -> Iterable[str]:
        return {*pair, *(self.via or ())}


class LowResource(CutPairs):
    """Models for which the concepts that a pair shares are cut to some number."""

    kind: Literal["low_resource"] = "low_resource"
    concepts: Numbers
    """Numbers of concepts that train in both languages of a pair; each has a model of its own."""
    max_share: Share = HALF
    """How these numbers shrink on small corpora: at most this share of the concepts that could
    train in both. Of numbers that shrink alike, the first has a model."""

    def _cuts(self, pair: matrix.Pair) -> Iterator[tuple[str, Cut | None]]:
        for beyond, number in pairwise([0, *self.concepts]):
            yield f"_{number}", Cut(pair, number, self.shared, self.max_share, beyond)


class Transitive(CutPairs):
    """Models of pairs that have no training concept in common, only through other languages."""

    kind: Literal["transitive"] = "transitive"
    via: Codes
    """Languages that link the pairs, such as `[en]`."""

    def _cuts(self, pair: matrix.Pair) -> Iterator[tuple[str, Cut | None]]:
        yield "", Cut(pair, 0, self.shared)


KINDS = {
    "joint": Joint,
    "pairwise": Pairwise,
    "low_resource": LowResource,
    "transitive": Transitive,
}


def _kind(value: Any) -> str:
    return str(value.get("kind") if isinstance(value, dict) else getattr(value, "kind", None))


AnySetting = Annotated[
    Annotated[Joint, Tag("joint")]
    | Annotated[Pairwise, Tag("pairwise")]
    | Annotated[LowResource, Tag("low_resource")]
    | Annotated[Transitive, Tag("transitive")],
    Discriminator(
        _kind,
        custom_error_type="kind",
        custom_error_message=f"Input should have a kind: one of {', '.join(KINDS)}",
    ),
]
