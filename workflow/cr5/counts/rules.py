"""The sections `bags` and `weighting` of the configuration, and their defaults."""

import logging
import re
from collections.abc import Sequence
from typing import Annotated, Literal

from pydantic import AfterValidator, Field, NonNegativeInt, PositiveInt

from cr5.base import not_text
from cr5.base.errors import UserError
from cr5.base.languages import path_of
from cr5.base.text_files import read_lines
from cr5.contracts.keys import Section
from cr5.counts.tokens import TokenRules, Tokens

log = logging.getLogger(__name__)
COMMENT = re.compile(r"[|#]|^\s*(;|//|%|!|--)")
C_COMMENT = re.compile(r"/\*|\*/")


def _in_order(bounds: tuple[int, ...]) -> tuple[int, ...]:
    if bounds[0] > bounds[1]:
        raise ValueError("expected [least, most], the smaller number first")
    return bounds


Bounds = Annotated[
    tuple[NonNegativeInt, ...],
    Field(min_length=2, max_length=2),
    AfterValidator(_in_order),
]
"""Least and most, both ends included."""


class Rules(TokenRules):
    """What belongs to the vocabulary and which documents are kept (Cr5, Sec. 4.1)."""

    min_documents: PositiveInt = 3
    """Words in fewer documents are dropped."""
    max_words: PositiveInt = 200_000
    """Of the others, the most frequent are kept."""
    unique_words: Bounds = (50, 1000)
    """Documents with fewer or more unique words are dropped; both ends included."""
    unique_words_in: Literal["text", "vocabulary"] = "text"
    """`text` counts all words of a document (the paper); `vocabulary` only those that are kept (the
    authors' code)."""
    vocabulary: Literal["training", "training_df", "text", "vectors"] = "training"
    """Whose documents are counted for `min_documents` and `max_words`, and so choose the words.
    `training` takes the training documents of each model, and the words that occur most often there
    (the paper); `training_df` those in most of these documents (the authors' code); `text` all
    documents, also those of queries. `vectors` takes the words of given vectors, in their order,
    whether the text has them or not: words are then searched among all of them, as in papers on
    word translation."""

    @property
    def training_chooses(self) -> bool:
        """Whether each model has words of its own; bags then have all that it may choose from."""
        return self.vocabulary in ("training", "training_df")

    @property
    def most_in_bags(self) -> int | None:
        """The number of words in bags: `max_words`, or no limit where models choose later."""
        if self.training_chooses:
            return None
        return self.max_words


TermFrequency = Literal["raw", "log", "sqrt", "binary"]


class Weighting(Section):
    """How counts enter the weight of a word in a document."""

    term_frequency: TermFrequency = "raw"
    """`raw` is the count (the paper), `log` ln(1 + count), `sqrt` its square root, `binary` 1."""
    idf: Literal["corpus", "none"] = "corpus"
    """`corpus` weighs words by ln(n / df) + 1 over the training documents; `none` does not, as for
    a `matrix` that holds weights already."""


def tokens_of(
    rules: TokenRules, languages: Sequence[str], files: Sequence[str] | None = None
) -> Tokens:
    """Return how texts of some languages become words, with the stop words that the rules name.

    `files` has those of each language; none: where the rules say.
    """
    unstemmed = Tokens(case=rules.case, tokens=rules.tokens)
    if files is None and rules.stop_words:
        files = [path_of(rules.stop_words, language=[language]) for language in languages]
    stop_words = {}
    if files:
        for language, path in zip(languages, files, strict=True):
            stop_words[language] = _read_stop_words(path, language, unstemmed)
    return unstemmed.model_copy(update={"stemmer": rules.stemmer, "stop_words": stop_words})


def _read_stop_words(path: str, language: str, tokens: Tokens) -> frozenset[str]:
    """Read words, any number to a line, and cut them as the texts are: *don't* may be two.

    What stands behind `|` or `#` is a comment, as in Snowball's lists, and so is a line that begins
    with another sign of comments.
    """
    words: set[str] = set()
    n_comments = 0
    for place, line in not_text.refusing_markup(read_lines(path)):
        comment = COMMENT.search(line)
        if comment:
            n_comments += 1
            line = line[: comment.start()]
        if C_COMMENT.search(line):
            raise UserError(f"{place}: a comment between /* and */; begin each of its lines with #")
        words_of_line = tokens(line, language)
        words.update(word.lower() for word in words_of_line)
    log.info("%s: %d words; %d lines end in a comment", path, len(words), n_comments)
    return frozenset(words)
