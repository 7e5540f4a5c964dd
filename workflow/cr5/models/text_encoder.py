"""The model of a sentence encoder: a folder on this machine, which another library reads."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any, ClassVar

import numpy as np
from scipy import sparse

from cr5.base import provenance
from cr5.base.rows import unit_rows
from cr5.models import encoders
from cr5.models.contract import Model, ModelError


@dataclass(frozen=True)
class TextEncoder(Model):
    """Embeds texts of any language with an encoder of others; its weights stay where they are.

    Attributes:
        words: per language the vocabulary of the corpus; the encoder has tokens of its own.
        path: the encoder's folder.
        sha256: of the folder's names and contents.
        library: a key of `encoders.LIBRARIES`.
        prefix: put before each text, as some encoders were trained to expect.
        pooling: of the states of an ONNX model, see `encoders.pooled`.
        most_tokens: of a text that an ONNX model reads.
        measures: of unit rows.
        bank: see `Model`.
    """

    words: Mapping[str, list[str]]
    path: str
    sha256: str
    library: str
    prefix: str = ""
    pooling: str = "mean"
    most_tokens: int = 512
    measures: Sequence[str] = ("cosine", "csls")
    bank: Mapping[str, Any] | None = None
    reads_texts: ClassVar[bool] = True

    def embed(
        self,
        counts: sparse.csr_matrix | Sequence[str],
        language: str,
        target_language: str | None = None,
    ) -> np.ndarray:
        """Embed texts, which take the place of counts.

        Returns:
            texts x r, float32, of norm one; zeros where the encoder finds nothing in a text.
        """
        rows = self._encode([self.prefix + text for text in counts])
        return unit_rows(np.asarray(rows, np.float32))

    @cached_property
    def _encode(self) -> encoders.Encode:
        return encoders.opened(Path(self.path), self.library, self.pooling, self.most_tokens)

    def check(self) -> None:
        """Raise `ModelError` if the encoder is not there, or is another one now."""
        if not Path(self.path).is_dir():
            raise ModelError(
                f"there is no folder {self.path} with the encoder that this model names; put it "
                f"there (from {Path.cwd()}), or run again with another one"
            )
        if provenance.folder(self.path)["sha256"] != self.sha256:
            raise ModelError(
                f"the encoder in {self.path} is not the one that this model was made with; run "
                "again, or bring that one back"
            )
