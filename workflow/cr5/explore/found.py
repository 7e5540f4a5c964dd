"""The evaluation's results in the form of the page's files."""

from collections import Counter
from collections.abc import Mapping
from typing import Any

import numpy as np
import pandas as pd

from cr5.explore.encoded import rounded
from cr5.explore.scored import Scorer
from cr5.explore.shelves import Ranks, Shelf

HUBS = 30  # per direction and measure


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
        query; hubs; documents by their numbers on the page. By target language also `hubness`:
        CSLS's r(y) of each of its documents with words on the page.
    """
    content: dict[str, dict[str, Any]] = {}
    for key, frame in ranks.items():
        if key[0] == query:
            of_target = content.setdefault(key[1], {"measures": {}})
            of_measure = _measure(key, frame, every[key], shelves, scorer)
            of_target["measures"][key[2]] = of_measure
            if key[2] == "csls":
                of_target["hubness"] = _hubness(key, every[key], shelves[key[1]], scorer)
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
        "hubs": _hubs(every["nearest"], place),
        "queries": len(every),
        "candidates": int(every["n_candidates"].iloc[0]),
    }


def _hubs(nearest: pd.Series, place: pd.Index) -> list[list[int]]:
    """Return N_10, the number of queries with a document among their nearest; largest first."""
    counts = Counter(concept for each in nearest for concept in each)
    order = sorted(counts.items(), key=lambda item: (-item[1], item[0]))
    numbers = place.get_indexer([concept for concept, _ in order])
    both = zip(numbers.tolist(), (count for _, count in order), strict=True)
    return [[number, count] for number, count in both if number >= 0][:HUBS]


def _hubness(key, every: pd.DataFrame, shelf: Shelf, scorer: Scorer) -> list[float]:
    query, target, _ = key
    numbers = scorer.spaces[target].ids.get_indexer(shelf.ids[: shelf.counts.shape[0]])
    return rounded(scorer.hubness(query, target, every["query"], numbers))
