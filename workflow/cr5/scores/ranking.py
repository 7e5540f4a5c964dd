"""The ranking of a task's searches: embed once, search every pair of languages."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from weakref import WeakKeyDictionary

import numpy as np
import pandas as pd

from cr5.base.errors import UserError
from cr5.base.rows import Rows
from cr5.contracts.model import CountedTexts, Model, Words
from cr5.models.bank import neighbours
from cr5.search.measures import Measure, measure_named
from cr5.search.options import SEARCH, SearchOptions
from cr5.search.ranking import Found, Ranking, rankings
from cr5.search.word_matches import Gain, matches
from cr5.tasks.base import Search, Texts

Embedded = WeakKeyDictionary[Texts, Rows]
"""The rows of texts, as long as a task keeps these."""


def rank_all(
    searches: Iterable[Search],
    model: Model,
    measures: Sequence[str] | None = None,
    how: SearchOptions = SEARCH,
    threads: int = 1,
) -> Iterator[Found]:
    """Rank the answers of every search; yields what ranks are written from, see `each_ranking`."""
    for search, ranking in each_ranking(searches, model, measures, how, threads):
        yield _found(search, ranking)


def each_ranking(
    searches: Iterable[Search],
    model: Model,
    measures: Sequence[str] | None = None,
    how: SearchOptions = SEARCH,
    threads: int = 1,
) -> Iterator[tuple[Search, Ranking]]:
    """Rank the answers of every search; yields each search with the results of each measure.

    Measures are those named that fit the model, or all of its own if none does, whatever `how`
    says. UserError: they cannot compare the model's rows, or it keeps no training documents.
    """
    chosen = _chosen(measures or (), model)
    corrects_hubs = any(measure.corrects_hubs for measure in chosen)
    neighbourhood = "queries"
    if corrects_hubs:
        neighbourhood = how.csls_neighbourhood
    embedded: Embedded = WeakKeyDictionary()
    for search in searches:
        rows = _rows_of(search, model, neighbourhood, embedded)
        try:
            results = rankings(
                rows.queries,
                rows.candidates,
                search.relevance,
                chosen,
                rows.neighbours,
                how,
                threads,
                _gain(search, model, threads),
            )
        except UserError as error:
            where = f"{search.query_language}-{search.target_language}"
            raise UserError(f"{where}: {error}") from error
        for ranking in results:
            yield search, ranking


def best_ranks(search: Search, ranking: Ranking) -> np.ndarray:
    """Return the rank of the best answer of each query, (n,); inf if none is within the depth."""
    n_queries = len(search.queries.ids)
    depth = search.depth or np.inf
    is_found = ranking.rank <= depth
    query = ranking.answers.query[is_found]
    best = np.full(n_queries, np.inf)
    np.minimum.at(best, query, ranking.rank[is_found])
    return best


def _chosen(names: Sequence[str], model: Model) -> list[Measure]:
    """Return the named measures that fit a model's rows, or else all of the model's own."""
    named = [measure_named(name) for name in names]
    fitting = [measure for measure in named if measure.fits(model.measures)]
    if fitting:
        return fitting
    return [measure_named(name) for name in model.measures]


@dataclass(frozen=True)
class SearchRows:
    """The embedded texts of a search; neighbours are of the query language."""

    queries: Rows
    candidates: Rows
    neighbours: Rows


def _rows_of(search: Search, model: Model, neighbourhood: str, embedded: Embedded) -> SearchRows:
    """Embed the texts of a search that are not embedded yet."""
    query_language = search.query_language
    target_language = search.target_language
    if search.collection:
        model = model.searching(search.candidates.counts, target_language)
    queries = _rows(model, search.queries, query_language, target_language, embedded)
    candidates = _rows(model, search.candidates, target_language, target_language, embedded)
    if neighbourhood == "training":
        near = neighbours(model, query_language, target_language)
    elif neighbourhood == "queries" or not search.neighbours:
        near = queries
    else:
        near = _rows(model, search.neighbours, query_language, target_language, embedded)
    return SearchRows(queries, candidates, near)


def _rows(
    model: Model, texts: Texts, language: str, target_language: str, embedded: Embedded
) -> Rows:
    """Embed each `whole` once, as long as the task keeps it, and take rows for its subsets."""
    if model.directed and language != target_language:  # depends on the target: not kept
        return _embed(model, texts, language, target_language)
    if texts.whole is not None:
        numbers = texts.whole.ids.get_indexer(texts.ids)
        rows = _rows(model, texts.whole, language, target_language, embedded)
        return rows[numbers]
    if texts not in embedded:
        embedded[texts] = _embed(model, texts, language, target_language)
    return embedded[texts]


def _embed(model: Model, texts: Texts, language: str, target_language: str) -> Rows:
    """Embed texts in the form that the model reads."""
    documents = texts.counts
    if model.reads_texts:
        documents = texts.texts
    if model.reads_both:
        documents = CountedTexts(texts.counts, texts.texts)
    weighing = _weighing(model, texts, language)
    return weighing.embed(documents, language, target_language)


def _gain(search: Search, model: Model, threads: int) -> Gain | None:
    """Return what the second stage adds to scores; None if the model has no second stage."""
    if not model.rerank:
        return None
    query_words = _matched(model, search.queries, search.query_language)
    candidate_words = _matched(model, search.candidates, search.target_language)

    def gain(queries: np.ndarray, candidates: np.ndarray) -> np.ndarray:
        added = matches(query_words, candidate_words, queries, candidates, threads)
        return model.rerank * added

    return gain


def _matched(model: Model, texts: Texts, language: str) -> Words:
    """Return the words of texts that the second stage compares."""
    weighing = _weighing(model, texts, language)
    return weighing.matched(texts.counts, language)


def _weighing(model: Model, texts: Texts, language: str) -> Model:
    """Return the model, with the texts' own weights of words if they have any."""
    if texts.weights is None:
        return model
    return model.reweighted(language, texts.weights)


def _found(search: Search, ranking: Ranking) -> Found:
    """Name the texts of a ranking by their ids, and leave out answers beyond the depth."""
    depth = search.depth or np.inf
    query_ids = search.queries.ids
    candidate_ids = search.candidates.ids
    answers = pd.DataFrame(
        {
            "query": query_ids[ranking.answers.query],
            "candidate": candidate_ids[ranking.answers.candidate],
            "grade": ranking.answers.grade,
            "rank": ranking.rank,
            "score": ranking.score,
        }
    )
    answers = answers[answers["rank"] <= depth]
    relevance = search.relevance.tocsr()
    n_present = np.diff(relevance.indptr)
    n_absent = search.absent["query"].value_counts()
    n_absent = n_absent.reindex(query_ids, fill_value=0)
    depths = [search.depth] * len(query_ids)
    nearest = candidate_ids.to_numpy()[ranking.nearest]
    queries = pd.DataFrame(
        {
            "query": query_ids,
            "n_relevant": n_present + n_absent.to_numpy(),
            "n_candidates": len(candidate_ids),
            "depth": pd.array(depths, "Int64"),
            "nearest": nearest.tolist(),
            "scores": list(ranking.nearest_scores),
        }
    )
    return Found(
        search.query_language,
        search.target_language,
        ranking.measure,
        answers,
        queries,
        search.absent,
        search.told,
    )
