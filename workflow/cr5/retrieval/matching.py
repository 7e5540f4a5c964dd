"""The second stage of a search among embedded texts, whose words are kept beside their vectors."""

from collections.abc import Sequence

import numpy as np
from scipy import sparse

from cr5.base.errors import UserError
from cr5.base.rows import stacked
from cr5.models.contract import Model
from cr5.retrieval.chunks import Chunk
from cr5.search.second_stage import Gain
from cr5.search.word_matches import Words, matches


def second_stage(
    model: Model,
    counts: sparse.csr_matrix,
    language: str,
    every: Sequence[Chunk],
    target: str,
    threads: int = 1,
) -> Gain:
    """Return what the matches of words add to the scores of queries and texts.

    Args:
        model: of queries and texts, with a second stage.
        counts: of the queries.
        language: of the queries.
        every: the texts; they are numbered across chunks.
        target: language of the texts.
        threads: queries compared at the same time; does not affect the result.

    Raises:
        UserError: the words of the texts were not kept.
    """
    if any(chunk.words is None for chunk in every):
        raise UserError(
            f"the index has no words of its texts in {target!r}, which this model compares: build "
            "the index again"
        )
    queries = model.matched(counts, language)
    none = sparse.csr_matrix((0, len(model.words[target])), dtype=counts.dtype)
    vectors = model.matched(none, target).vectors

    def gain(query: np.ndarray, column: np.ndarray) -> np.ndarray:
        found, place = np.unique(column, return_inverse=True)
        texts = Words(_rows(every, found), vectors)
        return model.rerank * matches(queries, texts, query, place, threads)

    return gain


def _rows(every: Sequence[Chunk], columns: np.ndarray) -> sparse.csr_matrix:
    """The words of these texts, given in ascending order."""
    ends = np.cumsum([chunk.n for chunk in every])
    parts = np.split(columns, np.searchsorted(columns, ends[:-1]))
    firsts = ends - [chunk.n for chunk in every]
    rows = [x.words[at - first] for x, at, first in zip(every, parts, firsts, strict=True)]
    return stacked(rows)
