"""Search in both directions of each pair of a setting: embed once, rank every pair."""

import itertools
from collections.abc import Callable, Iterable, Iterator, Mapping
from pathlib import Path

import pandas as pd
from scipy import sparse

from cr5.base.rows import Rows
from cr5.counts.bags import Bags
from cr5.search.options import SearchOptions
from cr5.search.ranking import Space, ranks
from cr5.splits import draw as splits

Embedding = Callable[[sparse.csr_matrix, str], Rows]
"""From counts (documents x words) and their language to unit rows."""


def rank_all(
    bags: Mapping[str, Bags],
    split: pd.DataFrame,
    embedding: Embedding,
    role: str = "test",
    csls_neighbours: int = SearchOptions.csls_neighbours,
    csls_neighbourhood: str = SearchOptions.csls_neighbourhood,
    threads: int = 1,
) -> Iterator[tuple[tuple[str, str], pd.DataFrame]]:
    """Rank the queries of a role for every directed pair.

    Args:
        bags: by language of the setting.
        split: of the setting, see `splits.split`.
        embedding: of the system.
        role: `test` or `validation`.
        csls_neighbours: k of CSLS.
        csls_neighbourhood: `candidates` takes a candidate's neighbours among all candidates of
            the query language, `queries` among the queries only, as the authors' code does.
        threads: changes no result.

    Yields:
        (query language, target language), what `ranking.ranks` returns; not of pairs that
        share too little for a query.
    """
    spaces = {
        language: _space(bags[language], split, embedding, role, language) for language in bags
    }
    for query, target in itertools.permutations(bags, 2):
        pair = "-".join(sorted((query, target), key=list(bags).index))
        queries = spaces[query].select(splits.concepts(split, role, query, pair))
        if not len(queries.concepts):
            continue
        neighbours = queries if csls_neighbourhood == "queries" else spaces[query]
        yield (query, target), ranks(queries, spaces[target], neighbours, csls_neighbours, threads)


def summary(frame: pd.DataFrame) -> str:
    """Return the P@1 of each similarity, for a log."""
    hits = (frame["rank"] == 1).groupby(frame["similarity"]).mean()
    return ", ".join(f"{similarity} {value:.3f}" for similarity, value in hits.items())


def _space(
    bags: Bags, split: pd.DataFrame, embedding: Embedding, role: str, language: str
) -> Space:
    concepts = splits.search_space(split, language, role)
    return Space(concepts, embedding(bags.counts[bags.rows(concepts)], language))


def load_ranks(
    folders: Iterable[str | Path], fits: Iterable[tuple[str, str]]
) -> Iterator[tuple[dict[str, str], pd.DataFrame]]:
    """Read ranks back.

    Args:
        folders: one per fit, each with a file {query}-{target}.parquet per directed pair.
        fits: setting and system of each folder.

    Yields:
        setting, system, query and target by name, and the ranks; sorted by pair in each fit.
    """
    for folder, (setting, system) in zip(folders, fits, strict=True):
        for file in sorted(Path(folder).glob("*.parquet")):
            query, target = file.stem.split("-")
            names = {"setting": setting, "system": system, "query": query, "target": target}
            yield names, pd.read_parquet(file)
