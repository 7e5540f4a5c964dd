"""The cost of changing a model: the test queries of its run, ranked before and after."""

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np

from cr5.base.errors import UserError
from cr5.models.contract import Model
from cr5.retrieval.results import Fitted, Results


def precision(results: Results, fitted: Fitted, models: Sequence[Model]) -> list[dict[str, float]]:
    """Success@1 of models in the task `documents`, by measure: the mean over the run's directions.

    Args:
        results: of the run that fitted the first of them.
        fitted: which one that is.
        models: of the same languages; words that a model lacks are ignored for it.

    Returns:
        One per model; empty if the run did not rank the queries.

    Raises:
        UserError: a file of the run is damaged, or a model has words that the run lacks.
    """
    # brings in pandas, which is slow to import: only needed to measure
    from cr5.counts import bags
    from cr5.splits.drawn import Draw
    from cr5.tasks.base import Data

    ranks = results.ranks_folder(fitted.setting, fitted.system, fitted.repetition)
    if not (ranks / "queries.parquet").is_file():
        return []
    every = {x: bags.load(results.bags_folder(x), x) for x in models[0].languages}
    data = Data(every, Draw.load(results.draw_folder(fitted.repetition)), pairs=_asked(ranks))
    return [_means(data, model) for model in models]


def _asked(folder: Path) -> list[tuple[str, str]]:
    """The directions in which the run ranked queries."""
    from cr5.scores.ranks import tables

    columns = ["query_language", "target_language"]
    rows = tables(folder, columns, columns)[1].drop_duplicates()
    return list(rows.itertuples(index=False, name=None))


def _means(data: Any, model: Model) -> dict[str, float]:
    from cr5.scores.ranked import Ranked
    from cr5.tasks import documents
    from cr5.tasks.ranking import rank_all

    found: dict[str, list[float]] = {}
    for each in rank_all(documents.searches(_known(data, model), model.languages, {}), model):
        hits = Ranked(each.answers, each.queries).hits(np.array([1]))
        found.setdefault(each.similarity, []).append(float(hits.mean()))
    return {name: float(np.mean(values)) for name, values in found.items()}


def _known(data: Any, model: Model) -> Any:
    """Keep the words of a model."""
    known = {}
    for language, words in model.words.items():
        try:
            known[language] = data.bags[language].select(words)
        except KeyError as error:
            raise UserError(
                f"{language}: the word {error} is not in the run's vocabulary: model and run do "
                "not belong together; run the workflow again"
            ) from error
    return replace(data, bags=known)
