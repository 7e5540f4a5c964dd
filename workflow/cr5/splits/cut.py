"""Reduce the training concepts that two languages share, to some number or to none.

The Cr5 paper (Sec. 4.2) has two such settings. Low-resource: the intersection of Danish and
Vietnamese is cut to 10,000 concepts. Transitive: none of it trains, and the two languages are
linked through English.
"""

from dataclasses import dataclass
from typing import Annotated, Literal

from pydantic import Field

Pair = tuple[str, str]
Shared = Literal["drop", "split"]
Share = Annotated[float, Field(gt=0, le=1)]
HALF = 0.5  # about the paper's 10,000 of 22,000


@dataclass(frozen=True)
class Cut:
    """How many of the concepts that two languages share may train in both.

    Attributes:
        pair: the two languages, in the order of the alphabet.
        concepts: at most so many train in both; of the same order, whatever the number.
        shared: what becomes of the others. `drop`: they train in no language at all, as in the
            paper. `split`: each trains in one of the two, every second one in the first, and in
            all other languages that have it.
        max_share: at most this share of those that could train in both.
        beyond: the next smaller number of the same setting: where no more can train than with
            that, nothing would be new.
    """

    pair: Pair
    concepts: int
    shared: Shared = "drop"
    max_share: float = HALF
    beyond: int = 0
