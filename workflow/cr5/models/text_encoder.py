"""The model of a sentence encoder: a folder on this machine, which sentence-transformers reads."""

import hashlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

import numpy as np

from cr5.base.errors import UserError, pass_on
from cr5.base.files import sha256
from cr5.base.rows import unit_rows
from cr5.contracts.model import ModelError, TextModel

PACKAGE = "sentence-transformers"
BATCH = 32  # texts


@dataclass(frozen=True)
class TextEncoder(TextModel):
    """Embeds texts of any language with an encoder of others; its weights stay where they are."""

    words: Mapping[str, list[str]]  # of the corpus; the encoder has tokens of its own
    path: str  # of the encoder's folder
    sha256: str  # of the names and contents in it
    prefix: str = ""  # put before each text, as some encoders were trained to expect
    measures: Sequence[str] = ("cosine", "csls")

    def embed(
        self, texts: Sequence[str], language: str, target_language: str | None = None
    ) -> np.ndarray:
        """Embed texts: texts x r, float32, of norm one; zeros where the encoder finds nothing."""
        prefixed = [self.prefix + text for text in texts]
        rows = self._opened.encode(prefixed, batch_size=BATCH, show_progress_bar=False)
        return unit_rows(np.asarray(rows, np.float32))

    @cached_property
    def _opened(self) -> Any:
        try:
            from sentence_transformers import SentenceTransformer

            return SentenceTransformer(self.path, device="cpu", local_files_only=True)
        except ModuleNotFoundError as error:
            raise UserError(
                f"{self.path}: needs the package {error.name}, which is not installed: pip install "
                f"{error.name}"
            ) from error
        except Exception as error:  # of any library that it calls
            pass_on(error)
            raise UserError(f"{self.path}: not an encoder that {PACKAGE} reads: {error}") from error

    def check(self) -> None:
        """Raise `ModelError` if the encoder is not there, or is another one now."""
        if not Path(self.path).is_dir() or sha256_of(self.path) != self.sha256:
            raise ModelError(
                f"the folder {self.path} (from {Path.cwd()}) does not have the encoder that this "
                "model was made with; bring it back, or run again with another one"
            )


def sha256_of(folder: str | Path) -> str:
    """Return one checksum of the names and contents of an encoder's files."""
    checksum = hashlib.sha256()
    for path in sorted(Path(folder).rglob("*")):
        if path.is_file():
            name = path.relative_to(folder).as_posix()
            checksum.update(f"{sha256(path)}  {name}\n".encode())
    return checksum.hexdigest()
