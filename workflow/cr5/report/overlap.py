"""Which languages have which concepts, and what of that each setting trains on: Cr5's Figure 1."""

from collections.abc import Mapping

import numpy as np
import pandas as pd

KEYS = ["setting", "series", "kind", "repetition"]
COLUMNS = [*KEYS, "exist", "train", "concepts"]


def members(documents: Mapping[str, pd.Index]) -> pd.DataFrame:
    """Concepts x languages, True where there is a document.

    Args:
        documents: per language, the concepts of all kept documents.
    """
    every = pd.Index(sorted(set().union(*documents.values())))
    return pd.DataFrame({x: every.isin(documents[x]) for x in sorted(documents)}, index=every)


def overlap(exist: pd.DataFrame, trained: pd.DataFrame) -> pd.DataFrame:
    """Count concepts by the languages that have them and those in which they train.

    Args:
        exist: see `members`.
        trained: of one setting and repetition: concept, language.

    Returns:
        exist, train (languages in the order of the alphabet, with spaces between; nothing for
        none), concepts (how many there are of exactly these); the most languages first, then the
        most concepts.
    """
    languages = list(exist)
    train = np.zeros(exist.shape, bool)
    rows = exist.index.get_indexer(trained["concept"])
    train[rows, pd.Index(languages).get_indexer(trained["language"])] = True
    found, concepts = _distinct(np.hstack([exist.to_numpy(), train]))
    parts = np.split(found, 2, axis=1)
    names = {part: _names(x, languages) for part, x in zip(("exist", "train"), parts, strict=True)}
    table = pd.DataFrame({**names, "concepts": concepts})
    size = table["exist"].str.count(" ")
    order = table.assign(size=-size, n=-table["concepts"]).sort_values(
        ["size", "exist", "n", "train"]
    )
    return order[["exist", "train", "concepts"]].reset_index(drop=True)


def _distinct(rows: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Distinct rows of a boolean array, and how often each is there."""
    packed, counts = np.unique(np.packbits(rows, axis=1), axis=0, return_counts=True)
    return np.unpackbits(packed, axis=1, count=rows.shape[1]).astype(bool), counts


def _names(members: np.ndarray, languages: list[str]) -> list[str]:
    return [" ".join(np.array(languages)[row]) for row in members]
