"""S2Net: one linear network for all languages."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Literal

from pydantic import PositiveInt

from cr5.base.errors import LeftOutError
from cr5.systems.networks.family import Contrasted

if TYPE_CHECKING:
    from cr5.contracts.training import Fit, TrainingSet

GAMMA = 0.1  # of the OPCA that it starts from


class S2net(Contrasted):
    """S2Net (Yih, Toutanova, Platt and Meek 2011), as compared with XCNN by Gupta et al. 2017.

    One linear network for all languages, y = x W with x the weights of words: documents of a
    concept are to be nearer to each other than to another document. Starts from OPCA, as published,
    or at random.
    """

    title = "S2Net"
    reference = "Yih, Toutanova, Platt and Meek, CoNLL 2011; Gupta, Banchs and Rosso, IP&M 2017"
    needs = ("counts",)

    max_words: PositiveInt = 20_000
    """Strings kept of the others, the most frequent ones."""
    weights: Literal["paper", "given"] = "paper"
    """log2(1 + count) log2(n / df); or documents as they are, such as rows of a matrix."""
    merged: bool = True
    """Whether a string of all languages is one column."""
    start: Literal["opca", "random"] = "opca"
    """Of the network."""
    epochs: PositiveInt = 50
    """At most."""

    def fit(self, training: TrainingSet) -> Fit:
        """Train the network on all pairs of documents of a concept, in both directions."""
        import numpy as np

        from cr5.contracts.training import Fit
        from cr5.systems.algebra.columns import columns_of, of_documents, same_concept
        from cr5.systems.networks import trained
        from cr5.systems.networks.composition import random_start
        from cr5.systems.networks.pairs import Pairs, hold_out
        from cr5.systems.networks.training import train
        from cr5.systems.projections import pencils

        columns = columns_of(training, self, self.merged, self.weights == "paper")
        documents = of_documents(training, columns)
        queries, answers = same_concept(documents.concept, documents.concept)
        are_across = documents.language[queries] != documents.language[answers]
        queries = queries[are_across]
        answers = answers[are_across]
        if not len(queries):
            raise LeftOutError("no concept has training documents in two languages")
        X = documents.Z.astype(np.float32)
        pairs = Pairs(X, queries, answers, groups=documents.concept[queries])
        generator = np.random.default_rng(training.seed)
        held_out, training_pairs = hold_out(pairs, self.held_out, generator)
        report: dict[str, Any] = {}
        if self.start == "random":
            W, _ = random_start(generator, X.shape[1], self.dimension)  # linear: without b
        else:
            # What is held out would else be found before the first epoch.
            pencil = pencils.opca(documents.without(held_out.groups), GAMMA)
            start = trained.projected(pencil, self.dimension, training.threads)
            W = start.vectors
            report |= start.report
        report |= train([W], held_out, training_pairs, self.epochs, self, generator)
        columns_by_language = dict.fromkeys(training.languages, columns)
        vectors = dict.fromkeys(training.languages, W)
        return Fit(trained.model_of(training, columns_by_language, vectors), report)
