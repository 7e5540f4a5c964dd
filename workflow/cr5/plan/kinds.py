"""The section `settings`: which languages train together, one class per kind.

A kind says for each of its models what trains and what is searched (`matrix.Setting`); no other
code asks for the kind of a setting.
"""

from collections.abc import Iterator
from itertools import chain, combinations, pairwise
from typing import Annotated, Any, Literal

from pydantic import (
    AfterValidator,
    BeforeValidator,
    Field,
    PositiveInt,
    ValidationInfo,
    field_validator,
)

from cr5.base.languages import halves
from cr5.base.parts import Language, Once, Section, one_of, or_all, variants
from cr5.plan import matrix
from cr5.splits.options import HALF, Cut, Share, Shared


def _split(pair: Any, info: ValidationInfo) -> Any:
    languages = (info.context or {}).get("languages", ())
    return halves(pair, languages) if isinstance(pair, str) else pair


Languages = Annotated[list[Language], Field(min_length=1), Once]
Pair = Annotated[
    tuple[Language, ...],
    Field(min_length=2, max_length=2),
    Once,
    AfterValidator(lambda pair: tuple(sorted(pair))),
    BeforeValidator(_split, json_schema_input_type=list[str] | str),
]
Numbers = Annotated[list[PositiveInt], Field(min_length=1), Once, AfterValidator(sorted)]


def _all_or_some(section: str, least: int = 1) -> Any:
    """Return the type of a list of names that a section has; without one, all of them."""
    names = Annotated[list[Annotated[str, one_of(section)]], Field(min_length=least), Once]
    return Annotated[names | None, or_all(section)]


class Setting(Section):
    """What every setting has."""

    kind: Literal["joint", "pairwise", "low_resource", "transitive"]
    """Who trains with whom, as below; needed unless the setting is named so."""
    systems: _all_or_some("systems") = None
    """Which systems are fitted in it; none for all."""
    tasks: _all_or_some("tasks") = None
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


class Joint(Setting):
    """One model of several languages."""

    kind: Literal["joint"] = "joint"
    languages: _all_or_some("languages", 2) = None
    """That train together; none for all."""

    def _models(self) -> Iterator[tuple]:
        yield "", self.languages, combinations(sorted(self.languages), 2), None


class OfPairs(Setting):
    """Models of which each is searched for one pair of languages."""

    pairs: Annotated[list[Pair], Field(min_length=1), Once]
    """Of languages, such as `[da-en, [en, it]]`; their order means nothing. They alone are
    searched, and validated."""

    def _models(self) -> Iterator[tuple]:
        others = getattr(self, "via", None) or ()
        for pair in self.pairs:
            for suffix, cut in self._cuts(pair):
                yield f"_{'-'.join(pair)}{suffix}", {*pair, *others}, [pair], cut

    def _cuts(self, pair: matrix.Pair) -> Iterator[tuple[str, Cut | None]]:
        yield "", None


class Pairwise(OfPairs):
    """Models of two languages each."""

    kind: Literal["pairwise"] = "pairwise"


class CutPairs(OfPairs):
    """Models for which fewer of the concepts that a pair shares train."""

    via: Languages | None = None
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
    via: Languages
    """Languages that link the pairs, such as `[en]`."""

    def _cuts(self, pair: matrix.Pair) -> Iterator[tuple[str, Cut | None]]:
        yield "", Cut(pair, 0, self.shared)


KINDS = {x.model_fields["kind"].default: x for x in (Joint, Pairwise, LowResource, Transitive)}
AnySetting = variants(KINDS, lambda keys: str(keys.get("kind")))
