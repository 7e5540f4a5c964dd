"""The section `validation` of the configuration: how hyperparameters are chosen."""

from dataclasses import dataclass
from typing import Annotated, ClassVar, Literal

from pydantic import Field


@dataclass(frozen=True)
class ValidationOptions:
    """How the fits of a grid are compared, and how far a grid goes on by itself.

    Attributes:
        criterion: a name in `fitting.criteria`.
        extend: values at most that a grid gets beyond those given, see `fitting.grid`.
    """

    __pydantic_config__: ClassVar = {"extra": "forbid"}

    criterion: Literal["mrr", "p@1", "authors"] = "mrr"
    extend: Annotated[int, Field(ge=0)] = 4
