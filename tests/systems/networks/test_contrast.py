"""Losses of cosines, by hand; their derivatives are tested with those of a batch."""

import math

import numpy as np
import pytest

from cr5.systems.networks.contrast import OPTIONS, contrast

DEFAULTS = {name: said[0] for name, said in OPTIONS.items()}
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
        ({"loss": "margin", "margin": 0.5}, (0 + 0.1 + 1.3 + 1.5) / 4),
        ({"loss": "margin", "margin": 0.5, "hardest": True}, (0.1 + 1.5) / 2),
        ({"loss": "logistic"}, (softplus(-10) + softplus(-4) + softplus(8) + softplus(10)) / 4),
        ({"loss": "logistic", "scale": 1.0, "hardest": True}, (softplus(-0.4) + softplus(1)) / 2),
    ],
)
def test_losses_by_hand(options, expected):
    assert contrast(Y, P, N, DEFAULTS | options)[0] == pytest.approx(expected)


def test_a_text_of_zeros_has_cosine_zero_and_no_derivative():
    rows, none = np.array([[1.0, 1.0]]), np.zeros((1, 2))
    value, dY, dP, _ = contrast(none, rows, rows[None], DEFAULTS)
    assert value == 0
    assert not dY.any()
    assert not dP.any()
    value, _, dP, _ = contrast(rows, none, -rows[None], DEFAULTS)
    assert value == pytest.approx(-1)
    assert not dP.any()


def test_large_differences_do_not_overflow():
    options = DEFAULTS | {"loss": "logistic", "scale": 1e4}
    given = (each.astype(np.float32) for each in (Y, P, N))
    with np.errstate(over="raise", invalid="raise"):
        value, *slopes = contrast(*given, options)
    assert np.isfinite(value)
    assert all(np.isfinite(each).all() and each.dtype == np.float32 for each in slopes)
