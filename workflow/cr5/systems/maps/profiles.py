"""Profiles of words: how similar a word is to all words of its language."""

import numpy as np

from cr5.systems.maps.rows import centred, unit


def profiles(X: np.ndarray) -> np.ndarray:
    """Similarities of each word with all, in ascending order: n x n float32, centred unit rows.

    They hardly change if the space is turned or the words are renumbered, so equivalent words have
    similar ones in both languages. They are computed from M^(1/2) rather than M = X X', because it
    has the eigenvectors of M and the spectrum of X (Artetxe et al. 2018, ACL, section 3.2):

        M^(1/2) = U S U'        with X = U S V'
    """
    U, s, _ = np.linalg.svd(X.astype(np.float64), full_matrices=False)
    similarities = ((U * s) @ U.T).astype(np.float32)
    similarities.sort(axis=1)
    return centred(unit(similarities))
