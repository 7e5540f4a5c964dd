"""A few queries with their nearest documents, by title: the paper's Table 2."""

from collections.abc import Mapping
from pathlib import Path

import numpy as np
import pandas as pd

from cr5.counts import bags
from cr5.report.example_options import ExampleOptions

DIRECTION = ["setting", "series", "kind", "system", "query_language", "target_language"]


def titles(folders: Mapping[str, str | Path]) -> dict[str, pd.Series]:
    """Read the title of each concept from the bags of each language."""
    frames = {
        language: bags.read_documents(folder, language, ["concept", "title"])
        for language, folder in folders.items()
    }
    return {language: frame.set_index("concept")["title"] for language, frame in frames.items()}


def titles_in(titles: Mapping[str, pd.Series], language: str | None) -> Mapping[str, pd.Series]:
    """Return titles in one language, where it has a document of the concept, else their own."""
    if language not in titles:  # None, or a language that the shown setting does not have
        return titles
    common = titles[language]
    return {x: common.reindex(own.index).fillna(own) for x, own in titles.items()}


def examples(
    ranks: pd.DataFrame,
    titles: Mapping[str, pd.Series],
    n_queries: int,
    seed: int,
    neighbours: int = ExampleOptions().neighbours,
) -> pd.DataFrame:
    """Choose queries of each directed pair and name their nearest documents.

    Args:
        ranks: by one similarity, a row per query: `DIRECTION`, query (its concept), rank (of its
            true counterpart), nearest (concepts, best first).
        titles: per language, title by concept.
        n_queries: number drawn per directed pair.
        seed: the run's seed.
        neighbours: number shown of each query, at most as many as `ranks` has.

    Returns:
        `DIRECTION`, query_concept, query_title, rank_of_truth, neighbour_rank, neighbour_title,
        correct; a row per neighbour.
    """
    rows = []
    for _, ranked in ranks.groupby(DIRECTION, sort=False):
        for query in _drawn(ranked, n_queries, seed).to_dict("records"):
            rows += _neighbours(query, titles, neighbours)
    return pd.DataFrame(rows)


def _drawn(ranked: pd.DataFrame, n_queries: int, seed: int) -> pd.DataFrame:
    n = min(n_queries, len(ranked))
    drawn = np.random.default_rng(seed).choice(len(ranked), n, replace=False)
    return ranked.sort_values("query").iloc[np.sort(drawn)]


def _neighbours(query: Mapping, titles: Mapping[str, pd.Series], n: int) -> list[dict]:
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
        for place, concept in enumerate(query["nearest"][:n], start=1)
    ]
