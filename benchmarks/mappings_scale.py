"""Time and memory of word mappings at the papers' size: 200,000 words of 300 numbers, both sides.

    .venv/bin/python -m benchmarks.mappings_scale
    .venv/bin/python -m benchmarks.mappings_scale --words 20000 --threads 2
    .venv/bin/python -m benchmarks.mappings_scale --words 75000 --game 300 --threads 2

The target space is the source space turned and blurred, its words in the same order. Measured are
Procrustes on 5,000 pairs with five rounds of refinement; P@1 by CSLS of the 1,500 words behind
these, with neighbourhoods among all words; and ten epochs of RCSLS at one rate. With `--game`
it is so many rounds of AdvRefine's game at the published settings (five steps of the discriminator
and one of the map each), on one thread, and what all 156,250 rounds would take; with `--peer` also
in PyTorch on `--threads`, which needs the environment of envs/torch.txt.
"""

import argparse

import numpy as np

from benchmarks.measure import Cost, measured
from cr5.base.options import complete
from cr5.base.rows import unit_rows
from cr5.systems.mapping import csls, gan
from cr5.systems.mapping.maps import apply_map, orthogonal_map
from cr5.systems.mapping.refinement import OPTIONS as REFINEMENT
from cr5.systems.mapping.refinement import refine
from cr5.systems.rcsls import OPTIONS, train

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
    options, rng = complete(gan.OPTIONS, {}), np.random.default_rng(0)
    d = source.shape[1]
    layers, W = gan.new_discriminator(rng, d, options["hidden"]), np.eye(d, dtype=source.dtype)
    for _ in range(rounds):
        W, _ = gan.round_of_game(layers, W, source, target, options["rate"], rng, options)


def told(rounds: int, d: int, cost: Cost) -> str:
    """Say what so many rounds took, and what all would."""
    options = complete(gan.OPTIONS, {})
    rate = operations(d, options) * rounds / 1e9
    share = rounds * options["batch"] / (options["epochs"] * options["samples"])
    return (
        f"{cost}   {rate / cost.wall:.0f} GFLOP/s, {rate / cost.cpu:.0f} a CPU-s; all rounds: "
        f"{cost.wall / share / 3600:.1f} hours, {cost.cpu / share / 3600:.1f} CPU-hours"
    )


def operations(d: int, options: dict) -> int:
    """Count the floating-point operations of the products of a round."""
    batch, hidden = options["batch"], options["hidden"]
    first, second = 2 * batch * d * hidden, 2 * batch * hidden**2  # of a layer's product
    discriminator = 2 * (2 * first + 3 * second) + 2 * batch * d**2
    mapping = 2 * (first + second) + 4 * batch * d**2 + 4 * d**3
    return options["discriminator_steps"] * discriminator + mapping


def play_in_torch(source: np.ndarray, target: np.ndarray, rounds: int, threads: int) -> None:
    """Play the same in PyTorch."""
    import torch
    from torch import nn

    torch.set_num_threads(threads)
    options, d = complete(gan.OPTIONS, {}), source.shape[1]
    batch, hidden, beta = options["batch"], options["hidden"], options["orthogonality"]
    layers = [nn.Dropout(options["input_dropout"]), nn.Linear(d, hidden)]
    layers += [nn.LeakyReLU(options["leak"]), nn.Linear(hidden, hidden)]
    D = nn.Sequential(*layers, nn.LeakyReLU(options["leak"]), nn.Linear(hidden, 1), nn.Flatten(0))
    W = torch.eye(d, requires_grad=True)
    by_D, by_W = (torch.optim.SGD(x, options["rate"]) for x in (D.parameters(), [W]))
    X, Y = torch.from_numpy(source), torch.from_numpy(target)
    wanted = torch.tensor(gan.targets(batch, options["smoothing"]), dtype=torch.float32)
    loss = nn.BCEWithLogitsLoss()
    for _ in range(rounds):
        D.requires_grad_(True).train()
        for _ in range(options["discriminator_steps"]):
            x, y = (torch.randint(len(space), (batch,)) for space in (X, Y))
            by_D.zero_grad()
            loss(D(torch.cat([X[x] @ W.detach(), Y[y]])), wanted).backward()
            by_D.step()
        D.requires_grad_(False).eval()
        by_W.zero_grad()
        x = torch.randint(len(X), (batch,))
        (loss(D(X[x] @ W), wanted[batch:]) / 2).backward()
        by_W.step()
        W.data = (1 + beta) * W.data - beta * (W.data @ W.data.T) @ W.data


def main() -> None:
    """Measure one after the other, and print a line for each."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--words", type=int, default=200_000)
    parser.add_argument("--dimension", type=int, default=300)
    parser.add_argument("--train", type=int, default=5000)
    parser.add_argument("--test", type=int, default=1500)
    parser.add_argument("--threads", type=int, default=1)
    parser.add_argument("--game", type=int, metavar="ROUNDS", help="of AdvRefine, and nothing else")
    parser.add_argument("--peer", action="store_true", help="the game in PyTorch too")
    given = parser.parse_args()
    source, target = spaces(given.words, given.dimension)
    print(f"{given}, {(source.nbytes + target.nbytes) / 2**20:.0f} MiB of vectors", flush=True)
    if given.game:
        _, cost = measured(lambda: play(source, target, given.game))
        print(f"{given.game} rounds {told(given.game, given.dimension, cost)}", flush=True)
        if given.peer:
            play_in_torch(source, target, 1, given.threads)  # imports PyTorch, which takes seconds
            game = given.game, given.threads
            _, cost = measured(lambda: play_in_torch(source, target, *game))
            print(f"in PyTorch {told(given.game, given.dimension, cost)}")
        return
    pairs, test = (
        np.column_stack([rows, rows])
        for rows in np.split(np.arange(given.train + given.test), [given.train])
    )
    start = orthogonal_map(source[: given.train], target[: given.train])
    options = complete(REFINEMENT, {})
    found, cost = measured(lambda: refine(source, target, start, options))
    print(f"Procrustes, refined {cost}", flush=True)
    mapped = apply_map(source, found.W)
    precision, cost = measured(lambda: csls.precision(mapped, target, test, neighbours=10))
    print(f"evaluation by CSLS  {cost}   P@1 {precision:.3f}", flush=True)
    options = complete(OPTIONS, {"rates": [10.0]})
    generator = np.random.default_rng(0)
    (_, report), cost = measured(
        lambda: train(source, target, pairs, options, generator, given.threads)
    )
    first, *_, last = (step["loss"] for step in report["rcsls"])
    print(f"RCSLS, ten epochs   {cost}   loss {first:.4f}, {last:.4f}", flush=True)


if __name__ == "__main__":
    main()
