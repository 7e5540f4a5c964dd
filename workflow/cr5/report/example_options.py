"""The options of Table 2: `evaluation.examples` of the configuration."""

from dataclasses import dataclass, field
from typing import Annotated

from pydantic import Field

from cr5.base.options import Section


@dataclass(frozen=True)
class ExampleOptions(Section):
    """Which queries are shown, as whom found them.

    Attributes:
        queries: of Table 2, drawn for each direction in which none is named.
        named: queries shown in place of drawn ones, each `{language: da, title: ...}` or
            `{language: da, concept: ...}`.
        setting: whose examples: a setting, such as `pairwise_da-en`, or a key of `settings`; none
            is the first.
        system: fitted in it; none is the first.
        neighbours: documents shown of each query; the paper shows 10.
        titles: language of the titles, where it has the document; none shows each document's own.
    """

    queries: Annotated[int, Field(ge=1)] = 2
    named: list[dict[str, str]] = field(default_factory=list)
    setting: str | None = None
    system: str | None = None
    neighbours: Annotated[int, Field(ge=1, le=10)] = 5
    titles: str | None = None
