"""The mappings that `benchmarks.mappings` compares, by name.

Each is a function (source, target, pairs) -> (mapped source, mapped target): vectors n x d and
m x d float32, unit rows, most frequent word first; pairs of the training dictionary, p x 2 row
numbers. Those of `UNSUPERVISED` ignore the pairs, and are random.
"""

from collections.abc import Callable, Sequence
from functools import partial
from types import ModuleType, SimpleNamespace
from typing import Any

import numpy as np

from cr5.base.options import complete
from cr5.systems import (
    icp,
    least_squares,
    procrustes,
    rcsls,
    vecmap_self_learning,
    vecmap_supervised,
    vecmap_unsupervised,
    wasserstein,
    word_cca,
)
from cr5.systems.mapping.maps import apply_map
from cr5.systems.mapping.refinement import refine
from cr5.systems.mapping.spaces import Space, centred

Mapped = tuple[np.ndarray, np.ndarray]
Method = Callable[[np.ndarray, np.ndarray, np.ndarray], Mapped]

# A system, and its options beside the defaults.
METHODS: dict[str, tuple[ModuleType, dict[str, Any]]] = {
    "least_squares": (least_squares, {}),
    "procrustes": (procrustes, {"rounds": 0}),
    "procrustes, refined": (procrustes, {"mutual": True}),
    "cca": (word_cca, {}),
    "cca, all dimensions": (word_cca, {"share": 1.0}),
    "self_learning": (vecmap_self_learning, {}),
    "multistep": (vecmap_supervised, {}),
    "rcsls": (rcsls, {}),
    "rcsls, frobenius": (rcsls, {"constraint": "frobenius"}),
    "rcsls, none": (rcsls, {"constraint": "none"}),
    "rcsls, seeds": (rcsls, {"neighbourhoods": "seeds"}),
    "rcsls, rounded": (rcsls, {"rounded": True}),
    "rcsls, centred": (rcsls, {"centre": True}),
    "rcsls, epochs": (rcsls, {"epochs": [1, 2, 5, 10]}),
}
UNSUPERVISED: dict[str, tuple[ModuleType, dict[str, Any]]] = {
    # smaller and less patient than published
    "similarity": (vecmap_unsupervised, {"learning_words": 2000, "patience": 10}),
    "wasserstein": (wasserstein, {}),
    "icp": (icp, {}),
}


def seeded(source: np.ndarray, target: np.ndarray, pairs: np.ndarray, name: str) -> Mapped:
    """Map by pairs of words."""
    system, given = METHODS[name]
    options = complete(system.OPTIONS, given)
    spaces = _spaces(source, target, centre=options["centre"])
    training = [SimpleNamespace(seed=0, threads=1)] if system is rcsls else []
    found = system.solve(*training, *spaces, pairs, options)
    return found.source, spaces[1].vectors if found.target is None else found.target


def unsupervised(
    source: np.ndarray, target: np.ndarray, pairs: np.ndarray, name: str, seed: int
) -> Mapped:
    """A start without a dictionary, and the refinement that all of them have."""
    system, given = UNSUPERVISED[name]
    options = complete(system.OPTIONS, given | {"starts": 1})
    [start] = system.starts(*_spaces(source, target, centre=options["centre"]), options, seed)
    return apply_map(source, refine(source, target, start.W, options).W), target


def _spaces(source: np.ndarray, target: np.ndarray, *, centre: bool) -> tuple[Space, Space]:
    rows = (centred(x) if centre else x for x in (source, target))
    return tuple(
        Space(x, [], np.arange(len(each)), each) for x, each in zip("st", rows, strict=True)
    )


def methods(names: Sequence[str], seeds: int) -> dict[str, Method]:
    """Give the methods of some names; those that are random once for each seed."""
    found = {}
    for name in names:
        if name in METHODS:
            found[name] = partial(seeded, name=name)
        else:
            found |= {f"{name} {x}": partial(unsupervised, name=name, seed=x) for x in range(seeds)}
    return found
