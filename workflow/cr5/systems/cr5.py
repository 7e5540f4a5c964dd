"""Cr5 (Josifoski et al., WSDM 2019): reduced-rank ridge regression onto concepts."""

from typing import Any

from cr5.fitting.best import Selection
from cr5.fitting.contract import Fit, TrainingSet
from cr5.systems.reduced_rank import Solution
from cr5.systems.reduced_rank.solve import OPTIONS as SOLVER
from cr5.systems.reduced_rank.solve import fits, ridges_of, warnings

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
    ranks, selection = _listed(options["ranks"]), Selection(training)
    grid = ridges_of(selection, training, options)

    def finished(solution: Solution) -> Fit:
        tables = dict(zip(training.languages, solution.maps, strict=True))
        said = warnings(solution, options["rank"], ranks)
        report = solution.facts | {"warnings": said + _crowded(training, solution.rank)}
        chosen = {"ridge": solution.ridge}
        if ranks:
            chosen["rank"] = solution.rank
        return Fit(training.model(tables), report, chosen)

    # `map` keeps no solution while the next one is computed: each is as large as a model.
    solutions = fits(training, options, options["rank"], grid, ranks=ranks)
    for fitted in map(finished, solutions):
        selection.add(fitted)
        del fitted  # nor more than two models
    return selection.result(grid.report())


def _listed(ranks: Any) -> list[Any]:
    return ranks if isinstance(ranks, list) else [] if ranks is None else [ranks]


def _crowded(training: TrainingSet, rank: int) -> list[str]:
    """Warn of as many dimensions as words: the languages become orthogonal and share nothing."""
    language = min(training.languages, key=lambda x: len(training.words[x]))
    n_words = len(training.words[language])
    if rank < n_words:
        return []
    return [
        f"rank {rank}, but {language} has only {n_words} words: the languages' vectors become "
        "orthogonal and nothing is found; lower rank"
    ]
