"""The section `settings`: who trains with whom, one dataclass for each kind."""

from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Annotated, Any, ClassVar, Literal

from pydantic import AfterValidator, BeforeValidator, Discriminator, Field, Tag

from cr5.plan.corpus import OTHER, tag_of
from cr5.plan.mistakes import unexpected, unknown
from cr5.plan.texts import Language, Name, each_once


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


@dataclass(frozen=True, kw_only=True)
class Setting:
    """What every setting has.

    Attributes:
        kind: which dataclass has the other keys.
        systems: that are fitted in it; None for all.
    """

    kind: Annotated[
        Literal["joint", "pairwise"],
        Field(description="joint or pairwise, as its name is neither of them"),
    ]
    systems: Systems | None = None


@dataclass(frozen=True, kw_only=True)
class Joint(Setting):
    """One model of several languages.

    Attributes:
        languages: that train together; None for all.
    """

    __pydantic_config__: ClassVar = {"extra": "forbid"}

    kind: Literal["joint"] = "joint"
    languages: Annotated[list[Language], Field(min_length=2), each_once("language")] | None = None


@dataclass(frozen=True, kw_only=True)
class Pairwise(Setting):
    """Models of two languages each.

    Attributes:
        pairs: of languages, in no order.
    """

    __pydantic_config__: ClassVar = {"extra": "forbid"}

    kind: Literal["pairwise"] = "pairwise"
    pairs: Annotated[
        list[Pair],
        Field(min_length=1, description="of languages, such as [[da, en], [en, it]]"),
        AfterValidator(_once),
    ]


KINDS = {"joint": Joint, "pairwise": Pairwise}

AnySetting = Annotated[
    Annotated[Joint, Tag("joint")]
    | Annotated[Pairwise, Tag("pairwise")]
    | Annotated[Setting, Tag(OTHER)],
    Discriminator(lambda value: tag_of(value, "kind", KINDS)),
]


def completed(setting: Setting, languages: Sequence[str], systems: Iterable[str]) -> Setting:
    """Name all where `all` is meant; put languages in the order of the configuration.

    Args:
        setting: as given; it has nothing foreign.
        languages: of the configuration.
        systems: names of those that are configured.
    """
    setting = replace(setting, systems=setting.systems or list(systems))
    if isinstance(setting, Joint):
        own = setting.languages or languages
        return replace(setting, languages=[x for x in languages if x in own])
    return replace(setting, pairs=[sorted(x, key=languages.index) for x in setting.pairs])


def groups(setting: Setting) -> list[list[str]]:
    """Languages that train together, of a setting that is complete."""
    return [setting.languages] if isinstance(setting, Joint) else setting.pairs


def foreign_languages(setting: Setting, languages: Sequence[str] | None) -> Iterator[str]:
    """Mistakes of a setting that names languages which are not the configuration's.

    Args:
        setting: as given.
        languages: of the configuration; None if they are a mistake themselves.
    """
    known = ", ".join(languages or [])
    if languages and isinstance(setting, Joint):
        strange = [x for x in setting.languages or [] if x not in languages]
        if strange:
            yield unexpected(".languages", f"some of the languages {known}", strange)
    elif languages and isinstance(setting, Pairwise):
        for pair in setting.pairs:
            if not set(pair) <= set(languages):
                yield f".pairs: {'-'.join(pair)!r} is not a pair of two of the languages {known}"


def foreign_systems(setting: Setting, systems: Collection[str] | None) -> Iterator[str]:
    """Mistakes of a setting that names systems which are not the configuration's.

    Args:
        setting: as given.
        systems: names in the configuration; None if there are none to compare with.
    """
    for name in setting.systems or []:
        if systems and name not in systems:
            yield unknown(".systems: ", name, systems)
