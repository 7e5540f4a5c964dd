"""What a fitted system is to all that use it: something that embeds documents."""

from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from typing import ClassVar

import numpy as np
from scipy import sparse

from cr5.base.errors import LeftOutError, UserError
from cr5.base.rows import Rows


class ModelError(UserError):
    """What a system returned, or what was read, is not a valid model.

    Attributes:
        part: the field and the language that it is about, such as `tables/en`; empty for several.
    """

    def __init__(self, message: str, part: str = "") -> None:
        super().__init__(message)
        self.part = part


class Model(ABC):
    """A fitted system: a frozen dataclass.

    Its fields are arrays, sparse matrices, numbers, text, lists of text, and mappings of these by
    language, so that `models.store` saves and loads every kind in one way.

    Attributes:
        words: per language, the columns of `counts`.
        measures: names in `search.measures` by which its rows may be compared.
        directed: whether queries are embedded anew for each language of candidates.
    """

    words: Mapping[str, Sequence[str]]
    measures: Sequence[str]
    directed: ClassVar[bool] = False

    @property
    def languages(self) -> tuple[str, ...]:
        """Those that it can embed."""
        return tuple(self.words)

    @abstractmethod
    def embed(self, counts: sparse.csr_matrix, language: str, towards: str | None = None) -> Rows:
        """Embed documents.

        Args:
            counts: documents x words of the language.
            language: of the documents.
            towards: the candidates' language; only a directed model asks for it.

        Returns:
            documents x r, float32; dense, sparse or both (`rows.Joined`); of the norm that the
            measures want. A document without any known word is a row of zeros, unless the model
            has an offset.
        """

    def reweighted(self, language: str, weights: np.ndarray) -> "Model":
        """Give the same model with other weights for the words of a language.

        Args:
            language: whose words.
            weights: (words,), such as an idf of other texts.

        Raises:
            LeftOutError: the model has no such weights.
        """
        raise LeftOutError(
            f"a model of class {type(self).__name__} has no weights of words that could be "
            "replaced: search with `idf: corpus`"
        )

    def parts(
        self, counts: sparse.csr_matrix, language: str, towards: str | None = None
    ) -> tuple[np.ndarray, Rows]:
        """Say what each word adds to the row of a document.

        Args:
            counts: 1 x words, of one document.
            language: of the document.
            towards: as of `embed`.

        Returns:
            The column of each word, -1 for what does not come from words; and a row for each,
            float64, which add up to what `embed` gives.

        Raises:
            UserError: the model's rows are no sums over words.
        """
        raise UserError(
            f"a model of class {type(self).__name__} does not add up words: it cannot say which "
            "of them made two documents near"
        )

    @abstractmethod
    def check(self) -> None:
        """Raise `ModelError` if it cannot embed; called after the fit, and after loading."""
