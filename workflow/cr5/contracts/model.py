"""The interface of a fitted system: it embeds documents."""

from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np
from scipy import sparse

from cr5.base.errors import LeftOutError, UserError
from cr5.base.rows import Rows
from cr5.contracts.vocabulary import NO_FALLBACKS, Fallbacks, Vocabulary


@dataclass(frozen=True)
class Words:
    """Texts as weighted words with vectors."""

    weights: sparse.csr_matrix  # texts x p, float32; each row sums to one, or has nothing
    vectors: np.ndarray  # p x r, float32, of any length; zeros for a word that matches none

    def of_text(self, text: int) -> tuple[np.ndarray, np.ndarray]:
        """Return the numbers of the words of a text, and the weights of these words."""
        part = slice(self.weights.indptr[text], self.weights.indptr[text + 1])
        return self.weights.indices[part], self.weights.data[part].astype(np.float64)


UNSTORED = {"stored": False}  # metadata of a field that says how a model is used, not what it is


class ModelError(UserError):
    """A system returned, or a reader found, an invalid model."""


@dataclass(frozen=True, eq=False)
class CountedTexts:
    """Texts and their word counts, for models that take both."""

    counts: sparse.csr_matrix  # texts x words of the language
    texts: Sequence[str]

    def __len__(self) -> int:
        """Return the number of texts."""
        return len(self.texts)

    @property
    def shape(self) -> tuple[int, int]:
        """The numbers of texts and of columns, as of counts alone."""
        return self.counts.shape


@dataclass(frozen=True, kw_only=True)
class Model(ABC):
    """A fitted system: a frozen dataclass, which has `words` and `measures` among its fields.

    Its fields are arrays, sparse matrices, numbers, text, lists of text, and mappings of these by
    language, so `models.store` saves and loads every kind the same way.

    Attributes:
        words: those that trained, a list for each language.
        measures: names in `search.measures` of measures that can compare its rows.
        directed: whether queries are embedded anew for each language of candidates.
        reads_texts: whether it embeds texts as they are; see `TextModel`.
        reads_both: whether it embeds `CountedTexts`; the last of its `parts` is that of the texts.
        fallbacks: for each language that has any, what stands for words that did not train.
        rerank: weight of the words' matches in the second stage of a search; 0 for none.
        bank: vectors of training documents, see `models.bank`; None for none.
    """

    if TYPE_CHECKING:  # a dataclass would put them before the fields of its subclasses
        words: Mapping[str, Sequence[str]]
        measures: Sequence[str]

    directed: ClassVar[bool] = False
    reads_texts: ClassVar[bool] = False
    reads_both: ClassVar[bool] = False
    fallbacks: Mapping[str, Fallbacks] = field(default_factory=dict)
    rerank: float = 0.0
    bank: Mapping[str, Any] | None = None

    def __post_init__(self) -> None:
        """Raise `ModelError` if the class has no field that each class has to declare."""
        for name in ("words", "measures"):
            if not hasattr(self, name):
                raise ModelError(f"a model of class {type(self).__name__} has no field `{name}`")

    @property
    def languages(self) -> tuple[str, ...]:
        """The languages that it can embed."""
        return tuple(self.words)

    def vocabulary(self, language: str) -> Vocabulary:
        """Return the columns of `counts`: words, then what stands for others."""
        return Vocabulary(self.words[language], self.fallbacks.get(language, NO_FALLBACKS))

    @abstractmethod
    def embed(
        self, counts: sparse.csr_matrix, language: str, target_language: str | None = None
    ) -> Rows:
        """Embed documents.

        Args:
            counts: documents x columns of the language's `vocabulary`.
            language: of the documents.
            target_language: the candidates' language; only needed by a directed model.

        Returns:
            documents x r, float32; dense, sparse or both (`rows.HybridRows`); of the norm that the
            measures require. A document without known words is a row of zeros, unless the model has
            an offset.
        """

    def learned(self, language: str, target_language: str | None = None) -> np.ndarray:
        """Return which columns have a vector, (columns,) bool; documents of others have no row.

        A directed model has vectors towards each target language; without one, a column counts that
        has a vector towards any.
        """
        return np.ones(len(self.vocabulary(language)), bool)

    def searching(self, counts: sparse.csr_matrix, language: str) -> "Model":
        """Return the model with which the collection `counts` (documents x columns) is searched."""
        return self

    def reweighted(self, language: str, weights: np.ndarray) -> "Model":
        """Return the same model with other weights, (columns,); LeftOutError if it has none."""
        raise LeftOutError(
            f"a model of class {type(self).__name__} has no weights of words that could be "
            "replaced: search with `idf: corpus`"
        )

    def keeping_rows(self, folder: str | Path) -> "Model":
        """Return the model that keeps the rows of its encoder in a folder, if it has an encoder."""
        return self

    def parts(
        self, counts: sparse.csr_matrix, language: str, target_language: str | None = None
    ) -> tuple[np.ndarray, Rows]:
        """Compute what each word adds to the row of a document, counts 1 x columns.

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


@dataclass(frozen=True, kw_only=True)
class TextModel(Model):
    """A model that embeds texts as they are; wherever a `Model` takes counts it takes a list."""

    reads_texts: ClassVar[bool] = True

    @abstractmethod
    def embed(
        self, texts: Sequence[str], language: str, target_language: str | None = None
    ) -> Rows:
        """Embed n texts; see `Model.embed`."""
