"""CPLSA: both documents of a pair have topics of their own, which are brought together."""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal

from pydantic import PositiveFloat

from cr5.systems.topics.family import TopicModel

if TYPE_CHECKING:
    from cr5.fitting.contract import Fit, TrainingSet

SIGMAS = {"paper": 1.0, "exact": None}


class Cplsa(TopicModel):
    """CPLSA (Platt, Toutanova, Yih 2010, 2.5): both documents of a pair have topics of their own.

    They share the words of topics, as in JPLSA, and their topics are brought together by posterior
    regularisation. Couples two languages; a concept with a document in one of them is not coupled.
    """

    title = "CPLSA"
    reference = "Platt, Toutanova and Yih, EMNLP 2010"
    cost = (1, 24)  # a fit for each number of topics; several passes over each pair

    # "paper" is 1, which the words of a document outweigh, so it has almost no effect;
    # "exact": they are equal (eps = 0).
    sigma: Literal["paper", "exact"] | PositiveFloat = "paper"
    """What a difference between the topics of a pair costs; `paper` is 1, `exact` allows none."""

    def fit(self, training: TrainingSet) -> Fit:
        """Fit each number of topics; see `topics.training.fit`.

        Raises:
            LeftOutError: there are not two languages.
        """
        from cr5.systems.projections.columns import Columns
        from cr5.systems.topics.corpus import coupled
        from cr5.systems.topics.coupling import CouplingSettings
        from cr5.systems.topics.em import Em
        from cr5.systems.topics.training import fit

        coupling = CouplingSettings(SIGMAS.get(self.sigma, self.sigma))

        def em_on(columns: Columns) -> Em:
            return Em(coupled(training, columns), settings=coupling, threads=training.threads)

        return fit(training, self, em_on)
