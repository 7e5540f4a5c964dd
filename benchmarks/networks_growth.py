"""How the CPU time of XCNN, CL-LSI and OPCA grows with words and with pairs of texts.

Gupta, Banchs and Rosso (2017) call XCNN's linear in both, and CL-LSI's and OPCA's quadratic in the
words. Texts are made up: 24 words by Zipf's law, and their translation, word by word. An epoch of
XCNN's second stage and whole fits of the others, by iteration, are timed, with 128 dimensions.

    python -m benchmarks.networks_growth --sizes 2500 3500 5000
"""

import argparse
from types import ModuleType

import numpy as np
from scipy import sparse

from benchmarks.measure import measured
from cr5.fitting.contract import TrainingSet
from cr5.fitting.fit import fit
from cr5.systems import cl_lsi, opca, xcnn

LENGTH = 24  # words of a text
LANGUAGES = ("en", "es")
PROJECTION = {"dimensions": [128], "skip_words": 0, "merged": False, "solver": "iterative"}
SYSTEMS = {
    "XCNN, an epoch": (xcnn, {"stage1": "random", "epochs": 1, "held_out": 0, "max_words": 10**6}),
    "CL-LSI": (cl_lsi, PROJECTION),
    "OPCA": (opca, PROJECTION),
}


def main() -> None:
    """Print a table of CPU seconds, and by which power of the size they grow."""
    options = _options()
    largest = max(options.sizes)
    for what in ("words", "pairs"):
        print(
            f"{what} ({largest:,} of the other): {'  '.join(map(str, options.sizes))}", flush=True
        )
        for name, (system, chosen) in SYSTEMS.items():
            sizes = [{"words": largest, "pairs": largest, what: n} for n in options.sizes]
            seconds = [_seconds(system, chosen, **each) for each in sizes]
            power = np.polyfit(np.log(options.sizes), np.log(seconds), 1)[0]
            print(f"{name}:", *(f"{s:.1f}" for s in seconds), f"s, power {power:.2f}", flush=True)


def _seconds(system: ModuleType, options: dict, words: int, pairs: int) -> float:
    training = _training(words, pairs)
    _, cost = measured(lambda: fit(system, training, options))
    return cost.cpu


def _training(words: int, pairs: int) -> TrainingSet:
    """Texts, the same in both languages but for a tenth of their words, which are others."""
    generator = np.random.default_rng(0)
    odds = 1 / np.arange(10, words + 10)
    drawn = generator.choice(words, (pairs, LENGTH), p=odds / odds.sum())
    others = generator.choice(words, (pairs, LENGTH), p=odds / odds.sum())
    changed = np.where(generator.random(drawn.shape) < 0.1, others, drawn)
    counts = {x: _counted(rows, words) for x, rows in zip(LANGUAGES, (drawn, changed), strict=True)}
    names = {x: [f"{x}{i}" for i in range(words)] for x in LANGUAGES}
    every = dict.fromkeys(LANGUAGES, np.arange(pairs))
    ones = dict.fromkeys(LANGUAGES, np.ones(words))
    return TrainingSet(
        LANGUAGES,
        names,
        features=counts,
        concepts=every,
        n_concepts=pairs,
        weights=ones,
        term_frequency="raw",
        frequencies={x: counts[x].sum(axis=0).A1 for x in LANGUAGES},
        validate=lambda model: 0.0,
        seed=0,
        counts=counts,
    )


def _counted(rows: np.ndarray, words: int) -> sparse.csr_matrix:
    there = np.repeat(np.arange(len(rows)), LENGTH), rows.ravel()
    return sparse.csr_matrix((np.ones(rows.size), there), (len(rows), words))


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--sizes", type=int, nargs="+", default=[2500, 3500, 5000])
    return parser.parse_args()


if __name__ == "__main__":
    main()
