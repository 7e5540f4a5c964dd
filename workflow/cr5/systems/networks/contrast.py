"""How much nearer a text is to its answer than to a negative.

With D = cos(y, p) - cos(y, n) of a text y, its answer p and a negative n, the loss is one of

    difference   -D                        Gupta, Banchs and Rosso 2017, Eq. 7, 9: minus their J
    margin       max(0, m - D)             m = 0.5
    logistic     log(1 + exp(-s D))        Yih, Toutanova, Platt and Meek 2011, s = 10

averaged over texts and negatives, or at the negative that is nearest to the text.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

MARGIN = 0.5  # differences from here on cost nothing
SCALE = 10.0  # factor on the differences


@dataclass(frozen=True)
class Contrast:
    """The loss of texts, and its derivatives by them, their answers and the negatives."""

    loss: float
    by_texts: np.ndarray  # n x r
    by_answers: np.ndarray  # n x r
    by_negatives: np.ndarray  # k x n x r


def contrast(
    Y: np.ndarray, P: np.ndarray, N: np.ndarray, loss: str = "difference", hardest: bool = False
) -> Contrast:
    """Return the loss of texts (n x r) with answers (n x r) and negatives (k x n x r).

    With u = y / |y| and v = p / |p| the derivative of a cosine is (Gupta et al. 2017, Eq. .4)

        dcos(y, p) / dy = (v - cos(y, p) u) / |y|

    A text of zeros has cosine 0 with all, and no derivative.
    """
    U, inverse_Y = _unit_rows(Y)
    V, inverse_P = _unit_rows(P)
    Z, inverse_N = _unit_rows(N)
    near = (U * V).sum(axis=-1)
    far = (U * Z).sum(axis=-1)
    losses, slopes = _losses(near - far, loss)
    shares = _shares(far, hardest)
    slopes_by_far = (slopes * shares)[..., None]  # but for the sign, k x n x 1
    slopes_by_near = slopes_by_far.sum(axis=0)
    near = near[:, None]
    far = far[..., None]
    through_answers = slopes_by_near * (V - near * U)
    through_negatives = (slopes_by_far * (Z - far * U)).sum(axis=0)
    return Contrast(
        loss=float((losses * shares).sum()),
        by_texts=(through_answers - through_negatives) * inverse_Y,
        by_answers=slopes_by_near * (U - near * V) * inverse_P,
        by_negatives=-slopes_by_far * (U - far * Z) * inverse_N,
    )


def _unit_rows(rows: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Return rows of length one, and one over their lengths; zeros for rows of zeros."""
    lengths = np.sqrt((rows * rows).sum(axis=-1, keepdims=True))
    inverse = np.divide(1, lengths, out=np.zeros_like(lengths), where=lengths > 0)
    return rows * inverse, inverse


def _losses(D: np.ndarray, loss: str) -> tuple[np.ndarray, np.ndarray]:
    """Return the loss of each difference, and its derivative by it."""
    if loss == "margin":
        missing = D.dtype.type(MARGIN) - D
        return np.maximum(missing, 0), -(missing > 0).astype(D.dtype)
    if loss == "logistic":
        scale = D.dtype.type(SCALE)
        slopes = -scale / 2 * (1 - np.tanh(scale * D / 2))
        return np.logaddexp(0, -scale * D), slopes
    return -D, -np.ones_like(D)


def _shares(far: np.ndarray, hardest: bool) -> np.ndarray:
    """Return what each negative counts in the mean, k x n, from its cosine with the text."""
    n_negatives, n_texts = far.shape
    if not hardest:
        return np.full_like(far, 1 / (n_negatives * n_texts))
    is_nearest = np.arange(n_negatives)[:, None] == far.argmax(axis=0)
    return is_nearest.astype(far.dtype) / n_texts
