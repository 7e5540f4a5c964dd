"""Projections: the keys that they share, and the choice of dimensions by validation."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, ClassVar, Literal

from pydantic import NonNegativeInt, PositiveInt

from cr5.contracts.keys import Some
from cr5.contracts.system import System

if TYPE_CHECKING:
    import numpy as np

    from cr5.contracts.training import Fit, TrainingSet
    from cr5.models.word_tables import WordTables
    from cr5.systems.algebra.columns import Columns
    from cr5.systems.projections.pencils import Pencil

# Bounds for gammas beyond those given.
LOWEST_GAMMA = 1e-8
HIGHEST_GAMMA = 1e8


class Projected(System):
    """Documents are projected onto the leading eigenvectors of a pencil of matrices.

    Those with a key `merged` may have one column for a string of several languages, those with
    `gammas` regularise.
    """

    needs = ("counts",)
    without_counts: ClassVar = {"weights": "given"}
    power: ClassVar[float] = 0.0  # of the eigenvalues that scale the dimensions

    # validation chooses; the paper's grid is unknown
    dimensions: Some[PositiveInt] = (50, 100, 200, 500, 1000, 2000)
    """Validated, all from one solution."""
    skip_words: NonNegativeInt = 50
    """Most frequent strings that are dropped."""
    max_words: PositiveInt = 20000
    """Strings kept of the others, the most frequent ones."""
    weights: Literal["paper", "given"] = "paper"
    """By log2(1 + count) log2(n / df); or documents as they are, such as rows of a matrix."""
    unit_rows: bool = False
    """Whether rows have length one before they are fitted."""

    def pencil(self, training: TrainingSet, columns: Columns) -> Pencil:
        """Return the pencil of training documents in these columns, with any gamma."""
        raise NotImplementedError

    def fit(self, training: TrainingSet) -> Fit:
        """Solve once for each gamma; keep the gamma and the dimensions that validate best."""
        from cr5.fitting.choose import Selection, best
        from cr5.systems.algebra.columns import columns_of

        is_merged = getattr(self, "merged", False)
        columns = columns_of(training, self, is_merged, self.weights == "paper")
        pencil = self.pencil(training, columns)
        gammas = sorted(set(getattr(self, "gammas", ())), reverse=True)
        if not gammas:
            return best(training, self._fits(training, columns, pencil, {}))
        selection = Selection(training)
        for gamma in selection.grid("gamma", gammas, LOWEST_GAMMA, HIGHEST_GAMMA):
            regularised = pencil.with_gamma(gamma)
            selection.add_each(self._fits(training, columns, regularised, {"gamma": gamma}))
        return selection.result()

    def _fits(
        self,
        training: TrainingSet,
        columns: Columns,
        pencil: Pencil,
        chosen: dict[str, float],
    ) -> Iterator[Fit]:
        """Yield a fit for each available number of dimensions, ascending, from one solution."""
        import numpy as np

        from cr5.contracts.training import Fit
        from cr5.systems.projections.pencils import available, solve

        solution = solve(pencil, max(self.dimensions), training.threads)
        values = solution.values
        vectors = (solution.vectors * values**self.power).astype(np.float32)
        dimensions, warnings = available(self.dimensions, len(values))
        for dimension in dimensions:
            report = {
                "columns": columns.n,
                "rows": pencil.Z.shape[0],
                **solution.facts,
                "eigenvalues": {
                    "largest": float(values[0]),
                    "smallest": float(values[dimension - 1]),
                },
                "warnings": [*solution.warnings, *warnings],
            }
            # no name for the model: whoever validates holds two at most
            yield Fit(
                self._model(training, columns, vectors[:, :dimension]),
                report,
                {"dimension": dimension, **chosen},
            )

    def _model(self, training: TrainingSet, columns: Columns, vectors: np.ndarray) -> WordTables:
        """Return the model that projects onto these vectors, columns x dimensions."""
        from cr5.models.word_tables import WordTables

        tables = {language: columns.table(language, vectors) for language in training.languages}
        return WordTables(
            training.words,
            tables,
            columns.weights,
            term_frequency=columns.term_frequency,
            input_norm="l2" if self.unit_rows else "none",
        )
