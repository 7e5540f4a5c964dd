"""The model of the bilingual autoencoder: a code of several layers, not linear in the counts."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from scipy import sparse

from cr5.base.rows import unit_rows
from cr5.contracts.model import Model
from cr5.models.word_tables import check_numbers


@dataclass(frozen=True)
class Autoencoder(Model):
    """The encoding half of an autoencoder.

    A document of counts c, d = sum(c w) of them, becomes s(... s((c w) T + d b) A + a ...) with
    s(x) = 1 / (1 + exp(-x)): its other languages' words count 0. Rows are scaled to length one.
    Tables and layers are taken in float32, as they are stored.
    """

    words: Mapping[str, Sequence[str]]
    tables: Mapping[str, np.ndarray]  # T of each language, words x h
    weights: Mapping[str, np.ndarray]  # w of each: one for the words that it has, else zero
    bias: np.ndarray  # b, (h,)
    layers: Mapping[str, np.ndarray]  # A of each further layer, from `2` on
    biases: Mapping[str, np.ndarray]  # a of each
    measures: Sequence[str] = ("cosine", "csls")

    def embed(
        self, counts: sparse.csr_matrix, language: str, target_language: str | None = None
    ) -> np.ndarray:
        """Embed documents; see `Model.embed` and the class."""
        from scipy.special import expit  # takes a tenth of the start of a job

        w = sparse.diags(self.weights[language])
        weighted = (counts @ w).tocsr()
        lengths = weighted.sum(axis=1)
        d = np.asarray(lengths)
        T = _as_stored(self.tables[language])
        b = self.bias
        H = expit(weighted @ T + d * b)
        for number in sorted(self.layers, key=int):
            A = _as_stored(self.layers[number])
            a = self.biases[number]
            H = expit(H @ A + a)
        has_words = d > 0
        rows = unit_rows(H * has_words)
        return rows.astype(np.float32)

    def learned(self, language: str, target_language: str | None = None) -> np.ndarray:
        """Return which words have a weight."""
        return np.asarray(self.weights[language]) != 0

    def check(self) -> None:
        """Raise `ModelError` if arrays do not fit the words or each other, or are not finite."""
        width = len(self.bias)
        for language, words in self.words.items():
            n_words = len(words)
            table = self.tables[language]
            weights = self.weights[language]
            check_numbers(table, (n_words, width), f"the table of {language!r}")
            check_numbers(weights, (n_words,), f"the weights of {language!r}")
        check_numbers(self.bias, (width,), "the bias")
        for number in sorted(self.layers, key=int):
            bias = self.biases[number]
            layer = self.layers[number]
            next_width = len(bias)
            check_numbers(layer, (width, next_width), f"layer {number}")
            check_numbers(bias, (next_width,), f"the bias of layer {number}")
            width = next_width


def _as_stored(numbers: np.ndarray) -> np.ndarray:
    """Return numbers as float32 has them, in float64."""
    return np.asarray(numbers, np.float32).astype(np.float64)
