"""EM for topics that documents of several languages share (Platt et al. 2010, 2.4 and 2.5).

Maximises sum_i sum_w n_iw log sum_t theta_it phi_tw + (alpha - 1) sum log theta + (beta - 1) sum
log phi; minus the cost of coupling for coupled documents, see `coupling`.
"""

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from math import inf
from typing import Any, ClassVar

import numpy as np
from scipy import sparse

from cr5.systems.topics import compiled, coupling
from cr5.systems.topics.corpus import Corpus

# Documents, pairs or words that a thread takes at a time: it does not affect results.
CHUNK = 64


@dataclass
class Topics:
    """What EM estimates.

    Attributes:
        theta: documents x T: p(t|d).
        phi: columns x T: p(w|t).
        eta: pairs x T: multipliers of the coupling.
    """

    theta: np.ndarray
    phi: np.ndarray
    eta: np.ndarray


@dataclass
class Em:
    """EM on a corpus; holds the buffers of iterations, so that they allocate no more memory.

    Attributes:
        corpus: documents and pairs.
        alpha: of the Dirichlet prior of theta, above 1.
        beta: of that of phi, above 1.
        sigma: cost of a difference between shares of a pair; None for infinity: they are equal.
        tolerance: l1 norm of the remaining gradient at which a pair is coupled. Shares sum to 1, so
            a gap is at most 2.
        steps: of coupling at most, per pair and iteration.
        threads: their number changes no byte.
        dtype: of all arrays as large as theta or phi. With float32 an iteration takes half as long
            as with float64, and objectives are the same to seven digits (measured).
    """

    corpus: Corpus
    alpha: float = 1.1
    beta: float = 1.01
    sigma: float | None = 1.0
    tolerance: float = 0.01
    steps: int = 50
    threads: int = 1
    dtype: type = np.float32
    burn_in: ClassVar[int] = 0  # no iteration is left out of what is estimated

    def __post_init__(self) -> None:
        """Convert counts to the type of the other arrays."""
        counts = self.corpus.counts
        self._data = counts.data.astype(self.dtype)
        self._ratios = np.empty(counts.nnz, self.dtype)
        self._logs = np.empty(counts.shape[0])

    @property
    def added(self) -> tuple[float, float]:
        """What the priors add to the sums of theta and of phi."""
        return self.alpha - 1, self.beta - 1

    def start(self, n_topics: int) -> Topics:
        """Give each word to a topic: words, most frequent first, in blocks of equal size.

        There are at most as many topics as columns.
        """
        counts = self.corpus.counts
        order = np.argsort(-self.corpus.frequencies, kind="stable")
        q = np.zeros((len(order), n_topics), self.dtype)
        q[order, np.arange(len(order)) * n_topics // len(order)] = 1
        theta = sparse.csr_matrix((self._data, counts.indices, counts.indptr), counts.shape) @ q
        phi = q * self.corpus.frequencies.astype(self.dtype)[:, None]
        phi += self.dtype(self.added[1])
        eta = np.zeros((self.corpus.n_pairs, n_topics), self.dtype)
        return Topics(self._theta(theta), self._phi(phi), eta)

    def step(self, topics: Topics) -> dict[str, Any]:
        """Improve the topics by one iteration, in place.

        Returns:
            Measurements of the topics that it started from: `objective`, priors included, given
            their coupling; mean and largest l1 distance of a pair's shares after the coupling; and
            how many steps that took, in all.
        """
        tilted, shares, said = self.first_pass(topics)
        theta, phi = (float(np.log(x).sum(dtype=np.float64)) for x in (topics.theta, topics.phi))
        objective = float(self._logs.sum() + (self.alpha - 1) * theta + (self.beta - 1) * phi)
        topics.phi = self._phi(self._second_pass(topics.phi, tilted))
        topics.theta = self._theta(shares)
        if not len(said):
            return {"objective": objective}
        gaps, steps = said[:, 0], int(said[:, 2].sum())
        found = {"gap_mean": float(gaps.mean()), "gap_max": float(gaps.max())}
        return {"objective": objective, **found, "coupling_steps": steps}

    def means(self, topics: Topics) -> tuple[np.ndarray, np.ndarray]:
        """p(w|t), columns x T; and p(t), the mean over the documents; float64."""
        return topics.phi.astype(np.float64), topics.theta.mean(axis=0, dtype=np.float64)

    def first_pass(self, topics: Topics) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """Theta tilted by the coupling, sums of q over words, and `said` of `coupling.pairs`."""
        counts, n = self.corpus.counts, self.corpus.n_pairs
        given = counts.indptr, counts.indices, self._data, topics.phi
        shares, said = np.empty_like(topics.theta), np.zeros((n, 3))
        tilted = topics.theta.copy() if n else topics.theta
        how = inf if self.sigma is None else float(self.sigma), self.tolerance, self.steps
        told = tilted, self._ratios, shares, self._logs, said
        self._over(0, n, coupling.pairs, *given, topics.theta, topics.eta, how, *told)
        alone = topics.theta, self._ratios, shares, self._logs
        self._over(2 * n, counts.shape[0], compiled.documents, *given, *alone)
        return tilted, shares, said

    def _second_pass(self, phi: np.ndarray, tilted: np.ndarray) -> np.ndarray:
        by_word, out = self.corpus.by_word, np.empty_like(phi)
        entries = by_word.indptr, by_word.indices, by_word.data, self._ratios
        prior = self.dtype(self.added[1])
        self._over(0, len(phi), compiled.words, *entries, tilted, phi, prior, out)
        return out

    def _theta(self, shares: np.ndarray) -> np.ndarray:
        """Documents x T, in place: rows sum to one."""
        shares += shares.dtype.type(self.added[0])
        shares /= shares.sum(axis=1, keepdims=True)
        return shares

    def _phi(self, sums: np.ndarray) -> np.ndarray:
        """Columns x T, in place: columns sum to one."""
        sums /= sums.sum(axis=0, dtype=np.float64).astype(sums.dtype)
        return sums

    def _over(self, start: int, stop: int, work: Callable, *arguments: object) -> None:
        """Process the rows from start to stop, each by one thread."""

        def part(first: int) -> None:
            work(first, min(first + CHUNK, stop), *arguments)

        with ThreadPoolExecutor(self.threads) as pool:
            list(pool.map(part, range(start, stop, CHUNK)))
