"""The options of Table 2: `evaluation.examples` of the configuration."""

from typing import Annotated

from pydantic import Field

from cr5.base.parts import Section


class ExampleOptions(Section):
    """Which queries are shown, as whom found them."""

    queries: Annotated[int, Field(ge=1)] = 2
    """Of Table 2, drawn for each direction in which none is named."""
    named: list[dict[str, str]] = Field(default_factory=list)
    """Queries shown in place of drawn ones, each `{language: da, title: ...}` or `{language: da,
    concept: ...}`."""
    setting: str | None = None
    """Whose examples: a setting, such as `pairwise_da-en`, or a key of `settings`; none is the
    first."""
    system: str | None = None
    """Fitted in it; none is the first."""
    neighbours: Annotated[int, Field(ge=1, le=10)] = 5
    """Documents shown of each query; the paper shows 10."""
    titles: str | None = None
    """Language of the titles, where it has the document; none shows each document's own."""
