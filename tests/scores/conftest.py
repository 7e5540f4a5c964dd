"""Ranks as `tasks.ranking.rank_all` yields them, written by hand."""

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


def frames(answers, n_relevant, n_candidates, depth):
    """`answers`: (query, candidate, grade, rank, score)."""
    columns = ["query", "candidate", "grade", "rank", "score"]
    found = pd.DataFrame(answers, columns=columns)
    types = {"query": str, "candidate": str, "grade": float, "rank": int, "score": "float32"}
    queries = pd.DataFrame(
        {
            "query": list(n_relevant),
            "n_relevant": list(n_relevant.values()),
            "n_candidates": n_candidates,
            "depth": pd.array([depth] * len(n_relevant), "Int64"),
            "nearest": [[f"{query}1", f"{query}2"] for query in n_relevant],
        }
    )
    return found.astype(types), queries


@pytest.fixture
def found():
    """A function: languages and the rank of each query's one answer, None where not found."""

    def make(query, target, ranks, similarity="cosine", n_candidates=20, depth=None):
        names = [f"c{i}" for i in range(len(ranks))]
        answers = [
            (name, name, 1.0, rank, 0.5)
            for name, rank in zip(names, ranks, strict=True)
            if rank is not None
        ]
        parts = frames(answers, dict.fromkeys(names, 1), n_candidates, depth)
        return Found(query, target, similarity, *parts)

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
