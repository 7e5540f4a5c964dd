"""What `evaluation.examples` of the configuration says of Table 2."""

from dataclasses import dataclass, field
from typing import Annotated, ClassVar

from pydantic import Field


@dataclass(frozen=True)
class ExampleOptions:
    """Which queries are shown, as whom found them.

    Attributes:
        queries: of each direction, drawn; where none are named.
        named: each a mapping with `language`, and `title` or `concept`.
        setting: a setting, or a series of them; the first one.
        system: fitted in it; the first one.
    """

    __pydantic_config__: ClassVar = {"extra": "forbid"}

    queries: Annotated[int, Field(ge=1)] = 2
    named: list[dict[str, str]] = field(default_factory=list)
    setting: str | None = None
    system: str | None = None
