"""Cost of a fit against the authors' algorithm, in one run on one corpus.

    .venv/bin/python -m benchmarks.solver_speed              # about ten minutes, most of it theirs
    .venv/bin/python -m benchmarks.solver_speed --no-authors

20,000 concepts in two languages, 20,000 words each, about 120 distinct words a document, r = 300,
lambda = 1, BLAS on one thread. Each line: wall and CPU seconds, the sum tr(P'MP) of the r
eigenvalues (P as returned, linear systems solved to 1e-5), and its share of the optimum, which
is a fit to the tolerance 0.001. Then a grid of ridges (the authors'), and their algorithm at
one of them. What a prior costs shows `solver_scale --prior`.
"""

import argparse

from threadpoolctl import threadpool_limits

from benchmarks import authors, synthetic
from benchmarks.measure import measured
from cr5.systems.algebra.threads import Threads
from cr5.systems.ridge.iterative_solver import Iterative
from cr5.systems.ridge.problem import Problem, Solution

OPTIMUM = 1e-3


def main() -> None:
    """Print a line per fit."""
    options = _options()
    X, concepts = synthetic.cached(
        languages=dict.fromkeys(["a", "b"], options.concepts),
        n_concepts=options.concepts,
        vocabulary=options.concepts,
        nonzeros=options.nonzeros,
    )
    print(f"nonzeros {sum(part.nnz for part in X):,}, {options}", flush=True)
    corpus = (X, concepts, options.concepts)
    with threadpool_limits(1):
        optimum = _ours(corpus, options, OPTIMUM, 2, None)
        for tolerance, threads in ((0.2, 2), (0.1, 1), (0.1, 2), (0.03, 2), (0.01, 2)):
            _ours(corpus, options, tolerance, threads, optimum)
        _grid(corpus, options)
        if options.authors:
            _authors(corpus, options, optimum)


def _ours(corpus, options, tolerance: float, threads: int, optimum: float | None) -> float:
    def fit() -> Solution:
        asked = Iterative(Problem(*corpus), options.rank, Threads(threads))
        asked.tolerance = tolerance
        return _with_maps(asked.solve(options.ridge))

    solution, cost = measured(fit)
    total = solution.values.sum()
    worst = (solution.residuals / solution.values).max()
    _print(f"tolerance {tolerance:g}, {threads} threads", cost, total, optimum)
    print(
        f"    converged {solution.converged}, {solution.iterations} block steps, "
        f"largest residual {worst:.2e} mu"
    )
    return total


def _grid(corpus, options) -> None:
    """Each ridge of a grid starts from the one before."""
    ridges = [6.0, 4.0, 2.5, 2.0, 1.33, 1.0, 0.5]
    asked = Iterative(Problem(*corpus), options.rank, Threads(2))
    for ridge in ridges:
        solution, cost = measured(lambda ridge=ridge: _with_maps(asked.solve(ridge)))
        _print(f"grid, lambda {ridge:g}", cost, solution.values.sum(), None)
        print(f"    converged {solution.converged}, {solution.iterations} block steps")


def _with_maps(solution: Solution) -> Solution:
    solution.maps(solution.rank)
    return solution


def _authors(corpus, options, optimum: float) -> None:
    features, concepts, n_concepts = corpus
    problem = authors.Authors(features, concepts, n_concepts, options.ridge)
    (P, _), cost = measured(lambda: authors.fit(problem, options.rank))
    steps = problem.steps
    _print("the authors' algorithm", cost, authors.eigenvalue_sum(problem, P), optimum)
    print(f"    {steps:,} steps of conjugate gradients, {P.shape[1]} eigenvectors")


def _print(name: str, cost, total: float, optimum: float | None) -> None:
    share = "" if optimum is None else f"   {total / optimum:8.5f} of the optimum"
    print(f"{name:28} {cost}   sum {total:9.4f}{share}", flush=True)


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--concepts", type=int, default=20_000)
    parser.add_argument("--nonzeros", type=int, default=120)
    parser.add_argument("--rank", type=int, default=300)
    parser.add_argument("--ridge", type=float, default=1.0)
    parser.add_argument("--no-authors", dest="authors", action="store_false")
    return parser.parse_args()


if __name__ == "__main__":
    main()
