"""A fit in the paper's shape: four languages, 1.4 million documents, 200,000 words each, r = 300.

    .venv/bin/python -m benchmarks.solver_scale                    # the paper's tolerance
    .venv/bin/python -m benchmarks.solver_scale --part 0.1         # a tenth of the documents

Prints the estimate of memory before the fit and, after it, wall and CPU seconds, the peak of
resident memory (all of the process, features included), eigenvalues and residuals.
"""

import argparse
import logging
import sys

from benchmarks import synthetic
from benchmarks.measure import measured
from cr5.systems import reduced_rank


def main() -> None:
    """Fit once and print."""
    options = _options()
    logging.basicConfig(level=logging.INFO, format="%(asctime)s %(message)s", stream=sys.stdout)
    shape = dict(synthetic.PAPER)
    if options.part < 1:
        sizes = {x: round(n * options.part) for x, n in shape["languages"].items()}
        concepts = round(shape["n_concepts"] * options.part)
        shape |= {"languages": sizes, "n_concepts": concepts}
    features, concepts = synthetic.cached(**shape)
    nonzeros = sum(X.nnz for X in features)
    print(f"{shape}, {nonzeros:,} nonzeros, {options}", flush=True)
    solution, cost = measured(
        lambda: next(
            reduced_rank.fit(
                features,
                concepts,
                shape["n_concepts"],
                options.rank,
                [options.ridge],
                "iterative",
                options.tolerance,
                threads=options.threads,
            )
        )
    )
    given = sum(X.data.nbytes + X.indices.nbytes + X.indptr.nbytes for X in features) / 2**20
    mu, relative = solution.eigenvalues, solution.residuals / solution.eigenvalues
    print(cost)
    print(f"{given:.0f} MiB of features, {given + cost.memory:.0f} MiB with them")
    print(f"converged {solution.converged}, {solution.iterations} block steps")
    print(f"eigenvalues {mu[0]:.4f} to {mu[-1]:.4f}, sum {mu.sum():.4f}")
    print(f"residuals / mu: largest {relative.max():.4f}, mean {relative.mean():.4f}")


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--part", type=float, default=1.0)
    parser.add_argument("--rank", type=int, default=300)
    parser.add_argument("--ridge", type=float, default=1.0)
    parser.add_argument("--tolerance", type=float, default=0.1)
    parser.add_argument("--threads", type=int, default=2)
    return parser.parse_args()


if __name__ == "__main__":
    main()
