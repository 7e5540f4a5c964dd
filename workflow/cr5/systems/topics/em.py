"""EM for topics that documents of several languages share (Platt et al. 2010, 2.4 and 2.5).

Maximises sum_i sum_w n_iw log sum_t theta_it phi_tw + (alpha - 1) sum log theta + (beta - 1) sum
log phi; minus the cost of coupling for coupled documents, see `compiled`.
"""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import TYPE_CHECKING

import numpy as np
from scipy import sparse

from cr5.systems.topics import compiled

if TYPE_CHECKING:
    from cr5.systems.topics.fits import Corpus

# Documents, pairs or words that a thread takes at a time: it does not affect results.
CHUNK = 64


class Em:
    """EM on a corpus; holds the buffers of iterations, so that they allocate no more memory.

    Theta is p(t|d), documents x T; phi is p(w|t), columns x T; eta has the multipliers of the
    coupling, pairs x T. A difference between the shares of a pair costs `sigma`; at infinity they
    are equal. The number of threads changes no byte.
    """

    burn_in = 0  # no iteration is left out of what is estimated
    alpha, beta = 1.1, 1.01  # priors, above 1
    tolerance, steps = 0.01, 50  # coupling ends by the l1 norm of the remaining gradient, or here
    # An iteration takes half as long as with float64, and objectives are the same to seven digits.
    dtype: type = np.float32

    def __init__(self, corpus: Corpus, sigma: float = 1.0, threads: int = 1):
        self.corpus, self._threads = corpus, threads
        self._how = float(sigma), self.tolerance, self.steps
        self._data = corpus.counts.data.astype(self.dtype)
        self._ratios = np.empty(corpus.counts.nnz, self.dtype)
        self.logs = np.empty(corpus.counts.shape[0])

    @property
    def prior(self) -> float:
        """What the prior adds to the sums of theta."""
        return self.alpha - 1

    def start(self, n_topics: int) -> None:
        """Give each word to a topic: words, most frequent first, in blocks of equal size."""
        counts, frequencies = self.corpus.counts, self.corpus.frequencies
        order = np.argsort(-frequencies, kind="stable")
        q = np.zeros((len(order), n_topics), self.dtype)
        q[order, np.arange(len(order)) * n_topics // len(order)] = 1
        theta = sparse.csr_matrix((self._data, counts.indices, counts.indptr), counts.shape) @ q
        phi = q * frequencies.astype(self.dtype)[:, None]
        phi += self.dtype(self.beta - 1)
        self.theta, self.phi = self._of_sums(theta, phi)
        self.eta = np.zeros((self.corpus.n_pairs, n_topics), self.dtype)

    def step(self) -> dict[str, float]:
        """Improve the topics by one iteration; return measurements of those that it started from.

        The `objective` has the priors, given the coupling; after which the `gap` is the mean l1
        distance of a pair's shares.
        """
        tilted, shares, said = self.first_pass()
        theta, phi = (float(np.log(x).sum(dtype=np.float64)) for x in (self.theta, self.phi))
        objective = float(self.logs.sum() + (self.alpha - 1) * theta + (self.beta - 1) * phi)
        by_word, sums = self.corpus.by_word, np.empty_like(self.phi)
        entries = by_word.indptr, by_word.indices, by_word.data, self._ratios
        given = tilted, self.phi, self.dtype(self.beta - 1)
        self._over(0, len(sums), compiled.words, *entries, *given, sums)
        self.theta, self.phi = self._of_sums(shares, sums)
        return {"objective": objective} | ({"gap": float(said[:, 0].mean())} if len(said) else {})

    def means(self) -> tuple[np.ndarray, np.ndarray]:
        """p(w|t), columns x T; and p(t), the mean over the documents; float64."""
        return self.phi.astype(np.float64), self.theta.mean(axis=0, dtype=np.float64)

    def first_pass(self) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """Theta tilted by the coupling, sums of q over words, and `said` of `compiled.pairs`."""
        counts, n = self.corpus.counts, self.corpus.n_pairs
        given = counts.indptr, counts.indices, self._data, self.phi
        shares, said = np.empty_like(self.theta), np.zeros((n, 3))
        tilted = self.theta.copy() if n else self.theta
        told = tilted, self._ratios, shares, self.logs, said
        self._over(0, n, compiled.pairs, *given, self.theta, self.eta, self._how, *told)
        alone = self.theta, self._ratios, shares, self.logs
        self._over(2 * n, counts.shape[0], compiled.documents, *given, *alone)
        return tilted, shares, said

    def _of_sums(self, theta: np.ndarray, phi: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """In place: rows of theta, with its prior, and columns of phi sum to one."""
        theta += theta.dtype.type(self.alpha - 1)
        theta /= theta.sum(axis=1, keepdims=True)
        phi /= phi.sum(axis=0, dtype=np.float64).astype(phi.dtype)
        return theta, phi

    def _over(self, start: int, stop: int, work: Callable, *arguments: object) -> None:
        """Process the rows from start to stop, each by one thread."""

        def part(first: int) -> None:
            work(first, min(first + CHUNK, stop), *arguments)

        with ThreadPoolExecutor(self._threads) as pool:
            list(pool.map(part, range(start, stop, CHUNK)))
