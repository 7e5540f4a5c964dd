"""A task with grades: pages in the folder of the query count 1, the one on its concept more."""

from dataclasses import replace

import numpy as np
from pydantic import PositiveInt
from scipy import sparse

from cr5.tasks.documents import Documents


class Folders(Documents):
    """Pages in the folder of the query count 1, the one on its concept more.

    Concepts of the help pages are paths, such as `sbasic/python/python_ide`.
    """

    metrics = ("nDCG@10", "AP", "Success@1")

    grade: PositiveInt = 2
    """Of the page on the same concept."""

    def searches(self, data, languages, role):
        """Yield the searches of the task `documents`, with more answers."""
        for search in super().searches(data, languages, role):
            is_near = np.equal.outer(_folders(search.queries), _folders(search.candidates))
            near = sparse.csr_matrix(is_near.astype(int))
            yield replace(search, relevance=near + (self.grade - 1) * search.relevance)


def _folders(texts):
    return np.array([concept.rpartition("/")[0] for concept in texts.ids])
