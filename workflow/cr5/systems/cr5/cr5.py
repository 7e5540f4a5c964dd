"""Cr5 (Josifoski et al., WSDM 2019): reduced-rank ridge regression onto concepts."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pydantic import PositiveFloat, PositiveInt

from cr5.base.parts import Some
from cr5.systems.reduced_rank.family import Solved, TermFrequency

if TYPE_CHECKING:
    from cr5.fitting.contract import Fit, TrainingSet
    from cr5.systems.reduced_rank.solution import Solution


class Cr5(Solved):
    """Reduced-rank ridge regression onto concepts (Josifoski et al., WSDM 2019, Eq. 1 to 15)."""

    title = "Cr5"
    reference = "Josifoski, Paskov, Paskov, Jaggi and West, WSDM 2019"
    colour = "#0072B2"

    rank: PositiveInt = 300
    """Dimensions of the model, or as many as the data have."""
    ranks: PositiveInt | Some[PositiveInt] | None = None
    """Lower ranks, from the same fits; with them the rank is validated too."""
    # The authors tried 0.5 to 6 on hundreds of thousands of concepts. Fewer training documents
    # have smaller singular values, so the grid goes lower; its steps are factors of 2.4 to 3.3.
    ridges: Some[PositiveFloat] = (0.01, 0.03, 0.1, 0.3, 1.0, 2.5, 6.0)
    """Lambda; the one that ranks the validation queries best is kept."""
    term_frequency: TermFrequency | None = None
    """How counts enter the features; null: as `weighting.term_frequency` says."""

    def fit(self, training: TrainingSet) -> Fit:
        """Fit every ridge of the grid and keep the one that ranks the validation queries best.

        The largest ridge comes first: its fit is better conditioned and so the cheaper start, and
        ties go to the larger ridge. Then ridges beyond the edge follow if the best is there. With
        one ridge and one rank nothing is validated.

        Raises:
            UserError: an option is not usable, or the documents cannot be fitted.
        """
        from cr5.fitting.best import Selection
        from cr5.fitting.contract import Fit
        from cr5.systems.reduced_rank.solve import fits, ridges_of, warnings

        selection = Selection(training)
        grid = ridges_of(selection, training, self.ridges)
        few = self._few_words(training)
        rank, ranks = self._ranks(few)

        def finished(solution: Solution) -> Fit:
            said = warnings(solution, rank, ranks)
            if few and solution.rank < few[1]:
                said.append(
                    f"rank {solution.rank} in place of {self.rank}: {few[0]} has only {few[1]} "
                    "words"
                )
            report = solution.facts | {"warnings": said}
            chosen = {"ridge": solution.ridge}
            if ranks:
                chosen["rank"] = solution.rank
            model = training.model(dict(zip(training.languages, solution.maps, strict=True)))
            return Fit(model, report, chosen)

        # `map` keeps no solution while the next one is computed: each is as large as a model.
        solutions = fits(training, self, rank, grid, ranks=ranks)
        for fitted in map(finished, solutions):
            selection.add(fitted)
            del fitted  # nor more than two models
        return selection.result(grid.report())

    def _few_words(self, training: TrainingSet) -> tuple[str, int] | None:
        """The language with the fewest words, and their number, if the rank may reach it.

        Columns of T (Eq. 15) are orthonormal over the words of all languages together. With as many
        columns as words its rows are too: the languages share nothing, and nothing is found.
        """
        language = min(training.languages, key=lambda x: len(training.words[x]))
        n_words = len(training.words[language])
        is_reached = min(self.rank, training.n_concepts - 1) >= n_words
        return (language, n_words) if is_reached else None

    def _ranks(self, few: tuple[str, int] | None) -> tuple[int, list[int]]:
        """The rank to fit, and the lower ones to validate.

        Where there are few words, ranks below their number are validated too, from the same fits.
        The rank asked for stays among them: one poor language need not cut that of all. With one
        ridge and one rank nothing is validated, and the rank is below.
        """
        from cr5.systems.reduced_rank.solve import listed

        ranks = listed(self.ranks)
        if not few:
            return self.rank, ranks
        below = max(1, few[1] - 1)
        if not ranks and len(set(self.ridges)) == 1:
            return below, []
        return self.rank, sorted({*ranks, below, max(1, below // 2)}, reverse=True)
