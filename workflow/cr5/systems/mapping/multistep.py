"""Whiten, turn, re-weight, de-whiten: the steps of Artetxe et al. 2018 (AAAI)."""

from dataclasses import dataclass

import numpy as np
from threadpoolctl import threadpool_limits

from cr5.base.options import settings_class
from cr5.systems.mapping.maps import TwoMaps, linear
from cr5.systems.mapping.whitening import Whitening, whitening

# The values that the authors' code recommends with a dictionary.
OPTIONS = {
    "whiten": (
        True,
        "whether correlations of dimensions are removed before the rotation, and put back after",
    ),
    # p of the re-weighting by s^p, s being how well a dimension agrees (step 3)
    "source_power": (0.5, {"ge": 0}, "of the re-weighting of dimensions, in the source language"),
    "target_power": (0.5, {"ge": 0}, "likewise, in the target language"),
}
MultistepSettings = settings_class("MultistepSettings", OPTIONS)


@dataclass(frozen=True)
class Multistep:
    """The maps, and the singular values by which dimensions are weighted, (d,), descending."""

    maps: TwoMaps
    weights: np.ndarray


@threadpool_limits.wrap(limits=1)
def multistep_maps(
    source: np.ndarray, target: np.ndarray, pairs: np.ndarray, settings: MultistepSettings
) -> Multistep:
    """Map both languages; with neither whitening nor re-weighting this is Procrustes.

    Args:
        source: n x d float32, unit rows; centred, as published.
        target: m x d float32, likewise.
        pairs: p x 2 row numbers: source, target.
        settings: of the steps.
    """
    X, Y = (rows.astype(np.float64) for rows in (source[pairs[:, 0]], target[pairs[:, 1]]))
    of_X, of_Y = _whitening(X, settings.whiten), _whitening(Y, settings.whiten)
    U, s, Vt = np.linalg.svd(of_X.there @ X.T @ Y @ of_Y.there)
    A = _steps(of_X, U, s**settings.source_power)
    B = _steps(of_Y, Vt.T, s**settings.target_power)
    return Multistep(TwoMaps(linear(A), linear(B)), s)


def _whitening(rows: np.ndarray, wanted: bool) -> Whitening:
    d = rows.shape[1]
    return whitening(rows) if wanted else Whitening(np.eye(d), np.eye(d))


def _steps(own: Whitening, turn: np.ndarray, weights: np.ndarray) -> np.ndarray:
    """Whiten, turn and re-weight; de-whiten in the turned space, where the weights are."""
    return own.there @ (turn * weights) @ (turn.T @ own.back @ turn)
