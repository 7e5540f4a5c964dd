"""The options for scores in the configuration section `evaluation`."""

from dataclasses import dataclass
from typing import Annotated, ClassVar

from pydantic import Field


@dataclass(frozen=True)
class ScoreOptions:
    """How far curves go.

    Attributes:
        curve: largest k of the figures.
    """

    __pydantic_config__: ClassVar = {"extra": "forbid"}

    curve: Annotated[int, Field(ge=1)] = 100
