"""What a configuration says of queries, candidates and training documents."""

from dataclasses import dataclass
from fnmatch import fnmatchcase
from itertools import product
from typing import Annotated, Any, Literal

from pydantic import AfterValidator, BeforeValidator, Field, PositiveInt

from cr5.contracts.keys import A_PATH, InOrder, Section, Some
from cr5.counts.rules import Bounds

Pair = tuple[str, str]
Shared = Literal["drop", "split"]
Share = Annotated[float, Field(gt=0, le=1)]
TOGETHER = "together"
HALF = 0.5  # about the paper's 10,000 of 22,000
DEFAULT_SHARES = {"test": 0.1, "validation": 0.1, "candidates": 0.2}

Part = Literal["test", "validation"]


def _with_other_shares(shares: Any) -> Any:
    if isinstance(shares, dict):
        return DEFAULT_SHARES | shares
    return shares


Shares = Annotated[
    dict[Literal["test", "validation", "candidates"], Annotated[float, Field(ge=0, le=1)]],
    BeforeValidator(_with_other_shares),
]


def _apart(patterns: dict[str, tuple[str, ...]]) -> dict[str, tuple[str, ...]]:
    """Refuse a pattern of one part that matches all that one of the other part matches."""
    tests = patterns["test"]
    validations = patterns["validation"]
    for test, validation in product(tests, validations):
        is_matched = fnmatchcase(test, validation) or fnmatchcase(validation, test)
        if is_matched:
            raise ValueError(f"{test!r} and {validation!r} match the same concepts; change one")
    return patterns


Patterns = Annotated[
    dict[Part, Some[str]],
    Field(min_length=2),  # both parts
    AfterValidator(_apart),
    InOrder,
]


def _a_path_or_both_parts(given: Any) -> Any:
    """Refuse what is neither the path of a file nor has the keys of `Patterns`."""
    are_patterns = isinstance(given, dict) and given.keys() == {"test", "validation"}
    if given is None or isinstance(given, str) or are_patterns:
        return given
    raise ValueError("Input should be the path of a file, or patterns of test and validation")


class Sizes(Section):
    """The section `splits`: how much is drawn, and how the paper is read."""

    test: PositiveInt = 1000
    """Test queries of each pair of languages."""
    validation: PositiveInt = 1000
    """Validation queries of each pair."""
    candidates: PositiveInt = 200_000
    """Documents of each language that queries are searched among: the test documents, and others at
    random."""
    max_share: Shares = Field(default_factory=DEFAULT_SHARES.copy)
    """Upper bounds of the three on small corpora, as shares of the concepts that there are
    (`splits.draw`)."""
    held_out: Literal["paper", "code"] = "paper"
    """`paper`: test and validation queries of any pair leave the training documents of all
    languages; `code`: only of the two languages of their pair."""
    candidates_reading: Literal["paper", "code"] = "paper"
    """`paper`: candidates beyond the test documents do not train either, so `max_share` bounds
    them; `code`: they may train, and it does not."""
    query_unique_words: Bounds | None = None
    """Least and most unique words of a query document, in both languages; none: as for all
    documents. The authors' code has [100, 700]."""
    given: Annotated[
        Annotated[str, Field(min_length=1), A_PATH] | Patterns | None,
        BeforeValidator(_a_path_or_both_parts),
    ] = None
    """A split of your own instead of a draw: a file with the columns `concept` and `split`
    (`train`, `validation`, `test`), or patterns of the concepts of `test` and `validation`, such as
    `{test: ["ep-00-*"], validation: ["ep-01-*"]}`. All others train. All test documents are
    queries, if another language has them, and all are candidates. What is named but not there is
    counted in log and report, and refused if it is there in another case."""
    duplicates: Literal["independent", "together"] = "independent"
    """Concepts with equal texts, after white space and case are folded. `independent`: each is
    drawn by itself, and the run tells how many documents have the text of a query. `together`: of
    those that such texts of five words or more connect, in any language, one at most is drawn; if
    it is, the others neither train nor are searched."""
    redraw: bool = True
    """Whether each repetition draws queries and candidates of its own."""
    unpaired: Annotated[float, Field(ge=0, lt=1)] | None = None
    """None: documents train whose concept has another one in a language of the setting. A number:
    those without such a counterpart train too, and of the others this share of the concepts is
    taken apart, at random, so that nothing says which of their documents belong together. That
    measures what `self_training` makes of them."""

    @property
    def candidates_train(self) -> bool:
        """Whether candidates beyond the test documents train; a given split names those that do."""
        return self.candidates_reading == "code" and self.given is None


@dataclass(frozen=True)
class Cut:
    """How many of the concepts that two languages share may train in both."""

    pair: Pair  # in the order of the alphabet
    concepts: int  # at most so many
    # of the others: they train in no language at all, as in the paper; or each in one of the two,
    # every second one in the first, and in all other languages that have it
    shared: Shared = "drop"
    max_share: float = HALF  # at most this share of those that could train in both
    beyond: int = 0  # the next smaller number of the same setting, than which more must train
