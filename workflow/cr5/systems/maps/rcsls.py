"""RCSLS: a map that maximises CSLS of the seed pairs.

Its loss is a convex relaxation of CSLS (Joulin et al. 2018, preprint, Eq. 4). With fixed neighbours
it is linear in W, and where they change it is the larger of two linear functions: so it is convex,
and equals the inner product of W and its gradient.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from itertools import islice
from typing import TYPE_CHECKING, Any, Literal

import numpy as np
from pydantic import PositiveFloat, PositiveInt

from cr5.base.parts import Some
from cr5.systems.maps.family import Seeded
from cr5.systems.maps.rotations import orthogonal_map
from cr5.systems.maps.rows import apply_map, centred
from cr5.systems.maps.spaces import Mapped, Space
from cr5.systems.maps.translation import NEIGHBOURS, precision

if TYPE_CHECKING:
    from cr5.fitting.contract import Fit, TrainingSet

HELD_OUT = 0.1  # share of the dictionary's words by whose translations a rate is chosen
HELD_OUT_WORDS = 20_000  # most frequent words among which those held out are translated


class Rcsls(Seeded):
    """RCSLS: a map that maximises CSLS of the seed pairs (Joulin et al. 2018).

    Subgradient descent from the Procrustes map. The rate, the number of epochs and, if asked for,
    whether the vectors are centred are chosen by translating a held-out share of the dictionary;
    then the map is fitted on all of it. The values of section 3 of the preprint, and the authors'
    code.
    """

    title = "RCSLS"
    reference = "Joulin, Bojanowski, Mikolov and Grave, preprint, 2018"
    cost = (1, 24)  # a fit for each rate, each epoch a search among all words

    # Joulin et al. centre for English and Chinese alone (section 3).
    choose_centre: tuple[str, ...] = ()
    """Languages whose pairs choose `centre` too."""
    # With `none` only the number of epochs bounds the map: it can always grow.
    constraint: Literal["spectral", "frobenius", "none"] = "spectral"
    """No singular value above 1; no larger than a rotation; none."""
    neighbourhoods: Literal["full", "seeds"] = "full"
    """Among all words, or those of the dictionary."""
    rates: Some[PositiveFloat] = (1.0, 10.0, 25.0, 50.0)
    """Learning rates to choose from."""
    epochs: Some[PositiveInt] = (10,)
    """Numbers of epochs to choose from."""
    rounded: bool = False
    """Whether the rotation nearest to the map takes its place in the end."""

    def fit(self, training: TrainingSet) -> Fit:
        """Fit the map of each pair; languages that choose `centre` are not centred before."""
        chooses = self.changes_target(*training.languages)
        system = self.model_copy(update={"centre": self.centre and not chooses})
        return super(Rcsls, system).fit(training)

    def changes_target(self, *languages: str) -> bool:
        """Whether these choose if vectors are centred, which changes both spaces."""
        return not set(self.choose_centre).isdisjoint(languages)

    def map(self, source: Space, target: Space, training: TrainingSet) -> Mapped:
        """Map the source space, with what is best for the pair of all that is to be chosen."""
        pairs = self.pairs(source, target, training)
        names = f"{source.language}-{target.language}".encode()
        spaces = {self.centre: (source.vectors, target.vectors)}
        if self.changes_target(source.language, target.language):
            spaces[True] = tuple(map(centred, spaces[False]))
        generator = np.random.default_rng([training.seed, *names])
        W, report = self.train(spaces, pairs, generator, training.threads)
        X, Y = spaces[report["centre"]]
        return Mapped(apply_map(X, W), Y, {"seed_pairs": len(pairs), **report})

    def train(
        self,
        spaces: Mapping[bool, tuple[np.ndarray, np.ndarray]],
        pairs: np.ndarray,
        generator: np.random.Generator,
        threads: int = 1,
    ) -> tuple[np.ndarray, dict[str, Any]]:
        """Choose among spaces, centred or not, rates and numbers of epochs; fit on all pairs.

        Returns the map, d x d float32; and a report of what was chosen, and of the P@1 by CSLS of
        what was tried, if there was anything to choose.
        """
        full, trials = self.neighbourhoods == "full", []
        kept, held_out = split(pairs, generator, HELD_OUT, HELD_OUT_WORDS)
        if len(held_out) and len(spaces) * len(self.rates) * len(self.epochs) > 1:
            for centre, (X, Y) in spaces.items():
                some = Lexicon(X, Y, kept, full, threads)
                found = self._trials(some, X[:HELD_OUT_WORDS], Y[:HELD_OUT_WORDS], held_out)
                trials += [{"centre": centre, **trial} for trial in found]
        first = {"centre": next(iter(spaces)), "rate": self.rates[0], "epochs": self.epochs[0]}
        best = max(trials or [first], key=lambda trial: trial.get("precision"))  # first of equals
        every = Lexicon(*spaces[best["centre"]], pairs, full, threads)
        *_, W = islice(steps(every, best["rate"], self.constraint), best["epochs"])
        W = W.astype(np.float32)
        if self.rounded:
            W = orthogonal_map(np.eye(len(W), dtype=np.float32), W)
        return W, {x: best[x] for x in first} | {"trials": trials}

    def _trials(
        self, kept: Lexicon, X: np.ndarray, Y: np.ndarray, held_out: np.ndarray
    ) -> Iterator[dict[str, Any]]:
        for rate in self.rates:
            tried = steps(kept, rate, self.constraint)
            for epoch, W in enumerate(islice(tried, max(self.epochs)), 1):
                if epoch in self.epochs:
                    right = precision(apply_map(X, W.astype(np.float32)), Y, held_out)
                    yield {"rate": rate, "epochs": epoch, "precision": right}


def split(
    pairs: np.ndarray, generator: np.random.Generator, share: float, words: int
) -> tuple[np.ndarray, np.ndarray]:
    """Hold out a share of the frequent source words, one at least, with all their pairs; keep one.

    Pairs that are held out are of frequent words alone, and so may be none.
    """
    frequent = (pairs < words).all(axis=1)
    found = np.unique(pairs[frequent, 0])
    most = min(len(found), len(np.unique(pairs[:, 0])) - 1)
    size = min(max(1, round(share * len(found))), most)
    drawn = np.isin(pairs[:, 0], generator.permutation(found)[:size])
    return pairs[~drawn], pairs[drawn & frequent]


class Lexicon:
    """Pairs of words, rows of X and Y, and the words among which their neighbours are searched.

    X and Y have the different words of either side, unit rows; mapped words of X have neighbours in
    `target`, words of Y in the mapped `source`: among all words, or those of the pairs ("Full" and
    "Seeds" of Table 2).
    """

    def __init__(
        self, source: np.ndarray, target: np.ndarray, pairs: np.ndarray, full: bool, threads: int
    ):
        (words, self.x), (others, self.y) = (
            np.unique(side, return_inverse=True) for side in pairs.T
        )
        self.X, self.Y = source[words], target[others]
        self.source, self.target = (source, target) if full else (self.X, self.Y)
        self.threads = threads

    def loss(self, W: np.ndarray) -> tuple[float, np.ndarray]:
        """-1/p [2 sum xWy' - 1/k sum over neighbours of xW - 1/k sum over those of y]; the slope.

        A subgradient if neighbours tie. Mapped rows are not scaled: their length is part of the
        loss.
        """
        mapped_X, mapped_source = (rows @ W.astype(np.float32) for rows in (self.X, self.source))
        near_X = self._near(mapped_X, self.target, self.target)
        near_Y = self._near(self.Y, mapped_source, self.source)
        x, y = self.x, self.y
        X, Y = self.X[x].astype(np.float64), self.Y[y].astype(np.float64)
        gradient = (X.T @ (near_X[x] - 2 * Y) + near_Y[y].T @ Y) / len(x)
        return float((W * gradient).sum()), gradient

    def _near(self, queries: np.ndarray, keys: np.ndarray, vectors: np.ndarray) -> np.ndarray:
        """Mean vector of the k nearest keys of each query, or of all if there are fewer."""
        from cr5.search.nearest import nearest

        k = min(NEIGHBOURS, len(keys))
        _, columns = nearest(queries, keys, k, threads=self.threads)
        return sum(vectors[column].astype(np.float64) for column in columns.T) / k


def steps(given: Lexicon, rate: float, constraint: str) -> Iterator[np.ndarray]:
    """Descend from the Procrustes map, without end: the map W of each epoch; the loss never rises.

    A step that does not lower the loss is undone, and the next is half as long.
    """
    W = orthogonal_map(given.X[given.x], given.Y[given.y]).astype(np.float64)
    value, gradient = given.loss(W)
    while True:
        tried = projected(W - rate * gradient, constraint)
        tried_value, tried_gradient = given.loss(tried)
        if tried_value < value:
            W, value, gradient = tried, tried_value, tried_gradient
        else:
            rate /= 2
        yield W


def projected(W: np.ndarray, constraint: str) -> np.ndarray:
    """Project on the maps that lengthen no vector, or on the ball on which rotations lie."""
    if constraint == "spectral":  # the convex hull of the orthogonal maps
        U, s, Vt = np.linalg.svd(W)
        return (U * np.minimum(s, 1)) @ Vt
    if constraint == "frobenius":
        return W * min(1.0, np.sqrt(len(W)) / np.linalg.norm(W))
    return W
