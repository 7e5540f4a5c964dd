"""Cr5 (Josifoski et al., WSDM 2019): reduced-rank ridge regression onto concepts."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from pydantic import PositiveFloat, PositiveInt, model_validator

from cr5.base.parts import Some
from cr5.systems.cr5.family import Solved, TermFrequency

if TYPE_CHECKING:
    from collections.abc import Iterator

    from cr5.fitting.contract import Fit, TrainingSet
    from cr5.systems.cr5.solution import Solution


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

    @model_validator(mode="after")
    def _ranks_are_lower(self) -> Cr5:
        if max(listed(self.ranks), default=0) > self.rank:
            raise ValueError(f"ranks: Input should be at most the rank, {self.rank}")
        return self

    def fit(self, training: TrainingSet) -> Fit:
        """Fit every ridge of the grid, see `search`, and each rank from the same solution.

        Raises:
            UserError: the documents cannot be fitted.
        """
        from cr5.fitting.contract import Fit

        few = self._few_words(training)
        rank, lower = self._ranks(few)

        def models(solution: Solution, _: Any) -> Iterator[Fit]:
            for r in sorted({min(x, solution.rank) for x in (rank, *lower)}, reverse=True):
                about = solution.report(r, rank, lower)
                if few and r < few[1]:
                    about["warnings"].append(
                        f"rank {r} in place of {self.rank}: {few[0]} has only {few[1]} words"
                    )
                chosen = {"ridge": solution.ridge} | ({"rank": r} if lower else {})
                maps = zip(training.languages, solution.maps(r), strict=True)
                yield Fit(training.model(dict(maps)), about, chosen)

        return self.search(training, rank, self.ridges, models)

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
        ranks = listed(self.ranks)
        if not few:
            return self.rank, ranks
        below = max(1, few[1] - 1)
        if not ranks and len(set(self.ridges)) == 1:
            return below, []
        return self.rank, [*ranks, below, max(1, below // 2)]


def listed(value: Any) -> list[Any]:
    """Return the values of a key that may be none, one or several."""
    return list(value) if isinstance(value, tuple) else [] if value is None else [value]
