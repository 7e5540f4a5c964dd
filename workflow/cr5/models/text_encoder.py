"""The model of an encoder of others, alone."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path

import numpy as np

from cr5.base.errors import UserError
from cr5.base.rows import unit_rows
from cr5.base.text_files import storable
from cr5.contracts.model import UNSTORED, ModelError, TextModel
from cr5.models.encoders.kept import KeptRows
from cr5.models.encoders.opening import PACKAGES, checksum, name_of, opened

ANY_TEXT = "a"
SHOWN = 60  # characters of a text in a message


@dataclass(frozen=True)
class TextEncoder(TextModel):
    """Embeds texts of any language with an encoder of others; its weights stay where they are.

    With e a row of the encoder, scaled to length one, and m the mean of the rows of the language's
    training documents, a text becomes e, or (e - m) / |e - m|.

    Attributes:
        words: of the corpus; the encoder has tokens of its own.
        encoder: the name of a package's encoder, or the path of a folder.
        sha256: of the files on which rows depend.
        query_prefix: put before queries.
        document_prefix: put before documents.
        query_means: m by language, of texts with the prefix of queries, (r,); None: rows stay as
            they come. A language that is not there has rows of zeros.
        document_means: the same with the prefix of documents.
        rows_folder: where rows are kept, see `encoders.kept`; empty: nowhere.
    """

    words: Mapping[str, list[str]]
    encoder: str
    sha256: str
    query_prefix: str = ""
    document_prefix: str = ""
    query_means: Mapping[str, np.ndarray] | None = None
    document_means: Mapping[str, np.ndarray] | None = None
    measures: Sequence[str] = ("cosine", "csls")
    rows_folder: str = field(default="", metadata=UNSTORED)

    @property
    def directed(self) -> bool:
        """Whether queries and documents have different prefixes."""
        return self.query_prefix != self.document_prefix

    def embed(
        self, texts: Sequence[str], language: str, target_language: str | None = None
    ) -> np.ndarray:
        """Embed texts: texts x r, float32, of norm one; zeros where the encoder finds nothing.

        What is to be compared with texts of another language is a query.
        """
        prefix = self.document_prefix
        means = self.document_means
        if target_language not in (None, language):
            prefix = self.query_prefix
            means = self.query_means
        if means is None:
            return self.plain_rows(texts, language, prefix)
        if language not in means:
            any_mean = next(iter(means.values()))
            shape = (len(texts), len(any_mean))
            return np.zeros(shape, np.float32)
        rows = self.plain_rows(texts, language, prefix)
        centred = rows.astype(np.float64) - means[language]
        is_zero = ~rows.any(axis=1)
        centred[is_zero] = 0
        return unit_rows(centred).astype(np.float32)

    def plain_rows(self, texts: Sequence[str], language: str, prefix: str) -> np.ndarray:
        """Return rows of length one, neither centred nor left out: texts x r, float32."""
        cleaned = [storable(text) for text in texts]
        has_text = [bool(text.strip()) for text in cleaned]
        not_blank = [text for text in cleaned if text.strip()]
        n_not_blank = len(not_blank)
        if not not_blank:
            not_blank = [ANY_TEXT]  # for the width
        encoded = self._encoded(not_blank, language, prefix)
        unit = unit_rows(encoded)
        width = unit.shape[1]
        rows = np.zeros((len(texts), width), np.float32)
        rows[has_text] = unit[:n_not_blank]
        return rows

    def _encoded(self, texts: Sequence[str], language: str, prefix: str) -> np.ndarray:
        """Return rows as they come from the encoder, or were kept of it: texts x r, float32.

        UserError: a row has numbers that are not finite, which no model can use.
        """
        encoder = opened(self.encoder, self.sha256)

        def encode(missing: Sequence[str]) -> np.ndarray:
            rows = encoder.encode(missing, prefix)
            is_finite = np.isfinite(rows).all(axis=1)
            if not is_finite.all():
                first = missing[np.argmin(is_finite)]
                raise UserError(
                    f"{self.encoder}: its row of a text has numbers that are nan or infinite: take "
                    f"another encoder, or leave the text out: {first[:SHOWN]!r}"
                )
            return rows

        if not self.rows_folder:
            return encode(texts)
        name = name_of(self.encoder)
        kept_rows = KeptRows.of(self.rows_folder, name, self.sha256, language)
        return kept_rows.rows(texts, prefix, encode)

    def keeping_rows(self, folder: str | Path) -> "TextEncoder":
        """Return the same model, which keeps in a folder what its encoder makes of texts."""
        return replace(self, rows_folder=str(folder))

    def check(self) -> None:
        """Raise `ModelError` if the encoder is not there, or is another one now."""
        if self.encoder in PACKAGES:
            package = PACKAGES[self.encoder].package
            if checksum(self.encoder) != self.sha256:
                raise ModelError(
                    f"the package {package} is not the one that this model was made with; install "
                    "its version again, or run again with this one"
                )
        elif not Path(self.encoder).is_dir() or checksum(self.encoder) != self.sha256:
            raise ModelError(
                f"the folder {self.encoder} (from {Path.cwd()}) does not have the encoder that "
                "this model was made with; bring it back, or run again with another one"
            )
