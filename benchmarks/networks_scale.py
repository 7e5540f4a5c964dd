"""Times both stages of XCNN on made-up text of the size that Gupta, Banchs and Rosso 2017 had.

330,000 titles for 20 epochs, then 125,000 pairs of sentences for 50, 10,000 words, 128 dimensions,
batches of 100. A part of an epoch is run, and the time of all of them computed from it.

    python -m benchmarks.networks_scale --part 0.1 --optimiser cg

`--optimiser adam --peer` adds an epoch of stage 2 as written in PyTorch, with its sparse Adam and
one thread; it needs the environment of envs/torch.txt.
"""

import argparse

import numpy as np
from scipy import sparse

from benchmarks.measure import Cost, measured
from cr5.systems.networks.composition import random_start, word_vectors
from cr5.systems.networks.optimisers import optimiser
from cr5.systems.networks.relevance import most_relevant
from cr5.systems.networks.training import OPTIONS, Pairs, run_epoch

TITLES, TITLE_EPOCHS, TITLE_WORDS = 330_000, 20, 7
SENTENCES, SENTENCE_EPOCHS, SENTENCE_WORDS = 125_000, 50, 12
WORDS, DIMENSION = 10_000, 128


def main() -> None:
    """Run a part of an epoch of each stage, and print what all epochs take."""
    options = _options()
    settings = {name: said[0] for name, said in OPTIONS.items()}
    settings |= {"optimiser": options.optimiser, "negatives": options.negatives}
    generator = np.random.default_rng(0)
    titles = _texts(generator, round(TITLES * options.part), TITLE_WORDS)
    found, cost = measured(lambda: most_relevant(titles, self_matches=False))
    print(f"most relevant of {titles.shape[0]:,} titles, a search by each: {cost}", flush=True)
    pairs = Pairs(titles, *found)
    table, first = _stage("1", pairs, TITLES * TITLE_EPOCHS, settings, generator)
    sentences = _texts(generator, round(SENTENCES * options.part), SENTENCE_WORDS)
    rows = np.arange(sentences.shape[0])
    pairs = Pairs(sentences, rows, rows, sentences @ table)
    _, second = _stage("2", pairs, SENTENCES * SENTENCE_EPOCHS, settings, generator)
    if options.peer:
        _peer(pairs[:100], settings, generator)  # imports PyTorch, which takes seconds
        loss, cost = measured(lambda: _peer(pairs, settings, np.random.default_rng(0)))
        print(f"stage 2 in PyTorch: {cost}; loss {loss:.3f}", flush=True)
    print(f"both stages, all epochs: {(first + second) / 60:.1f} CPU-minutes")


def _stage(
    name: str, pairs: Pairs, n: int, settings: dict, generator: np.random.Generator
) -> tuple[np.ndarray, float]:
    """The table after an epoch, and the CPU seconds that n pairs would take."""
    parameters = random_start(generator, WORDS, DIMENSION, 1, 0.1)
    how = optimiser(settings, parameters)
    cost: Cost
    loss, cost = measured(lambda: run_epoch(parameters, pairs, how, settings, generator))
    there = len(pairs.queries)
    total = cost.cpu * n / there
    print(f"stage {name}, {there:,} pairs: {cost}; loss {loss:.3f}; all: {total:.0f} s", flush=True)
    return word_vectors(parameters)[-1], total


def _peer(pairs: Pairs, settings: dict, generator: np.random.Generator) -> float:
    """The mean loss of an epoch in PyTorch."""
    import torch
    from torch.nn import functional

    torch.set_num_threads(1)
    start = random_start(generator, WORDS, DIMENSION, 1, 0.1)
    W, b = (torch.tensor(p, requires_grad=True) for p in start)
    adams = torch.optim.SparseAdam([W], settings["rate"]), torch.optim.Adam([b], settings["rate"])
    answers, n, losses = torch.tensor(pairs.fixed), len(pairs.queries), []
    order, other = generator.permutation(n), generator.permutation(n)
    for chosen in np.split(order, range(settings["batch"], n, settings["batch"])):
        X = pairs.X[pairs.queries[chosen]]
        words, places = np.unique(X.indices, return_inverse=True)
        table = torch.tanh(functional.embedding(torch.tensor(words), W, sparse=True) + b)
        bags = torch.tensor(places), table, torch.tensor(X.indptr[:-1])
        Y = functional.embedding_bag(*bags, mode="sum", per_sample_weights=torch.tensor(X.data))
        near, far = (answers[pairs.answers[rows]] for rows in (chosen, other[chosen]))
        cosine = functional.cosine_similarity
        loss = (cosine(Y, far) - cosine(Y, near)).mean()
        for adam in adams:
            adam.zero_grad()
        loss.backward()
        for adam in adams:
            adam.step()
        losses.append(loss.item())
    return float(np.mean(losses))


def _texts(generator: np.random.Generator, n: int, words: int) -> sparse.csr_matrix:
    """Texts of about that many words, by Zipf's law among the 10,000."""
    lengths = np.maximum(generator.poisson(words, n), 3)
    odds = 1 / np.arange(10, WORDS + 10)
    drawn = generator.choice(WORDS, lengths.sum(), p=odds / odds.sum())
    there = np.repeat(np.arange(n), lengths), drawn
    counts = np.ones(len(drawn), np.float32)
    return sparse.csr_matrix((counts, there), (n, WORDS))


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--part", type=float, default=0.1)
    parser.add_argument("--optimiser", choices=("cg", "lbfgs", "adam"), default="cg")
    parser.add_argument("--peer", action="store_true", help="also in PyTorch")
    parser.add_argument("--negatives", type=int, default=1)
    return parser.parse_args()


if __name__ == "__main__":
    main()
