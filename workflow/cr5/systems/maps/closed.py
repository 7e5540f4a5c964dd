"""Maps in closed form from seed pairs, alone or again and again."""

from __future__ import annotations

from typing import Annotated

import numpy as np
from pydantic import Field, NonNegativeFloat, PositiveInt

from cr5.systems.maps import search
from cr5.systems.maps.family import Refined, Seeded, Space
from cr5.systems.maps.search import Mapped, best_of, orthogonal_map

POWER = 0.5  # p of VecMap's re-weighting by s^p, s being how well a dimension agrees (step 3)
THRESHOLD = 1e-6  # by which the mean similarity must improve, or the last round is the last


class Procrustes(Refined, Seeded):
    """Orthogonal Procrustes from seed pairs, and refinement (Conneau et al. 2018).

    The pairs are from a dictionary (Xing et al. 2015), identical strings (Smith et al. 2017) or
    numerals (Artetxe et al. 2017). Many words that are spelled the same (names, numbers, loans) are
    translations, and refinement replaces the others. Without rounds it is Procrustes alone; the
    supervised variant of Conneau et al. is `mutual`, with the vectors' own lengths.
    """

    title = "Procrustes"
    reference = "Xing et al., NAACL 2015; Smith et al., ICLR 2017; Conneau et al., ICLR 2018"
    colour = "#009E73"

    own_lengths: bool = False
    """Whether vectors keep their own lengths, as in Conneau et al."""

    @property
    def own(self) -> bool:
        """Whether vectors keep their own lengths."""
        return self.own_lengths

    def solve(self, source: Space, target: Space, X: np.ndarray, Y: np.ndarray) -> Mapped:
        """Rotate the source space, and refine the rotation."""
        return best_of([orthogonal_map(X, Y)], source, target, self)


class LeastSquares(Seeded):
    """Least squares from seed pairs: the map of Mikolov et al. 2013.

    It may stretch and shrink, unlike a rotation. Vectors have their own lengths, as in the paper.
    """

    title = "Least squares"
    reference = "Mikolov, Le and Sutskever, 2013"
    own = True

    def solve(self, source: Space, target: Space, X: np.ndarray, Y: np.ndarray) -> Mapped:
        """Minimise ||X W - Y||_F (Eq. 3); the smallest W if several fit equally well."""
        W = np.linalg.lstsq(X.astype(np.float64), Y.astype(np.float64), rcond=None)[0]
        return Mapped(source.vectors @ W.astype(np.float32))


class WordCca(Seeded):
    """Canonical correlation analysis of seed pairs (Faruqui and Dyer 2014).

    Both languages are projected, so three or more do not meet in one space: see `kind: pairwise`.
    The values of section 3.2 and the authors' code. Centring the vocabulary comes first; the
    projection centres anyway.
    """

    title = "CCA (words)"
    reference = "Faruqui and Dyer, EACL 2014"
    both_sides = True

    share: Annotated[float, Field(gt=0, le=1)] = 0.5
    """Of the dimensions that is kept, the best correlated ones."""

    def solve(self, source: Space, target: Space, X: np.ndarray, Y: np.ndarray) -> Mapped:
        """Fit on the pairs, centred by their mean; map vocabularies, each centred by its own."""
        both = canonical_directions(X, Y, self.share)
        rows = (
            search.apply_map(search.about_mean(x.vectors), W.astype(np.float32))
            for x, W in zip((source, target), both, strict=True)
        )
        return Mapped(*rows)


class Multicca(Seeded):
    """Languages are mapped onto one of them by canonical correlations (Ammar et al. 2016).

    CCA of a language with the pivot projects both to where their seed pairs agree, x A and y B. As
    B has an inverse, x A B^-1 is in the pivot's own space, where all languages meet; so it is
    `word_cca` for any number of languages. All dimensions are kept.
    """

    title = "MultiCCA"
    reference = "Ammar et al., 2016"

    ridge: NonNegativeFloat = 0.0
    """Added to the variance of each dimension of the paired vectors."""

    def solve(self, source: Space, target: Space, X: np.ndarray, Y: np.ndarray) -> Mapped:
        """Fit on the pairs; the mean of the source's words is mapped onto that of the target's."""
        A, B = canonical_directions(X, Y, 1.0, self.ridge)
        means = [each.vectors.mean(axis=0, dtype=np.float64) for each in (source, target)]
        mapped = (source.vectors - means[0]) @ A @ np.linalg.pinv(B) + means[1]
        return Mapped(search.unit(mapped.astype(np.float32)))


class VecmapSupervised(Seeded):
    """Whiten, rotate by seed pairs, re-weight, de-whiten (Artetxe et al. 2018, AAAI).

    Both languages are changed, so three or more do not meet in one space: see `kind: pairwise`.
    The values are those that the authors' code recommends with a dictionary.
    """

    title = "VecMap, supervised"
    reference = "Artetxe, Labaka and Agirre, AAAI 2018"
    both_sides = True

    centre: bool = True
    """Whether the mean of all vectors is subtracted first."""

    def solve(self, source: Space, target: Space, X: np.ndarray, Y: np.ndarray) -> Mapped:
        """Map both spaces: whiten, turn, re-weight, and de-whiten where the weights are."""
        X, Y = X.astype(np.float64), Y.astype(np.float64)
        (to_X, back_X), (to_Y, back_Y) = roots(X), roots(Y)
        U, s, Vt = np.linalg.svd(to_X @ X.T @ Y @ to_Y)
        maps = (
            to @ (turn * s**POWER) @ (turn.T @ back @ turn)
            for to, back, turn in ((to_X, back_X, U), (to_Y, back_Y, Vt.T))
        )
        rows = (x.mapped(W.astype(np.float32)) for x, W in zip((source, target), maps, strict=True))
        return Mapped(*rows)


class VecmapSelfLearning(Seeded):
    """Self-learning from a few seed pairs, such as numerals (Artetxe et al. 2017).

    The values of Artetxe et al. 2017 (section 3 and the authors' code).
    """

    title = "VecMap, self-learning"
    reference = "Artetxe, Labaka and Agirre, ACL 2017"
    cost = (1, 24)  # each round searches among all words
    least = 1

    centre: bool = True
    """Whether the mean of all vectors is subtracted first."""
    # It ends even without a limit: a round cannot lower the mean similarity.
    rounds: PositiveInt = 500
    """At most."""

    def solve(self, source: Space, target: Space, X: np.ndarray, Y: np.ndarray) -> Mapped:
        """Map the source space by the best of the maps learnt.

        Reports the rounds taken; `converged` is False if they ran out.
        """
        best, best_W, gain, taken = -np.inf, None, np.inf, 0
        while gain >= THRESHOLD and taken < self.rounds:
            W = orthogonal_map(X, Y)
            mapped = source.mapped(W)
            forward = search.translate(mapped, target.vectors, neighbours=0)
            similarity = search.criterion(mapped, target.vectors, forward, len(mapped))
            gain, taken = similarity - best, taken + 1
            if gain > 0:
                best, best_W = similarity, W
            X, Y = source.vectors, target.vectors[forward]
        report = {"rounds": taken, "converged": bool(gain < THRESHOLD)}
        return Mapped(source.mapped(best_W), report=report)


def roots(X: np.ndarray, ridge: float = 0.0) -> tuple[np.ndarray, np.ndarray]:
    """Symmetric Z with Z'(X'X + ridge I) Z = I, and its (pseudo-)inverse (step 1); for X p x d.

    By the singular values of X: those of X'X would square the error. With Z the dimensions of
    paired vectors are uncorrelated; directions outside the span of X become zero.
    """
    _, s, Vt = np.linalg.svd(X.astype(np.float64), full_matrices=False)
    spanned = s > s.max(initial=0) * max(X.shape) * np.finfo(np.float64).eps
    s, Vt = np.sqrt(s[spanned] ** 2 + ridge), Vt[spanned]
    return (Vt.T / s) @ Vt, (Vt.T * s) @ Vt


def canonical_directions(
    X: np.ndarray, Y: np.ndarray, share: float, ridge: float = 0.0
) -> tuple[np.ndarray, np.ndarray]:
    """The best canonical directions of pairs X and Y, d x r, by falling correlation.

    With whitened pairs P and Q and the singular value decomposition P'Q = U S V', they are the
    columns of U and V, and S has the correlations.
    """
    X, Y = (rows - rows.mean(axis=0, dtype=np.float64) for rows in (X, Y))
    # There are p rows, so the ridge applies to the covariance, X'X / p.
    Zx, Zy = (roots(rows, ridge * len(rows))[0] for rows in (X, Y))
    U, s, Vt = np.linalg.svd(Zx @ X.T @ Y @ Zy)
    r = int(np.ceil(share * len(s)))
    return Zx @ U[:, :r], Zy @ Vt[:r].T
