"""XCNN: networks that learn to retrieve, first in one language, then against it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pydantic import PositiveInt

from cr5.base.errors import LeftOutError
from cr5.contracts.keys import Language
from cr5.systems.networks.family import Monolingual

if TYPE_CHECKING:
    from cr5.contracts.training import Fit, TrainingSet


class Xcnn(Monolingual):
    """XCNN (Gupta, Banchs and Rosso 2017): networks that learn to retrieve, first in one language.

    Stage 1 trains the network of one language, the pivot, on texts of that language alone. Stage 2
    keeps that network and trains one for each other language: a document is to be nearer to that of
    the pivot on the same concept than to another one (section 4.2, Eq. 9). A word passes through
    the layers alone, so the model is a table of word vectors for each language.
    """

    title = "XCNN"

    pivot: Language | None = None
    """The language of stage 1, whose network is kept; null: English, or else the first."""
    epochs: PositiveInt = 50
    """Of stage 2 at most."""

    def fit(self, training: TrainingSet) -> Fit:
        """Train the pivot's network, then those of the others against it."""
        from cr5.fitting.pivot import choose_pivot
        from cr5.systems.algebra.columns import same_concept
        from cr5.systems.networks import trained
        from cr5.systems.networks.pairs import Pairs

        pivot = choose_pivot(training.languages, self.pivot)
        columns = trained.columns_by_language(training, self)
        networks = {pivot: trained.train_stage1(training, pivot, columns[pivot], self)}
        pivot_rows = trained.text_rows(training.counts[pivot], pivot, columns[pivot])
        pivot_vectors = pivot_rows @ networks[pivot].vectors
        for language in training.languages:
            if language == pivot:
                continue
            concepts = training.concepts[language]
            queries, answers = same_concept(concepts, training.concepts[pivot])
            if not len(queries):
                raise LeftOutError(
                    f"no training document in {language!r} has a concept of one in {pivot!r}, the "
                    "pivot: choose another pivot, or leave out one of the languages"
                )
            X = trained.text_rows(training.counts[language], language, columns[language])
            pairs = Pairs(X, queries, answers, groups=concepts[queries], fixed=pivot_vectors)
            networks[language] = trained.train_network(training, language, pairs, self.epochs, self)
        return trained.fit_of(training, columns, networks, pivot)
