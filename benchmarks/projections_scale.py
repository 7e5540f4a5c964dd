"""Times OPCA by the iterative solver on made-up text of the shape of Platt et al. 2010.

43,380 pairs in 20,000 merged columns, 2,000 dimensions: their Wikipedia (90 minutes on 8 cores in
2010). Rows have the squared length of real ones, so that gamma means the same.

    .venv/bin/python -m benchmarks.projections_scale --part 0.25
"""

import argparse
import logging
import sys

import numpy as np
from scipy import sparse

from benchmarks import synthetic
from benchmarks.measure import measured
from cr5.systems.projections import pencils
from cr5.systems.projections.documents import Documents
from cr5.systems.projections.pencils import Pencil
from cr5.systems.projections.solve import Solution, SolveSettings, needed_bytes, solve

PAIRS, WORDS = 43_380, 11_000
SQUARED_LENGTH = 43_000  # of biographies, weighted as the paper does


def main() -> None:
    """Solve, and print what it took."""
    options = _options()
    logging.basicConfig(level=logging.INFO, format="%(asctime)s %(message)s", stream=sys.stdout)
    pencil = _pencil(options)
    nonzeros, shape = pencil.Z.nnz, pencil.Z.shape
    print(f"{shape[0]:,} rows, {shape[1]:,} columns, {nonzeros:,} nonzeros, {options}", flush=True)
    how = SolveSettings("iterative", options.tolerance, threads=options.threads)

    def fit() -> Solution:
        return solve(pencil, options.dimensions, how)

    solution, cost = measured(fit)
    print(cost)
    held = 12 * nonzeros / 2**20
    estimated = needed_bytes(pencil, options.dimensions, "iterative") / 2**20
    print(f"{held:.0f} MiB of rows; {estimated:.0f} MiB were estimated beside them")
    print(solution.facts)
    print(f"eigenvalues {solution.values[0]:.6g} to {solution.values[-1]:.6g}", flush=True)


def _pencil(options: argparse.Namespace) -> Pencil:
    n, words = round(PAIRS * options.part), round(WORDS * options.part)
    features, concepts = synthetic.cached(
        languages={"en": n, "es": n}, n_concepts=n, vocabulary=words, nonzeros=options.nonzeros
    )
    scale = np.sqrt(SQUARED_LENGTH)
    Z = sparse.vstack([_merged(scale * X, number) for number, X in enumerate(features)], "csr")
    Z.sort_indices()
    documents = Documents(Z, np.repeat([0, 1], n), np.hstack(concepts))
    return pencils.opca(documents, options.gamma)


def _merged(X: sparse.csr_matrix, language: int) -> sparse.csr_matrix:
    """In shared columns: each eleventh word and the one after it are strings of both languages."""
    words = np.arange(X.shape[1])
    shared = words % 11 < 2
    own = np.cumsum(~shared) - 1
    n_own, n_shared = int((~shared).sum()), int(shared.sum())
    column = np.where(shared, np.cumsum(shared) - 1, n_shared + language * n_own + own)
    shape = X.shape[0], n_shared + 2 * n_own
    return sparse.csr_matrix((X.data.astype(np.float64), column[X.indices], X.indptr), shape)


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--part", type=float, default=1.0)
    parser.add_argument("--dimensions", type=int, default=2000)
    parser.add_argument("--gamma", type=float, default=0.1)
    parser.add_argument("--nonzeros", type=int, default=200)
    parser.add_argument("--tolerance", type=float, default=1e-3)
    parser.add_argument("--threads", type=int, default=2)
    return parser.parse_args()


if __name__ == "__main__":
    main()
