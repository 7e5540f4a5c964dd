"""What both topic models of Platt, Toutanova and Yih have in common."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Literal

from pydantic import Field

from cr5.systems.topics.family import TopicModel

if TYPE_CHECKING:
    from scipy import sparse

    from cr5.contracts.training import TrainingSet
    from cr5.systems.topics.em import Em


class FittedByEm(TopicModel):
    """Topics that are fitted by expectation maximisation, with priors."""

    reference = "Platt, Toutanova and Yih, EMNLP 2010"

    alpha: Annotated[float, Field(gt=1)] = 1.1
    """Of the Dirichlet prior of topics in a document."""
    beta: Annotated[float, Field(gt=1)] = 1.01
    """Of that of words in a topic; the authors tried 1.001 to 1.1, with little effect."""
    start: Literal["blocks", "random"] = "blocks"
    """Topics of words: blocks of like frequency, or at random."""

    def em(
        self,
        training: TrainingSet,
        documents: sparse.csr_matrix,
        n_pairs: int = 0,
        sigma: float = 1.0,
    ) -> Em:
        """Return EM on documents, of which those of pairs are coupled at the cost sigma."""
        from cr5.systems.topics.em import Em

        em = Em(documents, n_pairs, sigma, training.threads)
        em.alpha = self.alpha
        em.beta = self.beta
        em.seed = training.seed if self.start == "random" else None
        return em
