"""Cr5: reduced-rank ridge regression onto concepts."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING, Annotated

from pydantic import Field, NonNegativeInt, PositiveFloat, PositiveInt

from cr5.contracts.keys import Some
from cr5.contracts.system import System
from cr5.counts.rules import TermFrequency

if TYPE_CHECKING:
    from cr5.contracts.training import Fit, TrainingSet


class Cr5(System):
    """Reduced-rank ridge regression onto concepts (Josifoski et al., WSDM 2019, Eq. 1 to 15)."""

    title = "Cr5"
    reference = "Josifoski, Paskov, Paskov, Jaggi and West, WSDM 2019"
    colour = "#0072B2"

    rank: PositiveInt = 300
    """Dimensions of the model, or as many as the data have."""
    ranks: Some[PositiveInt] | None = None
    """Other ranks, from the same fits; with them the rank is validated too."""
    # The authors tried 0.5 to 6 on hundreds of thousands of concepts. Fewer training documents
    # have smaller singular values, so the grid goes lower; its steps are factors of 2.4 to 3.3.
    ridges: Some[PositiveFloat] = (0.01, 0.03, 0.1, 0.3, 1.0, 2.5, 6.0)
    """Lambda; the one that ranks the validation queries best is kept."""
    term_frequency: TermFrequency | None = None
    """How counts enter the features; null: as `weighting.term_frequency` says."""
    # By default .04 to .09 are left (measured).
    tolerance: Annotated[float, Field(gt=0, lt=1)] | None = None
    """Share of the right-hand sides of Eq. 14 that conjugate gradients leave, where a problem is
    not solved exactly; 0.01 in the paper. Null: 0.4 of what the eigenvectors leave."""
    self_training: NonNegativeInt = 0
    """Rounds in which documents without a counterpart (`splits.unpaired`) are paired by the last
    fit and the regression is solved again, at the same ridge and rank; validated, 0 among them."""

    def fit(self, training: TrainingSet) -> Fit:
        """Fit every ridge of the grid, and each rank from the same solution."""
        from cr5.fitting.choose import Selection
        from cr5.systems.ridge.self_training import known_alone, self_trained
        from cr5.systems.ridge.solutions import grid_of_ridges

        known = known_alone(training)
        ranks = self._ranks(known)
        selection = Selection(training)
        ridges = grid_of_ridges(selection, self.ridges)
        selection.add_each(self._fits(known, ridges, ranks))
        fitted = selection.result()

        def fits_of(guessed: TrainingSet) -> Iterator[Fit]:
            return self._fits(guessed, [fitted.chosen["ridge"]], ranks)

        return self_trained(training, fitted, self.self_training, fits_of)

    def _fits(
        self, training: TrainingSet, ridges: Iterable[float], ranks: set[int]
    ) -> Iterator[Fit]:
        """Yield a fit for each ridge and each rank that its solution has, the largest first."""
        from cr5.contracts.training import Fit
        from cr5.models.word_tables import WordTables
        from cr5.systems.ridge.solutions import solutions

        for solution in solutions(training, max(ranks), ridges, left=self.tolerance):
            available = {min(rank, solution.rank) for rank in ranks}
            for rank in sorted(available, reverse=True):
                chosen = {"ridge": solution.ridge}
                if len(ranks) > 1:
                    chosen["rank"] = rank
                tables = dict(zip(training.languages, solution.maps(rank), strict=True))
                yield Fit(WordTables.of(training, tables), solution.report(rank, ranks), chosen)
            del solution  # the next one takes its room

    def _ranks(self, training: TrainingSet) -> set[int]:
        """Return the ranks to choose from, some below the smallest vocabulary if it is in reach.

        Columns of T (Eq. 15) are orthonormal over the words of all languages together. With as many
        columns as words its rows are too: the languages share nothing, and nothing is found.
        """
        ranks = {self.rank}
        ranks.update(self.ranks or ())
        n_words = min(len(words) for words in training.words.values())
        if min(max(ranks), training.n_concepts - 1) < n_words:
            return ranks
        below = max(1, n_words - 1)
        return ranks | {below, max(1, below // 2)}
