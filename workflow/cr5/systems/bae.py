"""BAE, the bilingual autoencoder, as compared with XCNN (Gupta, Banchs and Rosso 2017, 3.3).

The counts of a concept's documents side by side, in any number of languages, are encoded by
restricted Boltzmann machines, trained one on the other, then unrolled and fine-tuned to give the
counts back. The code is the highest layer; a document is encoded with all other languages' words
at zero.
"""

from collections.abc import Iterator
from itertools import chain
from typing import Any

import numpy as np
from scipy import sparse

from cr5.base.errors import UserError
from cr5.fitting.best import best
from cr5.fitting.contract import Fit, TrainingSet
from cr5.models.autoencoder import Autoencoder
from cr5.systems.networks.boltzmann import reconstruction, run_epoch, stacked, unrolled
from cr5.systems.networks.composition import Arrays
from cr5.systems.networks.optimisers import Adam
from cr5.systems.projections.columns import Columns, ColumnSettings, columns
from cr5.systems.projections.documents import of_concepts

TITLE = "BAE"
REFERENCE = "Gupta, Banchs and Rosso, IP&M 2017"
COST = (1, 24)
NEEDS = ("counts",)
WITHOUT_COUNTS = None  # its units are counts of words

OPTIONS = {
    "widths": ([500, 250, 128], {"ge": 1}, "units of each layer, the last one of the model"),
    "skip_words": (0, {"ge": 0}, "most frequent words of each language that are dropped"),
    "max_words": (10000, {"ge": 1}, "words kept of the others in each language"),
    "blanked": (False, "whether it is also fine-tuned to complete the words of one language"),
    "stack_epochs": (20, {"ge": 1}, "of each machine"),
    "epochs": ([5, 10, 20], {"ge": 0}, "of fine-tuning; validated, from one run"),
    "batch": (50, {"ge": 1}, "concepts of each step"),
    "rates": ([0.003], {"gt": 0}, "learning rates of Adam; several are validated"),
}


def fit(training: TrainingSet, options: dict[str, Any]) -> Fit:
    """Train the machines, then fine-tune; keep the rate and the epochs that validate best.

    Raises:
        UserError: no word is left, or `widths` is empty.
    """
    if not options["widths"]:
        raise UserError("option widths is empty: expected the units of one layer or more")
    kept = ColumnSettings(options["skip_words"], options["max_words"], False, weighted=False)
    chosen = columns(training.words, training.counts, kept)
    fits = (_fits(training, chosen, options, rate) for rate in options["rates"])
    return best(training, chain.from_iterable(fits))


def _fits(
    training: TrainingSet, chosen: Columns, options: dict[str, Any], rate: float
) -> Iterator[Fit]:
    generator = np.random.default_rng(training.seed)
    X = of_concepts(training, chosen).Z.astype(np.float32)

    def run(machine: Arrays, loss: Any) -> None:
        how = Adam(machine, rate)
        for _ in range(options["stack_epochs"]):
            run_epoch(machine, how, loss, X.shape[0], options["batch"], generator)

    parameters = unrolled(stacked(X, options["widths"], run, generator))
    given, wanted = blanked(X, training, chosen) if options["blanked"] else (X, X)

    def loss(rows: np.ndarray) -> Any:
        return reconstruction(given[rows], wanted[rows])

    how, losses = Adam(parameters, rate), []
    for epoch in range(max(options["epochs"]) + 1):
        if epoch:
            about = given.shape[0], options["batch"], generator
            losses.append(run_epoch(parameters, how, loss, *about))
        if epoch in options["epochs"]:
            model = _model(training, chosen, parameters, len(options["widths"]))
            yield Fit(model, {"losses": list(losses)}, {"rate": rate, "epochs": epoch})


def blanked(
    X: sparse.csr_matrix, training: TrainingSet, chosen: Columns
) -> tuple[sparse.csr_matrix, sparse.csr_matrix]:
    """What is given and wanted: all words for all, and those of each language alone for all."""
    given, wanted = [X], [X]
    for x in training.languages:
        own = np.zeros(chosen.n, np.float32)
        own[chosen.numbers[x][chosen.numbers[x] >= 0]] = 1
        part = (X @ sparse.diags(own)).tocsr()
        part.eliminate_zeros()
        known = np.flatnonzero(np.diff(part.indptr))
        given, wanted = [*given, part[known]], [*wanted, X[known]]
    return sparse.vstack(given).tocsr(), sparse.vstack(wanted).tocsr()


def _model(
    training: TrainingSet, chosen: Columns, parameters: Arrays, n_layers: int
) -> Autoencoder:
    encoder = [p.copy() for p in parameters[: 2 * n_layers]]
    numbers = [str(level) for level in range(2, n_layers + 1)]
    return Autoencoder(
        words=training.words,
        tables={x: chosen.table(x, encoder[0]) for x in training.languages},
        weights=chosen.weights,
        bias=encoder[1],
        layers=dict(zip(numbers, encoder[2::2], strict=True)),
        biases=dict(zip(numbers, encoder[3::2], strict=True)),
    )
