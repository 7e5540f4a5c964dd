"""A prior over words with few unknowns: hardly more than there are words.

Only the covariance I + gamma N N' of the word vectors matters, not N, so any F with F F' equal to
it will do. Words that have features in common form groups, such as those that begin alike. Within
groups of up to `MOST` words features need no unknowns of their own: F has a factor of the group's
covariance. Only features that more words have are columns of F beside these: for the beginnings of
11,000 words in four languages 103, where N has 15,800 columns.
"""

from collections.abc import Sequence

import numpy as np
from scipy import sparse

MOST = 16  # words of a group; larger ones have more entries in F, smaller ones leave more columns


def factor(
    prior: Sequence[sparse.csr_matrix], gamma: float, variances: np.ndarray
) -> list[sparse.csr_matrix]:
    """Factor I + gamma N N' as F F'.

    Args:
        prior: N_l, per language words x features; at least one language.
        gamma: weight.
        variances: of the words, stacked over languages, (p,). In a group F' diag(variances) F is
            diagonal, so that Jacobi's preconditioner serves as well as without a prior.

    Returns:
        F_l, per language words x unknowns, float64: as many unknowns as there are words, group by
        group, then one per feature that is left.
    """
    N = sparse.vstack(prior, format="csc", dtype=np.float64) * np.sqrt(gamma)
    N.sort_indices()
    group, inside = _groups(N)
    own = _factors(N[:, inside], group, variances)
    F = sparse.hstack([own, _merged(N[:, ~inside])], "csr")
    ends = np.cumsum([part.shape[0] for part in prior])
    return [F[end - part.shape[0] : end] for end, part in zip(ends, prior, strict=True)]


def _groups(N: sparse.csc_matrix) -> tuple[np.ndarray, np.ndarray]:
    """Group words with features in common; features that would make too large a group tie none.

    Returns:
        The group of each word, and of each feature whether all its words are in one.
    """
    parent, size = list(range(N.shape[0])), [1] * N.shape[0]

    def root(word: int) -> int:
        while parent[word] != word:
            parent[word] = word = parent[parent[word]]
        return word

    inside = np.zeros(N.shape[1], bool)
    having = np.diff(N.indptr)
    for feature in np.argsort(having, kind="stable")[: np.sum(having <= MOST)]:
        words = N.indices[N.indptr[feature] : N.indptr[feature + 1]].tolist()
        roots = {root(word) for word in words}
        total = sum(size[each] for each in roots)
        if total <= MOST:
            inside[feature] = True
            for each in roots:
                parent[each], size[each] = min(roots), total
    return np.array([root(word) for word in range(N.shape[0])]), inside


def _factors(N: sparse.csc_matrix, group: np.ndarray, variances: np.ndarray) -> sparse.csr_matrix:
    """A factor F of I + N N', group by group; F' diag(variances) F is diagonal."""
    words = len(group)
    order = np.argsort(group, kind="stable")
    firsts = np.flatnonzero(np.diff(group[order], prepend=-1))
    sizes = np.diff(firsts, append=words)
    place = np.empty(words, np.int64)  # of a word in its group
    place[order] = np.arange(words) - np.repeat(firsts, sizes)
    M = (sparse.identity(words) + N @ N.T).tocoo()
    rows, columns, values = [], [], []
    for m in np.unique(sizes):
        unknowns = firsts[sizes == m][:, None] + np.arange(m)  # groups x m; those of one in turn
        members = order[unknowns]
        number = np.full(words, -1)
        number[members] = np.arange(len(members))[:, None]
        of_these = number[M.row] >= 0
        row, column = M.row[of_these], M.col[of_these]
        dense = np.zeros((len(members), m, m))
        dense[number[row], place[row], place[column]] = M.data[of_these]
        L = np.linalg.cholesky(dense)
        Q = np.linalg.eigh(L.transpose(0, 2, 1) @ (variances[members][:, :, None] * L))[1]
        rows.append(np.repeat(members, m))
        columns.append(np.tile(unknowns, m).ravel())
        values.append((L @ Q).ravel())
    entries = np.concatenate(values), (np.concatenate(rows), np.concatenate(columns))
    return sparse.csr_matrix(entries, (words, words))


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
