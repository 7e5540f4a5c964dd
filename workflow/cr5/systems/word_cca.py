"""Canonical correlation analysis of seed pairs (Faruqui and Dyer 2014).

Both languages are projected, so three or more do not meet in one space: see `kind: pairwise`.
"""

from collections.abc import Mapping
from typing import Any

import numpy as np

from cr5.fitting.contract import Fit, TrainingSet
from cr5.systems.mapping.maps import apply_map, whitening
from cr5.systems.mapping.pivot import Mapped
from cr5.systems.mapping.seeded import OPTIONS as SEEDED
from cr5.systems.mapping.seeded import fit_seeded
from cr5.systems.mapping.spaces import Space

TITLE = "CCA (words)"
REFERENCE = "Faruqui and Dyer, EACL 2014"
NEEDS = ("vectors", "seeds")

# The values of Faruqui and Dyer 2014 (section 3.2 and the authors' code). Centring the vocabulary
# comes first; the projection centres anyway.
OPTIONS = {
    **SEEDED,
    "share": (0.5, {"gt": 0, "le": 1}, "of the dimensions that is kept, the best correlated ones"),
    "ridge": (0.0, {"ge": 0}, "added to the variance of each dimension of the paired vectors"),
}


def fit(training: TrainingSet, options: dict) -> Fit:
    """Project each pair of languages to where its seed pairs agree most; see `fit_seeded`."""
    return fit_seeded(training, options, solve, both_sides=True)


def solve(source: Space, target: Space, pairs: np.ndarray, options: Mapping[str, Any]) -> Mapped:
    """Fit on the pairs, centred by their mean; map vocabularies, each centred by its own.

    The report has the canonical correlations of the dimensions kept, descending.
    """
    X, Y = source.vectors[pairs[:, 0]], target.vectors[pairs[:, 1]]
    A, B, correlations = directions(X, Y, options["share"], options["ridge"])
    report = {"correlations": correlations.tolist()}
    return Mapped(_project(source.vectors, A), _project(target.vectors, B), report)


def directions(
    X: np.ndarray, Y: np.ndarray, share: float, ridge: float
) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Find the canonical directions of both sides, d x r, and their correlations (r,).

    With whitened pairs P and Q and the singular value decomposition P'Q = U S V', the canonical
    directions are the columns of U and V, and S has the correlations.

    Args:
        X: p x d float32, source vectors; p > d, or the fit is perfect and meaningless.
        Y: p x d float32, row i is the translation of row i of X.
        share: of the dimensions that is kept.
        ridge: added to the variances.
    """
    X, Y = _centred(X), _centred(Y)
    # There are p rows, so the ridge applies to the covariance, X'X / p.
    Zx, Zy = (whitening(rows, ridge * len(rows)).there for rows in (X, Y))
    U, s, Vt = np.linalg.svd(Zx @ X.T @ Y @ Zy)
    r = int(np.ceil(share * len(s)))
    return Zx @ U[:, :r], Zy @ Vt[:r].T, s[:r]


def _centred(rows: np.ndarray) -> np.ndarray:
    return rows - rows.mean(axis=0, dtype=np.float64)


def _project(rows: np.ndarray, W: np.ndarray) -> np.ndarray:
    mean = rows.mean(axis=0, dtype=np.float64).astype(np.float32)
    return apply_map(rows - mean, W.astype(np.float32))
