"""The interface of a fitted system: it embeds documents."""

from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, ClassVar

import numpy as np
from scipy import sparse

from cr5.base.errors import LeftOutError, UserError
from cr5.base.rows import Rows
from cr5.search.word_matches import Words

UNSTORED = {"stored": False}  # metadata of a field that says how a model is used, not what it is


class ModelError(UserError):
    """A system returned, or a reader found, an invalid model."""


@dataclass(frozen=True, eq=False)
class CountedTexts:
    """Texts with the counts of their words, for models that take both."""

    counts: sparse.csr_matrix  # texts x words of the language
    texts: Sequence[str]

    def __len__(self) -> int:
        """Return the number of texts."""
        return len(self.texts)


@dataclass(frozen=True, kw_only=True)
class Model(ABC):
    """A fitted system: a frozen dataclass, which also declares `words` and `measures`.

    Its fields are arrays, sparse matrices, numbers, text, lists of text, and mappings of these by
    language, so `models.store` saves and loads every kind the same way.

    Attributes:
        words: the columns of `counts`, a list for each language.
        measures: names in `search.measures` of measures that can compare its rows.
        directed: whether queries are embedded anew for each language of candidates.
        reads_texts: whether it embeds texts as they are, which take the place of counts.
        reads_both: whether it embeds `CountedTexts`.
        rerank: weight of the words' matches in the second stage of a search; 0 for none.
        bank: vectors of training documents, see `models.bank`; None for none.
    """

    directed: ClassVar[bool] = False
    reads_texts: ClassVar[bool] = False
    reads_both: ClassVar[bool] = False
    rerank: float = 0.0
    bank: Mapping[str, Any] | None = None

    @property
    def languages(self) -> tuple[str, ...]:
        """The languages that it can embed."""
        return tuple(self.words)

    @abstractmethod
    def embed(
        self, counts: sparse.csr_matrix, language: str, target_language: str | None = None
    ) -> Rows:
        """Embed documents.

        Args:
            counts: documents x words of the language; n texts, if it `reads_texts`.
            language: of the documents.
            target_language: the candidates' language; only needed by a directed model.

        Returns:
            documents x r, float32; dense, sparse or both (`rows.HybridRows`); of the norm that the
            measures require. A document without known words is a row of zeros, unless the model has
            an offset.
        """

    def learned(self, language: str, target_language: str | None = None) -> np.ndarray:
        """Return which words have a vector, (words,) bool; a document of others has no row.

        A directed model has one towards a language, or without it towards any.
        """
        return np.ones(len(self.words[language]), bool)

    def searching(self, counts: sparse.csr_matrix, language: str) -> "Model":
        """Return the model for a search of a collection, documents x words."""
        return self

    def reweighted(self, language: str, weights: np.ndarray) -> "Model":
        """Return the same model with other weights, (words,); LeftOutError if it has none."""
        raise LeftOutError(
            f"a model of class {type(self).__name__} has no weights of words that could be "
            "replaced: search with `idf: corpus`"
        )

    def keeping_rows(self, folder: str | Path) -> "Model":
        """Return the model that keeps what an encoder of it makes of texts in a folder, if any."""
        return self

    def parts(
        self, counts: sparse.csr_matrix, language: str, target_language: str | None = None
    ) -> tuple[np.ndarray, Rows]:
        """Compute what each word adds to the row of a document, counts 1 x words.

        Returns the column of each word, -1 for parts that do not come from words; and a row for
        each, float64, which add up to the result of `embed`. UserError: rows are no such sums.
        """
        raise UserError(
            f"a model of class {type(self).__name__} does not add up words: it cannot say which "
            "of them made two documents near"
        )

    def matched(self, counts: sparse.csr_matrix, language: str) -> Words:
        """Return documents as words for the second stage of a search; UserError without vectors."""
        raise UserError(
            f"a model of class {type(self).__name__} has no vectors of words that could be "
            "matched: leave out `rerank`"
        )

    @abstractmethod
    def check(self) -> None:
        """Raise `ModelError` if it cannot embed; called after the fit, and after loading."""
