"""The section `settings`: which languages train together, one class per kind.

A kind says for each of its models what trains and what is searched (`matrix.Setting`); no other
code asks for the kind of a setting.
"""

from abc import abstractmethod
from collections.abc import Iterable, Iterator, Mapping
from itertools import chain, combinations
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
from cr5.contracts.keys import Language, LanguageOfRun, Once, Section, one_of, or_all, variants
from cr5.plan import matrix
from cr5.splits.options import HALF, Cut, Share, Shared


def _split(pair: Any, info: ValidationInfo) -> Any:
    """Return the languages of a pair that is written as one word; another value as it is."""
    if not isinstance(pair, str):
        return pair
    languages = (info.context or {}).get("languages", ())
    return halves(pair, languages)


def _sorted_pair(pair: tuple[str, ...]) -> matrix.Pair:
    return tuple(sorted(pair))


Languages = Annotated[list[Language], Field(min_length=1), Once]
Pair = Annotated[
    tuple[Language, ...],
    Field(min_length=2, max_length=2),
    Once,
    AfterValidator(_sorted_pair),
    BeforeValidator(_split, json_schema_input_type=list[str] | str),
]
Numbers = Annotated[list[PositiveInt], Field(min_length=1), Once, AfterValidator(sorted)]


def _all_or_some(section: str, name: Any = None, least: int = 1) -> Any:
    """Return the type of a list of names that a section has; without one, all of them."""
    name_of_section = name or Annotated[str, one_of(section)]
    names = Annotated[list[name_of_section], Field(min_length=least), Once]
    return Annotated[names | None, or_all(section)]


class SettingOptions(Section):
    """What every setting has."""

    kind: Literal["joint", "pairwise", "low_resource", "transitive"]
    """Who trains with whom, as below; needed unless the setting is named so."""
    systems: _all_or_some("systems") = None
    """Which systems are fitted in it; none for all."""
    tasks: _all_or_some("tasks") = None
    """By which tasks they are tested; none for all."""

    @abstractmethod
    def models(self, series: str) -> Iterator[matrix.Setting]:
        """Yield what each model trains on and searches; `series` is the key of these options."""

    def _model(
        self,
        series: str,
        name: str,
        languages: Iterable[str],
        pairs: Iterable[matrix.Pair],
        cut: Cut | None = None,
    ) -> matrix.Setting:
        """Return the setting of a model, with what all models of these options have."""
        return matrix.Setting(
            name=name,
            series=series,
            kind=self.kind,
            languages=tuple(sorted(languages)),
            systems=tuple(self.systems),
            tasks=tuple(self.tasks),
            pairs=tuple(pairs),
            cut=cut,
        )


class Joint(SettingOptions):
    """One model of several languages."""

    kind: Literal["joint"] = "joint"
    languages: _all_or_some("languages", LanguageOfRun, 2) = None
    """That train together; none for all."""

    def models(self, series: str) -> Iterator[matrix.Setting]:
        """Yield the one model, which is searched for all pairs of its languages."""
        pairs = combinations(sorted(self.languages), 2)
        yield self._model(series, series, self.languages, pairs)


class OfPairs(SettingOptions):
    """Models of which each is searched for one pair of languages."""

    pairs: Annotated[list[Pair], Field(min_length=1), Once]
    """Of languages, such as `[da-en, [en, it]]`; their order means nothing. They alone are
    searched, and validated."""


class Pairwise(OfPairs):
    """Models of two languages each."""

    kind: Literal["pairwise"] = "pairwise"

    def models(self, series: str) -> Iterator[matrix.Setting]:
        """Yield a model of each pair."""
        for pair in self.pairs:
            yield self._model(series, _named(series, pair), pair, [pair])


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
        searched = set(chain.from_iterable(info.data.get("pairs", [])))
        if searched.intersection(via or ()):
            raise ValueError("Input should be languages that are in none of the pairs")
        return via

    def _cut_model(self, series: str, name: str, cut: Cut) -> matrix.Setting:
        """Return the setting of a model of a pair and the further languages."""
        languages = set(cut.pair).union(self.via or ())
        return self._model(series, name, languages, [cut.pair], cut)


class LowResource(CutPairs):
    """Models for which the concepts that a pair shares are cut to some number."""

    kind: Literal["low_resource"] = "low_resource"
    concepts: Numbers
    """Numbers of concepts that train in both languages of a pair; each has a model of its own."""
    max_share: Share = HALF
    """How these numbers shrink on small corpora: at most this share of the concepts that could
    train in both. Of numbers that shrink alike, the first has a model."""

    def models(self, series: str) -> Iterator[matrix.Setting]:
        """Yield a model of each pair and number of concepts."""
        smaller_numbers = [0, *self.concepts[:-1]]
        for pair in self.pairs:
            for number, smaller in zip(self.concepts, smaller_numbers, strict=True):
                cut = Cut(pair, number, self.shared, self.max_share, beyond=smaller)
                yield self._cut_model(series, f"{_named(series, pair)}_{number}", cut)


class Transitive(CutPairs):
    """Models of pairs that have no training concept in common, only through other languages."""

    kind: Literal["transitive"] = "transitive"
    via: Languages
    """Languages that link the pairs, such as `[en]`."""

    def models(self, series: str) -> Iterator[matrix.Setting]:
        """Yield a model of each pair, of which no concept trains in both languages."""
        for pair in self.pairs:
            cut = Cut(pair, 0, self.shared)
            yield self._cut_model(series, _named(series, pair), cut)


def _named(series: str, pair: matrix.Pair) -> str:
    return f"{series}_{'-'.join(pair)}"


def _kind_of(keys: Mapping) -> str:
    return str(keys.get("kind"))


KINDS = {
    "joint": Joint,
    "pairwise": Pairwise,
    "low_resource": LowResource,
    "transitive": Transitive,
}
AnySetting = variants(KINDS, _kind_of)
