"""The model of the bilingual autoencoder: a code of several layers, not linear in the counts."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from scipy import sparse

from cr5.base.rows import unit_rows
from cr5.models.contract import Model
from cr5.models.word_tables import check_numbers


@dataclass(frozen=True)
class Autoencoder(Model):
    """The encoding half of an autoencoder.

    A document of counts c, d = sum(c w) of them, becomes s(... s((c w) T + d b) A + a ...) with
    s(x) = 1 / (1 + exp(-x)): its other languages' words count 0. Rows are scaled to length one.
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

        weighted = (counts @ sparse.diags(self.weights[language])).tocsr()
        totals = np.asarray(weighted.sum(axis=1))
        table = np.asarray(self.tables[language], np.float32).astype(np.float64)
        H = expit(weighted @ table + totals * self.bias)
        for number in sorted(self.layers, key=int):
            A = np.asarray(self.layers[number], np.float32).astype(np.float64)
            H = expit(H @ A + self.biases[number])
        return unit_rows(H * (totals > 0)).astype(np.float32)

    def learned(self, language: str, target_language: str | None = None) -> np.ndarray:
        """Return which words it has."""
        return np.asarray(self.weights[language]) != 0

    def check(self) -> None:
        """Raise `ModelError` if arrays do not fit the words or each other, or are not finite."""
        width = len(self.bias)
        for x, words in self.words.items():
            check_numbers(self.tables[x], (len(words), width), f"the table of {x!r}")
            check_numbers(self.weights[x], (len(words),), f"the weights of {x!r}")
        check_numbers(self.bias, (width,), "the bias")
        for number in sorted(self.layers, key=int):
            n, width = width, len(self.biases[number])
            check_numbers(self.layers[number], (n, width), f"layer {number}")
            check_numbers(self.biases[number], (width,), f"the bias of layer {number}")
