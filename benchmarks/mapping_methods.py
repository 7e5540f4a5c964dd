"""The mappings that `benchmarks.mappings` compares, by name.

Each is a function (source, target, pairs) -> (mapped source, mapped target): vectors n x d and
m x d float32, unit rows, most frequent word first; pairs of the training dictionary, p x 2 row
numbers. Those of `UNSUPERVISED` need none, and are (source, target, generator) -> W.
"""

from collections.abc import Callable, Sequence
from functools import partial

import numpy as np

from cr5.systems.mapping import refinement
from cr5.systems.mapping.cca import CcaSettings, canonical_maps
from cr5.systems.mapping.icp import IcpSettings, closest_points
from cr5.systems.mapping.least_squares import linear_map
from cr5.systems.mapping.multistep import MultistepSettings, multistep_maps
from cr5.systems.mapping.procrustes import orthogonal_map
from cr5.systems.mapping.profiles import ProfileSettings, first_pairs
from cr5.systems.mapping.rcsls import RcslsSettings, train
from cr5.systems.mapping.self_learning import SelfLearningSettings, learn
from cr5.systems.mapping.spaces import centred
from cr5.systems.mapping.stochastic import StochasticSettings, self_learn
from cr5.systems.mapping.wasserstein import (
    GromovSettings,
    WassersteinSettings,
    gromov,
    map_of,
    wasserstein_procrustes,
)

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


def similarity(
    source: np.ndarray, target: np.ndarray, generator: np.random.Generator
) -> np.ndarray:
    """Artetxe et al. 2018, without a dictionary; smaller and less patient than published."""
    source, target = centred(source), centred(target)
    settings = StochasticSettings(learning_words=2000, patience=10)
    pairs = first_pairs(source, target, ProfileSettings())
    return self_learn(source, target, pairs, settings, generator).W


def wasserstein(
    source: np.ndarray, target: np.ndarray, generator: np.random.Generator
) -> np.ndarray:
    """Alvarez-Melis and Jaakkola 2018, then Grave et al. 2018."""
    start = map_of(gromov(source, target, GromovSettings()).plan, source, target)
    return wasserstein_procrustes(source, target, start, WassersteinSettings(), generator)


def icp(source: np.ndarray, target: np.ndarray, generator: np.random.Generator) -> np.ndarray:
    """Hoshen and Wolf 2018."""
    return closest_points(source, target, IcpSettings(), generator).W


def unsupervised(
    source: np.ndarray, target: np.ndarray, pairs: np.ndarray, name: str, seed: int
) -> Mapped:
    """A start without a dictionary, and the refinement that all of them have."""
    W = UNSUPERVISED[name](source, target, np.random.default_rng(seed))
    found = refinement.refine(source, target, W, refinement.RefinementSettings())
    return _mapped(source, target, found.W)


UNSUPERVISED: dict[str, Callable[[np.ndarray, np.ndarray, np.random.Generator], np.ndarray]] = {
    "similarity": similarity,
    "wasserstein": wasserstein,
    "icp": icp,
}
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


def methods(names: Sequence[str], seeds: int) -> dict[str, Method]:
    """Give the methods of some names; those that are random once for each seed."""
    found = {}
    for name in names:
        if name in METHODS:
            found[name] = METHODS[name]
        else:
            found |= {f"{name} {x}": partial(unsupervised, name=name, seed=x) for x in range(seeds)}
    return found
