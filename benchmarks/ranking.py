"""Time and memory of ranking, and that no way of cutting the work changes a rank.

.venv/bin/python -m benchmarks.ranking                # neighbourhoods among the queries
.venv/bin/python -m benchmarks.ranking --both-sides   # among all documents: about 10 times it
"""

import argparse

import numpy as np
import pandas as pd

from benchmarks.measure import measured
from cr5.base.rows import unit_rows
from cr5.search import similarity
from cr5.search.ranking import Space, ranks

BLOCK = similarity.ROWS, similarity.COLUMNS
# Blocks and threads that must not change a rank.
CASES = ((BLOCK, 1), (BLOCK, 3), ((64, 512), 2), ((128, 4096), 2), ((1024, 1024), 2))
CHUNK = 10_000


def documents(n: int, r: int, generator: np.random.Generator) -> Space:
    """Embedded documents: random unit rows, float32."""
    rows = np.empty((n, r), np.float32)
    for start in range(0, n, CHUNK):
        part = generator.standard_normal(rows[start : start + CHUNK].shape, np.float32)
        rows[start : start + CHUNK] = unit_rows(part)
    return Space(pd.RangeIndex(n), rows)


def counterparts(candidates: Space, n: int, generator: np.random.Generator) -> Space:
    """Queries whose ranks are spread: some first, many among the thousands."""
    rows = candidates.rows[:n]
    noise = generator.standard_normal(rows.shape, np.float32) / np.sqrt(np.float32(rows.shape[1]))
    return Space(candidates.concepts[:n], unit_rows(rows + 4 * noise))


def times(queries: Space, candidates: Space, neighbours: Space, threads: int) -> pd.DataFrame:
    """Print the cost of one ranking by cosine and CSLS."""
    frame, cost = measured(lambda: ranks(queries, candidates, neighbours, threads=threads))
    sizes = (len(space.concepts) for space in (queries, candidates, neighbours))
    print("{:>8,} {:>10,} {:>11,} {:>7}  ".format(*sizes, threads), cost, flush=True)
    return frame


def invariance(queries: Space, candidates: Space, expected: pd.DataFrame) -> None:
    """Print how many ranks and scores other threads and other blocks change."""
    print("\nblock       threads   ranks changed   largest change   scores changed by at most")
    for (rows, columns), threads in CASES:
        similarity.ROWS, similarity.COLUMNS = rows, columns
        found = ranks(queries, candidates, queries, threads=threads)
        change = (found["rank"] - expected["rank"]).abs()
        score = (found["score"] - expected["score"]).abs().max()
        print(
            f"{rows:>4} x {columns:<5}{threads:>6}{(change > 0).sum():>9,} of {len(change):,}"
            f"{change.max():>12}{score:>22.1e}",
            flush=True,
        )
    similarity.ROWS, similarity.COLUMNS = BLOCK


def main() -> None:
    """Print the tables."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--queries", type=int, default=2_000)
    parser.add_argument("--candidates", type=int, default=200_000)
    parser.add_argument("--dimensions", type=int, default=300)
    parser.add_argument("--threads", type=int, default=2)
    parser.add_argument("--both-sides", action="store_true", help="neighbourhoods of documents")
    options = parser.parse_args()

    generator = np.random.default_rng(0)
    candidates = documents(options.candidates, options.dimensions, generator)
    queries = counterparts(candidates, options.queries, generator)
    ranks(queries.select(queries.concepts[:300]), candidates, queries)  # warm up
    print(" queries candidates  neighbours threads")
    if options.both_sides:
        others = documents(options.candidates, options.dimensions, generator)
        times(queries, candidates, others, options.threads)
        return
    expected = times(queries, candidates, queries, options.threads)
    times(queries, candidates, queries, 1)
    for n, m in ((1, 4), (4, 1), (4, 4)):
        few = queries.select(queries.concepts[: options.queries // n])
        less = candidates.select(candidates.concepts[: options.candidates // m])
        times(few, less, few, options.threads)
    for name, found in expected.groupby("similarity")["rank"]:
        print(f"{name}: median rank {found.median():.0f}, 90 % up to {found.quantile(0.9):.0f}")
    invariance(queries, candidates, expected)


if __name__ == "__main__":
    main()
