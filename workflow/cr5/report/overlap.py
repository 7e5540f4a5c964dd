"""Which languages have which concepts, and what of that each setting trains on: Cr5's Figure 1."""

from collections.abc import Mapping

import numpy as np
import pandas as pd

KEYS = ["setting", "series", "kind", "repetition"]
COLUMNS = [*KEYS, "exist", "train", "concepts"]


def overlap(documents: Mapping[str, pd.Index], trained: pd.DataFrame) -> pd.DataFrame:
    """Count concepts by the languages that have them and those in which they train.

    Args:
        documents: per language, the concepts of all kept documents.
        trained: of one setting and repetition: concept, language.

    Returns:
        exist, train (languages in the order of the alphabet, with spaces between; nothing for
        none), concepts (how many there are of exactly these); the most languages first, then the
        most concepts.
    """
    languages = sorted(documents)
    every = pd.Index(sorted(set().union(*documents.values())))
    trains = {x: trained.loc[trained["language"] == x, "concept"] for x in languages}
    columns = {("exist", x): every.isin(documents[x]) for x in languages}
    columns |= {("train", x): every.isin(trains[x]) for x in languages}
    found = pd.DataFrame(columns).value_counts()
    exist, train = np.split(np.array(found.index.to_list()), 2, axis=1)
    names = {"exist": _names(exist, languages), "train": _names(train, languages)}
    table = pd.DataFrame({**names, "concepts": found.to_numpy()})
    size = table["exist"].str.count(" ")
    order = table.assign(size=-size, n=-table["concepts"]).sort_values(
        ["size", "exist", "n", "train"]
    )
    return order[["exist", "train", "concepts"]].reset_index(drop=True)


def _names(members: np.ndarray, languages: list[str]) -> list[str]:
    return [" ".join(np.array(languages)[row]) for row in members]
