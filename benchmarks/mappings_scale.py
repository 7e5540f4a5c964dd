"""The rate of AdvRefine's game at the published settings, on 75,000 words of 300 numbers.

    .venv/bin/python -m benchmarks.mappings_scale
    .venv/bin/python -m benchmarks.mappings_scale --words 20000 --rounds 50

The target space is the source space turned and blurred, its words in the same order. Measured are
some rounds (five steps of the discriminator and one of the map each), on one thread; printed beside
it is what all 156,250 rounds would take.
"""

import argparse

import numpy as np

from benchmarks.measure import Cost, measured
from cr5.base.rows import unit_rows
from cr5.systems.maps.advrefine import AdvRefine, Game

SYSTEM = AdvRefine()  # the published settings
CLUSTERS = 2000
NOISE = 0.06  # of each number, beside 0.058 = 300 ** -0.5 of the space itself


def spaces(words: int, dimension: int, seed: int = 0) -> tuple[np.ndarray, np.ndarray]:
    """Words in clusters of unequal size, uneven dimensions; and a blurred copy, turned."""
    generator = np.random.default_rng(seed)
    spread = np.linspace(2, 0.5, dimension, dtype=np.float32)
    centres = generator.normal(size=(CLUSTERS, dimension)).astype(np.float32)
    shares = generator.dirichlet(np.full(CLUSTERS, 0.8))
    X = centres[generator.choice(CLUSTERS, words, p=shares)] * 0.7
    X += generator.standard_normal(X.shape, np.float32)
    source = unit_rows((X * spread).astype(np.float32))
    turn = np.linalg.qr(generator.normal(size=(dimension, dimension)))[0].astype(np.float32)
    blur = NOISE * generator.standard_normal(source.shape, np.float32)
    return source, unit_rows(source @ turn + blur)


def play(source: np.ndarray, target: np.ndarray, rounds: int) -> None:
    """Play some rounds of the game, on one thread as in a fit."""
    game = Game(source, target, SYSTEM, 0)
    for _ in range(rounds):
        game.round(SYSTEM.rate)


def told(rounds: int, d: int, cost: Cost) -> str:
    """Say what so many rounds took, and what all would."""
    rate = operations(d) * rounds / 1e9
    share = rounds * SYSTEM.batch / (SYSTEM.epochs * SYSTEM.samples)
    return (
        f"{cost}   {rate / cost.wall:.0f} GFLOP/s, {rate / cost.cpu:.0f} a CPU-s; all rounds: "
        f"{cost.wall / share / 3600:.1f} hours, {cost.cpu / share / 3600:.1f} CPU-hours"
    )


def operations(d: int) -> int:
    """Count the floating-point operations of the products of a round."""
    batch, hidden = SYSTEM.batch, SYSTEM.hidden
    first, second = 2 * batch * d * hidden, 2 * batch * hidden**2  # of a layer's product
    discriminator = 2 * (2 * first + 3 * second) + 2 * batch * d**2
    mapping = 2 * (first + second) + 4 * batch * d**2 + 4 * d**3
    return SYSTEM.discriminator_steps * discriminator + mapping


def main() -> None:
    """Play, and print what it took."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--words", type=int, default=75_000)
    parser.add_argument("--dimension", type=int, default=300)
    parser.add_argument("--rounds", type=int, default=200)
    given = parser.parse_args()
    source, target = spaces(given.words, given.dimension)
    print(f"{given}, {(source.nbytes + target.nbytes) / 2**20:.0f} MiB of vectors", flush=True)
    play(source, target, 1)  # loads SciPy's BLAS, so that it has one thread, too, as in a fit
    _, cost = measured(lambda: play(source, target, given.rounds))
    print(f"{given.rounds} rounds {told(given.rounds, given.dimension, cost)}")


if __name__ == "__main__":
    main()
