"""What `processor: common` costs: CPU-seconds of the same work under other limits of the processor.

    .venv/bin/python -m benchmarks.processor_cost
    .venv/bin/python -m benchmarks.processor_cost --kernels Sandybridge Nehalem --rounds 7

Each figure is of a process of its own, on one thread; `common` and the others take turns, and a
ratio is that of two neighbours, so that a busy machine disturbs both. What `own` is depends on the
machine, and a line of its own says it: of AVX2 alone common leaves out next to nothing.
"""

import argparse
import json
import os
import subprocess
import sys
from collections.abc import Callable
from statistics import median

from cr5.base import processor

OWN, COMMON = "own", "common"
PARTS = {
    "product of 2,000 x 2,000, float32": "product_single",
    "product of 2,000 x 2,000, float64": "product_double",
    "SVD of 1,000 x 1,000, float64": "decomposition",
    "log of 20 million numbers, float64": "logarithms",
    "Cr5, 4,000 concepts, rank 300, dense": "fit_dense",
    "Cr5, likewise, iterative": "fit_iterative",
    "AdvRefine, 30 steps of the game": "game",
}


def main() -> None:
    """Measure in turns, and print a row for each part."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--kernels", nargs="*", default=[], help="OpenBLAS's, beside own")
    parser.add_argument("--only", nargs="*", default=list(PARTS.values()), help="parts")
    parser.add_argument("--part", choices=PARTS.values(), help="measure it in this process")
    given = parser.parse_args()
    if given.part:
        print(json.dumps(measure(given.part)))
        return
    kinds = [COMMON, OWN, *given.kernels]
    for kind in kinds:
        print(f"{kind}: {', '.join(seconds(given.only[0], kind)[1])}")
    print(f"load {os.getloadavg()[0]:.1f}\n\n| | {' | '.join(head(kinds))} |")
    print("|---" * (len(kinds) + 1) + "|")
    for title, part in PARTS.items():
        if part in given.only:
            row = [[seconds(part, kind)[0] for kind in kinds] for _ in range(given.rounds)]
            print(f"| {title} | {' | '.join(cells(row))} |", flush=True)


def head(kinds: list[str]) -> list[str]:
    """Names of the columns."""
    return [f"{COMMON}, CPU-seconds", *(f"{kind} over it" for kind in kinds[1:])]


def cells(rounds: list[list[float]]) -> list[str]:
    """The median of the first, and of the ratios of each other one to it, with their range."""
    ratios = [[row[i] / row[0] for row in rounds] for i in range(1, len(rounds[0]))]
    told = [f"{median(each):.2f} ({min(each):.2f} to {max(each):.2f})" for each in ratios]
    return [f"{median(row[0] for row in rounds):.2f}", *told]


def seconds(part: str, kind: str) -> tuple[float, list[str]]:
    """CPU-seconds of a part, and for which kinds of processor BLAS and NumPy computed."""
    names = (processor.NUMPY, *processor.PINS)
    environment = {key: value for key, value in os.environ.items() if key not in names}
    environment["OPENBLAS_NUM_THREADS"] = "1"
    if kind not in (OWN, COMMON):
        environment[processor.BLAS] = kind
    processor.limit(COMMON if kind == COMMON else OWN, environment)
    command = [sys.executable, "-m", "benchmarks.processor_cost", "--part", part]
    done = subprocess.run(command, env=environment, capture_output=True, text=True)
    if done.returncode:
        sys.exit(f"{part} with {kind}: status {done.returncode}\n{done.stderr}")
    return tuple(json.loads(done.stdout))


def measure(part: str) -> tuple[float, list[str]]:
    """Do the part twice; the second time counts, when all is loaded and compiled."""
    from benchmarks.measure import measured
    from cr5.base.machine import kernels

    work = globals()[part]()
    work()
    _, cost = measured(work)
    return cost.cpu, [*kernels(), *processor.simd()["found"]]


def product_single() -> Callable[[], object]:
    """Two square matrices in float32."""
    return _product("float32")


def product_double() -> Callable[[], object]:
    """The same in float64."""
    return _product("float64")


def _product(dtype: str) -> Callable[[], object]:
    A = _normal(2_000, 2_000).astype(dtype)
    return lambda: [A @ A for _ in range(3)]


def _normal(*shape: int):
    import numpy as np

    return np.random.default_rng(0).normal(size=shape)


def decomposition() -> Callable[[], object]:
    """LAPACK's, by divide and conquer."""
    import numpy as np

    A = _normal(1_000, 1_000)
    return lambda: np.linalg.svd(A)


def logarithms() -> Callable[[], object]:
    """What weights of words are made with."""
    import numpy as np

    x = np.random.default_rng(0).uniform(1, 1_000, 20_000_000)
    return lambda: np.log(x)


def fit_dense() -> Callable[[], object]:
    """Two languages of made-up text."""
    return _fit("dense")


def fit_iterative() -> Callable[[], object]:
    """The same, to the paper's tolerance."""
    return _fit("iterative")


def _fit(solver: str) -> Callable[[], object]:
    from benchmarks import synthetic
    from cr5.systems import reduced_rank

    n = 4_000
    sizes = {"aa": n, "bb": n}
    X, concepts = synthetic.corpus(sizes, n, vocabulary=20_000, nonzeros=100)
    return lambda: list(reduced_rank.fit(X, concepts, n, 300, [1.0], solver=solver))


def game() -> Callable[[], object]:
    """Vectors of 300 numbers, and the networks of the paper."""
    from cr5.base.options import complete
    from cr5.systems import advrefine

    x, y = (_normal(5_000, 300).astype("float32") for _ in range(2))
    options = complete(advrefine.OPTIONS, {"epochs": 1, "samples": 960})
    return lambda: advrefine.train(x, y, lambda W: 0.0, options, 0)


if __name__ == "__main__":
    main()
