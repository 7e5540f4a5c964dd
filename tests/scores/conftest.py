"""Ranks as `scores.ranking.rank_all` yields them, written by hand."""

import numpy as np
import pandas as pd
import pytest
from scipy import stats

from cr5.search.ranking import Found

HIT = "Success@1"
RR = "RR"
ARTEFACT = {
    "setting": "joint_da-en",
    "series": "joint",
    "kind": "joint",
    "system": "cr5",
    "task": "documents",
    "repetition": 0,
}


def search(direction, ranks, similarity="cosine", depth=None):
    """A search such as `da-en` with the rank of each query's one answer, None where not found."""
    query_language, target_language = direction.split("-")
    n_queries = len(ranks)
    ids = [f"c{number}" for number in range(n_queries)]
    answers = pd.DataFrame({"query": ids, "candidate": ids, "grade": 1.0, "rank": ranks})
    answers = answers.assign(score=np.float32(0.5))
    answers = answers.dropna(subset="rank").astype({"rank": int})
    queries = pd.DataFrame({"query": ids, "n_relevant": 1, "n_candidates": 20})
    queries["depth"] = pd.array([depth] * n_queries, "Int64")
    queries["nearest"] = [[f"{query_id}1", f"{query_id}2"] for query_id in ids]
    scores = np.float32([0.5, 0.4])
    queries["scores"] = [scores] * n_queries
    return Found(query_language, target_language, similarity, answers, queries)


def wilson(n_hits, n):
    """Wilson's interval of a share, as scipy computes it."""
    ends = stats.binomtest(n_hits, n).proportion_ci(method="wilson")
    return pytest.approx((ends.low, ends.high), abs=1e-12)


@pytest.fixture
def keys():
    """Of one artefact."""
    return ARTEFACT


def repetition_rows(system, place, repetition, ranks):
    """Rows of queries of a place, which is a direction and perhaps a measure: `da-en csls`."""
    direction, _, measure = place.partition(" ")
    query_language, target_language = direction.split("-")
    subject = {
        "system": system,
        "repetition": repetition,
        "query_language": query_language,
        "target_language": target_language,
        "similarity": measure or "cosine",
    }
    rows = []
    for number, rank in enumerate(ranks):
        of_query = {"query_id": f"c{number}", "best": rank}
        rows.append(subject | of_query)
    return rows


def values(**systems):
    """Values of queries, as `summary.by_query` has them.

    Args:
        systems: by direction, such as `da-en` or with a measure `da-en csls`, the rank of each
            query's answer: of one repetition, or a list for each.
    """
    rows = []
    for system, places in systems.items():
        for place, ranks in places.items():
            repetitions = ranks if isinstance(ranks[0], list) else [ranks]
            for repetition, of_repetition in enumerate(repetitions):
                rows += repetition_rows(system, place, repetition, of_repetition)
    frame = pd.DataFrame(rows).assign(n_candidates=20, last=20)
    names = {key: value for key, value in ARTEFACT.items() if key not in frame}
    return frame.assign(**names, **{HIT: frame["best"] <= 1, RR: 1 / frame["best"]})
