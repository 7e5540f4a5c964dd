"""The topic models: their keys, and which estimator fits them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, ClassVar, Literal

from pydantic import Field, NonNegativeInt, PositiveFloat, PositiveInt

from cr5.base.parts import Some, System

if TYPE_CHECKING:
    from cr5.fitting.contract import Fit, TrainingSet


class TopicModel(System):
    """Topics that documents of several languages share; validation chooses how many of them."""

    merged: ClassVar[bool] = True  # whether a string of several languages is one word
    estimator: ClassVar[Literal["em", "coupled", "gibbs"]] = "em"
    without_counts = None  # topics are of counted words
    needs = ("counts",)

    # the paper keeps 1000 of JPLSA, 1000 and 200 of CPLSA
    dimensions: Some[Annotated[int, Field(ge=2)]] = (50, 100, 200, 500, 1000)
    """Numbers of topics; each is a fit."""
    skip_words: NonNegativeInt = 50
    """Most frequent strings that are dropped; of PLTM, in each language."""
    max_words: PositiveInt = 20_000
    """Strings kept of the others, the most frequent ones; likewise."""
    max_iterations: PositiveInt = 500
    """At most."""

    def fit(self, training: TrainingSet) -> Fit:
        """Fit each number of topics; see `topics.fits.fit`."""
        from cr5.systems.topics.fits import fit

        return fit(training, self)


class Platt(TopicModel):
    """What both topic models of Platt, Toutanova and Yih have, which are fitted by EM."""

    reference = "Platt, Toutanova and Yih, EMNLP 2010"

    alpha: Annotated[float, Field(gt=1)] = 1.1
    """Of the Dirichlet prior of topics in a document."""
    beta: Annotated[float, Field(gt=1)] = 1.01
    """Of that of words in a topic; the authors tried 1.001 to 1.1, with little effect."""
    start: Literal["blocks", "random"] = "blocks"
    """Topics of words: blocks of like frequency, or at random."""


class Jplsa(Platt):
    """JPLSA (Platt, Toutanova, Yih 2010, 2.4): topics that a concept's languages have in common.

    PLSA on the words of all languages of a concept together, with one vocabulary: a string in
    several languages is one word. Validation queries choose the topics and when to stop.
    """

    title = "JPLSA"
    cost = (1, 8)  # a fit for each number of topics, validated again and again


class Cplsa(Platt):
    """CPLSA (Platt, Toutanova, Yih 2010, 2.5): both documents of a pair have topics of their own.

    They share the words of topics, as in JPLSA, and their topics are brought together by posterior
    regularisation. Couples two languages; a concept with a document in one of them is not coupled.
    """

    title = "CPLSA"
    cost = (1, 24)  # a fit for each number of topics; several passes over each pair
    estimator = "coupled"

    # "paper" is 1, which the words of a document outweigh, so it has almost no effect;
    # "exact": they are equal (eps = 0).
    sigma: Literal["paper", "exact"] | PositiveFloat = "paper"
    """What a difference between the topics of a pair costs; `paper` is 1, `exact` allows none."""


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
    estimator = "gibbs"

    alpha: PositiveFloat = 0.1
    """Of the Dirichlet prior of topics in a concept."""
    beta: PositiveFloat = 0.01
    """Of the Dirichlet priors of words in a topic and language."""
    burn_in: NonNegativeInt = 100
    """Iterations before those over which topics are averaged and validated."""
