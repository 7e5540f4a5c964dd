"""A few queries with their nearest documents, by title: the paper's Table 2."""

from collections.abc import Iterable, Mapping

import numpy as np
import pandas as pd

NEIGHBOURS = 5


def examples(
    results: Iterable[tuple[Mapping[str, str], pd.DataFrame]],
    titles: Mapping[str, pd.Series],
    n_queries: int,
    seed: int,
    similarity: str = "cosine",
) -> pd.DataFrame:
    """Draw queries of each directed pair and name their nearest documents.

    Args:
        results: (setting, system, query and target by name; what `ranking.ranks` returned).
        titles: per language, title by concept.
        n_queries: per directed pair.
        seed: of the run.
        similarity: by which documents are near.

    Returns:
        setting, system, query_language, target_language, query_concept, query_title,
        rank_of_truth, neighbour_rank, neighbour_title, correct; a row per neighbour.
    """
    rows = []
    for names, frame in results:
        ranked = frame[frame["similarity"] == similarity].sort_values("concept")
        generator = np.random.default_rng(seed)
        n = min(n_queries, len(ranked))
        drawn = np.sort(generator.choice(len(ranked), n, replace=False))
        for query in ranked.iloc[drawn].itertuples():
            rows += _neighbours(names, query, titles)
    return pd.DataFrame(rows)


def _neighbours(names: Mapping[str, str], query, titles: Mapping[str, pd.Series]) -> list[dict]:
    about = {
        "setting": names["setting"],
        "system": names["system"],
        "query_language": names["query"],
        "target_language": names["target"],
        "query_concept": query.concept,
        "query_title": titles[names["query"]][query.concept],
        "rank_of_truth": query.rank,
    }
    return [
        {
            **about,
            "neighbour_rank": place,
            "neighbour_title": titles[names["target"]][concept],
            "correct": concept == query.concept,
        }
        for place, concept in enumerate(query.nearest[:NEIGHBOURS], start=1)
    ]
