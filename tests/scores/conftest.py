"""Ranks as `scores.ranking.rank_all` yields them, written by hand."""

import numpy as np
import pandas as pd
import pytest

from cr5.search.ranking import Found

HIT, RR = "Success@1", "RR"
ARTEFACT = {
    "setting": "joint_da-en",
    "series": "joint",
    "kind": "joint",
    "system": "cr5",
    "task": "documents",
    "repetition": 0,
}


@pytest.fixture
def found():
    """A function: languages and the rank of each query's one answer, None where not found."""

    def make(query, target, ranks, similarity="cosine", depth=None):
        names = [f"c{i}" for i in range(len(ranks))]
        every = pd.DataFrame({"query": names, "candidate": names, "grade": 1.0, "rank": ranks})
        answers = every.assign(score=np.float32(0.5)).dropna(subset="rank").astype({"rank": int})
        queries = pd.DataFrame({"query": names, "n_relevant": 1, "n_candidates": 20})
        queries["depth"] = pd.array([depth] * len(ranks), "Int64")
        queries["nearest"] = [[f"{name}1", f"{name}2"] for name in names]
        queries["scores"] = [np.float32([0.5, 0.4])] * len(names)
        return Found(query, target, similarity, answers, queries)

    return make


@pytest.fixture
def keys():
    """Of one artefact."""
    return ARTEFACT


def values(**systems):
    """Values of queries, as `summary.by_query` has them.

    Args:
        systems: by direction, such as `da-en` or with a measure `da-en csls`, the rank of each
            query's answer: of one repetition, or a list for each.
    """
    rows = []
    for system, directions in systems.items():
        for place, given in directions.items():
            direction, *measure = place.split()
            query, target = direction.split("-")
            repetitions = given if isinstance(given[0], list) else [given]
            for repetition, places in enumerate(repetitions):
                of = {"system": system, "repetition": repetition, "query": query, "target": target}
                of["similarity"] = [*measure, "cosine"][0]
                rows += [of | {"name": f"c{i}", "best": rank} for i, rank in enumerate(places)]
    frame = pd.DataFrame(rows).assign(**{x: y for x, y in ARTEFACT.items() if x not in rows[0]})
    return frame.assign(
        n_candidates=20, last=20, **{HIT: frame["best"] <= 1, RR: 1 / frame["best"]}
    )
