"""Whiten, rotate by seed pairs, re-weight, de-whiten (Artetxe et al. 2018, AAAI).

Both languages are changed, so three or more do not meet in one space: see `kind: pairwise`.
"""

from collections.abc import Mapping
from typing import Any

import numpy as np

from cr5.fitting.contract import Fit, TrainingSet
from cr5.systems.mapping.maps import Whitening, apply_map, whitening
from cr5.systems.mapping.pivot import Mapped
from cr5.systems.mapping.seeded import OPTIONS as SEEDED
from cr5.systems.mapping.seeded import fit_seeded
from cr5.systems.mapping.spaces import Space

TITLE = "VecMap, supervised"
REFERENCE = "Artetxe, Labaka and Agirre, AAAI 2018"
NEEDS = ("vectors", "seeds")

# The values that the authors' code recommends with a dictionary.
OPTIONS = {
    **SEEDED,
    "centre": (True, "whether the mean of all vectors is subtracted first"),
    "whiten": (
        True,
        "whether correlations of dimensions are removed before the rotation, and put back after",
    ),
    # p of the re-weighting by s^p, s being how well a dimension agrees (step 3)
    "source_power": (0.5, {"ge": 0}, "of the re-weighting of dimensions, in the source language"),
    "target_power": (0.5, {"ge": 0}, "likewise, in the target language"),
}


def fit(training: TrainingSet, options: dict) -> Fit:
    """Map both languages of each pair by its seed pairs; see `fit_seeded`."""
    return fit_seeded(training, options, solve, both_sides=True)


def solve(source: Space, target: Space, pairs: np.ndarray, options: Mapping[str, Any]) -> Mapped:
    """Map both spaces; with neither whitening nor re-weighting this is Procrustes.

    The report has the singular values by which dimensions are weighted, descending.
    """
    x, y = source.vectors[pairs[:, 0]], target.vectors[pairs[:, 1]]
    X, Y = (rows.astype(np.float64) for rows in (x, y))
    of_X, of_Y = (_whitening(rows, options["whiten"]) for rows in (X, Y))
    U, s, Vt = np.linalg.svd(of_X.there @ X.T @ Y @ of_Y.there)
    A = _steps(of_X, U, s ** options["source_power"])
    B = _steps(of_Y, Vt.T, s ** options["target_power"])
    rows = apply_map(source.vectors, A), apply_map(target.vectors, B)
    return Mapped(*rows, {"weights": s.tolist()})


def _whitening(rows: np.ndarray, wanted: bool) -> Whitening:
    d = rows.shape[1]
    return whitening(rows) if wanted else Whitening(np.eye(d), np.eye(d))


def _steps(own: Whitening, turn: np.ndarray, weights: np.ndarray) -> np.ndarray:
    """Whiten, turn and re-weight; de-whiten in the turned space, where the weights are."""
    found = own.there @ (turn * weights) @ (turn.T @ own.back @ turn)
    return found.astype(np.float32)
