"""Restricted Boltzmann machines, stacked, unrolled to an autoencoder and fine-tuned.

A machine has visible units v, hidden units h and the parameters W (visible x hidden), c of the
hidden and b of the visible units:

    p(h = 1 | v) = s(v W + d c),    p(v = 1 | h) = s(h W' + b)

with d = 1. Counts of words are replicated softmax units (Salakhutdinov and Hinton 2009): d is the
number of words, which are drawn from softmax(h W' + b).
"""

from __future__ import annotations

import logging
from collections.abc import Callable, Iterator
from functools import partial
from typing import TYPE_CHECKING

import numpy as np
from scipy import sparse
from scipy.special import expit, log_softmax, softmax

from cr5.fitting.contract import Fit, TrainingSet
from cr5.models.autoencoder import Autoencoder
from cr5.systems.algebra.columns import Columns, columns_of, of_concepts
from cr5.systems.networks.composition import Arrays
from cr5.systems.networks.optimisers import Adam, Loss

if TYPE_CHECKING:
    from cr5.systems.networks.bae import Bae

log = logging.getLogger(__name__)

Rows = np.ndarray | sparse.csr_matrix


def fits(training: TrainingSet, system: Bae) -> Iterator[Fit]:
    """Yield a fit for each learning rate and each number of epochs of fine-tuning."""
    chosen = columns_of(training, system, merged=False, weighted=False)
    X = of_concepts(training, chosen).astype(np.float32)
    given, wanted = blanked(X, training, chosen) if system.blanked else (X, X)

    def loss(rows: np.ndarray) -> Loss:
        return reconstruction(given[rows], wanted[rows])

    for rate in system.rates:
        generator = np.random.default_rng(training.seed)
        parameters = unrolled(stacked(X, system, rate, generator))
        how = Adam(parameters, rate)
        for epoch in range(max(system.epochs) + 1):
            if epoch:
                reached = run_epoch(parameters, how, loss, given.shape[0], system.batch, generator)
                log.info("epoch %d: loss %.4f", epoch, reached)
            if epoch in system.epochs:
                model = _model(training, chosen, parameters, len(system.widths))
                yield Fit(model, {}, {"rate": rate, "epochs": epoch})


def blanked(
    X: sparse.csr_matrix, training: TrainingSet, chosen: Columns
) -> tuple[sparse.csr_matrix, sparse.csr_matrix]:
    """What is given and wanted: all words for all, and those of each language alone for all."""
    given, wanted = [X], [X]
    for x in training.languages:
        own = chosen.selections[x].sum(axis=0).A1.astype(np.float32)
        part = (X @ sparse.diags(own)).tocsr()
        part.eliminate_zeros()
        known = np.flatnonzero(np.diff(part.indptr))
        given, wanted = [*given, part[known]], [*wanted, X[known]]
    return sparse.vstack(given).tocsr(), sparse.vstack(wanted).tocsr()


def _model(
    training: TrainingSet, chosen: Columns, parameters: Arrays, n_layers: int
) -> Autoencoder:
    """The encoder's half of the parameters."""
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


def stacked(
    X: sparse.csr_matrix, system: Bae, rate: float, generator: np.random.Generator
) -> list[Arrays]:
    """Train a machine on counts, then each further one on the hidden units of the one before."""
    machines, V = [], X
    for level, width in enumerate(system.widths):
        W = generator.standard_normal((V.shape[1], width), np.float32) * np.float32(0.01)
        machine = [W, np.zeros(width, np.float32), np.zeros(V.shape[1], np.float32)]

        def loss(rows: np.ndarray, V: Rows = V, counts: bool = level == 0) -> Loss:
            return partial(contrastive_divergence, V[rows], counts, generator)

        how = Adam(machine, rate)
        for _ in range(system.stack_epochs):
            run_epoch(machine, how, loss, X.shape[0], system.batch, generator)
        machines.append(machine)
        V = hidden(V, *machine[:2], level == 0)
    return machines


def run_epoch(
    parameters: Arrays,
    how: Adam,
    loss: Callable[[np.ndarray], Loss],
    n: int,
    batch: int,
    generator: np.random.Generator,
) -> float:
    """Take n rows once in a new order; return the mean loss of the batches."""
    order, every = generator.permutation(n), slice(None)
    starts = range(0, n, batch)
    return float(np.mean([how.step(loss(order[i : i + batch]), parameters, every) for i in starts]))


def contrastive_divergence(
    V: Rows, counts: bool, generator: np.random.Generator, machine: Arrays
) -> tuple[float, Callable[[], Arrays]]:
    """One step of Gibbs sampling (CD-1): hidden units are drawn, visible ones are expected.

    Returns the mean squared error of the expected visible units, and what computes the mean change
    of W, c and b against which to step.
    """
    W, c, b = machine
    d, H = totals(V, counts), hidden(V, W, c, counts)
    drawn = (generator.random(H.shape, np.float32) < H).astype(W.dtype)
    expected = d * softmax(drawn @ W.T + b, axis=1) if counts else expit(drawn @ W.T + b)
    again, n = hidden(expected, W, c, counts), H.shape[0]
    away = expected - (V.toarray() if sparse.issparse(V) else V)

    def change() -> Arrays:
        by_W = (expected.T @ again - V.T @ H) / n
        return [by_W, (d * (again - H)).mean(axis=0), away.mean(axis=0)]

    return float(np.square(away).mean()), change


def hidden(V: Rows, W: np.ndarray, c: np.ndarray, counts: bool) -> np.ndarray:
    """The probabilities of hidden units, rows x hidden."""
    return expit(V @ W + totals(V, counts) * c)


def totals(V: Rows, counts: bool) -> np.ndarray | float:
    """The number d of words of each row, rows x 1; 1 where visible units are no counts."""
    return np.asarray(V.sum(axis=1)).reshape(-1, 1) if counts else 1


def unrolled(machines: list[Arrays]) -> Arrays:
    """The autoencoder of stacked machines: its layers' weights and biases in turn."""
    up = [p for W, c, _ in machines for p in (W, c)]
    return up + [p.copy() for W, _, b in reversed(machines) for p in (W.T, b)]


def reconstruction(X: sparse.csr_matrix, wanted: sparse.csr_matrix) -> Loss:
    """The cross-entropy of the words wanted for rows X, for each word, by the parameters."""
    Y = wanted.toarray()
    n = Y.sum(dtype=np.float64).astype(Y.dtype)

    def loss(parameters: Arrays) -> tuple[float, Callable[[], Arrays]]:
        units: list[Rows] = [X]  # of each layer but the last
        for level in range(0, len(parameters) - 2, 2):
            units.append(hidden(units[-1], *parameters[level : level + 2], counts=level == 0))
        odds = log_softmax(units[-1] @ parameters[-2] + parameters[-1], axis=1)

        def slopes() -> Arrays:
            delta = (Y.sum(axis=1, keepdims=True) * np.exp(odds) - Y) / n
            found: Arrays = []
            for level in reversed(range(len(units))):
                d = totals(X, counts=True) if level == 0 else 1
                found = [units[level].T @ delta, (d * delta).sum(axis=0), *found]
                if level:
                    H = units[level]
                    delta = (delta @ parameters[2 * level].T) * H * (1 - H)
            return found

        return float(-(Y * odds).sum() / n), slopes

    return loss
