"""The options of Table 2: `evaluation.examples` of the configuration."""

from typing import Annotated

from pydantic import Field, PositiveInt

from cr5.base.parts import Section


class ExampleOptions(Section):
    """Which queries are shown, as the first system of the first setting found them."""

    queries: PositiveInt = 2
    """Of Table 2, drawn at random for each direction."""
    neighbours: Annotated[int, Field(ge=1, le=10)] = 5
    """Documents shown of each query; the paper shows 10."""
    titles: str | None = None
    """Language of the titles, where it has the document; none shows each document's own."""
