"""Approximate search: a graph of near texts for each segment (HNSW, Malkov and Yashunin 2020).

Only which texts are compared is approximate; scores are those of the exact search. usearch was
chosen among three libraries by measurement: benchmarks/README.md.
"""

from collections.abc import Sequence
from typing import Any

import numpy as np

from cr5.base.errors import UserError
from cr5.base.rows import Rows
from cr5.retrieval.embedder import Embedder
from cr5.retrieval.indexes.memory import Contents, Memory
from cr5.retrieval.indexes.segments import Segment
from cr5.search import best as exact
from cr5.search.best import Best, Piece, Wanted

CONNECTIVITY, BUILD, SEARCH = 16, 200, 256  # M, efConstruction, ef of the paper


def build(model: Embedder, store: Memory, contents: Contents) -> None:
    """Build the graphs that there are not.

    Raises:
        UserError: usearch is not installed, or no graph can be built of such rows.
    """
    graph = _library()
    for segments in contents.values():
        for segment in segments:
            if store.graph(segment.name, _load) is None:
                check(model, "cosine", segment.rows)
                store.keep_graph(segment.name, _of(graph, segment))


def best(
    model: Embedder,
    measure: str,
    store: Memory,
    segments: Sequence[Segment],
    queries: Rows,
    k: int,
    threads: int,
) -> Best:
    """Find what `search.best` finds, or nearly; segments without a graph are searched exactly."""
    check(model, measure, queries)
    pieces = [Piece(x.rows, x.largest) for x in segments]
    graphs = [store.graph(x.name, _load) for x in segments]
    if not any(x is not None for x in graphs):
        raise UserError(
            "the index has no graphs for approximate search yet: build them by `cr5 index MODEL "
            "INDEX --approximate` (in Python: Index.build_approximate), or search exactly"
        )
    without = [
        np.full(x.n, np.inf, np.float32) if graph is not None else x.barred()
        for x, graph in zip(segments, graphs, strict=True)
    ]
    (rest,) = exact.best(queries, pieces, [Wanted(k, without)], threads=threads)
    columns, first = [rest.columns], 0
    for segment, graph in zip(segments, graphs, strict=True):
        if graph is not None:
            found = _near(graph, segment, queries, k, threads)
            columns.append(np.where(found == exact.NONE, exact.NONE, found + first))
        first += segment.n
    return exact.best_of(queries, pieces, np.hstack(columns), k)


def check(model: Embedder, measure: str, rows: Rows) -> None:
    """Refuse what graphs are not for.

    Raises:
        UserError: the rows are not dense, or not compared by cosine.
    """
    if measure != "cosine" or not isinstance(rows, np.ndarray) or "cosine" not in model.measures:
        raise UserError(
            f"{model.place}: approximate search is for dense vectors, compared by cosine; search "
            "exactly"
        )


def _near(graph: Any, segment: Segment, queries: np.ndarray, k: int, threads: int) -> np.ndarray:
    """Numbers of texts; those that were removed since are asked for, and left out."""
    hidden = segment.hidden
    n = min(k + len(hidden), len(graph))
    if not n:
        return np.zeros((len(queries), 0), np.int64)
    graph.expansion_search = max(SEARCH, 2 * n)
    found = graph.search(queries, n, threads=threads)
    numbers = np.asarray(found.keys).reshape(len(queries), n).astype(np.int64)
    counts = np.asarray(found.counts).reshape(-1, 1)
    return np.where((np.arange(n) < counts) & ~np.isin(numbers, hidden), numbers, exact.NONE)


def _of(graph: Any, segment: Segment) -> Any:
    """One thread: more would build another graph each time."""
    numbers = np.setdiff1d(np.arange(segment.n), segment.hidden)
    made = graph(
        ndim=segment.rows.shape[1],
        metric="ip",
        dtype="f32",
        connectivity=CONNECTIVITY,
        expansion_add=BUILD,
    )
    if len(numbers):
        made.add(numbers, np.ascontiguousarray(segment.rows[numbers]), threads=1)
    return made


def _load(path: str) -> Any:
    """Map a graph into memory."""
    try:
        found = _library().restore(path, view=True)
        if found is None:
            raise ValueError("this is no graph")
        return found
    except (OSError, ValueError, RuntimeError) as error:
        raise UserError(
            f"{path}: not a whole graph ({error}); remove it and build it again"
        ) from error


def _library() -> Any:
    try:
        from usearch.index import Index
    except ImportError as error:
        raise UserError(
            "approximate search needs usearch, which is not installed: pip install 'cr5[ann]'"
        ) from error
    return Index
