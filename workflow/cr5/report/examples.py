"""A few queries with their nearest documents, by title: the paper's Table 2."""

from collections.abc import Mapping

import numpy as np
import pandas as pd

NEIGHBOURS = 5
DIRECTION = ["setting", "series", "kind", "system", "query_language", "target_language"]


def examples(
    ranks: pd.DataFrame, titles: Mapping[str, pd.Series], n_queries: int, seed: int
) -> pd.DataFrame:
    """Draw queries of each directed pair and name their nearest documents.

    Args:
        ranks: by one similarity, a row per query: `DIRECTION`, query (its concept), rank (of its
            true counterpart), nearest (concepts, best first).
        titles: per language, title by concept.
        n_queries: per directed pair.
        seed: of the run.

    Returns:
        `DIRECTION`, query_concept, query_title, rank_of_truth, neighbour_rank, neighbour_title,
        correct; a row per neighbour.
    """
    rows = []
    for _, ranked in ranks.groupby(DIRECTION, sort=False):
        generator = np.random.default_rng(seed)
        n = min(n_queries, len(ranked))
        drawn = np.sort(generator.choice(len(ranked), n, replace=False))
        for query in ranked.sort_values("query").iloc[drawn].to_dict("records"):
            rows += _neighbours(query, titles)
    return pd.DataFrame(rows)


def _neighbours(query: Mapping, titles: Mapping[str, pd.Series]) -> list[dict]:
    about = {
        **{name: query[name] for name in DIRECTION},
        "query_concept": query["query"],
        "query_title": titles[query["query_language"]][query["query"]],
        "rank_of_truth": query["rank"],
    }
    return [
        {
            **about,
            "neighbour_rank": place,
            "neighbour_title": titles[query["target_language"]][concept],
            "correct": concept == query["query"],
        }
        for place, concept in enumerate(query["nearest"][:NEIGHBOURS], start=1)
    ]
