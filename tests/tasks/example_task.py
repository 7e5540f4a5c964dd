"""A task with grades: pages in the folder of the query count 1, the one on its concept more."""

from collections.abc import Iterator, Sequence
from dataclasses import replace

import numpy as np
import pandas as pd
from pydantic import PositiveInt
from scipy import sparse

from cr5.tasks.base import Data, Search
from cr5.tasks.documents import Documents


class Graded(Documents):
    """Pages in the folder of the query count 1, the one on its concept more.

    Concepts of the help pages are paths, such as `sbasic/python/python_ide`.
    """

    metrics = ("nDCG@10", "AP", "Success@1")

    grade: PositiveInt = 2
    """Of the page on the same concept."""

    def searches(
        self, data: Data, languages: Sequence[str], role: str = "test"
    ) -> Iterator[Search]:
        """Yield the searches of the task `documents`, with more answers."""
        for search in super().searches(data, languages, role):
            queries, candidates = (
                search.queries.ids.map(_folder),
                search.candidates.ids.map(_folder),
            )
            every = queries.append(candidates).unique()
            near = _in(every, queries) @ _in(every, candidates).T
            grades = near + (self.grade - 1) * search.relevance
            yield replace(search, relevance=grades.tocsr())


def _folder(concept: str) -> str:
    return concept.rpartition("/")[0]


def _in(every: pd.Index, folders: pd.Index) -> sparse.csr_matrix:
    """Texts x folders, 1 where a text is in a folder."""
    rows, columns = np.arange(len(folders)), every.get_indexer(folders)
    shape = len(folders), len(every)
    return sparse.csr_matrix((np.ones(len(folders), np.int64), (rows, columns)), shape)
