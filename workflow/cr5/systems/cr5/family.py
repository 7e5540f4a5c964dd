"""What systems of Cr5's family have in common: the solver, and the search for the best ridge."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Annotated, Any, Literal

from pydantic import Field

from cr5.base.errors import UserError
from cr5.base.parts import System

if TYPE_CHECKING:
    from scipy import sparse

    from cr5.fitting.contract import Fit, TrainingSet
    from cr5.systems.cr5.solution import Solution

    Prior = Mapping[str, sparse.csr_matrix]

TermFrequency = Literal["raw", "log", "sqrt", "binary"]
Scripts = Literal["own", "latin", "sounds", "consonants"]
# Bounds for ridges beyond those given.
RIDGES = {"low": 1e-4, "high": 1e3}
NOTHING: Mapping[str, Any] = {}


class Solved(System):
    """Fits by Cr5's solver (Josifoski et al. 2019, Sec. 3)."""

    solver: Literal["auto", "dense", "iterative"] = "auto"
    """`dense` holds a matrix of all documents; `iterative` is for large corpora."""
    tolerance: Annotated[float, Field(gt=0, lt=1)] = 0.1
    """Of `iterative`: residuals ||M p - mu p|| relative to mu; the paper's."""

    def search(
        self,
        training: TrainingSet,
        rank: int,
        ridges: Iterable[float],
        models: Callable[[Solution, Mapping[str, float]], Iterator[Fit]],
        varied: Mapping[str, Sequence[float]] = NOTHING,
        prior: Callable[[Mapping[str, float]], tuple[Prior, float]] | None = None,
    ) -> Fit:
        """Fit every ridge, and keep what ranks the validation queries best.

        The largest ridge comes first: its fit is better conditioned and so the cheaper start, and
        ties go to the larger ridge. Then ridges beyond the edge follow if the best is there, and at
        the best of all the other values of what is varied, one after the other. With a single fit
        nothing is validated.

        Args:
            training: what a system sees.
            rank: the largest.
            ridges: each lambda.
            models: makes the models to choose among from a solution, by what was chosen so far.
            varied: names, and values of which the first is usual.
            prior: by what was chosen, N_l (words x features that all languages share) and its
                weight gamma.

        Raises:
            UserError: the documents cannot be fitted.
        """
        from cr5.fitting.choose import Selection

        _check(training)
        selection = Selection(training)
        given = sorted({*ridges}, reverse=True)

        def add(ridges: Iterable[float], chosen: Mapping[str, float]) -> None:
            solver = self._solver(training, rank, prior(chosen) if prior else None)
            for ridge in ridges:
                for fitted in models(solver.solve(ridge), chosen):
                    selection.add(fitted)
                    del fitted  # the next one is made now; hold at most two models at a time

        usual = {name: values[0] for name, values in varied.items()}
        add(selection.grid("ridge", given, **RIDGES), usual)
        for name, values in varied.items():
            for value in values[1:]:
                leading = {x: selection.leading(x) or usual[x] for x in usual}
                add([selection.leading("ridge") or given[0]], leading | {name: value})
        return selection.result()

    def _solver(self, training: TrainingSet, rank: int, prior: tuple[Prior, float] | None) -> Any:
        from cr5.systems.cr5.problem import Problem, factor
        from cr5.systems.cr5.solver import solver

        languages = training.languages
        X, F = [training.features[x] for x in languages], ()
        if prior and prior[0]:
            F = factor([prior[0][x] for x in languages], prior[1], X)
        concepts = [training.concepts[x] for x in languages]
        problem = Problem(X, concepts, training.n_concepts, F)
        return solver(problem, rank, self.solver, self.tolerance, training.threads, training.seed)


def _check(training: TrainingSet) -> None:
    for language in training.languages:
        n, p = training.features[language].shape
        if not (n and p):
            raise UserError(
                f"Cr5, language {language}: {n} training documents with a vocabulary of {p} words, "
                "expected at least one of each; loosen the filters (bags.unique_words, "
                "bags.min_documents), bring more documents, or leave the language out"
            )
