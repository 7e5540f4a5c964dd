"""Time and memory of ranking, and that no number of threads changes a rank.

.venv/bin/python -m benchmarks.ranking                       # neighbourhoods among the queries
.venv/bin/python -m benchmarks.ranking --once --candidates 1000000
.venv/bin/python -m benchmarks.ranking --neighbours 3000     # among other documents
"""

import argparse

import numpy as np
from scipy import sparse

from benchmarks.measure import measured
from cr5.base.rows import unit_rows
from cr5.search.measures import MEASURES
from cr5.search.ranking import Ranking, rankings

CHUNK = 10_000


def documents(n: int, r: int, generator: np.random.Generator) -> np.ndarray:
    """Embedded documents: random unit rows, float32."""
    rows = np.empty((n, r), np.float32)
    for start in range(0, n, CHUNK):
        part = generator.standard_normal(rows[start : start + CHUNK].shape, np.float32)
        rows[start : start + CHUNK] = unit_rows(part)
    return rows


def counterparts(candidates: np.ndarray, n: int, generator: np.random.Generator) -> np.ndarray:
    """Queries whose ranks are spread: some first, many among the thousands."""
    rows = candidates[:n]
    noise = generator.standard_normal(rows.shape, np.float32) / np.sqrt(np.float32(rows.shape[1]))
    return unit_rows(rows + 4 * noise)


def ranks(
    queries: np.ndarray, candidates: np.ndarray, neighbours: np.ndarray, threads: int = 1
) -> list[Ranking]:
    """Rank by cosine and CSLS; the answer of each query is the candidate of its number."""
    relevance = sparse.eye_array(len(queries), len(candidates), format="csr")
    measures = [MEASURES["cosine"], MEASURES["csls"]]
    return rankings(queries, candidates, relevance, measures, neighbours, threads=threads)


def timed(
    queries: np.ndarray, candidates: np.ndarray, neighbours: np.ndarray, threads: int
) -> list[Ranking]:
    """Print the cost of one ranking by cosine and CSLS."""
    found, cost = measured(lambda: ranks(queries, candidates, neighbours, threads))
    sizes = (len(rows) for rows in (queries, candidates, neighbours))
    print("{:>8,} {:>10,} {:>11,} {:>7}  ".format(*sizes, threads), cost, flush=True)
    return found


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--queries", type=int, default=2_000)
    parser.add_argument("--candidates", type=int, default=200_000)
    parser.add_argument("--dimensions", type=int, default=300)
    parser.add_argument("--threads", type=int, default=2)
    parser.add_argument("--neighbours", type=int, help="documents, in place of the queries; once")
    parser.add_argument("--once", action="store_true", help="on these threads alone")
    options = parser.parse_args()

    generator = np.random.default_rng(0)
    candidates = documents(options.candidates, options.dimensions, generator)
    queries = counterparts(candidates, options.queries, generator)
    ranks(queries[:300], candidates, queries)  # warm up
    print(" queries candidates  neighbours threads")
    neighbours = queries
    if options.neighbours:
        neighbours = documents(options.neighbours, options.dimensions, generator)
    expected = timed(queries, candidates, neighbours, options.threads)
    if options.once or options.neighbours:
        return
    for threads in sorted({1, 3} - {options.threads}):
        found = timed(queries, candidates, queries, threads)
        pairs = zip(found, expected, strict=True)
        print(f"    ranks changed: {sum((a.rank != b.rank).sum() for a, b in pairs)}")
    for found in expected:
        median, most = np.quantile(found.rank, [0.5, 0.9])
        print(f"{found.measure}: median rank {median:.0f}, 90 % up to {most:.0f}")


if __name__ == "__main__":
    main()
