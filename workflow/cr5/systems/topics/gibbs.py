"""Collapsed Gibbs sampling of topics with words of each language (Mimno et al. 2009, section 3).

Topics of a concept have the prior Dirichlet(alpha), the words of a topic in each language the prior
Dirichlet(beta). A sweep draws the topic of each token anew, given those of all others:

    p(z = t) ~ (n_dt + alpha) (n_tw + beta) / (n_tl + p_l beta)

with n counts of the other tokens: of the document, of the word, of the p_l words of its language.
Tokens follow each other, so there is one thread; sums are in order, so that every processor draws
the same.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np
from numba import njit
from scipy import sparse

if TYPE_CHECKING:
    from cr5.systems.topics.pltm import Pltm


class Gibbs:
    """The sampler on whole counts, a document per concept, languages side by side.

    A language's columns begin at its one of `starts`. The topics of tokens z are in the order of
    documents, then of columns; theta and phi count them by document and by column. Samples are
    averaged after `burn_in` sweeps.
    """

    n_pairs = 0

    def __init__(self, counts: sparse.csr_matrix, starts: Sequence[int], system: Pltm, seed: int):
        self.counts, self.prior = counts, system.alpha
        self.beta, self.burn_in = system.beta, system.burn_in
        self._starts, self._seed = starts, seed
        self._tokens = np.repeat(counts.indices, counts.data.astype(np.int64))
        self._ends = np.cumsum(np.asarray(counts.sum(axis=1))).astype(np.int64)
        widths = np.diff([*starts, counts.shape[1]])
        self._language = np.repeat(np.arange(len(widths)), widths)
        self._widths = widths.astype(np.float64)

    def start(self, n_topics: int) -> None:
        """Draw a topic for each token, all alike."""
        self._generator = np.random.default_rng(self._seed)
        self.z = self._generator.integers(0, n_topics, len(self._tokens), dtype=np.int32)
        n, p = self.counts.shape
        self.theta = np.zeros((n, n_topics), np.int32)
        self.phi = np.zeros((p, n_topics), np.int32)
        document = np.searchsorted(self._ends, np.arange(len(self.z)), "right")
        np.add.at(self.theta, (document, self.z), 1)
        np.add.at(self.phi, (self._tokens, self.z), 1)
        self._sweeps, self._summed = 0, np.zeros((p, n_topics), np.float32)

    def step(self) -> None:
        """Sweep over all tokens."""
        uniform = self._generator.random(len(self.z))
        of_words = self._tokens, self._language, self._widths
        totals = np.add.reduceat(self.phi, self._starts, axis=0)
        of_topics = self.z, self.theta, self.phi, totals
        _sweep(self._ends, *of_words, *of_topics, self.prior, self.beta, uniform)
        self._sweeps += 1
        if self._sweeps > self.burn_in:
            self._summed += self.phi

    def means(self) -> tuple[np.ndarray, np.ndarray]:
        """p(w|t) in each language, columns x T, of the mean of samples; p(t), of documents now."""
        n = self._sweeps - self.burn_in
        phi = self.phi.astype(np.float64) if n < 1 else self._summed / np.float64(n)
        phi += self.beta
        for part in np.split(phi, self._starts[1:]):
            part /= part.sum(axis=0)
        theta = self.theta + self.prior
        return phi, (theta / theta.sum(axis=1, keepdims=True)).mean(axis=0)


@njit(nogil=True, cache=True, error_model="numpy")
def _sweep(ends, tokens, languages, widths, z, theta, phi, totals, alpha, beta, uniform):
    """Draw the topic of each token, document by document; counts are kept up to date.

    `ends` has what comes after the last token of each document, `languages` the language of each
    column, `widths` the columns of each language, `totals` the tokens of each language and topic,
    and `uniform` a number in [0, 1) for each token.
    """
    T = theta.shape[1]
    cumulated, scale = np.empty(T), 1 / (totals + beta * widths.reshape(-1, 1))
    start = 0
    for d in range(len(ends)):
        own = theta[d]
        for i in range(start, ends[d]):
            word, language = phi[tokens[i]], languages[tokens[i]]
            of_language, scales = totals[language], scale[language]
            prior = beta * widths[language]
            _move(own, word, of_language, scales, z[i], -1, prior)
            total = 0.0
            for t in range(T):
                total += (own[t] + alpha) * (word[t] + beta) * scales[t]
                cumulated[t] = total
            z[i] = min(np.searchsorted(cumulated, uniform[i] * total, "right"), T - 1)
            _move(own, word, of_language, scales, z[i], 1, prior)
        start = ends[d]


@njit(nogil=True, cache=True, error_model="numpy")
def _move(own, word, of_language, scales, t, n, prior):
    own[t] += n
    word[t] += n
    of_language[t] += n
    scales[t] = 1 / (of_language[t] + prior)
