"""What maps begin from and end with; light, as plans read what imports it."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import numpy as np

if TYPE_CHECKING:
    from cr5.systems.maps.spaces import Space


@dataclass(frozen=True)
class Mapped:
    """Two word spaces brought together.

    Attributes:
        source: n x k float32: unit rows of the words of the source language, mapped; a map that
            stretches gives them other lengths.
        target: m x k, likewise; None if the source was mapped to the target's own vectors.
        report: of the fit, JSON-able.
    """

    source: np.ndarray
    target: np.ndarray | None = None
    report: dict[str, Any] = field(default_factory=dict)


@dataclass(frozen=True)
class Start:
    """Where refinement begins: a map W (d x d float32) and its report."""

    W: np.ndarray
    report: dict[str, Any]


def generators(
    seed: int, source: Space, target: Space, starts: int
) -> Iterator[np.random.Generator]:
    """Yield a generator for each start, specific to the pair of languages.

    The order in which languages are mapped and the number of starts do not change them.
    """
    names = [*source.language.encode(), 0, *target.language.encode()]
    return (np.random.default_rng([seed, start, *names]) for start in range(starts))
