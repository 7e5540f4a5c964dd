"""What systems that project documents have in common; light, as plans read it."""

from __future__ import annotations

from typing import Annotated, ClassVar, Literal

from pydantic import Field, NonNegativeInt, PositiveInt

from cr5.base.parts import Some, System


class Projected(System):
    """Documents are projected onto the leading eigenvectors of a pencil of matrices."""

    without_counts: ClassVar = {"weights": "given"}

    # validation chooses; the paper's grid is unknown
    dimensions: Some[PositiveInt] = (50, 100, 200, 500, 1000, 2000)
    """Validated, all from one solution."""
    skip_words: NonNegativeInt = 50
    """Most frequent strings that are dropped."""
    max_words: PositiveInt = 20000
    """Strings kept of the others, the most frequent ones."""
    weights: Literal["paper", "given"] = "paper"
    """By log2(1 + count) log2(n / df); or documents as they are, such as rows of a matrix."""
    unit_rows: bool = False
    """Whether rows have length one before they are fitted."""
    solver: Literal["auto", "rows", "columns", "iterative"] = "auto"
    """A matrix of all documents, one of all words, or neither."""
    tolerance: Annotated[float, Field(gt=0, lt=1)] = 1e-3
    """Of `iterative`: residuals relative to each eigenvalue."""

    @property
    def needs(self) -> tuple[str, ...]:
        """Counts, or what is given in their place."""
        return ("counts",)


class Merged(Projected):
    """Projections that may have one column for a string of several languages."""

    merged: bool = True
    """Whether a string of all languages is one column."""
