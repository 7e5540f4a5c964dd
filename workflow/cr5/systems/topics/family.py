"""Topic models: the keys that they share, and the way from training documents to topics."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, ClassVar, Protocol

from pydantic import Field, NonNegativeInt, PositiveInt

from cr5.contracts.keys import Some
from cr5.contracts.system import System

if TYPE_CHECKING:
    import numpy as np
    from scipy import sparse

    from cr5.contracts.training import Fit, TrainingSet
    from cr5.systems.algebra.columns import Columns


class Estimator(Protocol):
    """Improves topics of documents, one iteration after the other."""

    counts: sparse.csr_matrix  # documents x columns
    n_pairs: int  # of documents whose topics are coupled
    burn_in: int  # iterations before the first that counts
    prior: float  # what the prior adds to the weight of each topic in a document

    def start(self, n_topics: int) -> None:
        """Begin with so many topics."""

    def step(self) -> None:
        """Do one iteration."""

    def means(self) -> tuple[np.ndarray, np.ndarray]:
        """Return p(word | topic), columns x topics, and the mean p(topic) of the documents."""


class TopicModel(System):
    """Topics that documents of several languages share; validation chooses how many of them."""

    merged: ClassVar[bool] = True  # whether a string of several languages is one word
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
        """Fit each number of topics; keep those that rank the validation queries best."""
        from cr5.systems.algebra.columns import columns_of
        from cr5.systems.topics.selection import best_topics

        columns = columns_of(training, self, self.merged)
        estimator = self.estimator(training, columns)
        return best_topics(training, self, columns, estimator)

    def estimator(self, training: TrainingSet, columns: Columns) -> Estimator:
        """Return what finds topics of the training documents in these columns."""
        raise NotImplementedError
