"""PLTM: latent Dirichlet allocation whose topics have words of their own in each language."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pydantic import NonNegativeInt, PositiveFloat

from cr5.systems.topics.family import TopicModel

if TYPE_CHECKING:
    from cr5.contracts.training import TrainingSet
    from cr5.systems.algebra.columns import Columns
    from cr5.systems.topics.gibbs import Gibbs


class Pltm(TopicModel):
    """Polylingual topic model (Mimno, Wallach, Naradowsky, Smith and McCallum, EMNLP 2009).

    Latent Dirichlet allocation in which all languages of a concept share its topics, and a topic
    has words of its own in each language: a string in several languages is several words. Fitted by
    Gibbs sampling. Validation queries choose the topics and when to stop.
    """

    title = "PLTM"
    reference = "Mimno, Wallach, Naradowsky, Smith and McCallum, EMNLP 2009"
    cost = (1, 8)  # a fit for each number of topics, validated again and again
    merged = False

    alpha: PositiveFloat = 0.1
    """Of the Dirichlet prior of topics in a concept."""
    beta: PositiveFloat = 0.01
    """Of the Dirichlet priors of words in a topic and language."""
    burn_in: NonNegativeInt = 100
    """Iterations before those over which topics are averaged and validated."""

    def estimator(self, training: TrainingSet, columns: Columns) -> Gibbs:
        """Return Gibbs sampling of one document per concept, languages side by side."""
        from cr5.systems.topics.documents import joined
        from cr5.systems.topics.gibbs import Gibbs

        return Gibbs(joined(training, columns), columns.starts, self, training.seed)
