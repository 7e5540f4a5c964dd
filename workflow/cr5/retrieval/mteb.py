"""A model as an encoder for MTEB, after its `EncoderProtocol` (version 2).

    mteb.evaluate(Encoder(cr5.load("model")), tasks)

MTEB names one language, or none, for both sides of a pair: by default the language of each text is
guessed. A text without a word that the model knows is a row of zeros, as a benchmark needs one.
"""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import numpy as np

from cr5.base.errors import UserError
from cr5.base.rows import norms
from cr5.retrieval.embedder import Embedder
from cr5.retrieval.language import by_language


class Encoder:
    """Embeds texts in batches.

    Args:
        model: as `cr5.load` returns it; its rows must be dense, and not directed.
        language: of all texts; None guesses that of each.
        name: in MTEB's results, owner/name.
    """

    def __init__(
        self, model: Embedder, language: str | None = None, name: str = "cr5/model"
    ) -> None:
        if model.model.directed:
            raise UserError(f"{model.place} embeds a text anew for each language: MTEB cannot")
        self.model, self.language, self.name = model, language, name

    def encode(self, inputs: Iterable[Mapping[str, Sequence[str]]], **_: Any) -> np.ndarray:
        """Embed the texts of all batches.

        Args:
            inputs: batches, with a list of strings as `text`.

        Returns:
            texts x r, float32; rows of norm one, or of zeros.
        """
        texts = [text for batch in inputs for text in batch["text"]]
        languages = self.model.languages_of(texts, self.language)
        rows: list[np.ndarray] = [np.zeros(0, np.float32)] * len(texts)
        for language, numbers in by_language(languages):
            counts = self.model.count([texts[x] for x in numbers], language).counts
            embedded = self.model.embed_counts(counts, language)
            if not isinstance(embedded, np.ndarray):
                raise UserError(f"{self.model.place} has sparse vectors: MTEB needs dense ones")
            for number, row in zip(numbers, embedded, strict=True):
                rows[number] = row
        return np.array(rows, np.float32)

    def similarity(self, embeddings1: np.ndarray, embeddings2: np.ndarray) -> np.ndarray:
        """Return the cosine of each row of one with each row of the other."""
        return _unit(embeddings1) @ _unit(embeddings2).T

    def similarity_pairwise(self, embeddings1: np.ndarray, embeddings2: np.ndarray) -> np.ndarray:
        """Return the cosine of each row of one with the same row of the other."""
        return (_unit(embeddings1) * _unit(embeddings2)).sum(axis=1)

    @property
    def mteb_model_meta(self) -> Any:
        """What MTEB says of the model; needs the package."""
        from mteb.models.model_meta import ModelMeta

        return ModelMeta.create_empty({"name": self.name, "revision": "1"})


def _unit(rows: np.ndarray) -> np.ndarray:
    rows = np.atleast_2d(np.asarray(rows))
    lengths = norms(rows, "l2")[:, None]
    return rows / np.where(lengths > 0, lengths, 1)
