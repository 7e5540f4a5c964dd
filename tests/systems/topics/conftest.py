"""Topics written out: EM with loops over documents, words and topics, and made-up counts."""

from types import SimpleNamespace

import numpy as np
import pytest
from scipy import sparse

from cr5.systems.topics.corpus import make_corpus


def made_up_counts(n=12, p=17, seed=0):
    """Documents of 3 to 9 words, so that blocks of four words have every remainder."""
    generator = np.random.default_rng(seed)
    counts = np.zeros((n, p))
    for i in range(n):
        columns = generator.choice(p, 3 + i % 7, replace=False)
        counts[i, columns] = generator.integers(1, 6, len(columns))
    counts[0, counts.sum(axis=0) == 0] = 1  # every column has a word
    return counts


def posterior(theta, phi, i, w, eta, tokens, pairs):
    """q of a word; of coupled documents with exp(-+ eta / n), see `topics.coupling`."""
    q = theta[i] * phi[w]
    if i < 2 * pairs:
        sign = -1 if i % 2 == 0 else 1
        q = q * np.exp(sign * eta[i // 2] / tokens[i])
    return q / q.sum()


def iterate(counts, theta, phi, alpha, beta, eta=None, pairs=0):
    """One iteration of EM, equations as in the paper; phi is columns x T."""
    T, tokens = theta.shape[1], counts.sum(axis=1)
    new_theta, new_phi = np.full_like(theta, alpha - 1), np.full_like(phi, beta - 1)
    for i, w in zip(*np.nonzero(counts), strict=True):
        q = posterior(theta, phi, i, w, eta, tokens, pairs)
        for t in range(T):
            new_theta[i, t] += counts[i, w] * q[t]
            new_phi[w, t] += counts[i, w] * q[t]
    for i in range(len(theta)):
        new_theta[i] /= new_theta[i].sum()
    for t in range(T):
        new_phi[:, t] /= new_phi[:, t].sum()
    return new_theta, new_phi


def objective(counts, theta, phi, alpha, beta):
    """log p(documents) plus the logarithm of the priors."""
    found = 0.0
    for i, w in zip(*np.nonzero(counts), strict=True):
        found += counts[i, w] * np.log(sum(theta[i, t] * phi[w, t] for t in range(len(theta[0]))))
    return found + (alpha - 1) * np.log(theta).sum() + (beta - 1) * np.log(phi).sum()


@pytest.fixture
def written_out():
    return SimpleNamespace(iterate=iterate, objective=objective)


@pytest.fixture
def corpus_of():
    """Make a corpus of dense counts, or of made-up ones."""

    def make(counts=None, n_pairs=0, **shape):
        counts = made_up_counts(**shape) if counts is None else np.asarray(counts, float)
        return make_corpus(sparse.csr_matrix(counts), n_pairs)

    return make
