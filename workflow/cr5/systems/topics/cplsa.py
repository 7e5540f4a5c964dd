"""CPLSA: both documents of a pair have topics of their own, which are brought together."""

from __future__ import annotations

from math import inf
from typing import TYPE_CHECKING, Literal

from pydantic import PositiveFloat

from cr5.systems.topics.platt import FittedByEm

if TYPE_CHECKING:
    from cr5.contracts.training import TrainingSet
    from cr5.systems.algebra.columns import Columns
    from cr5.systems.topics.em import Em

SIGMAS = {"paper": 1.0, "exact": inf}


class Cplsa(FittedByEm):
    """CPLSA (Platt, Toutanova, Yih 2010, 2.5): both documents of a pair have topics of their own.

    They share the words of topics, as in JPLSA, and their topics are brought together by posterior
    regularisation. Couples two languages; a concept with a document in one of them is not coupled.
    """

    title = "CPLSA"
    cost = (1, 24)  # a fit for each number of topics; several passes over each pair

    # "paper" is 1, which the words of a document outweigh, so it has almost no effect;
    # "exact": they are equal (eps = 0).
    sigma: Literal["paper", "exact"] | PositiveFloat = "paper"
    """What a difference between the topics of a pair costs; `paper` is 1, `exact` allows none."""

    def estimator(self, training: TrainingSet, columns: Columns) -> Em:
        """Return EM on one document per concept and language, coupled by pairs."""
        from cr5.systems.topics.documents import coupled

        documents, n_pairs = coupled(training, columns)
        sigma = SIGMAS.get(self.sigma, self.sigma)
        return self.em(training, documents, n_pairs, sigma)
