"""Ranks of the answers after a second stage of the search."""

from collections.abc import Sequence
from dataclasses import replace

import numpy as np
import pandas as pd
from scipy import sparse

from cr5.base.rows import Rows, norms
from cr5.search import second_stage
from cr5.search.answers import Answers
from cr5.search.measures import Measure
from cr5.search.ranking import Ranking, rankings
from cr5.search.second_stage import Gain


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
        first_depth = depth and max(depth, second_stage.DEPTH)
        kept = max(run_depth, second_stage.DEPTH)
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
    mine = first.rank <= second_stage.DEPTH
    answers = first.answers.select(mine)
    n_answers = np.bincount(answers.query, minlength=answers.n_queries)
    there = np.arange(first.others.shape[1]) < second_stage.DEPTH - n_answers[:, None]
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
