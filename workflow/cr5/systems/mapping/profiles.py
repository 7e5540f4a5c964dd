"""An initial dictionary from nothing: words whose similarities are distributed alike.

The similarities of a word to all others of its language, in descending order, hardly change if
the space is rotated or the words are renumbered: equivalent words have similar distributions in
both languages. They are computed from M^(1/2) rather than M = X X', because it has the
eigenvectors of M and the spectrum of X (Artetxe et al. 2018, ACL, section 3.2).
"""

import numpy as np

from cr5.base.rows import unit_rows
from cr5.systems.mapping import csls
from cr5.systems.mapping.spaces import centred


def first_pairs(source: np.ndarray, target: np.ndarray, words: int, neighbours: int) -> np.ndarray:
    """Pair every frequent word of either language with the one of the most similar profile.

    Most pairs are wrong, but more are right than by chance.

    Args:
        source: n x d float32, unit rows, most frequent word first.
        target: m x d float32, likewise.
        words: number of frequent words of either language.
        neighbours: k of CSLS.

    Returns:
        p x 2 row numbers, the pairs found from the source's words before those from the target's.
    """
    words = min(words, len(source), len(target))
    X, Y = profiles(source[:words]), profiles(target[:words])
    there, back = (csls.translate(*x, neighbours=neighbours) for x in ((X, Y), (Y, X)))
    return csls.both_ways(there, back)


def profiles(X: np.ndarray) -> np.ndarray:
    """Similarities of each row of X (n x d) with all, ascending: n x n float32, unit rows.

    The rows are scaled to unit length, centred and scaled again, as word vectors are.
    """
    U, s, _ = np.linalg.svd(X.astype(np.float64), full_matrices=False)
    similarities = ((U * s) @ U.T).astype(np.float32)
    similarities.sort(axis=1)
    return centred(unit_rows(similarities))
