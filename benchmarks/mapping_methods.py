"""The mappings that `benchmarks.mappings` compares, by name.

Each is a function (source, target, pairs) -> (mapped source, mapped target): vectors n x d and
m x d float32, most frequent word first; pairs of the training dictionary, p x 2 row numbers. What
is mapped has unit rows. Those of `UNSUPERVISED` ignore the pairs, and are random.
"""

from collections.abc import Callable, Sequence
from functools import partial
from types import SimpleNamespace
from typing import Any

import numpy as np

from cr5.base.parts import SYSTEMS
from cr5.base.rows import unit_rows
from cr5.fitting.seeds import Seeds
from cr5.systems.maps.family import OntoPivot, Space, directions
from cr5.systems.maps.search import best_of

Mapped = tuple[np.ndarray, np.ndarray]
Method = Callable[[np.ndarray, np.ndarray, np.ndarray], Mapped]

# A system, and its keys beside the defaults.
METHODS: dict[str, tuple[str, dict[str, Any]]] = {
    "least_squares": ("least_squares", {}),
    "procrustes": ("procrustes", {"rounds": 0}),
    "procrustes, own lengths": ("procrustes", {"rounds": 0, "own_lengths": True}),
    "procrustes, refined": ("procrustes", {"mutual": True}),
    "procrustes, refined, own lengths": ("procrustes", {"mutual": True, "own_lengths": True}),
    "cca": ("word_cca", {}),
    "cca, all dimensions": ("word_cca", {"share": 1.0}),
    "self_learning": ("vecmap_self_learning", {}),
    "multistep": ("vecmap_supervised", {}),
    "rcsls": ("rcsls", {}),
    "rcsls, frobenius": ("rcsls", {"constraint": "frobenius"}),
    "rcsls, none": ("rcsls", {"constraint": "none"}),
    "rcsls, seeds": ("rcsls", {"neighbourhoods": "seeds"}),
    "rcsls, rounded": ("rcsls", {"rounded": True}),
    "rcsls, centred": ("rcsls", {"centre": True}),
    "rcsls, epochs": ("rcsls", {"epochs": [1, 2, 5, 10]}),
}
UNSUPERVISED: dict[str, tuple[str, dict[str, Any]]] = {
    # smaller and less patient than published
    "similarity": ("vecmap_unsupervised", {"learning_words": 2000, "patience": 10}),
    "wasserstein": ("wasserstein", {}),
    "icp": ("icp", {}),
    # The discriminator is narrower and the game shorter than published: minutes instead of hours.
    "advrefine": ("advrefine", {"hidden": 256, "epochs": 4, "samples": 200_000}),
}


def seeded(source: np.ndarray, target: np.ndarray, pairs: np.ndarray, name: str) -> Mapped:
    """Map by pairs of words."""
    part, given = METHODS[name]
    system = SYSTEMS.part(part, given)
    spaces = _spaces(source, target, system)
    dictionary = Seeds({("s", "t"): [(str(i), str(j)) for i, j in pairs]})
    training = SimpleNamespace(seed=0, threads=1, languages=("s", "t"), seeds=dictionary)
    found = system.map(*spaces, training)
    return unit_rows(found.source), spaces[1].vectors if found.target is None else found.target


def unsupervised(
    source: np.ndarray, target: np.ndarray, pairs: np.ndarray, name: str, seed: int
) -> Mapped:
    """A start without a dictionary, and the refinement that all of them have."""
    part, given = UNSUPERVISED[name]
    system = SYSTEMS.part(part, given | {"starts": 1})
    spaces = _spaces(source, target, system)
    found = best_of(system.begin(*spaces, seed), *spaces, system)
    return found.source, spaces[1].vectors


def _spaces(source: np.ndarray, target: np.ndarray, system: OntoPivot) -> tuple[Space, Space]:
    return tuple(
        Space(name, [*map(str, range(len(rows)))], np.arange(len(rows)), *directions(rows, system))
        for name, rows in zip("st", (source, target), strict=True)
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
