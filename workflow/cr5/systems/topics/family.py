"""What topic models have in common; light, as plans read it."""

from __future__ import annotations

from typing import Annotated

from pydantic import Field, NonNegativeInt, PositiveInt

from cr5.base.parts import Some, System


class TopicModel(System):
    """Topics that documents of several languages share; validation says how many, and when to stop.

    Without validation queries one number of topics is fitted until the objective stops rising.
    """

    without_counts = None  # topics are of counted words

    # the paper keeps 1000 of JPLSA, 1000 and 200 of CPLSA
    dimensions: Some[Annotated[int, Field(ge=2)]] = (50, 100, 200, 500, 1000)
    """Numbers of topics; each is a fit."""
    skip_words: NonNegativeInt = 50
    """Most frequent strings that are dropped."""
    max_words: PositiveInt = 20_000
    """Strings kept of the others, the most frequent ones."""
    max_iterations: PositiveInt = 500
    """At most."""

    @property
    def needs(self) -> tuple[str, ...]:
        """Counts."""
        return ("counts",)
