"""The ranking of a task's searches: embed once, search every pair of languages."""

from collections.abc import Iterable, Iterator, Sequence
from weakref import WeakKeyDictionary

import numpy as np
import pandas as pd

from cr5.base.errors import UserError
from cr5.base.rows import Rows
from cr5.models.bank import neighbours
from cr5.models.contract import CountedTexts, Model
from cr5.search.kernels import ROWS
from cr5.search.measures import measure
from cr5.search.options import SEARCH, SearchOptions
from cr5.search.ranking import Found, Ranking, rankings
from cr5.search.word_matches import Gain, matches
from cr5.tasks.base import Search, Texts

Known = WeakKeyDictionary[Texts, Rows]


def rank_all(
    searches: Iterable[Search],
    model: Model,
    measures: Sequence[str] | None = None,
    how: SearchOptions = SEARCH,
    threads: int = 1,
) -> Iterator[Found]:
    """Rank the answers of every search; yields the results of each search and measure.

    Measures are those named that fit the model, or all of its own if none does, whatever `how`
    says. UserError: they cannot compare the model's rows, or it keeps no training documents.
    """
    fitting = [name for name in measures or () if measure(name).fits(model.measures)]
    chosen = [measure(name) for name in fitting or model.measures]
    corrects_hubs = any(each.corrects_hubs for each in chosen)
    neighbourhood = how.csls_neighbourhood if corrects_hubs else "queries"
    known: Known = WeakKeyDictionary()
    for search in searches:
        queries, candidates, others = _embedded(search, model, neighbourhood, known)
        given = queries, candidates, search.relevance, chosen, others
        try:
            found = rankings(*given, how, threads, _gain(search, model, threads))
        except UserError as error:
            raise UserError(f"{search.query}-{search.target}: {error}") from error
        yield from (_found(search, ranking) for ranking in found)


def _embedded(
    search: Search, model: Model, neighbourhood: str, known: Known
) -> tuple[Rows, Rows, Rows]:
    """Queries, candidates and neighbours."""
    query, target = search.query, search.target
    if search.collection:
        model = model.searching(search.candidates.counts, target)
    queries = _rows(model, search.queries, query, target, known)
    candidates = _rows(model, search.candidates, target, target, known)
    if neighbourhood == "training":
        return queries, candidates, neighbours(model, query, target)
    if neighbourhood == "queries" or not search.neighbours:
        return queries, candidates, queries
    return queries, candidates, _rows(model, search.neighbours, query, target, known)


def _rows(model: Model, texts: Texts, language: str, target: str, known: Known) -> Rows:
    """Embed each `whole` once, as long as the task keeps it, and take rows for its subsets."""
    if model.directed and language != target:  # depends on the target: not kept
        return _embed(model, texts, language, target)
    if texts.whole is not None:
        rows = texts.whole.ids.get_indexer(texts.ids)
        return _rows(model, texts.whole, language, target, known)[rows]
    if texts not in known:
        known[texts] = _embed(model, texts, language, target)
    return known[texts]


def _embed(model: Model, texts: Texts, language: str, target: str) -> Rows:
    given = texts.texts if model.reads_texts else texts.counts
    if model.reads_both:
        given = CountedTexts(texts.counts, texts.texts)
    return _weighing(model, texts, language).embed(given, language, target)


def _gain(search: Search, model: Model, threads: int) -> Gain | None:
    """What the second stage adds to scores; None if the model has no second stage."""
    if not model.rerank:
        return None
    sides = (search.queries, search.query), (search.candidates, search.target)
    words = [_weighing(model, x, y).matched(x.counts, y) for x, y in sides]
    if len(search.queries.ids) > ROWS:  # several blocks of queries, each in a thread
        threads = 1
    return lambda *pairs: model.rerank * matches(*words, *pairs, threads)


def _weighing(model: Model, texts: Texts, language: str) -> Model:
    """The model, with the texts' own weights of words if they have any."""
    return model if texts.weights is None else model.reweighted(language, texts.weights)


def _found(search: Search, ranking: Ranking) -> Found:
    queries, candidates, answers = search.queries.ids, search.candidates.ids, ranking.answers
    found = pd.DataFrame(
        {
            "query": queries[answers.query],
            "candidate": candidates[answers.candidate],
            "grade": answers.grade,
            "rank": ranking.rank,
            "score": ranking.score,
        }
    )
    found = found[found["rank"] <= (search.depth or np.inf)]
    n_absent = search.absent["query"].value_counts().reindex(queries, fill_value=0)
    about = pd.DataFrame(
        {
            "query": queries,
            "n_relevant": np.diff(search.relevance.tocsr().indptr) + n_absent.to_numpy(),
            "n_candidates": len(candidates),
            "depth": pd.array([search.depth] * len(queries), "Int64"),
            "nearest": candidates.to_numpy()[ranking.nearest].tolist(),
            "scores": list(ranking.nearest_scores),
        }
    )
    of = search.query, search.target, ranking.measure
    return Found(*of, found, about, search.absent, search.told)
