"""CSLS in an index: how near each text is to its nearest texts of the language of the queries."""

import numpy as np

from cr5.base.errors import UserError
from cr5.retrieval.indexes.memory import Contents, Memory
from cr5.retrieval.indexes.segments import Segment, check_finite
from cr5.search.best import Piece, Wanted, best

NEIGHBOURS = 10  # k of CSLS, as in the evaluation
BATCH = 4096


def penalties(
    store: Memory, contents: Contents, language: str, queries: str, threads: int
) -> list[np.ndarray]:
    """What CSLS takes off the cosine of each text, half of r(y) of Conneau et al. (2018), Eq. 3.

    Args:
        store: keeps what was computed.
        contents: of the index.
        language: of the texts that are searched.
        queries: language of the queries, whose texts in the index are the neighbours.
        threads: changes no result.

    Returns:
        Per segment (n,) float32; inf for a text that is never found.

    Raises:
        UserError: the index has no text in the language of the queries.
    """
    neighbours = contents.get(queries, ())
    if not any(x.n > len(x.hidden) for x in neighbours):
        raise UserError(
            f"csls corrects for texts that are near to all texts of the queries' language: add "
            f"texts in {queries!r} to the index, or search by cosine"
        )
    state = store.state(neighbours)
    found = []
    for segment in contents[language]:
        name = f"{segment.name}.{queries}.{state}"
        known = store.known(name)
        if known is None or len(known) != segment.n:
            check_finite(neighbours, queries)
            known = _of(segment, neighbours, threads)
            store.keep(name, known)
        barred = segment.barred()
        found.append(known + barred if len(barred) else known)
    return found


def _of(segment: Segment, neighbours: tuple[Segment, ...], threads: int) -> np.ndarray:
    pieces = [Piece(x.rows, x.largest) for x in neighbours]
    wanted = [Wanted(NEIGHBOURS, [x.barred() for x in neighbours])]
    means = [
        mean(best(segment.rows[start : start + BATCH], pieces, wanted, threads=threads)[0].scores)
        for start in range(0, segment.n, BATCH)
    ]
    return (np.concatenate(means) / 2).astype(np.float32)


def mean(scores: np.ndarray) -> np.ndarray:
    """Mean of those that there are, (n,) float64."""
    there = np.isfinite(scores)
    return np.where(there, scores, 0).sum(axis=1) / np.maximum(there.sum(axis=1), 1)
