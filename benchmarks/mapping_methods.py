"""The mappings that `benchmarks.mappings` compares, by name.

Each is a function (source, target, pairs) -> (mapped source, mapped target): vectors n x d and
m x d float32, unit rows, most frequent word first; pairs of the training dictionary, p x 2 row
numbers. One that needs no dictionary leaves the pairs alone.
"""

from collections.abc import Callable
from functools import partial

import numpy as np

from cr5.systems.mapping import refinement
from cr5.systems.mapping.cca import CcaSettings, canonical_maps
from cr5.systems.mapping.least_squares import linear_map
from cr5.systems.mapping.multistep import MultistepSettings, multistep_maps
from cr5.systems.mapping.procrustes import orthogonal_map
from cr5.systems.mapping.rcsls import RcslsSettings, train
from cr5.systems.mapping.self_learning import SelfLearningSettings, learn
from cr5.systems.mapping.spaces import centred

Mapped = tuple[np.ndarray, np.ndarray]
Method = Callable[[np.ndarray, np.ndarray, np.ndarray], Mapped]


def least_squares(source: np.ndarray, target: np.ndarray, pairs: np.ndarray) -> Mapped:
    """Mikolov et al. 2013."""
    return _mapped(source, target, linear_map(source[pairs[:, 0]], target[pairs[:, 1]]))


def procrustes(source: np.ndarray, target: np.ndarray, pairs: np.ndarray) -> Mapped:
    """Xing et al. 2015, Smith et al. 2017."""
    return _mapped(source, target, orthogonal_map(source[pairs[:, 0]], target[pairs[:, 1]]))


def refined(source: np.ndarray, target: np.ndarray, pairs: np.ndarray) -> Mapped:
    """Conneau et al. 2018, the supervised variant."""
    W = orthogonal_map(source[pairs[:, 0]], target[pairs[:, 1]])
    settings = refinement.RefinementSettings(mutual=True)
    return _mapped(source, target, refinement.refine(source, target, W, settings).W)


def cca(source: np.ndarray, target: np.ndarray, pairs: np.ndarray, **options: float) -> Mapped:
    """Faruqui and Dyer 2014."""
    return canonical_maps(source, target, pairs, CcaSettings(**options)).maps(source, target)


def self_learning(source: np.ndarray, target: np.ndarray, pairs: np.ndarray) -> Mapped:
    """Artetxe et al. 2017."""
    source, target = centred(source), centred(target)
    return _mapped(source, target, learn(source, target, pairs, SelfLearningSettings()).W)


def multistep(source: np.ndarray, target: np.ndarray, pairs: np.ndarray) -> Mapped:
    """Artetxe et al. 2018."""
    source, target = centred(source), centred(target)
    return multistep_maps(source, target, pairs, MultistepSettings()).maps(source, target)


def rcsls(source: np.ndarray, target: np.ndarray, pairs: np.ndarray, **options: str) -> Mapped:
    """Joulin et al. 2018."""
    found = train(source, target, pairs, RcslsSettings(**options), np.random.default_rng(0))
    print(f"  rate {found.rate:g}, {found.epochs} epochs")
    return _mapped(source, target, found.W)


def _mapped(source: np.ndarray, target: np.ndarray, W: np.ndarray) -> Mapped:
    return refinement.apply_map(source, W), target


METHODS: dict[str, Method] = {
    "least_squares": least_squares,
    "procrustes": procrustes,
    "procrustes, refined": refined,
    "cca": cca,
    "cca, all dimensions": partial(cca, share=1.0),
    "self_learning": self_learning,
    "multistep": multistep,
    "rcsls": rcsls,
    "rcsls, frobenius": partial(rcsls, constraint="frobenius"),
    "rcsls, none": partial(rcsls, constraint="none"),
    "rcsls, seeds": partial(rcsls, neighbourhoods="seeds"),
}
