"""The criterion by which systems choose hyperparameters."""

from collections.abc import Callable, Mapping

import numpy as np
import pandas as pd
from scipy import sparse

from cr5.base.rows import Rows
from cr5.counts.bags import Bags
from cr5.fitting.contract import Table
from cr5.models.word_tables import WordTable, embed
from cr5.tasks import documents


def validation(
    bags: Mapping[str, Bags],
    split: pd.DataFrame,
    weights: Mapping[str, np.ndarray],
    term_frequency: str,
    threads: int = 1,
) -> Callable[[Mapping[str, Table]], float]:
    """Make the criterion by which systems choose hyperparameters.

    Args:
        bags: by language of the setting.
        split: of the setting.
        weights: per language the idf of each word.
        term_frequency: how counts enter.
        threads: changes no result.

    Returns:
        A function from word tables to the MRR (cosine) of the validation queries, averaged over
        all directed pairs.
    """

    def score(tables: Mapping[str, Table]) -> float:
        def embedding(counts: sparse.csr_matrix, language: str) -> Rows:
            table = WordTable([], weights[language], tables[language], term_frequency)
            return embed(counts, table)

        per_pair = []
        for _, frame in documents.rank_all(bags, split, embedding, "validation", threads=threads):
            found = frame.loc[frame["similarity"] == "cosine", "rank"]
            per_pair.append((1 / found).mean())
        return float(np.mean(per_pair))

    return score
