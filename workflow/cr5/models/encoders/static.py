"""Static encoders, a vector for each token, as model2vec and sentence-transformers write them."""

from collections.abc import Sequence
from importlib.metadata import version
from pathlib import Path
from typing import Any

import numpy as np
from safetensors import safe_open

from cr5.base.errors import UserError
from cr5.base.rows import unit_rows
from cr5.models.encoders.contract import Encoder
from cr5.models.encoders.settings import Settings

TABLES = ("embeddings", "embedding.weight")  # model2vec's name, and sentence-transformers'


class StaticEncoder(Encoder):
    """A text is the mean of the vectors of its tokens, all of them, but for unknown ones."""

    package = "tokenizers"

    def __init__(self, folder: Path, settings: Settings) -> None:
        """Read the table and the tokenizer.

        A token t has the row mapping[t] of the table, times the weight of t; most models have
        neither.
        """
        from tokenizers import Tokenizer  # heavy, and needed by such encoders alone

        self.version = version(self.package)
        self.query_prefix = settings.query_prefix
        self.document_prefix = settings.document_prefix
        place = settings.static_folder or folder
        arrays = _arrays(place / "model.safetensors")
        tables = [arrays[name] for name in TABLES if name in arrays]
        if not tables:
            raise UserError(f"{place}/model.safetensors: expected an array {' or '.join(TABLES)}")
        table = tables[0].astype(np.float32)
        if "mapping" in arrays:
            table = table[arrays["mapping"]]
        if "weights" in arrays:
            weights = arrays["weights"].astype(np.float32)
            table = table * weights[:, None]
        self._table = table
        self._has_unit_rows = settings.has_unit_rows
        tokenizer = Tokenizer.from_file(str(settings.tokenizer(place)))
        tokenizer.no_truncation()
        tokenizer.no_padding()
        self._tokenizer = tokenizer
        self._unknown = tokenizer.token_to_id(_unknown_token(tokenizer) or "")

    def encode(self, texts: Sequence[str], prefix: str) -> np.ndarray:
        """Return the rows of texts; zeros for a text of unknown tokens; see `Encoder.encode`."""
        rows = np.zeros((len(texts), self._table.shape[1]), np.float32)
        for number, text in enumerate(texts):
            encoding = self._tokenizer.encode(prefix + text, add_special_tokens=False)
            known = [token for token in encoding.ids if token != self._unknown]
            if known:
                rows[number] = self._table[known].mean(axis=0)
        if self._has_unit_rows:
            return unit_rows(rows)
        return rows


def _arrays(path: Path) -> dict[str, np.ndarray]:
    with safe_open(path, framework="numpy") as file:
        return {name: file.get_tensor(name) for name in file.keys()}  # noqa: SIM118


def _unknown_token(tokenizer: Any) -> str | None:
    """Return the token that stands for unknown words; of a Unigram model it is not told by name."""
    return getattr(tokenizer.model, "unk_token", None)
