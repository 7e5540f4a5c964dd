"""The model of what was learned from documents with an encoder of others beside it."""

import math
from collections.abc import Mapping
from dataclasses import dataclass, field, fields, replace
from pathlib import Path
from typing import Any, ClassVar

import numpy as np
from scipy import sparse

from cr5.base.rows import HybridRows, Rows, unit_rows
from cr5.contracts.model import UNSTORED, CountedTexts, Model, Words
from cr5.models.text_encoder import TextEncoder
from cr5.models.word_tables import JoinedTables, WordTables, of_norm


@dataclass(frozen=True, kw_only=True)
class EncodedTables(JoinedTables):
    """A document is [w l, sqrt(b) u], of length one: l from tables of words, u from an encoder.

    l is the row of `WordTables`, or of `JoinedTables` if there are tables beside the dense ones;
    both l and u have length one. If documents have both, their cosine is that of l times w^2, plus
    b times that of u, divided by (w^2 + b).

    Attributes:
        encoder: its name or folder, as in `TextEncoder`, and so are the next three.
        sha256: of its files.
        prefix: put before each text.
        means: of the rows of training documents, by language; a language that is not there is
            compared by words alone.
        encoder_weight: b.
        learned_weight: w, 1 or 0.
        rows_folder: where rows of the encoder are kept; empty: nowhere.
    """

    beside: Mapping[str, sparse.csr_matrix] = field(default_factory=dict)
    beside_weights: Mapping[str, np.ndarray] = field(default_factory=dict)
    beside_term_frequency: str = "raw"
    beta: float = 0.0
    encoder: str
    sha256: str
    prefix: str
    means: Mapping[str, np.ndarray]
    encoder_weight: float
    learned_weight: float = 1.0
    rows_folder: str = field(default="", metadata=UNSTORED)
    reads_both: ClassVar[bool] = True

    @classmethod
    def of(cls, learned: WordTables, encoder: TextEncoder, **weights: float) -> "EncodedTables":
        """Join a learned model and an encoder that puts the same prefix before all texts."""
        return cls(
            **_values(learned, type(learned)),
            encoder=encoder.encoder,
            sha256=encoder.sha256,
            prefix=encoder.query_prefix,
            means=encoder.query_means,
            rows_folder=encoder.rows_folder,
            **weights,
        )

    def embed(
        self, counts: CountedTexts, language: str, target_language: str | None = None
    ) -> Rows:
        """Embed documents, given as counts and as texts; see `Model.embed` and the class."""
        learned = self._of_words().embed(counts.counts, language, target_language)
        encoded = self._encoder().embed(counts.texts, language)
        return unit_rows(self._side_by_side(learned, encoded))

    def learned(self, language: str, target_language: str | None = None) -> np.ndarray:
        """Return which words have a vector."""
        return self._of_words().learned(language, target_language)

    def parts(
        self, counts: CountedTexts, language: str, target_language: str | None = None
    ) -> tuple[np.ndarray, Rows]:
        """Compute what each word adds to the row of a document, and last what the encoder adds."""
        columns, word_parts = self._of_words().parts(counts.counts, language, target_language)
        u = self._encoder().embed(counts.texts, language)
        width = u.shape[1]
        u_of_words = np.zeros((len(columns), width))
        learned = _with_a_row_of_zeros(word_parts)
        encoded = np.vstack([u_of_words, u])
        parts = self._side_by_side(learned, encoded)
        return np.append(columns, -1), of_norm(parts, "l2")

    def matched(self, counts: sparse.csr_matrix | CountedTexts, language: str) -> Words:
        """Return documents as words, by their counts alone; see `Model.matched`."""
        if isinstance(counts, CountedTexts):
            counts = counts.counts
        return super().matched(counts, language)

    def keeping_rows(self, folder: str | Path) -> "EncodedTables":
        """Return the same model, which keeps in a folder what its encoder makes of texts."""
        return replace(self, rows_folder=str(folder))

    def check(self) -> None:
        """As `WordTables.check`, and `TextEncoder.check`."""
        self._of_words().check()
        self._encoder().check()

    def _of_words(self) -> WordTables:
        """Return the learned part."""
        kind = JoinedTables if self.beta else WordTables
        return kind(**_values(self, kind))

    def _encoder(self) -> TextEncoder:
        return TextEncoder(
            self.words,
            self.encoder,
            self.sha256,
            self.prefix,
            self.prefix,
            self.means,
            self.means,
            rows_folder=self.rows_folder,
        )

    def _side_by_side(self, learned: Rows, encoded: np.ndarray) -> Rows:
        """[w l, sqrt(b) u]."""
        w = self.learned_weight
        right = _times(encoded, math.sqrt(self.encoder_weight))
        if isinstance(learned, HybridRows):
            left = _times(learned.dense, w)
            dense = np.hstack([left, right])
            return HybridRows(dense, learned.sparse * w)
        left = _times(learned, w)
        return np.hstack([left, right])


def _values(model: WordTables, kind: type[WordTables]) -> dict[str, Any]:
    """Return the values of the fields that say what words are worth in a kind of tables."""
    of_any_model = {attribute.name for attribute in fields(Model)} - {"fallbacks"}
    names = [attribute.name for attribute in fields(kind)]
    return {name: getattr(model, name) for name in names if name not in of_any_model}


def _times(rows: np.ndarray, factor: float) -> np.ndarray:
    """Multiply rows, in the precision that they have."""
    return (rows * factor).astype(rows.dtype)


def _with_a_row_of_zeros(rows: np.ndarray | HybridRows) -> np.ndarray | HybridRows:
    """Return the rows and one more below them."""
    if isinstance(rows, HybridRows):
        strings = rows.sparse
        width = strings.shape[1]
        last = sparse.csr_matrix((1, width), dtype=strings.dtype)
        strings = sparse.vstack([strings, last]).tocsr()
        dense = _with_a_row_of_zeros(rows.dense)
        return HybridRows(dense, strings)
    width = rows.shape[1]
    last = np.zeros((1, width))
    return np.vstack([rows, last])
