"""CL-LSI (Dumais et al. 1997), as short as a system of one's own may be.

Documents of the same concept are laid side by side; the right singular vectors of all of them,
cut where a language ends, are its word tables.
"""

import numpy as np
from scipy import sparse
from scipy.sparse.linalg import svds

from cr5.fitting.best import best
from cr5.fitting.contract import Fit, TrainingSet

TITLE = "CL-LSI, short"
OPTIONS = {"ranks": [2, 8, 30]}


def fit(training: TrainingSet, options: dict) -> Fit:
    """Decompose once, and keep as many dimensions as validate best."""
    ranks = options["ranks"]
    X = sparse.hstack([_by_concept(training, x) for x in training.languages])
    start = np.random.default_rng(training.seed).normal(size=min(X.shape))
    _, values, V = svds(X, k=max(ranks), v0=start)
    V = V[np.argsort(-values)].T
    ends = np.cumsum([len(training.words[x]) for x in training.languages])
    blocks = dict(zip(training.languages, np.split(V, ends[:-1]), strict=True))

    def of_rank(rank: int) -> Fit:
        model = training.model({x: block[:, :rank] for x, block in blocks.items()})
        return Fit(model, {"singular_values": sorted(values.tolist())[-rank:]}, {"rank": rank})

    return best(training, map(of_rank, ranks))


def _by_concept(training: TrainingSet, language: str) -> sparse.csr_matrix:
    """Concepts x words; a concept without a document is a row of zeros."""
    rows = training.concepts[language]
    shape = (training.n_concepts, len(rows))
    chosen = sparse.csr_matrix((np.ones(len(rows)), (rows, np.arange(len(rows)))), shape)
    return chosen @ training.features[language]
