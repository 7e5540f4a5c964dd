"""The cost of changing a model: the test queries of its run, ranked before and after."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path

import numpy as np
from scipy import sparse

from cr5.base.errors import UserError
from cr5.counts.columns import columns_of, selected
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
        UserError: a file of the run is damaged, or a model has words that the first one lacks.
    """
    ranks = results.ranks_folder(fitted.setting, fitted.system, fitted.repetition)
    if not (ranks / "queries.parquet").is_file():
        return []
    asked = _asked(ranks)
    searches = _searches(results, fitted.repetition, asked, models[0])
    return [_means(searches, _Widened(model, models[0].words)) for model in models]


def _asked(folder: Path) -> list[tuple[str, str]]:
    """The directions in which the run ranked queries."""
    # brings in pandas, which is slow to import: only needed to measure
    from cr5.scores.ranks import tables

    columns = ["query_language", "target_language"]
    rows = tables(folder, columns, columns)[1].drop_duplicates()
    return list(rows.itertuples(index=False, name=None))


def _searches(
    results: Results, repetition: int, pairs: list[tuple[str, str]], model: Model
) -> list:
    from cr5.counts import bags
    from cr5.splits.drawn import Draw
    from cr5.tasks import documents
    from cr5.tasks.base import Data

    counted = {}
    for language in model.languages:
        every = bags.load(results.bags_folder(language), language)
        columns = _columns(model.words[language], every.words["word"], language)
        counted[language] = replace(every, counts=selected(every.counts, columns))
    data = Data(counted, Draw.load(results.draw_folder(repetition)), pairs=pairs)
    return list(documents.searches(data, model.languages, {}))


def _means(searches: list, model: Model) -> dict[str, float]:
    from cr5.scores.ranked import Ranked
    from cr5.tasks.ranking import rank_all

    found: dict[str, list[float]] = {}
    for each in rank_all(searches, model):
        hits = Ranked(each.answers, each.queries).hits(np.array([1]))
        found.setdefault(each.similarity, []).append(float(hits.mean()))
    return {name: float(np.mean(values)) for name, values in found.items()}


class _Widened(Model):
    """A model that takes counts of all words and uses those it knows."""

    def __init__(self, model: Model, words: Mapping[str, Sequence[str]]) -> None:
        self.words, self.measures, self.directed = words, model.measures, model.directed
        self.rerank = model.rerank
        self._model = model
        self._columns = {x: _columns(known, words[x], x) for x, known in model.words.items()}

    def embed(self, counts, language, target_language=None):
        return self._model.embed(
            selected(counts, self._columns[language]), language, target_language
        )

    def matched(self, counts, language):
        return self._model.matched(selected(counts, self._columns[language]), language)

    def check(self) -> None:
        self._model.check()


def _columns(known: Sequence[str], words: Sequence[str], language: str) -> sparse.csr_matrix:
    try:
        return columns_of(known, words)
    except KeyError as error:
        raise UserError(
            f"{language}: the word {error} is not in the run's vocabulary: model and run do not "
            "belong together; run the workflow again"
        ) from error
