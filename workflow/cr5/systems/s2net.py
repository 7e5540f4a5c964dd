"""S2Net: one linear network for all languages."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, ClassVar, Literal

import numpy as np
from pydantic import NonNegativeInt, PositiveInt

from cr5.base.errors import LeftOutError
from cr5.systems.networks.family import Contrasted

if TYPE_CHECKING:
    from cr5.fitting.contract import Fit, TrainingSet
    from cr5.systems.projections.documents import Documents

GAMMA = 0.1  # of OPCA


class S2Net(Contrasted):
    """S2Net (Yih, Toutanova, Platt and Meek 2011), as compared with XCNN by Gupta et al. 2017.

    One linear network for all languages, y = x W with x the weights of words: documents of a
    concept are to be nearer to each other than to another document. Starts from OPCA, as published,
    or at random.
    """

    title = "S2Net"
    reference = "Yih, Toutanova, Platt and Meek, CoNLL 2011; Gupta, Banchs and Rosso, IP&M 2017"
    cost = (1, 8)
    without_counts: ClassVar = {"weights": "given"}

    dimension: PositiveInt = 128
    """Of the model, or as many as the documents allow."""
    skip_words: NonNegativeInt = 0
    """Most frequent strings that are dropped."""
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

    @property
    def needs(self) -> tuple[str, ...]:
        """Counts."""
        return ("counts",)

    def fit(self, training: TrainingSet) -> Fit:
        """Train the network on all pairs of documents of a concept, in both directions.

        Raises:
            LeftOutError: no two documents in different languages have a concept in common; or they
                are too few, or too similar, for OPCA.
            UserError: no word is left.
        """
        from cr5.fitting.contract import Fit
        from cr5.systems.networks.monolingual import model_of
        from cr5.systems.networks.training import Pairs, hold_out, train
        from cr5.systems.projections.columns import ColumnSettings, columns
        from cr5.systems.projections.documents import of_documents

        weighted = self.weights == "paper"
        how = ColumnSettings(self.skip_words, self.max_words, self.merged, weighted)
        chosen = columns(training.words, training.counts, how)
        documents = of_documents(training, chosen)
        queries, answers = translations(documents)
        X, concepts = documents.Z.astype(np.float32), documents.concept[queries]
        pairs = Pairs(X, queries, answers, groups=concepts)
        if not len(pairs.queries):
            raise LeftOutError("no concept has training documents in two languages")
        generator = np.random.default_rng(training.seed)
        held, kept = hold_out(pairs, self.held_out, generator)
        seen = documents.without(held.groups)
        W, facts = self._start(seen, training.threads, generator)
        report = facts | train([W], held, kept, self.epochs, self, generator)
        everywhere = dict.fromkeys(training.languages, chosen)
        return Fit(model_of(training, everywhere, dict.fromkeys(everywhere, W)), report)

    def _start(
        self, documents: Documents, threads: int, generator: np.random.Generator
    ) -> tuple[np.ndarray, dict[str, Any]]:
        """Columns x r, float32, and a report with the warnings of OPCA."""
        from cr5.systems.networks.composition import random_start
        from cr5.systems.networks.starts import projected
        from cr5.systems.projections import pencils

        if self.start == "random":
            return random_start(generator, documents.Z.shape[1], self.dimension)[0], {}
        pencil = pencils.opca(documents).with_gamma(GAMMA)
        W, facts = projected(pencil, self.dimension, threads)
        return W, {"start": facts, "warnings": facts.pop("warnings")}


def translations(documents: Documents) -> tuple[np.ndarray, np.ndarray]:
    """The rows of all pairs of documents of one concept in two languages, in both directions."""
    from cr5.systems.projections.documents import same_concept

    one, other = same_concept(documents.concept, documents.concept)
    across = documents.language[one] != documents.language[other]
    return one[across], other[across]
