"""Cr5 (Josifoski et al., WSDM 2019): reduced-rank ridge regression onto concepts."""

from typing import Any

from cr5.fitting.best import Selection
from cr5.fitting.contract import Fit, TrainingSet
from cr5.systems.reduced_rank import Solution
from cr5.systems.reduced_rank.solve import OPTIONS as SOLVER
from cr5.systems.reduced_rank.solve import fits, listed, ridges_of, warnings

TITLE = "Cr5"
REFERENCE = "Josifoski, Paskov, Paskov, Jaggi and West, WSDM 2019"
COLOUR = "#0072B2"

OPTIONS = {
    "rank": (300, {"ge": 1}, "dimensions of the model, or as many as the data have"),
    "ranks": (
        None,
        (None, {"ge": 1}),
        "lower ranks, from the same fits; with them the rank is validated too",
    ),
    # The authors tried 0.5 to 6 on hundreds of thousands of concepts. Fewer training documents
    # have smaller singular values, so the grid goes lower; its steps are factors of 2.4 to 3.3.
    "ridges": (
        [0.01, 0.03, 0.1, 0.3, 1.0, 2.5, 6.0],
        {"gt": 0},
        "lambda; the one that ranks the validation queries best is kept",
    ),
    **SOLVER,
    "term_frequency": (
        None,
        (None, "raw", "log", "sqrt", "binary"),
        "how counts enter the features; null: as `weighting.term_frequency` says",
    ),
}


def fit(training: TrainingSet, options: dict[str, Any]) -> Fit:
    """Fit every ridge of the grid and keep the one that ranks the validation queries best.

    The largest ridge comes first: its fit is better conditioned and so the cheaper start, and ties
    go to the larger ridge. Then ridges beyond the edge follow if the best is there. With one ridge
    and one rank nothing is validated.

    Raises:
        UserError: an option is not usable, or the documents cannot be fitted.
    """
    selection = Selection(training)
    grid = ridges_of(selection, training, options)
    few = _few_words(training, options)
    rank, ranks = _ranks(options, few)

    def finished(solution: Solution) -> Fit:
        said = warnings(solution, rank, ranks)
        if few and solution.rank < few[1]:
            asked = options["rank"]
            said.append(
                f"rank {solution.rank} in place of {asked}: {few[0]} has only {few[1]} words"
            )
        report = solution.facts | {"warnings": said}
        chosen = {"ridge": solution.ridge}
        if ranks:
            chosen["rank"] = solution.rank
        model = training.model(dict(zip(training.languages, solution.maps, strict=True)))
        return Fit(model, report, chosen)

    # `map` keeps no solution while the next one is computed: each is as large as a model.
    solutions = fits(training, options, rank, grid, ranks=ranks)
    for fitted in map(finished, solutions):
        selection.add(fitted)
        del fitted  # nor more than two models
    return selection.result(grid.report())


def _few_words(training: TrainingSet, options: dict[str, Any]) -> tuple[str, int] | None:
    """The language with the fewest words, and their number, if the rank may reach it.

    Columns of T (Eq. 15) are orthonormal over the words of all languages together. With as many
    columns as words its rows are too: the languages share nothing, and nothing is found.
    """
    language = min(training.languages, key=lambda x: len(training.words[x]))
    n_words = len(training.words[language])
    is_reached = min(options["rank"], training.n_concepts - 1) >= n_words
    return (language, n_words) if is_reached else None


def _ranks(options: dict[str, Any], few: tuple[str, int] | None) -> tuple[int, list[int]]:
    """The rank to fit, and the lower ones to validate.

    Where there are few words, ranks below their number are validated too, from the same fits. The
    rank asked for stays among them: one poor language need not cut that of all. With one ridge and
    one rank nothing is validated, and the rank is below.
    """
    rank, ranks = options["rank"], listed(options["ranks"])
    if not few:
        return rank, ranks
    below = max(1, few[1] - 1)
    if not ranks and len(set(options["ridges"])) == 1:
        return below, []
    return rank, sorted({*ranks, below, max(1, below // 2)}, reverse=True)
