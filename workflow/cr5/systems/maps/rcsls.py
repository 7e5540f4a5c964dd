"""RCSLS: a map that maximises CSLS of the seed pairs.

Its loss is a convex relaxation of CSLS (Joulin et al. 2018, preprint, Eq. 4). With fixed neighbours
it is linear in W, and where they change it is the larger of two linear functions: so it is convex,
and equals the inner product of W and its gradient.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from itertools import islice
from operator import itemgetter
from typing import TYPE_CHECKING, Any, Literal

import numpy as np
from pydantic import PositiveFloat, PositiveInt

from cr5.contracts.keys import LanguageOfRun, Some
from cr5.systems.maps.family import Seeded
from cr5.systems.maps.rotations import orthogonal_map
from cr5.systems.maps.rows import apply_map, centred
from cr5.systems.maps.spaces import Mapped, Space
from cr5.systems.maps.translation import NEIGHBOURS, precision

if TYPE_CHECKING:
    from cr5.contracts.training import Fit, TrainingSet

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
    choose_centre: tuple[LanguageOfRun, ...] = ()
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
        spaces = {self.centre: Spaces(source.vectors, target.vectors)}
        if self.changes_target(source.language, target.language):
            spaces[True] = Spaces(centred(source.vectors), centred(target.vectors))
        languages = f"{source.language}-{target.language}".encode()
        generator = np.random.default_rng([training.seed, *languages])
        W, report = self.train(spaces, pairs, generator, training.threads)
        chosen = spaces[report["centre"]]
        mapped = apply_map(chosen.source, W)
        return Mapped(mapped, chosen.target, {"seed_pairs": len(pairs)} | report)

    def train(
        self,
        spaces: Mapping[bool, Spaces],
        pairs: np.ndarray,
        generator: np.random.Generator,
        threads: int = 1,
    ) -> tuple[np.ndarray, dict[str, Any]]:
        """Choose among spaces, centred or not, rates and numbers of epochs; fit on all pairs.

        Returns the map, d x d float32; and a report of what was chosen, and of the P@1 by CSLS of
        what was tried, if there was anything to choose.
        """
        training_pairs, held_out = split(pairs, generator, HELD_OUT, HELD_OUT_WORDS)
        n_choices = len(spaces) * len(self.rates) * len(self.epochs)
        trials = []
        if len(held_out) and n_choices > 1:
            trials = list(self._trials(spaces, training_pairs, held_out, threads))
        chosen = {"centre": next(iter(spaces)), "rate": self.rates[0], "epochs": self.epochs[0]}
        if trials:
            best_trial = max(trials, key=itemgetter("precision"))  # the first of equal ones
            chosen = {option: best_trial[option] for option in chosen}
        lexicon = Lexicon.select(spaces[chosen["centre"]], pairs, self.neighbourhoods, threads)
        maps = descend(lexicon, chosen["rate"], self.constraint)
        W = next(islice(maps, chosen["epochs"] - 1, None)).astype(np.float32)
        if self.rounded:
            W = orthogonal_map(np.eye(len(W), dtype=np.float32), W)
        return W, chosen | {"trials": trials}

    def _trials(
        self,
        spaces: Mapping[bool, Spaces],
        training_pairs: np.ndarray,
        held_out: np.ndarray,
        threads: int,
    ) -> Iterator[dict[str, Any]]:
        """Translate the words held out by the maps of each choice."""
        for centre, candidates in spaces.items():
            lexicon = Lexicon.select(candidates, training_pairs, self.neighbourhoods, threads)
            source = candidates.source[:HELD_OUT_WORDS]
            target = candidates.target[:HELD_OUT_WORDS]
            for rate, epochs, W in self._maps(lexicon):
                p_at_1 = precision(apply_map(source, W.astype(np.float32)), target, held_out)
                choice = {"centre": centre, "rate": rate, "epochs": epochs}
                yield choice | {"precision": p_at_1}

    def _maps(self, lexicon: Lexicon) -> Iterator[tuple[float, int, np.ndarray]]:
        """Yield each rate, number of epochs, and the map after these, d x d float64."""
        for rate in self.rates:
            maps = islice(descend(lexicon, rate, self.constraint), max(self.epochs))
            for epochs, W in enumerate(maps, 1):
                if epochs in self.epochs:
                    yield rate, epochs, W


def split(
    pairs: np.ndarray, generator: np.random.Generator, share: float, n_frequent: int
) -> tuple[np.ndarray, np.ndarray]:
    """Hold out a share of the frequent source words, one at least, with all their pairs; keep one.

    Returns the pairs of other words, and those held out: of frequent words alone, so there may be
    none.
    """
    is_frequent = (pairs < n_frequent).all(axis=1)
    frequent_words = np.unique(pairs[is_frequent, 0])
    n_words = len(np.unique(pairs[:, 0]))
    at_least_one = max(1, round(share * len(frequent_words)))
    size = min(at_least_one, len(frequent_words), n_words - 1)
    held_out_words = generator.permutation(frequent_words)[:size]
    is_held_out = np.isin(pairs[:, 0], held_out_words)
    return pairs[~is_held_out], pairs[is_held_out & is_frequent]


@dataclass(frozen=True)
class Spaces:
    """The vectors of two languages, unit rows, most frequent word first."""

    source: np.ndarray
    target: np.ndarray


@dataclass(frozen=True)
class Lexicon:
    """Pairs of words, and the words among which their neighbours are searched; all unit rows.

    Mapped words of X have neighbours in `target`, words of Y in the mapped `source`: among all
    words, or those of the pairs ("Full" and "Seeds" of Table 2).
    """

    X: np.ndarray  # the different source words of the pairs
    Y: np.ndarray  # their different target words
    source_rows: np.ndarray  # (p,) the row in X of each pair
    target_rows: np.ndarray  # (p,) the row in Y
    source: np.ndarray  # words that may be neighbours
    target: np.ndarray
    threads: int

    @classmethod
    def select(
        cls, spaces: Spaces, pairs: np.ndarray, neighbourhoods: str, threads: int
    ) -> Lexicon:
        """Select the vectors of pairs, p x 2 row numbers."""
        source_words, source_rows = np.unique(pairs[:, 0], return_inverse=True)
        target_words, target_rows = np.unique(pairs[:, 1], return_inverse=True)
        X = spaces.source[source_words]
        Y = spaces.target[target_words]
        if neighbourhoods == "full":
            source = spaces.source
            target = spaces.target
        else:
            source = X
            target = Y
        return cls(X, Y, source_rows, target_rows, source, target, threads)

    def rotation(self) -> np.ndarray:
        """Return the Procrustes map of the pairs, d x d float32."""
        return orthogonal_map(self.X[self.source_rows], self.Y[self.target_rows])

    def loss(self, W: np.ndarray) -> tuple[float, np.ndarray]:
        """Return the loss of a map, and a subgradient: neighbours may tie.

        The loss is the mean over the pairs (x, y), with the k nearest neighbours N, of

            -2 x W y' + 1/k sum_{t in N(xW)} x W t' + 1/k sum_{s in N(y)} s W y'        (Eq. 4)

        With the mean vectors of the neighbours, n_x of the targets near x W and m_y of the sources
        near y, it is the inner product of W and its gradient, the mean of

            x' (n_x - 2 y) + m_y' y

        Mapped rows are not scaled: their length is part of the loss.
        """
        W_float32 = W.astype(np.float32)
        mapped_X = self.X @ W_float32
        mapped_source = self.source @ W_float32
        near_X = self._mean_of_nearest(mapped_X, self.target, self.target)
        near_Y = self._mean_of_nearest(self.Y, mapped_source, self.source)
        X = self.X[self.source_rows].astype(np.float64)
        Y = self.Y[self.target_rows].astype(np.float64)
        sums = X.T @ (near_X[self.source_rows] - 2 * Y) + near_Y[self.target_rows].T @ Y
        gradient = sums / len(X)
        return float((W * gradient).sum()), gradient

    def _mean_of_nearest(
        self, queries: np.ndarray, keys: np.ndarray, vectors: np.ndarray
    ) -> np.ndarray:
        """Mean vector of the k nearest keys of each query, or of all if there are fewer."""
        from cr5.search.nearest import nearest

        k = min(NEIGHBOURS, len(keys))
        _, columns = nearest(queries, keys, k, threads=self.threads)
        return sum(vectors[column].astype(np.float64) for column in columns.T) / k


def descend(lexicon: Lexicon, rate: float, constraint: str) -> Iterator[np.ndarray]:
    """Descend from the Procrustes map, without end: the map W of each epoch; the loss never rises.

    A step that does not lower the loss is undone, and the next is half as long.
    """
    W = lexicon.rotation().astype(np.float64)
    loss, gradient = lexicon.loss(W)
    while True:
        next_W = projected(W - rate * gradient, constraint)
        next_loss, next_gradient = lexicon.loss(next_W)
        if next_loss < loss:
            W = next_W
            loss = next_loss
            gradient = next_gradient
        else:
            rate /= 2
        yield W


def projected(W: np.ndarray, constraint: str) -> np.ndarray:
    """Project on the maps that lengthen no vector, or on the ball on which rotations lie."""
    if constraint == "spectral":  # the convex hull of the orthogonal maps
        U, s, Vt = np.linalg.svd(W)
        return (U * np.minimum(s, 1)) @ Vt
    if constraint == "frobenius":
        radius = np.sqrt(len(W))
        return W * min(1.0, radius / np.linalg.norm(W))
    return W
