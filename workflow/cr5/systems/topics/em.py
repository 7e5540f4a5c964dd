"""EM for topics that documents of several languages share (Platt et al. 2010, 2.4 and 2.5).

Maximises sum_i sum_w n_iw log sum_t theta_it phi_tw + (alpha - 1) sum log theta + (beta - 1) sum
log phi; minus the cost of coupling for coupled documents, see `coupling`.
"""

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from typing import Any, ClassVar

import numpy as np
from scipy import sparse

from cr5.base import memory
from cr5.systems.topics import compiled, coupling
from cr5.systems.topics.corpus import Corpus
from cr5.systems.topics.coupling import CouplingSettings

# Documents, pairs or words that a thread takes at a time: it does not affect results.
CHUNK = 64
REMEDY = "use a larger machine, or lower max_words or the largest of the dimensions"
FLOAT = np.dtype(np.float32).itemsize


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


@dataclass(frozen=True)
class Step:
    """The measurements of an iteration, for the topics that it started from.

    Attributes:
        objective: of these topics, priors included, given their coupling.
        gaps: per pair the l1 distance between both documents' shares of topics after the coupling.
        steps: of the coupling, in all.
    """

    objective: float
    gaps: np.ndarray
    steps: int


@dataclass
class Em:
    """EM on a corpus; holds the buffers of iterations, so that they allocate no more memory.

    Attributes:
        corpus: documents and pairs.
        alpha: of the Dirichlet prior of theta, above 1.
        beta: of that of phi, above 1.
        settings: of the coupling.
        threads: their number changes no byte.
        dtype: of all arrays as large as theta or phi. With float32 an iteration takes half as long
            as with float64, and objectives are the same to seven digits (measured).
    """

    corpus: Corpus
    alpha: float = 1.1
    beta: float = 1.01
    settings: CouplingSettings = field(default_factory=CouplingSettings)
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
        """Give each word to a topic.

        Args:
            n_topics: T, at most the number of columns.
        """
        counts = self.corpus.counts
        q = self._blocks(n_topics)
        theta = sparse.csr_matrix((self._data, counts.indices, counts.indptr), counts.shape) @ q
        phi = q * self.corpus.frequencies.astype(self.dtype)[:, None]
        phi += self.dtype(self.added[1])
        eta = np.zeros((self.corpus.n_pairs, n_topics), self.dtype)
        return Topics(self._theta(theta), self._phi(phi), eta)

    def _blocks(self, n_topics: int) -> np.ndarray:
        """Cut words, most frequent first, into blocks of equal size: columns x T, 1 for its own."""
        order = np.argsort(-self.corpus.frequencies, kind="stable")
        q = np.zeros((len(order), n_topics), self.dtype)
        q[order, np.arange(len(order)) * n_topics // len(order)] = 1
        return q

    def step(self, topics: Topics) -> Step:
        """Improve the topics by one iteration, in place."""
        found = self._first(topics)
        objective = self._objective(topics)
        tilted, shares, said = found
        topics.phi = self._phi(self._second(topics.phi, tilted))
        topics.theta = self._theta(shares)
        return Step(objective, said[:, 0], int(said[:, 2].sum()))

    def bytes_needed(self, n_topics: int, n_words: int) -> int:
        """Estimate the peak besides the corpus.

        An iteration holds theta, tilted theta and its sums, and phi and its successor; validation
        holds the best model and the next one.

        Args:
            n_topics: T.
            n_words: of all languages, rows of the models' tables.
        """
        n, p = self.corpus.counts.shape
        rows = 3 * n + p + max(n, p) + self.corpus.n_pairs + 2 * n_words
        return FLOAT * (n_topics * rows + 2 * self.corpus.counts.nnz)

    def means(self, topics: Topics) -> tuple[np.ndarray, np.ndarray]:
        """p(w|t), columns x T; and p(t), the mean over the documents; float64."""
        return topics.phi.astype(np.float64), topics.theta.mean(axis=0, dtype=np.float64)

    def _first(self, topics: Topics) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """Pass 1: theta tilted by the coupling, sums of q over words, and `said` of pairs."""
        counts, n = self.corpus.counts, self.corpus.n_pairs
        given = counts.indptr, counts.indices, self._data, topics.phi
        shares, said = np.empty_like(topics.theta), np.zeros((n, 3))
        tilted = topics.theta.copy() if n else topics.theta
        told = tilted, self._ratios, shares, self._logs, said
        couple = topics.theta, topics.eta, self.settings.how, *told
        self._over(0, n, coupling.pairs, *given, *couple)
        alone = topics.theta, self._ratios, shares, self._logs
        self._over(2 * n, counts.shape[0], compiled.documents, *given, *alone)
        return tilted, shares, said

    def _second(self, phi: np.ndarray, tilted: np.ndarray) -> np.ndarray:
        by_word, out = self.corpus.by_word, np.empty_like(phi)
        entries = by_word.indptr, by_word.indices, by_word.data, self._ratios
        prior = self.dtype(self.added[1])
        self._over(0, len(phi), compiled.words, *entries, tilted, phi, prior, out)
        return out

    def _objective(self, topics: Topics) -> float:
        theta, phi = (_log_sum(each) for each in (topics.theta, topics.phi))
        return float(self._logs.sum() + (self.alpha - 1) * theta + (self.beta - 1) * phi)

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


def _log_sum(values: np.ndarray) -> float:
    return float(np.log(values).sum(dtype=np.float64))


def check_memory(em: Any, n_topics: int, n_words: int) -> None:
    """Check that a fit fits into memory.

    Args:
        em: has `bytes_needed`.
        n_topics: T.
        n_words: of all languages.

    Raises:
        UserError: there is not enough memory.
    """
    needed = em.bytes_needed(n_topics, n_words)
    what = f"{n_topics} topics"
    memory.check(needed, memory.available_bytes(), what, remedy=REMEDY)
