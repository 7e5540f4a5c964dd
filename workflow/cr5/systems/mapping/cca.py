"""Canonical correlation analysis: project both languages to where translations agree most."""

from dataclasses import dataclass

import numpy as np
from threadpoolctl import threadpool_limits

from cr5.base.options import settings_class
from cr5.systems.mapping.maps import Affine, TwoMaps
from cr5.systems.mapping.whitening import whitening

# The values of Faruqui and Dyer 2014 (section 3.2 and the authors' code).
OPTIONS = {
    "share": (0.5, {"gt": 0, "le": 1}, "of the dimensions that is kept, the best correlated ones"),
    "ridge": (0.0, {"ge": 0}, "added to the variance of each dimension of the paired vectors"),
}
CcaSettings = settings_class("CcaSettings", OPTIONS)


@dataclass(frozen=True)
class Cca:
    """The maps, and the canonical correlations of the dimensions kept, (r,), descending."""

    maps: TwoMaps
    correlations: np.ndarray


@threadpool_limits.wrap(limits=1)
def canonical_maps(
    source: np.ndarray, target: np.ndarray, pairs: np.ndarray, settings: CcaSettings
) -> Cca:
    """Fit on the pairs, centred by their mean; map vocabularies, each centred by its own.

    With whitened pairs P and Q and the singular value decomposition P'Q = U S V', the canonical
    directions are the columns of U and V, and S has the correlations.

    Args:
        source: n x d float32, unit rows.
        target: m x d float32, unit rows.
        pairs: p x 2 row numbers: source, target; p > d, or the fit is perfect and meaningless.
        settings: of the fit.
    """
    X, Y = _centred(source[pairs[:, 0]]), _centred(target[pairs[:, 1]])
    # There are p rows, so the ridge applies to the covariance, X'X / p.
    Zx, Zy = (whitening(rows, settings.ridge * len(pairs)).there for rows in (X, Y))
    U, s, Vt = np.linalg.svd(Zx @ X.T @ Y @ Zy)
    r = int(np.ceil(settings.share * len(s)))
    maps = TwoMaps(_of(source, Zx @ U[:, :r]), _of(target, Zy @ Vt[:r].T))
    return Cca(maps, s[:r])


def _centred(rows: np.ndarray) -> np.ndarray:
    return rows - rows.mean(axis=0, dtype=np.float64)


def _of(vocabulary: np.ndarray, W: np.ndarray) -> Affine:
    mean = vocabulary.mean(axis=0, dtype=np.float64)
    return Affine(mean.astype(np.float32), W.astype(np.float32))
