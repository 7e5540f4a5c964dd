"""JPLSA: topics that the languages of a concept have in common."""

from __future__ import annotations

from typing import TYPE_CHECKING

from cr5.systems.topics.platt import FittedByEm

if TYPE_CHECKING:
    from cr5.contracts.training import TrainingSet
    from cr5.systems.algebra.columns import Columns
    from cr5.systems.topics.em import Em


class Jplsa(FittedByEm):
    """JPLSA (Platt, Toutanova, Yih 2010, 2.4): topics that a concept's languages have in common.

    PLSA on the words of all languages of a concept together, with one vocabulary: a string in
    several languages is one word. Validation queries choose the topics and when to stop.
    """

    title = "JPLSA"
    cost = (1, 8)  # a fit for each number of topics, validated again and again

    def estimator(self, training: TrainingSet, columns: Columns) -> Em:
        """Return EM on one document per concept."""
        from cr5.systems.topics.documents import joined

        return self.em(training, joined(training, columns))
