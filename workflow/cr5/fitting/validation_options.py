"""The section `validation` of the configuration: how hyperparameters are chosen."""

from typing import Annotated, Literal

from pydantic import Field

from cr5.base.parts import Section

DOCUMENTS = "documents"
OWN = "validation_task"  # the key of a system's entry that has its own in place of `task`


class ValidationOptions(Section):
    """How the fits of a grid are compared, and how far a grid goes on by itself."""

    criterion: Literal["mrr", "p@1", "authors"] = "mrr"
    """By what the fits of a grid are compared: `mrr`, the mean reciprocal rank; `p@1`; `authors`,
    the mean of 1 / MRR as in the authors' code, of which less is better."""
    extend: Annotated[int, Field(ge=0)] = 4
    """Values at most by which a grid is extended where its best value is at an edge; 0 for none."""
    task: str = DOCUMENTS
    """By whose searches, unless a system has its own `validation_task`: `documents`, of what is
    drawn, whether that task is run or not; or another task that has something to validate by."""
