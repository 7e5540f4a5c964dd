"""Collapsed Gibbs sampling of topics with words of each language (Mimno et al. 2009, section 3).

Topics of a concept have the prior Dirichlet(alpha), the words of a topic in each language the prior
Dirichlet(beta). A sweep draws the topic of each token anew, given those of all others:

    p(z = t) ~ (n_dt + alpha) (n_tw + beta) / (n_tl + p_l beta)

with n counts of the other tokens: of the document, of the word, of the p_l words of its language.
Tokens follow each other, so there is one thread; sums are in order, so that every processor draws
the same.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from math import log

import numpy as np
from numba import njit

from cr5.systems.topics.corpus import Corpus


@dataclass
class Sample:
    """A state of the sampler.

    Attributes:
        z: (tokens,) the topic of each, in the order of documents, then of columns.
        theta: documents x T: tokens of each topic.
        phi: columns x T: likewise.
        generator: of the next draws.
        sweeps: number of them so far.
        summed: columns x T: `phi` summed over the sweeps after burn-in.
    """

    z: np.ndarray
    theta: np.ndarray
    phi: np.ndarray
    generator: np.random.Generator
    summed: np.ndarray
    sweeps: int = 0


@dataclass
class Gibbs:
    """The sampler on a corpus of whole counts.

    Attributes:
        corpus: a document per concept, languages side by side.
        starts: the first column of each language, ascending from 0.
        alpha: of the Dirichlet prior of topics in a document.
        beta: of that of words in a topic and language.
        burn_in: sweeps before those whose mean is taken.
        seed: of all draws.
    """

    corpus: Corpus
    starts: Sequence[int]
    alpha: float
    beta: float
    burn_in: int
    seed: int

    def __post_init__(self) -> None:
        """Write out the tokens."""
        counts = self.corpus.counts
        self._tokens = np.repeat(counts.indices, counts.data.astype(np.int64))
        self._ends = np.cumsum(self.corpus.tokens).astype(np.int64)
        widths = np.diff([*self.starts, counts.shape[1]])
        self._language = np.repeat(np.arange(len(widths)), widths)
        self._widths = widths.astype(np.float64)

    @property
    def added(self) -> tuple[float, float]:
        """What the priors add to the sums of theta and of phi."""
        return self.alpha, self.beta

    def start(self, n_topics: int) -> Sample:
        """Draw a topic for each token, all alike."""
        generator = np.random.default_rng(self.seed)
        z = generator.integers(0, n_topics, len(self._tokens), dtype=np.int32)
        n, p = self.corpus.counts.shape
        theta, phi = np.zeros((n, n_topics), np.int32), np.zeros((p, n_topics), np.int32)
        np.add.at(theta, (np.searchsorted(self._ends, np.arange(len(z)), "right"), z), 1)
        np.add.at(phi, (self._tokens, z), 1)
        return Sample(z, theta, phi, generator, np.zeros((p, n_topics), np.float32))

    def step(self, sample: Sample) -> dict[str, float]:
        """Sweep over all tokens, in place.

        The objective is the sum of log p(token | all others, their topics) when each is drawn.
        """
        uniform = sample.generator.random(len(sample.z))
        of_words = self._tokens, self._language, self._widths
        totals = np.add.reduceat(sample.phi, self.starts, axis=0)
        of_topics = sample.z, sample.theta, sample.phi, totals
        objective = _sweep(self._ends, *of_words, *of_topics, self.alpha, self.beta, uniform)
        sample.sweeps += 1
        if sample.sweeps > self.burn_in:
            sample.summed += sample.phi
        return {"objective": objective}

    def means(self, sample: Sample) -> tuple[np.ndarray, np.ndarray]:
        """p(w|t) in each language, columns x T, of the mean of samples; p(t), of documents now."""
        n = sample.sweeps - self.burn_in
        phi = sample.phi.astype(np.float64) if n < 1 else sample.summed / np.float64(n)
        phi += self.beta
        for part in np.split(phi, self.starts[1:]):
            part /= part.sum(axis=0)
        theta = sample.theta + self.alpha
        return phi, (theta / theta.sum(axis=1, keepdims=True)).mean(axis=0)


@njit(nogil=True, cache=True, error_model="numpy")
def _sweep(ends, tokens, languages, widths, z, theta, phi, totals, alpha, beta, uniform):
    """Draw the topic of each token, document by document; counts are kept up to date.

    `ends` has what comes after the last token of each document, `tokens` the column of each,
    `languages` the language of each column, `widths` the columns of each language, `totals` the
    tokens of each language and topic, and `uniform` a number in [0, 1) for each token. Returns the
    objective.
    """
    T = theta.shape[1]
    cumulated, scale = np.empty(T), 1 / (totals + beta * widths.reshape(-1, 1))
    start, objective = 0, 0.0
    for d in range(len(ends)):
        own, norm = theta[d], ends[d] - start - 1 + T * alpha
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
            objective += log(total / norm)
        start = ends[d]
    return objective


@njit(nogil=True, cache=True, error_model="numpy")
def _move(own, word, of_language, scales, t, n, prior):
    own[t] += n
    word[t] += n
    of_language[t] += n
    scales[t] = 1 / (of_language[t] + prior)
