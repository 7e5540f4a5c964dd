"""What the configuration says of tables: the queries of Table 2, and the published figures."""

from collections.abc import Mapping
from typing import Annotated, Any

from pydantic import Field, PositiveInt

from cr5.contracts.keys import Language, Section, one_of

SystemName = Annotated[str, one_of("systems")]
SettingName = Annotated[str, one_of("settings")]
TaskName = Annotated[str, one_of("tasks")]
SystemOfRow = Annotated[dict[str, SystemName], Field(min_length=1)]
LeastAndMost = Annotated[list[PositiveInt], Field(min_length=2, max_length=2)]
Direction = Annotated[list[Language], Field(min_length=2, max_length=2)]
Percent = Annotated[float, Field(ge=0, le=100)]
NumberOfNeighbours = Annotated[int, Field(ge=1, le=10)]


class ExampleQuery(Section):
    """A query that is shown."""

    query_language: Language
    """Its language."""
    target_language: Language
    """The language that is searched."""
    document: str
    """Its concept or its title, in upper or lower case."""


class ExampleOptions(Section):
    """How queries are shown, as the first system of the first setting found them."""

    queries: list[ExampleQuery] = Field(default_factory=list)
    """Those that are shown, which are test queries then; none shows random ones."""
    neighbours: NumberOfNeighbours = 5
    """Documents shown of each query; the paper shows 10."""
    titles: Language | None = None
    """Language of the titles, where it has the document; none shows each document's own."""


class PublishedTable(Section):
    """A table of a paper, what makes its rows, and what must hold for a verdict."""

    paper: str
    """As in `report/published_figures.csv`."""
    table: str
    """As there, such as `1b`."""
    rows: SystemOfRow
    """The system that makes each row, by the row's label as printed."""
    setting: SettingName
    """The setting whose figures are compared."""
    task: TaskName = "documents"
    """The task whose figures are compared."""
    measure: str | None = None
    """Of ours, where the paper does not say how candidates were ordered."""
    candidates: PositiveInt = 1
    """With fewer there is no verdict."""
    concepts: LeastAndMost | None = None
    """Least and most training concepts; with others there is no verdict. None: about those that the
    table prints for each pair, if it does."""
    queries: PositiveInt | dict[Language, PositiveInt] | None = None
    """The paper's queries of a direction, or by query language; none gives no verdict."""
    direction: Direction | None = None
    """Query and target language that figures without a direction are compared with; none: the mean
    over all directions."""
    chance: Percent = 0
    """In percent, what a system gets that finds nothing, where that is more than with one relevant
    document at a random rank."""


class Comparison(PublishedTable):
    """A table that a run makes."""

    departures: tuple[str, ...] = ()
    """Places of the options that the paper states and that have another value here."""


class PublishedOptions(PublishedTable):
    """Figures of a paper that this configuration makes, and what must hold for a verdict."""

    stated: dict[str, Any] = Field(default_factory=dict)
    """Options that the paper states, by their place, such as `systems.cr5.rank: 300`; a system with
    others has no verdict."""

    def of_run(self, config: Mapping[str, Any]) -> Comparison:
        """Return the comparison that a run makes, with its departures.

        The configuration has all defaults filled in; a place that it does not have departs too.
        """
        departures = []
        for place, stated in self.stated.items():
            if _option(config, place) != stated:
                departures.append(place)
        keys = self.model_dump(mode="json", exclude={"stated"})
        return Comparison(**keys, departures=departures)


def _option(config: Mapping[str, Any], place: str) -> Any:
    """Return the value at a place in a configuration, none if it is not there."""
    value: Any = config
    for key in place.split("."):
        if not isinstance(value, Mapping):
            return None
        value = value.get(key)
    return value
