"""A fit in the paper's shape: four languages, 1.4 million documents, 200,000 words each, r = 300.

    .venv/bin/python -m benchmarks.solver_scale                    # the paper's tolerance
    .venv/bin/python -m benchmarks.solver_scale --part 0.1         # a tenth of the documents
    .venv/bin/python -m benchmarks.solver_scale --prior            # then a fit with a prior, too
    .venv/bin/python -m benchmarks.solver_scale --equal 28 40000 80000 120  # that many languages

Prints the estimate of memory before a fit and, after it, wall and CPU seconds, the peak of
resident memory (all of the process, features included), eigenvalues and residuals; of a second
fit, with a prior over made-up spellings, how many times the CPU-seconds of the first.
"""

import argparse
import logging
import sys

from benchmarks import synthetic
from benchmarks.measure import measured
from cr5.systems.algebra.threads import Threads
from cr5.systems.ridge.iterative_solver import Iterative
from cr5.systems.ridge.problem import Problem, Solution, factor
from cr5.systems.ridge.spelling import spelt


def main() -> None:
    """Fit without a prior and, if one is asked for, with it, and print."""
    options = _options()
    logging.basicConfig(level=logging.INFO, format="%(asctime)s %(message)s", stream=sys.stdout)
    shape = _shape(options)
    features, concepts = synthetic.cached(**shape)
    nonzeros = sum(X.nnz for X in features)
    print(f"{shape}, {nonzeros:,} nonzeros, {options}", flush=True)
    given = features, concepts, shape["n_concepts"]
    plain = _fit(given, options)
    if options.prior:
        languages = sorted(shape["languages"])
        words = synthetic.spellings(languages, features[0].shape[1])
        N = spelt(words)
        print(f"prior: {sum(each.nnz for each in N.values()):,} nonzeros", flush=True)
        prior = [N[x] for x in languages]
        print(f"{_fit(given, options, prior) / plain:.2f} times the CPU-seconds")


def _shape(options: argparse.Namespace) -> dict:
    """The paper's shape or equal languages, and a part of the documents."""
    shape = dict(synthetic.PAPER)
    if options.equal:
        languages, documents, words, nonzeros = options.equal
        sizes = {f"{number:02}": documents for number in range(languages)}
        concepts = round(1.25 * documents)  # not all of them have all languages
        shape = {"languages": sizes, "n_concepts": concepts}
        shape |= {"vocabulary": words, "nonzeros": nonzeros}
    if options.part < 1:
        sizes = {x: round(n * options.part) for x, n in shape["languages"].items()}
        concepts = round(shape["n_concepts"] * options.part)
        shape |= {"languages": sizes, "n_concepts": concepts}
    return shape


def _fit(given, options, prior=()) -> float:
    """Fit, print what it took, and return the CPU-seconds."""

    def fit() -> Solution:
        F = factor(prior, 1.0, given[0]) if prior else ()
        solver = Iterative(Problem(*given, F), options.rank, Threads(options.threads))
        solver.tolerance = options.tolerance
        solution = solver.solve(options.ridge)
        if prior:
            solution.scaled_maps()
        else:
            solution.maps(solution.rank)
        return solution

    solution, cost = measured(fit)
    features = given[0]
    held = sum(X.data.nbytes + X.indices.nbytes + X.indptr.nbytes for X in features) / 2**20
    mu, relative = solution.values, solution.residuals / solution.values
    print(cost)
    print(f"{held:.0f} MiB of features, {held + cost.memory:.0f} MiB with them")
    print(f"converged {solution.converged}, {solution.iterations} block steps")
    print(f"eigenvalues {mu[0]:.4f} to {mu[-1]:.4f}, sum {mu.sum():.4f}")
    print(f"residuals / mu: largest {relative.max():.4f}, mean {relative.mean():.4f}", flush=True)
    return cost.cpu


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--part", type=float, default=1.0)
    parser.add_argument(
        "--equal",
        nargs=4,
        type=int,
        metavar=("LANGUAGES", "DOCUMENTS", "WORDS", "NONZEROS"),
        help="so many languages with so many documents and words each, in place of the paper's",
    )
    parser.add_argument("--rank", type=int, default=300)
    parser.add_argument("--ridge", type=float, default=1.0)
    parser.add_argument("--tolerance", type=float, default=0.1)
    parser.add_argument("--threads", type=int, default=2)
    parser.add_argument("--prior", action="store_true")
    return parser.parse_args()


if __name__ == "__main__":
    main()
