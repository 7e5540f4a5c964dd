"""Texts for networks, keys without a network, and derivatives held against differences."""

import numpy as np
from scipy import sparse

from cr5.systems.networks.family import Contrasted
from tests.systems.conftest import differences


class Keys(Contrasted):
    """The keys of networks that are trained by contrast, without a network."""

    def fit(self, training):
        raise NotImplementedError


def drawn_texts(n=12, n_words=9):
    generator = np.random.default_rng(3)
    counts = generator.poisson(0.6, (n, n_words))
    return sparse.csr_matrix(counts.astype(float))


def check_slopes(loss, parameters):
    """Raise unless its derivatives by the parameters are those of differences."""

    def value():
        number, _ = loss(parameters)
        return number

    _, derivatives = loss(parameters)
    for parameter, slopes in zip(parameters, derivatives(), strict=True):
        np.testing.assert_allclose(slopes, differences(value, parameter), atol=1e-8)
