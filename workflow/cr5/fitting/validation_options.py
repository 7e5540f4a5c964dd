"""The section `validation` of the configuration: how hyperparameters are chosen."""

from dataclasses import dataclass
from typing import Annotated, ClassVar, Literal

from pydantic import Field

DOCUMENTS = "documents"


@dataclass(frozen=True)
class ValidationOptions:
    """How the fits of a grid are compared, and how far a grid goes on by itself.

    Attributes:
        criterion: a name in `fitting.criteria`.
        extend: values at most that a grid gets beyond those given, see `fitting.grid`.
        task: whose searches they are compared by: `documents`, by what is drawn, whether it is
            tested or not; or the name of another task that has something to validate by.
    """

    __pydantic_config__: ClassVar = {"extra": "forbid"}

    criterion: Literal["mrr", "p@1", "authors"] = "mrr"
    extend: Annotated[int, Field(ge=0)] = 4
    task: str = DOCUMENTS
