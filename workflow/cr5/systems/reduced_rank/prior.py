"""A prior over words with the fewest unknowns: a feature of a single word needs none of its own.

Only the covariance I + gamma N N' of the word vectors matters. A feature of a single word adds to
that word's own variance; features that the same words have to the same degree, such as two
beginnings, act as one. So it equals diag(d^2) + S S', where S has fewer columns than N: for the
beginnings of 11,000 words in four languages 3,400, not 15,800.
"""

from collections.abc import Sequence

import numpy as np
from scipy import sparse


def condensed(
    prior: Sequence[sparse.csr_matrix], gamma: float
) -> tuple[list[np.ndarray], list[sparse.csr_matrix]]:
    """Write I + gamma N N' as diag(d^2) + S S'.

    Args:
        prior: N_l, per language words x features; at least one language.
        gamma: weight.

    Returns:
        Per language d_l, (words,) float64, and S_l, words x shared features, without columns if
        no two words have a feature in common.
    """
    N = sparse.vstack(prior, format="csc", dtype=np.float64)
    N.sort_indices()
    having = np.diff(N.indptr)
    alone = N[:, having == 1]
    own = np.sqrt(1 + gamma * np.asarray(alone.multiply(alone).sum(axis=1)).ravel())
    S = (_merged(N[:, having > 1]) * np.sqrt(gamma)).tocsr()
    ends = np.cumsum([part.shape[0] for part in prior])
    shared = [S[end - part.shape[0] : end] for part, end in zip(prior, ends, strict=True)]
    return np.split(own, ends[:-1]), shared if S.shape[1] else []


def _merged(N: sparse.csc_matrix) -> sparse.csc_matrix:
    """Merge equal columns into one, times the root of their number; in the same order."""
    columns = zip(N.indptr[:-1], N.indptr[1:], strict=True)
    seen: dict[tuple[bytes, bytes], int] = {}
    group = np.array(
        [
            seen.setdefault((N.indices[a:b].tobytes(), N.data[a:b].tobytes()), len(seen))
            for a, b in columns
        ],
        np.int64,
    )
    first = np.unique(group, return_index=True)[1]
    return N[:, first] @ sparse.diags(np.sqrt(np.bincount(group, minlength=len(seen))))
