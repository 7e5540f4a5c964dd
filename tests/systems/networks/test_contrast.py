"""Losses of cosines, by hand; their derivatives are tested with those of a batch."""

import math

import numpy as np
import pytest

from cr5.systems.networks.contrast import contrast

# Two texts: cosines with their answers are 1 and 0, with negatives 0, .6 and .8, 1.
Y = np.array([[2.0, 0.0], [0.0, 5.0]])
P = np.array([[3.0, 0.0], [1.0, 0.0]])
N = np.array([[[0.0, 1.0], [0.6, 0.8]], [[0.6, 0.8], [0.0, 2.0]]])


def softplus(x):
    return math.log(1 + math.exp(x))


@pytest.mark.parametrize(
    ("options", "expected"),
    [
        ({}, -(1 + 0.4 - 0.8 - 1) / 4),
        ({"hardest": True}, -(0.4 - 1) / 2),
        ({"loss": "margin"}, (0 + 0.1 + 1.3 + 1.5) / 4),
        ({"loss": "margin", "hardest": True}, (0.1 + 1.5) / 2),
        ({"loss": "logistic"}, (softplus(-10) + softplus(-4) + softplus(8) + softplus(10)) / 4),
        ({"loss": "logistic", "hardest": True}, (softplus(-4) + softplus(10)) / 2),
    ],
)
def test_losses_by_hand(options, expected):
    assert contrast(Y, P, N, **options)[0] == pytest.approx(expected)


def test_a_text_of_zeros_has_cosine_zero_and_no_derivative():
    rows, none = np.array([[1.0, 1.0]]), np.zeros((1, 2))
    value, dY, dP, _ = contrast(none, rows, rows[None])
    assert value == 0
    assert not dY.any()
    assert not dP.any()
    value, _, dP, _ = contrast(rows, none, -rows[None])
    assert value == pytest.approx(-1)
    assert not dP.any()


@pytest.mark.parametrize("loss", ["difference", "margin", "logistic"])
def test_single_precision_stays_single(loss):
    _, *slopes = contrast(*(each.astype(np.float32) for each in (Y, P, N)), loss)
    assert all(each.dtype == np.float32 for each in slopes)
