"""The section `settings`: which languages train together, one dataclass per kind.

A kind says for each of its models what trains and what is searched (`Group`); no other code asks
for the kind of a setting.
"""

from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from itertools import combinations, pairwise
from typing import Annotated, Any, ClassVar, Literal

from pydantic import AfterValidator, BeforeValidator, Discriminator, Field, Tag

from cr5.plan.allowed import Language, Name, each_once
from cr5.plan.mistakes import unexpected, unknown
from cr5.splits.options import HALF, Cut, Share, Shared


def _as_list(pair: Any) -> Any:
    return pair.split("-") if isinstance(pair, str) else pair


def _two(pair: list[str]) -> list[str]:
    if len(set(pair)) != 2 or len(pair) != 2:
        raise ValueError("a pair of two languages, such as [da, en] or da-en")
    return pair


def _once(pairs: list[list[str]]) -> list[list[str]]:
    if len({frozenset(pair) for pair in pairs}) < len(pairs):
        raise ValueError("each pair once, in one order of its languages")
    return pairs


Pair = Annotated[list[Language], AfterValidator(_two), BeforeValidator(_as_list)]
Systems = Annotated[list[Name], Field(min_length=1), each_once("system")]
Tasks = Annotated[list[Name], Field(min_length=1), each_once("task")]
Others = Annotated[list[Language], Field(min_length=1), each_once("language")]
Sizes = Annotated[
    list[Annotated[int, Field(ge=1)]],
    Field(min_length=1, description="numbers of training concepts, such as [1000, 10000]"),
    each_once("number"),
    AfterValidator(sorted),
]


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


@dataclass(frozen=True, kw_only=True)
class Setting:
    """What every setting has.

    Attributes:
        kind: who trains with whom, as below; needed unless the setting is named so.
        systems: which systems are fitted in it; none for all.
        tasks: by which tasks they are tested; none for all.
    """

    kind: Annotated[
        Literal["joint", "pairwise", "low_resource", "transitive"],
        Field(description="joint, pairwise, low_resource or transitive, as its name is none"),
    ]
    systems: Systems | None = None
    tasks: Tasks | None = None

    def groups(self) -> Iterator[Group]:
        """Yield what each model trains on and searches, for a completed setting."""
        yield from ()


@dataclass(frozen=True, kw_only=True)
class Joint(Setting):
    """One model of several languages.

    Attributes:
        languages: that train together; none for all.
    """

    __pydantic_config__: ClassVar = {"extra": "forbid"}

    kind: Literal["joint"] = "joint"
    languages: Annotated[list[Language], Field(min_length=2), each_once("language")] | None = None

    def groups(self) -> Iterator[Group]:
        """Yield one model, searched for all pairs of its languages."""
        languages = tuple(sorted(self.languages))
        yield Group("", languages, tuple(combinations(languages, 2)))


@dataclass(frozen=True, kw_only=True)
class OfPairs(Setting):
    """Models of which each is searched for one pair of languages.

    Attributes:
        pairs: of languages, such as `[da-en, [en, it]]`; their order means nothing. They alone are
            searched, and validated.
    """

    __pydantic_config__: ClassVar = {"extra": "forbid"}

    pairs: Annotated[
        list[Pair],
        Field(min_length=1, description="of languages, such as [[da, en], [en, it]]"),
        AfterValidator(_once),
    ]

    def _named_pairs(self) -> Iterator[tuple[str, tuple[str, str]]]:
        for pair in self.pairs:
            first, second = sorted(pair)
            yield f"_{first}-{second}", (first, second)


@dataclass(frozen=True, kw_only=True)
class Pairwise(OfPairs):
    """Models of two languages each."""

    kind: Literal["pairwise"] = "pairwise"

    def groups(self) -> Iterator[Group]:
        """Yield a model of each pair alone."""
        for name, pair in self._named_pairs():
            yield Group(name, pair, (pair,))


@dataclass(frozen=True, kw_only=True)
class CutPairs(OfPairs):
    """Models for which fewer of the concepts that a pair shares train, see `splits.cutting`.

    Attributes:
        via: further languages that train with the pair.
        shared: what becomes of concepts of the pair that do not train in both languages. `drop`:
            they train in no language, as in the paper; `split`: each in one of the two, by chance,
            and in all further languages that have it.
    """

    via: Others | None = None
    shared: Shared = "drop"

    def _languages(self, pair: tuple[str, str]) -> tuple[str, ...]:
        return tuple(sorted({*pair, *(self.via or ())}))


@dataclass(frozen=True, kw_only=True)
class LowResource(CutPairs):
    """Models for which the concepts that a pair shares are cut to some number.

    Attributes:
        concepts: numbers of concepts that train in both languages of a pair; each has a model of
            its own.
        max_share: how these numbers shrink on small corpora: at most this share of the concepts
            that could train in both. Of numbers that shrink alike, the first has a model.
    """

    kind: Literal["low_resource"] = "low_resource"
    concepts: Sizes
    max_share: Share = HALF

    def groups(self) -> Iterator[Group]:
        """Yield a model of each pair and number."""
        for name, pair in self._named_pairs():
            for beyond, number in pairwise([0, *self.concepts]):
                cut = Cut(pair, number, self.shared, self.max_share, beyond)
                yield Group(f"{name}_{number}", self._languages(pair), (pair,), cut)


@dataclass(frozen=True, kw_only=True)
class Transitive(CutPairs):
    """Models of pairs that have no training concept in common, only through other languages."""

    kind: Literal["transitive"] = "transitive"
    # Has no default, unlike the field of CutPairs.
    via: Annotated[Others, Field(description="languages that link the pairs, such as [en]")] = (
        field()
    )

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
"""Tag of a variant that no value means: it says what all have in common, and takes the mistakes."""


def _kind(value: Any) -> str:
    """Return the kind that a mapping, or a dataclass, names if it is known, else `OTHER`."""
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


def completed(
    setting: Setting, languages: Sequence[str], systems: Iterable[str], tasks: Iterable[str]
) -> Setting:
    """Replace `all` by all names; put languages in the configuration's order.

    Args:
        setting: as given; it names nothing unknown.
        languages: the configuration's languages.
        systems: names of the configured systems.
        tasks: names of the configured tasks.
    """
    named = {"systems": setting.systems or list(systems), "tasks": setting.tasks or list(tasks)}
    if isinstance(setting, Joint):
        named["languages"] = sorted(setting.languages or languages, key=languages.index)
    if isinstance(setting, OfPairs):
        named["pairs"] = [sorted(x, key=languages.index) for x in setting.pairs]
    if isinstance(setting, CutPairs) and setting.via:
        named["via"] = sorted(setting.via, key=languages.index)
    return replace(setting, **named)


def foreign(setting: Setting, languages: Sequence[str]) -> Iterator[str]:
    """Report languages of a setting that the configuration lacks, or `via` a pair's own."""
    known = ", ".join(languages)
    if strange := [x for x in getattr(setting, "languages", None) or [] if x not in languages]:
        yield unexpected(".languages", f"some of the languages {known}", strange)
    pairs = getattr(setting, "pairs", [])
    for pair in pairs:
        if not set(pair) <= set(languages):
            yield unexpected(".pairs", f"pairs of two of the languages {known}", "-".join(pair))
    free = [x for x in languages if not any(x in pair for pair in pairs)]
    if strange := [x for x in getattr(setting, "via", None) or [] if x not in free]:
        others = f"some of the languages that are in none of the pairs, {', '.join(free)}"
        yield unexpected(".via", others, strange)


def foreign_names(setting: Setting, **sections: Collection[str] | None) -> Iterator[str]:
    """Report systems or tasks of a setting that the configuration lacks.

    Args:
        setting: as given.
        sections: names in the configuration; None if there are none to compare with.
    """
    for section, known in sections.items():
        for name in getattr(setting, section) or []:
            if known and name not in known:
                yield unknown(f".{section}: ", name, known)
