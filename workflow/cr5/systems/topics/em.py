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
    # priors, above 1
    alpha = 1.1
    beta = 1.01
    seed: int | None = None  # of a start at random
    # coupling ends at this l1 norm of the remaining gradient, or after so many steps
    tolerance = 0.01
    steps = 50
    # An iteration takes half as long as with float64, and objectives are the same to seven digits.
    dtype: type = np.float32

    def __init__(
        self, counts: sparse.csr_matrix, n_pairs: int = 0, sigma: float = 1.0, threads: int = 1
    ):
        self.counts = counts
        self.n_pairs = n_pairs
        self._threads = Threads(threads)
        self._coupling = compiled.Coupling(float(sigma), self.tolerance, self.steps)
        self._entries = _by_word(counts)
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
        counts = self.counts
        frequencies = np.asarray(counts.sum(axis=0), np.float64).ravel()
        order = np.argsort(-frequencies, kind="stable")
        if self.seed is not None:
            order = np.random.default_rng([self.seed, n_topics]).permutation(order)
        n_columns = len(order)
        topics = np.arange(n_columns) * n_topics // n_columns
        q = np.zeros((n_columns, n_topics), self.dtype)
        q[order, topics] = 1
        theta = sparse.csr_matrix((self._data, counts.indices, counts.indptr), counts.shape) @ q
        phi = q * frequencies.astype(self.dtype)[:, None]
        phi += self.dtype(self.beta - 1)
        self._set_topics(theta, phi)
        self.eta = np.zeros((self.n_pairs, n_topics), self.dtype)

    def step(self) -> None:
        """Improve the topics by one iteration."""
        tilted, topic_counts = self.first_pass()
        prior = self.dtype(self.beta - 1)
        sums = np.empty_like(self.phi)

        def words(first: int, last: int) -> None:
            compiled.words(first, last, self._entries, self._ratios, tilted, self.phi, prior, sums)

        self._in_chunks(0, len(sums), words)
        self._set_topics(topic_counts, sums)

    def means(self) -> tuple[np.ndarray, np.ndarray]:
        """Return p(w|t), columns x T, and p(t), the mean over the documents; float64."""
        return self.phi.astype(np.float64), self.theta.mean(axis=0, dtype=np.float64)

    def first_pass(self) -> tuple[np.ndarray, np.ndarray]:
        """Return theta tilted by the coupling, and sums of n q over words, documents x T."""
        theta = self.theta
        phi = self.phi
        tilted = theta.copy() if self.n_pairs else theta
        counts = compiled.Counts(self.counts.indptr, self.counts.indices, self._data)
        expected = compiled.Expected(self._ratios, np.empty_like(theta))

        def pairs(first: int, last: int) -> None:
            compiled.pairs(
                first, last, counts, theta, phi, self._coupling, self.eta, tilted, expected
            )

        def documents(first: int, last: int) -> None:
            compiled.documents(first, last, counts, theta, phi, expected)

        self._in_chunks(0, self.n_pairs, pairs)
        self._in_chunks(2 * self.n_pairs, len(theta), documents)
        return tilted, expected.topic_counts

    def _set_topics(self, theta: np.ndarray, phi: np.ndarray) -> None:
        """Make these sums the topics: rows of theta, with its prior, and columns of phi sum to one.

        Changes both in place.
        """
        theta += theta.dtype.type(self.alpha - 1)
        theta /= theta.sum(axis=1, keepdims=True)
        phi /= phi.sum(axis=0, dtype=np.float64).astype(phi.dtype)
        self.theta = theta
        self.phi = phi

    def _in_chunks(self, start: int, stop: int, work: Callable[[int, int], None]) -> None:
        """Do the work for the rows from start to stop, each chunk of them by one thread."""

        def chunk(first: int) -> None:
            work(first, min(first + CHUNK, stop))

        self._threads.map(chunk, range(start, stop, CHUNK))


def _by_word(counts: sparse.csr_matrix) -> compiled.Entries:
    """Return where each word occurs, and the number of each entry in `counts.data`."""
    numbers = np.arange(counts.nnz, dtype=np.int64)
    entries = sparse.csr_matrix((numbers, counts.indices, counts.indptr), counts.shape)
    by_word = entries.T.tocsr()
    return compiled.Entries(by_word.indptr, by_word.indices, by_word.data)
