"""The evaluation's results in the form of the page's files."""

from collections.abc import Mapping
from typing import Any

import numpy as np
import pandas as pd

from cr5.explore.encoded import rounded
from cr5.explore.scored import Scorer
from cr5.explore.shelves import Ranks, Shelf, hubs


def found(
    query: str, ranks: Ranks, every: Ranks, shelves: Mapping[str, Shelf], scorer: Scorer
) -> dict[str, dict[str, Any]]:
    """Return a system's results for queries of one language.

    Args:
        query: language of the queries.
        ranks: the page's queries, by query language, target language and measure.
        every: all queries, likewise.
        shelves: the page's documents.
        scorer: computes the scores.

    Returns:
        By target language and measure: query, rank, score, nearest, scores, a list entry per
        query; hubs; documents by their numbers on the page.
    """
    content: dict[str, dict[str, Any]] = {}
    for key, frame in ranks.items():
        if key[0] == query:
            of_target = content.setdefault(key[1], {"measures": {}})
            of_measure = _measure(key, frame, every[key], shelves, scorer)
            of_target["measures"][key[2]] = of_measure
    return content


def _measure(key, frame: pd.DataFrame, every: pd.DataFrame, shelves, scorer) -> dict[str, Any]:
    query, target, _ = key
    place = shelves[target].ids
    nearest = np.array(frame["nearest"].tolist())
    return {
        "query": shelves[query].ids.get_indexer(frame["query"]).tolist(),
        "true": place.get_indexer(frame["query"]).tolist(),
        "rank": frame["rank"].tolist(),
        "score": rounded(frame["score"]),
        "nearest": place.get_indexer(nearest.ravel()).reshape(nearest.shape).tolist(),
        "scores": [rounded(row) for row in scorer.scores(key, frame, every["query"])],
        "hubs": [[place.get_loc(concept), n] for concept, n in hubs(every["nearest"])],
        "queries": len(every),
        "candidates": int(every["n_candidates"].iloc[0]),
    }
