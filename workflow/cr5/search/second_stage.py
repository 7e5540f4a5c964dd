"""The second stage of a search: the best candidates of each query in a new order.

The first `DEPTH` candidates of a query, in the order of a measure, get the score

    s'(x, y) = s(x, y) + w m(x, y)

with m of `word_matches` and a weight w that validation chooses; the cosine in CSLS, 2 cos(x, y) -
r(x) - r(y), counts twice, and so does m. As m is at least 0, the first candidates stay before all
others, whose ranks and scores do not change.
"""

from collections.abc import Callable, Sequence
from dataclasses import replace

import numpy as np
import pandas as pd
from scipy import sparse

from cr5.base.rows import Rows, norms
from cr5.search.answers import Answers
from cr5.search.best import NONE, Best
from cr5.search.measures import Measure
from cr5.search.ranking import Ranking, rankings

DEPTH = 100

Gain = Callable[[np.ndarray, np.ndarray], np.ndarray]
"""From the row numbers of queries, ascending, and of candidates to w m of each pair."""


def two_stages(
    queries: Rows,
    candidates: Rows,
    relevance: sparse.csr_matrix,
    measures: Sequence[Measure],
    neighbours: Rows,
    gain: Gain | None,
    depth: int | None,
    run_depth: int,
    csls_neighbours: int,
    threads: int,
    inverse_temperature: float,
) -> list[Ranking]:
    """Rank by each measure, with a second stage unless `gain` is None; see `ranking.rankings`."""
    first_depth, kept = depth, run_depth
    if gain:
        first_depth, kept = depth and max(depth, DEPTH), max(run_depth, DEPTH)
    options = csls_neighbours, first_depth, threads, inverse_temperature, kept
    found = rankings(queries, candidates, relevance, measures, neighbours, *options)
    if not gain:
        return found
    known = [norms(rows, "l2") > 0 for rows in (queries, candidates)]
    n_others = min(run_depth, depth or run_depth)
    return [
        reranked(
            first,
            gain,
            how,
            how.tie(queries, candidates),
            known[0][first.answers.query] & known[1][first.answers.candidate],
            n_others,
            depth,
        )
        for how, first in zip(measures, found, strict=True)
    ]


def reranked(
    first: Ranking,
    gain: Gain,
    measure: Measure,
    tie: float,
    comparable: np.ndarray,
    n_others: int = 0,
    depth: int | None = None,
) -> Ranking:
    """Reorder the best candidates of each query.

    Ties count against the query, as in `ranking.rankings`. Among other candidates than answers the
    one that was first stays first.

    Args:
        first: a ranking with `DEPTH` others.
        gain: of pairs.
        measure: of the ranking.
        tie: its differences below which numbers are ties.
        comparable: (answers,) whether neither query nor answer is a row of zeros.
        n_others: how many candidates of each query `Ranking.run` of the result returns.
        depth: answers beyond it count as not found.
    """
    mine = first.rank <= DEPTH
    answers = first.answers.select(mine)
    n_answers = np.bincount(answers.query, minlength=answers.n_queries)
    there = np.arange(first.others.shape[1]) < DEPTH - n_answers[:, None]
    there &= np.isfinite(first.other_scores)
    query = np.concatenate([answers.query, np.nonzero(there)[0]])
    candidate = np.concatenate([answers.candidate, first.others[there]])
    scores = np.concatenate([first.score[mine], first.other_scores[there]]).astype(np.float64)
    scores += measure.score(_in_order(gain, query, candidate), 0)

    n = int(mine.sum())
    own = np.where(comparable[mine], scores[:n], -np.inf)
    others = first.other_scores.astype(np.float64)
    others[there] = scores[n:]
    order = np.lexsort((-others, ~there), axis=1)
    rank, score = first.rank.copy(), first.score.copy()
    rank[mine] = _ranks(answers, own, np.where(there, others, -np.inf), measure.score(tie, 0))
    score[mine] = scores[:n]
    kept = np.ones(len(rank), bool) if depth is None else rank <= depth
    return replace(
        first,
        answers=first.answers.select(kept),
        rank=rank[kept],
        score=score[kept],
        nearest=_nearest(first, query, candidate, np.concatenate([own, scores[n:]])),
        others=np.take_along_axis(first.others, order, 1)[:, :n_others],
        other_scores=np.take_along_axis(others, order, 1)[:, :n_others].astype(np.float32),
    )


def best_reranked(first: Best, gain: Gain, measure: Measure, k: int) -> Best:
    """Reorder the first `DEPTH` keys of each query, and return the k best.

    Args:
        first: the best keys, `DEPTH` of them or more; in ties the order stays.
        gain: of queries and keys.
        measure: of the scores.
        k: how many to return.
    """
    there = np.flatnonzero(first.columns[:, :DEPTH] != NONE)
    query, place = np.divmod(there, min(DEPTH, first.columns.shape[1]))
    scores = first.scores.copy()
    scores[query, place] += measure.score(gain(query, first.columns[query, place]), 0)
    order = np.argsort(-scores, axis=1, kind="stable")[:, :k]
    return Best(np.take_along_axis(scores, order, 1), np.take_along_axis(first.columns, order, 1))


def _in_order(gain: Gain, query: np.ndarray, candidate: np.ndarray) -> np.ndarray:
    """The gain of pairs in any order."""
    order = np.argsort(query, kind="stable")
    found = np.empty(len(query))
    found[order] = gain(query[order], candidate[order])
    return found


def _ranks(answers: Answers, own: np.ndarray, others: np.ndarray, tie: float) -> np.ndarray:
    """Rank of each answer among the first candidates, from scores; others: queries x k."""
    least = np.maximum(own - tie, np.finfo(np.float64).min)  # -inf is no candidate
    counts = [(others[x] >= y).sum() for x, y in zip(answers.query, least, strict=True)]
    return 1 + np.array(counts, np.int64) + answers.better(own)


def _nearest(
    first: Ranking, query: np.ndarray, candidate: np.ndarray, scores: np.ndarray
) -> np.ndarray:
    """The best candidates of each query; those of the first stage where ties left out too many."""
    n, k = first.nearest.shape
    frame = pd.DataFrame(
        {
            "query": np.concatenate([query, np.repeat(np.arange(n), k)]),
            "candidate": np.concatenate([candidate, first.nearest.ravel()]),
            "score": np.concatenate([scores, np.full(n * k, -np.inf)]),
            "place": np.concatenate([candidate, np.tile(np.arange(k), n)]),
        }
    )
    frame = frame.sort_values(["query", "score", "place"], ascending=[True, False, True])
    kept = frame.drop_duplicates(["query", "candidate"]).groupby("query").head(k)
    return kept["candidate"].to_numpy().reshape(n, k)
