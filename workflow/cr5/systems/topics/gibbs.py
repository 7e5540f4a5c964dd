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
from typing import TYPE_CHECKING, NamedTuple

import numpy as np
from numba import njit
from scipy import sparse

if TYPE_CHECKING:
    from cr5.systems.topics.pltm import Pltm


class Tokens(NamedTuple):
    """The words of all documents, one by one, and their languages."""

    columns: np.ndarray  # of each token, by document, then by column
    ends: np.ndarray  # of each document: what comes after its last token
    languages: np.ndarray  # of each column
    widths: np.ndarray  # of each language: its number of columns


class Gibbs:
    """The sampler on whole counts, a document per concept, languages side by side.

    A language's columns begin at its one of `starts`. The topics of tokens z are in the order of
    documents, then of columns; theta and phi count them by document and by column. Samples are
    averaged after `burn_in` sweeps.
    """

    n_pairs = 0

    def __init__(self, counts: sparse.csr_matrix, starts: Sequence[int], system: Pltm, seed: int):
        self.counts = counts
        self.prior = system.alpha
        self.beta = system.beta
        self.burn_in = system.burn_in
        self._starts = starts
        self._seed = seed
        widths = np.diff([*starts, counts.shape[1]])
        self._tokens = Tokens(
            columns=np.repeat(counts.indices, counts.data.astype(np.int64)),
            ends=np.cumsum(np.asarray(counts.sum(axis=1))).astype(np.int64),
            languages=np.repeat(np.arange(len(widths)), widths),
            widths=widths.astype(np.float64),
        )

    def start(self, n_topics: int) -> None:
        """Draw a topic for each token, all alike."""
        self._generator = np.random.default_rng(self._seed)
        columns = self._tokens.columns
        n_tokens = len(columns)
        self.z = self._generator.integers(0, n_topics, n_tokens, dtype=np.int32)
        n_documents, n_columns = self.counts.shape
        self.theta = np.zeros((n_documents, n_topics), np.int32)
        self.phi = np.zeros((n_columns, n_topics), np.int32)
        documents = np.searchsorted(self._tokens.ends, np.arange(n_tokens), "right")
        np.add.at(self.theta, (documents, self.z), 1)
        np.add.at(self.phi, (columns, self.z), 1)
        self._n_sweeps = 0
        self._sum_of_samples = np.zeros((n_columns, n_topics), np.float32)

    def step(self) -> None:
        """Sweep over all tokens."""
        uniform = self._generator.random(len(self.z))
        totals = np.add.reduceat(self.phi, self._starts, axis=0)
        _sweep(self._tokens, self.z, self.theta, self.phi, totals, self.prior, self.beta, uniform)
        self._n_sweeps += 1
        if self._n_sweeps > self.burn_in:
            self._sum_of_samples += self.phi

    def means(self) -> tuple[np.ndarray, np.ndarray]:
        """Return p(w|t) in each language, columns x T, and p(t).

        The first is of the mean of the samples, the second of documents as they are now.
        """
        n_samples = self._n_sweeps - self.burn_in
        if n_samples < 1:
            phi = self.phi.astype(np.float64)
        else:
            phi = self._sum_of_samples / np.float64(n_samples)
        phi += self.beta
        for phi_of_language in np.split(phi, self._starts[1:]):
            phi_of_language /= phi_of_language.sum(axis=0)
        theta = self.theta + self.prior
        return phi, (theta / theta.sum(axis=1, keepdims=True)).mean(axis=0)


@njit(nogil=True, cache=True, error_model="numpy")
def _sweep(tokens, z, theta, phi, totals, alpha, beta, uniform):
    """Draw the topic z of each token, document by document; counts are kept up to date.

    Totals count the tokens of each language and topic; `uniform` has a number in [0, 1) for each.
    """
    # taken out of their record once, as in `compiled`: fields are slow to read within loops
    columns = tokens.columns
    ends = tokens.ends
    languages = tokens.languages
    widths = tokens.widths
    n_topics = theta.shape[1]
    cumulated = np.empty(n_topics)
    scales = 1 / (totals + beta * widths.reshape(-1, 1))
    start = 0
    for d in range(len(ends)):
        n_d = theta[d]
        for i in range(start, ends[d]):
            n_w = phi[columns[i]]
            language = languages[columns[i]]
            n_l = totals[language]
            scale = scales[language]
            prior = beta * widths[language]
            _add(-1, z[i], n_d, n_w, n_l, scale, prior)
            # p(z = t) ~ (n_dt + alpha) (n_tw + beta) / (n_tl + p_l beta)
            total = 0.0
            for t in range(n_topics):
                total += (n_d[t] + alpha) * (n_w[t] + beta) * scale[t]
                cumulated[t] = total
            drawn = np.searchsorted(cumulated, uniform[i] * total, "right")
            z[i] = min(drawn, n_topics - 1)
            _add(1, z[i], n_d, n_w, n_l, scale, prior)
        start = ends[d]


@njit(nogil=True, cache=True, error_model="numpy")
def _add(change, t, n_d, n_w, n_l, scale, prior):
    """Add to the tokens of topic t, of a document, a word and its language."""
    n_d[t] += change
    n_w[t] += change
    n_l[t] += change
    scale[t] = 1 / (n_l[t] + prior)
