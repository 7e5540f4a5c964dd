"""The model of what was learned from words and from the rows of an encoder of others."""

import math
from collections.abc import Mapping
from dataclasses import dataclass, field, fields, replace
from pathlib import Path
from typing import Any, ClassVar

import numpy as np
from scipy import sparse

from cr5.base.rows import HybridRows, Rows, unit_rows
from cr5.contracts.model import UNSTORED, CountedTexts, Model, ModelError, Words
from cr5.models.text_encoder import TextEncoder
from cr5.models.word_tables import JoinedTables, WordTables, check_numbers, of_norm


@dataclass(frozen=True, kw_only=True)
class EncodedTables(JoinedTables):
    """A linear system whose features are words and what an encoder makes of the text.

    With x the weights of a document's words and T the table of its language, as in `WordTables`,
    u its row by the encoder, of length one, and U the table of that, the same for all languages:

        z = (x T + u U + b) / |x T + u U + b|

    If there are tables beside the dense ones, documents are joined with them as in `JoinedTables`.
    And u may count by itself, too: with the weight w of the encoder a document is

        [z, sqrt(w) u] / |[z, sqrt(w) u]|

    so that the cosine of documents which have both is (cosine of z + w cosine of u) / (1 + w).

    Attributes:
        encoder: its name or folder, as in `TextEncoder`, and so are the next three.
        sha256: of its files.
        prefix: put before each text.
        means: of the rows of training documents, by language; a language that is not there is
            compared by words alone.
        encoder_table: U, numbers of the encoder x r; stored as float32.
        encoder_weight: w; 0 leaves out the columns of u.
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
    encoder_table: np.ndarray
    encoder_weight: float = 0.0
    rows_folder: str = field(default="", metadata=UNSTORED)
    reads_both: ClassVar[bool] = True

    @classmethod
    def of_features(
        cls, of_words: WordTables, encoder: TextEncoder, encoder_table: np.ndarray
    ) -> "EncodedTables":
        """Add to word tables the part of an encoder that puts the same prefix before all texts."""
        names = [attribute.name for attribute in fields(WordTables)]
        return cls(
            **{name: getattr(of_words, name) for name in names},
            encoder=encoder.encoder,
            sha256=encoder.sha256,
            prefix=encoder.query_prefix,
            means=encoder.query_means,
            encoder_table=encoder_table,
            rows_folder=encoder.rows_folder,
        )

    def embed(
        self, counts: CountedTexts, language: str, target_language: str | None = None
    ) -> Rows:
        """Embed documents, given as counts and as texts; see `Model.embed` and the class."""
        u = self._encoder().embed(counts.texts, language)
        of_words = self._sums_of_words().embed(counts.counts, language)
        sums = of_words.astype(np.float64) + self._mapped(u)
        z = unit_rows(sums).astype(np.float32)
        if self.beta:
            z = self._side_by_side(z, counts.counts, language)
        if self.encoder_weight:
            return unit_rows(self._beside_encoder(z, u))
        return z

    def learned(self, language: str, target_language: str | None = None) -> np.ndarray:
        """Return which words have a vector."""
        return self._of_words().learned(language)

    def parts(
        self, counts: CountedTexts, language: str, target_language: str | None = None
    ) -> tuple[np.ndarray, Rows]:
        """Compute what each word adds to the row of a document, and last what the encoder adds."""
        columns, of_words = self._sums_of_words().parts(counts.counts, language)
        columns = np.append(columns, -1)
        u = self._encoder().embed(counts.texts, language)
        parts = of_norm(np.vstack([of_words, self._mapped(u)]), "l2")
        if self.beta:
            parts = self._parts_side_by_side(parts, counts.counts, language)
        if self.encoder_weight:
            n_words = len(of_words)
            width = u.shape[1]
            without_encoder = np.zeros((n_words, width))
            u_of_parts = np.vstack([without_encoder, u])
            parts = of_norm(self._beside_encoder(parts, u_of_parts), "l2")
        return columns, parts

    def matched(self, counts: sparse.csr_matrix | CountedTexts, language: str) -> Words:
        """Return documents as words, by their counts alone; see `Model.matched`."""
        if isinstance(counts, CountedTexts):
            counts = counts.counts
        return super().matched(counts, language)

    def joined(self, **beside: Any) -> "EncodedTables":
        """Return the same tables with sparse ones beside them; see `WordTables.joined`."""
        return replace(self, **beside)

    def keeping_rows(self, folder: str | Path) -> "EncodedTables":
        """Return the same model, which keeps in a folder what its encoder makes of texts."""
        return replace(self, rows_folder=str(folder))

    def check(self) -> None:
        """As `WordTables.check`, of both tables, and `TextEncoder.check`."""
        of_words = self._of_words()
        of_words.check()
        width = of_words.tables[self.languages[0]].shape[1]
        for language, mean in self.means.items():
            if np.ndim(mean) != 1:
                raise ModelError(f"the mean of {language!r}: expected numbers of one dimension")
            check_numbers(self.encoder_table, (len(mean), width), "the table of the encoder")
        self._encoder().check()

    def _of_words(self) -> WordTables:
        """Return what is learned of words, with tables beside it if there are any."""
        kind = JoinedTables if self.beta else WordTables
        of_any_model = {attribute.name for attribute in fields(Model)} - {"fallbacks"}
        names = {attribute.name for attribute in fields(kind)} - of_any_model
        return kind(**{name: getattr(self, name) for name in names})

    def _sums_of_words(self) -> WordTables:
        """Return tables whose rows are x T + b."""
        names = ("words", "tables", "weights", "offsets", "term_frequency", "input_norm")
        values = {name: getattr(self, name) for name in names}
        return WordTables(**values, norm="none", fallbacks=self.fallbacks)

    def _mapped(self, u: np.ndarray) -> np.ndarray:
        """Return u U, texts x r, float64."""
        table = self.encoder_table.astype(np.float32)  # as stored
        # of sparse products, other than of dense ones, no row depends on others
        return sparse.csr_matrix(u.astype(np.float64)) @ table.astype(np.float64)

    def _beside_encoder(self, z: Rows, u: np.ndarray) -> Rows:
        """Return [z, sqrt(w) u], in which the columns of u follow the dense ones of z."""
        weighted = u * math.sqrt(self.encoder_weight)
        if isinstance(z, HybridRows):
            dense = np.hstack([z.dense, weighted])
            return HybridRows(dense, z.sparse)
        return np.hstack([z, weighted])

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
