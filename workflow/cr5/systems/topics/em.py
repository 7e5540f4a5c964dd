"""EM for topics that documents of several languages share (Platt et al. 2010, 2.4 and 2.5).

Maximises sum_i sum_w n_iw log sum_t theta_it phi_tw + (alpha - 1) sum log theta + (beta - 1) sum
log phi; minus the cost of coupling for coupled documents, see `compiled`.
"""

from collections.abc import Callable

import numpy as np
from scipy import sparse

from cr5.systems.algebra.threads import Threads
from cr5.systems.topics import compiled

# Documents, pairs or words that a thread takes at a time: it does not affect results.
CHUNK = 64


class Em:
    """EM on counts, documents x columns, of which rows 2k and 2k + 1 for k < n_pairs are a pair.

    Theta is p(t|d), documents x T; phi is p(w|t), columns x T; eta has the multipliers of the
    coupling, pairs x T. A difference between the shares of a pair costs `sigma`; at infinity they
    are equal. The number of threads changes no byte.
    """

    burn_in = 0  # no iteration is left out of what is estimated
    alpha, beta = 1.1, 1.01  # priors, above 1
    seed: int | None = None  # of a start at random
    tolerance, steps = 0.01, 50  # coupling ends by the l1 norm of the remaining gradient, or here
    # An iteration takes half as long as with float64, and objectives are the same to seven digits.
    dtype: type = np.float32

    def __init__(
        self, counts: sparse.csr_matrix, n_pairs: int = 0, sigma: float = 1.0, threads: int = 1
    ):
        self.counts, self.n_pairs, self._threads = counts, n_pairs, Threads(threads)
        self._how = float(sigma), self.tolerance, self.steps
        numbers = np.arange(counts.nnz, dtype=np.int64)
        entries = sparse.csr_matrix((numbers, counts.indices, counts.indptr), counts.shape)
        self._by_word = entries.T.tocsr()  # the number of each entry in `counts.data`
        self._data = counts.data.astype(self.dtype)
        self._ratios = np.empty(counts.nnz, self.dtype)

    @property
    def prior(self) -> float:
        """What the prior adds to the sums of theta."""
        return self.alpha - 1

    def start(self, n_topics: int) -> None:
        """Give each word to a topic: words, most frequent first, in blocks of equal size.

        With a seed, topics have as many words, but any.
        """
        counts, frequencies = self.counts, np.asarray(self.counts.sum(axis=0), np.float64).ravel()
        order = np.argsort(-frequencies, kind="stable")
        if self.seed is not None:
            order = np.random.default_rng([self.seed, n_topics]).permutation(order)
        q = np.zeros((len(order), n_topics), self.dtype)
        q[order, np.arange(len(order)) * n_topics // len(order)] = 1
        theta = sparse.csr_matrix((self._data, counts.indices, counts.indptr), counts.shape) @ q
        phi = q * frequencies.astype(self.dtype)[:, None]
        phi += self.dtype(self.beta - 1)
        self.theta, self.phi = self._of_sums(theta, phi)
        self.eta = np.zeros((self.n_pairs, n_topics), self.dtype)

    def step(self) -> None:
        """Improve the topics by one iteration."""
        tilted, shares = self.first_pass()
        by_word, sums = self._by_word, np.empty_like(self.phi)
        entries = by_word.indptr, by_word.indices, by_word.data, self._ratios
        given = tilted, self.phi, self.dtype(self.beta - 1)
        self._over(0, len(sums), compiled.words, *entries, *given, sums)
        self.theta, self.phi = self._of_sums(shares, sums)

    def means(self) -> tuple[np.ndarray, np.ndarray]:
        """p(w|t), columns x T; and p(t), the mean over the documents; float64."""
        return self.phi.astype(np.float64), self.theta.mean(axis=0, dtype=np.float64)

    def first_pass(self) -> tuple[np.ndarray, np.ndarray]:
        """Theta tilted by the coupling, and sums of q over words."""
        counts, n = self.counts, self.n_pairs
        given = counts.indptr, counts.indices, self._data, self.phi
        shares, tilted = np.empty_like(self.theta), self.theta.copy() if n else self.theta
        told = tilted, self._ratios, shares
        self._over(0, n, compiled.pairs, *given, self.theta, self.eta, self._how, *told)
        alone = self.theta, self._ratios, shares
        self._over(2 * n, counts.shape[0], compiled.documents, *given, *alone)
        return tilted, shares

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

        self._threads.map(part, range(start, stop, CHUNK))
