"""PLTM: topics with words of their own in each language, fitted by Gibbs sampling."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pydantic import NonNegativeInt, PositiveFloat, PositiveInt

from cr5.systems.topics.family import TopicModel

if TYPE_CHECKING:
    from cr5.fitting.contract import Fit, TrainingSet


class Pltm(TopicModel):
    """Polylingual topic model (Mimno, Wallach, Naradowsky, Smith and McCallum, EMNLP 2009).

    Latent Dirichlet allocation in which all languages of a concept share its topics, and a topic
    has words of its own in each language: a string in several languages is several words. Fitted by
    Gibbs sampling. Validation queries choose the topics and when to stop.
    """

    title = "PLTM"
    reference = "Mimno, Wallach, Naradowsky, Smith and McCallum, EMNLP 2009"
    cost = (1, 8)  # a fit for each number of topics, validated again and again

    skip_words: NonNegativeInt = 50
    """Most frequent words of each language that are dropped."""
    max_words: PositiveInt = 20_000
    """Words of each language kept of the others."""
    alpha: PositiveFloat = 0.1
    """Of the Dirichlet prior of topics in a concept."""
    beta: PositiveFloat = 0.01
    """Of the Dirichlet priors of words in a topic and language."""
    burn_in: NonNegativeInt = 100
    """Iterations before those over which topics are averaged and validated."""

    def fit(self, training: TrainingSet) -> Fit:
        """Fit each number of topics; see `topics.training.fit`."""
        from cr5.systems.projections.columns import Columns
        from cr5.systems.topics.corpus import joined
        from cr5.systems.topics.gibbs import Gibbs
        from cr5.systems.topics.training import fit

        given = self.burn_in, training.seed

        def sampler_on(columns: Columns) -> Gibbs:
            corpus = joined(training, columns)
            return Gibbs(corpus, self.alpha, self.beta, columns.starts, *given)

        return fit(training, self, sampler_on, merged=False)
