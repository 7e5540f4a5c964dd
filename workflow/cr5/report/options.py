"""What the configuration says of tables: the queries of Table 2, and the published figures."""

from typing import Annotated

from pydantic import Field, NonNegativeFloat, PositiveInt

from cr5.base.parts import Language, Section, one_of


class ExampleOptions(Section):
    """How random queries are shown, as the first system of the first setting found them."""

    neighbours: Annotated[int, Field(ge=1, le=10)] = 5
    """Documents shown of each query; the paper shows 10."""
    titles: Language | None = None
    """Language of the titles, where it has the document; none shows each document's own."""


class PublishedOptions(Section):
    """Figures of a paper that this configuration makes, and what must hold for a verdict."""

    paper: str
    """As in `report/published_figures.csv`."""
    table: str
    """As there, such as `1b`."""
    rows: Annotated[dict[str, Annotated[str, one_of("systems")]], Field(min_length=1)]
    """The system that makes each row, by the row's label as printed."""
    setting: Annotated[str, one_of("settings")]
    """The setting whose figures are compared."""
    task: Annotated[str, one_of("tasks")] = "documents"
    """The task whose figures are compared."""
    measure: str | None = None
    """Of ours, where the paper does not say how candidates were ordered."""
    candidates: PositiveInt = 1
    """With fewer there is no verdict."""
    concepts: Annotated[list[PositiveInt], Field(min_length=2, max_length=2)] | None = None
    """Least and most training concepts; with others there is no verdict."""
    tolerance: NonNegativeFloat | None = None
    """In percent points, up to which a difference counts as equal; none gives no verdict."""
