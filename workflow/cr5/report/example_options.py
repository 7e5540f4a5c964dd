"""The options of Table 2: `evaluation.examples` of the configuration."""

from dataclasses import dataclass
from typing import Annotated

from pydantic import Field

from cr5.base.options import Section


@dataclass(frozen=True)
class ExampleOptions(Section):
    """Which queries are shown, as the first system of the first setting found them.

    Attributes:
        queries: of Table 2, drawn at random for each direction.
        neighbours: documents shown of each query; the paper shows 10.
        titles: language of the titles, where it has the document; none shows each document's own.
    """

    queries: Annotated[int, Field(ge=1)] = 2
    neighbours: Annotated[int, Field(ge=1, le=10)] = 5
    titles: str | None = None
