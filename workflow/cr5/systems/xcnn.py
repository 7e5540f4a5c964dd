"""XCNN: networks that learn to retrieve, first in one language."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pydantic import PositiveInt

from cr5.base.parts import Language
from cr5.systems.networks.family import Monolingual

if TYPE_CHECKING:
    from cr5.fitting.contract import Fit, TrainingSet


class Xcnn(Monolingual):
    """XCNN (Gupta, Banchs and Rosso 2017): networks that learn to retrieve, first in one language.

    Stage 1 trains the network of one language, the pivot, on texts of that language alone
    (`networks.monolingual`). Stage 2 keeps that network and trains one for each other language: a
    document is to be nearer to that of the pivot on the same concept than to another one (section
    4.2, Eq. 9). A word passes through the layers alone, so the model is a table of word vectors for
    each language.
    """

    title = "XCNN"
    reference = "Gupta, Banchs and Rosso, IP&M 2017"
    cost = (1, 8)

    pivot: Language | None = None
    """The language of stage 1, whose network is kept; null: English, or else the first."""
    epochs: PositiveInt = 50
    """Of stage 2 at most."""

    def fit(self, training: TrainingSet) -> Fit:
        """Train the pivot's network, then those of the others against it.

        Raises:
            LeftOutError: a language has no document on a concept of the pivot's.
            UserError: no word is left.
        """
        from cr5.base.errors import LeftOutError
        from cr5.systems.maps.spaces import choose_pivot
        from cr5.systems.networks.monolingual import fit_of, rows_of, stage1, trained, words_of
        from cr5.systems.networks.training import Pairs
        from cr5.systems.projections.documents import same_concept

        pivot = choose_pivot(training.languages, self.pivot)
        chosen = {x: words_of(training, x, self) for x in training.languages}
        rows = {x: rows_of(training.counts[x], x, chosen[x]) for x in training.languages}
        vectors, reports = {}, {}
        vectors[pivot], reports["stage1"] = stage1(training, pivot, chosen[pivot], self)
        fixed = rows[pivot] @ vectors[pivot]
        for x in [each for each in training.languages if each != pivot]:
            own, of_pivot = same_concept(training.concepts[x], training.concepts[pivot])
            pairs = Pairs(rows[x], own, of_pivot, fixed, training.concepts[x][own])
            if not len(pairs.queries):
                raise LeftOutError(
                    f"no training document in {x!r} has a concept of one in {pivot!r}, the pivot: "
                    "choose another pivot, or leave out one of the languages"
                )
            vectors[x], reports[x] = trained(training, x, pairs, self.epochs, self)
        return fit_of(training, chosen, vectors, reports, pivot=pivot)
