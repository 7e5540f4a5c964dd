"""Ranks as `tasks.ranking.rank_all` yields them, written by hand."""

import pandas as pd
import pytest

from cr5.scores import ranks
from cr5.search.ranking import Found


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
    return {
        "setting": "joint_da-en",
        "series": "joint",
        "kind": "joint",
        "system": "cr5",
        "task": "documents",
        "repetition": 0,
    }


@pytest.fixture
def read(tmp_path, keys):
    """A function: by system what was found in each repetition, written and read back."""

    def make(**systems):
        for system, repetitions in systems.items():
            for number, found in enumerate(repetitions):
                folder = tmp_path / system / str(number)
                list(ranks.write(folder, {**keys, "system": system, "repetition": number}, found))
                yield ranks.read(folder)

    return lambda *repetitions, **systems: list(make(**systems or {"cr5": repetitions}))
