"""Times the iterative solver of the projections on made-up text of the shape of Platt et al. 2010.

43,380 pairs in 20,000 merged columns, 2,000 dimensions: their Wikipedia (90 minutes on 8 cores in
2010, for OPCA). Rows have the squared length of real ones, so that gamma means the same.

    python -m benchmarks.projections_scale --system opca --part 0.25
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
    languages = {"en": n, "es": n}
    features, concepts = synthetic.cached(
        languages=languages, n_concepts=n, vocabulary=words, nonzeros=options.nonzeros
    )
    features = [np.sqrt(SQUARED_LENGTH) * X.astype(np.float64) for X in features]
    if options.system == "document_cca":
        Z = sparse.block_diag(features, "csr")
        return pencils.cca(_documents(Z, concepts), (0, words), options.gamma or 10.0)
    Z = sparse.vstack([_merged(X, number) for number, X in enumerate(features)], "csr")
    if options.system == "cl_lsi":
        D = (Z[:n] + Z[n:]).tocsr()
        D.sort_indices()
        return pencils.lsi(Documents(D, np.zeros(n, int), np.arange(n)))
    return pencils.opca(_documents(Z, concepts), options.gamma or 0.1)


def _documents(Z: sparse.csr_matrix, concepts: list[np.ndarray]) -> Documents:
    Z.sort_indices()
    return Documents(Z, np.repeat([0, 1], [len(each) for each in concepts]), np.hstack(concepts))


def _merged(X: sparse.csr_matrix, language: int) -> sparse.csr_matrix:
    """In shared columns: each eleventh word and the one after it are strings of both languages."""
    words = np.arange(X.shape[1])
    shared = words % 11 < 2
    own = np.cumsum(~shared) - 1
    n_own, n_shared = int((~shared).sum()), int(shared.sum())
    column = np.where(shared, np.cumsum(shared) - 1, n_shared + language * n_own + own)
    shape = X.shape[0], n_shared + 2 * n_own
    return sparse.csr_matrix((X.data, column[X.indices], X.indptr), shape)


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--system", choices=("cl_lsi", "opca", "document_cca"), default="opca")
    parser.add_argument("--part", type=float, default=1.0)
    parser.add_argument("--dimensions", type=int, default=2000)
    parser.add_argument("--gamma", type=float, default=None)
    parser.add_argument("--nonzeros", type=int, default=200)
    parser.add_argument("--tolerance", type=float, default=1e-3)
    parser.add_argument("--threads", type=int, default=2)
    return parser.parse_args()


if __name__ == "__main__":
    main()
