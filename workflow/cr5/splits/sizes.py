"""The section `splits` of the configuration."""

from dataclasses import dataclass, field
from typing import Annotated, Any, ClassVar, Literal

from pydantic import BeforeValidator, Field

from cr5.counts.rules import Bounds

SHARES = {"test": 0.1, "validation": 0.1, "candidates": 0.2}


def _with_other_shares(given: Any) -> Any:
    return SHARES | given if isinstance(given, dict) else given


Shares = Annotated[
    dict[Literal["test", "validation", "candidates"], Annotated[float, Field(ge=0, le=1)]],
    BeforeValidator(_with_other_shares),
]


@dataclass(frozen=True)
class Sizes:
    """How much is drawn, and how the paper is read.

    Attributes:
        test: test queries of each pair of languages.
        validation: validation queries of each pair.
        candidates: documents of each language that queries are searched among: the test documents,
            and others at random.
        max_share: upper bounds of the three on small corpora, as shares of the concepts that there
            are (`splits.draw`).
        held_out: `paper`: test and validation queries of any pair leave the training documents of
            all languages; `code`: only of the two languages of their pair.
        candidates_reading: `paper`: candidates beyond the test documents do not train either, so
            `max_share` bounds them; `code`: they may train, and it does not.
        query_unique_words: least and most unique words of a query document, in both languages;
            none: as for all documents. The authors' code has [100, 700].
        redraw: whether each repetition draws queries and candidates of its own.
    """

    __pydantic_config__: ClassVar = {"extra": "forbid"}

    test: Annotated[int, Field(ge=1)] = 1000
    validation: Annotated[int, Field(ge=1)] = 1000
    candidates: Annotated[int, Field(ge=1)] = 200_000
    max_share: Shares = field(default_factory=SHARES.copy)
    held_out: Literal["paper", "code"] = "paper"
    candidates_reading: Literal["paper", "code"] = "paper"
    query_unique_words: Bounds | None = None
    redraw: bool = True
