"""Restricted Boltzmann machines, stacked, unrolled to an autoencoder and fine-tuned.

A machine has visible units v, hidden units h and the parameters W (visible x hidden), c of the
hidden and b of the visible units:

    p(h = 1 | v) = s(v W + d c),    p(v = 1 | h) = s(h W' + b)

with d = 1. Counts of words are replicated softmax units (Salakhutdinov and Hinton 2009): d is the
number of words, which are drawn from softmax(h W' + b).
"""

from __future__ import annotations

import logging
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING

import numpy as np
from scipy import sparse
from scipy.special import expit, log_softmax, softmax

from cr5.contracts.training import Fit, TrainingSet
from cr5.models.autoencoder import Autoencoder
from cr5.search.kernels import dense
from cr5.systems.algebra.columns import Columns, columns_of, of_concepts
from cr5.systems.networks.composition import Arrays
from cr5.systems.networks.optimisers import Adam, Loss

if TYPE_CHECKING:
    from cr5.systems.networks.bae import Bae

log = logging.getLogger(__name__)

Rows = np.ndarray | sparse.csr_matrix


def fits(training: TrainingSet, system: Bae) -> Iterator[Fit]:
    """Yield a fit for each learning rate and each number of epochs of fine-tuning."""
    columns = columns_of(training, system, merged=False, weighted=False)
    X = of_concepts(training, columns).astype(np.float32)
    examples = blanked(X, training, columns) if system.blanked else Examples(X, X)
    n_examples = examples.inputs.shape[0]
    for rate in system.rates:
        generator = np.random.default_rng(training.seed)
        parameters = unrolled(stacked(X, system, rate, generator))
        optimiser = Adam(parameters, rate)
        for epoch in range(max(system.epochs) + 1):
            if epoch:
                batches = shuffled(n_examples, system.batch, generator)
                loss = run_epoch(parameters, optimiser, examples.loss, batches)
                log.info("epoch %d: loss %.4f", epoch, loss)
            if epoch in system.epochs:
                model = _model(training, columns, parameters, len(system.widths))
                yield Fit(model, {}, {"rate": rate, "epochs": epoch})


@dataclass(frozen=True)
class Examples:
    """Rows of counts that the autoencoder is given, and those that it is to return for them."""

    inputs: sparse.csr_matrix
    targets: sparse.csr_matrix

    def loss(self, rows: np.ndarray) -> Loss:
        """Return the loss of a batch of these rows."""
        return reconstruction(self.inputs[rows], self.targets[rows])


def blanked(X: sparse.csr_matrix, training: TrainingSet, columns: Columns) -> Examples:
    """Return all words as the targets of all words, and of those of each language alone."""
    inputs = [X]
    targets = [X]
    for language in training.languages:
        is_of_language = columns.selections[language].sum(axis=0).A1.astype(np.float32)
        alone = (X @ sparse.diags(is_of_language)).tocsr()
        alone.eliminate_zeros()
        with_words = np.flatnonzero(np.diff(alone.indptr))
        inputs.append(alone[with_words])
        targets.append(X[with_words])
    return Examples(sparse.vstack(inputs).tocsr(), sparse.vstack(targets).tocsr())


def _model(
    training: TrainingSet, columns: Columns, parameters: Arrays, n_layers: int
) -> Autoencoder:
    """Return the model of the encoder's half of the parameters."""
    encoder = [parameter.copy() for parameter in parameters[: 2 * n_layers]]
    weights = encoder[0::2]
    biases = encoder[1::2]
    numbers = [str(level) for level in range(2, n_layers + 1)]
    return Autoencoder(
        words=training.words,
        tables={language: columns.table(language, weights[0]) for language in training.languages},
        weights=columns.weights,
        bias=biases[0],
        layers=dict(zip(numbers, weights[1:], strict=True)),
        biases=dict(zip(numbers, biases[1:], strict=True)),
    )


def stacked(
    X: sparse.csr_matrix, system: Bae, rate: float, generator: np.random.Generator
) -> list[Arrays]:
    """Train a machine on counts, then each further one on the hidden units of the one before."""
    machines = []
    V = X
    for level, width in enumerate(system.widths):
        are_counts = level == 0
        W = generator.standard_normal((V.shape[1], width), np.float32) * np.float32(0.01)
        c = np.zeros(width, np.float32)
        b = np.zeros(V.shape[1], np.float32)
        machine = [W, c, b]
        optimiser = Adam(machine, rate)
        divergence = _divergence_of_batches(V, are_counts, generator)
        for _ in range(system.stack_epochs):
            batches = shuffled(V.shape[0], system.batch, generator)
            run_epoch(machine, optimiser, divergence, batches)
        machines.append(machine)
        V = hidden(V, W, c, are_counts)
    return machines


def _divergence_of_batches(
    V: Rows, are_counts: bool, generator: np.random.Generator
) -> Callable[[np.ndarray], Loss]:
    def loss(rows: np.ndarray) -> Loss:
        return partial(contrastive_divergence, V[rows], are_counts, generator)

    return loss


def shuffled(n_rows: int, batch: int, generator: np.random.Generator) -> Iterator[np.ndarray]:
    """Yield batches that have each row once, in a new order."""
    order = generator.permutation(n_rows)
    for start in range(0, n_rows, batch):
        yield order[start : start + batch]


def run_epoch(
    parameters: Arrays,
    optimiser: Adam,
    loss: Callable[[np.ndarray], Loss],
    batches: Iterable[np.ndarray],
) -> float:
    """Take a step for each batch; return the mean loss of the batches."""
    all_rows = slice(None)
    losses = [optimiser.step(loss(rows), parameters, all_rows) for rows in batches]
    return float(np.mean(losses))


def contrastive_divergence(
    V: Rows, are_counts: bool, generator: np.random.Generator, machine: Arrays
) -> tuple[float, Callable[[], Arrays]]:
    """Take one step of Gibbs sampling (CD-1): hidden units are drawn, visible ones are expected.

    Returns the mean squared error of the expected visible units, and what computes the mean change
    of W, c and b against which to step. With V* the expected visible units, H the hidden ones for V
    and H* those for V*, it is the mean over the n rows of

        V*'H* - V'H,    d (H* - H),    V* - V
    """
    W, c, _ = machine
    d = totals(V, are_counts)
    H = hidden(V, W, c, are_counts)
    drawn = (generator.random(H.shape, np.float32) < H).astype(W.dtype)
    expected_V = visible(drawn, machine, d, are_counts)
    expected_H = hidden(expected_V, W, c, are_counts)
    errors = expected_V - dense(V)

    def change() -> Arrays:
        by_W = (expected_V.T @ expected_H - V.T @ H) / H.shape[0]
        by_c = (d * (expected_H - H)).mean(axis=0)
        by_b = errors.mean(axis=0)
        return [by_W, by_c, by_b]

    return float(np.square(errors).mean()), change


def hidden(V: Rows, W: np.ndarray, c: np.ndarray, are_counts: bool) -> np.ndarray:
    """Return the probabilities of hidden units, rows x hidden."""
    return expit(V @ W + totals(V, are_counts) * c)


def visible(H: np.ndarray, machine: Arrays, d: np.ndarray | float, are_counts: bool) -> np.ndarray:
    """Return the expected visible units, rows x visible: counts, or else probabilities."""
    W, _, b = machine
    odds = H @ W.T + b
    if are_counts:
        return d * softmax(odds, axis=1)
    return expit(odds)


def totals(V: Rows, are_counts: bool) -> np.ndarray | float:
    """Return the number d of words of each row, rows x 1; 1 where visible units are no counts."""
    if are_counts:
        return np.asarray(V.sum(axis=1)).reshape(-1, 1)
    return 1


def unrolled(machines: list[Arrays]) -> Arrays:
    """Return the autoencoder of stacked machines: its layers' weights and biases in turn."""
    parameters: Arrays = []
    for W, c, _ in machines:
        parameters += [W, c]
    for W, _, b in reversed(machines):
        parameters += [W.T.copy(), b.copy()]
    return parameters


def reconstruction(inputs: sparse.csr_matrix, targets: sparse.csr_matrix) -> Loss:
    """Return the cross-entropy, for each word of the targets, as a function of the parameters.

    With U_0 the inputs, d their totals, and W_i, a_i the weights and biases of layer i of m,

        U_1 = s(U_0 W_1 + d a_1),    U_i = s(U_i-1 W_i + a_i),    P = softmax(U_m-1 W_m + a_m)

    and n words in the targets Y it is -sum(Y log P) / n.
    """
    Y = targets.toarray()
    totals_Y = Y.sum(axis=1, keepdims=True)
    n_words = Y.sum(dtype=np.float64).astype(Y.dtype)

    def loss(parameters: Arrays) -> tuple[float, Callable[[], Arrays]]:
        units = _units(inputs, parameters)
        log_P = log_softmax(units[-1] @ parameters[-2] + parameters[-1], axis=1)

        def slopes() -> Arrays:
            return _backpropagated((totals_Y * np.exp(log_P) - Y) / n_words, units, parameters)

        return float(-(Y * log_P).sum() / n_words), slopes

    return loss


def _units(inputs: sparse.csr_matrix, parameters: Arrays) -> list[Rows]:
    """Return the units of all layers but the last, U_0 to U_m-1."""
    weights = parameters[:-2:2]
    biases = parameters[1:-2:2]
    units: list[Rows] = [inputs]
    for level, (W, a) in enumerate(zip(weights, biases, strict=True)):
        units.append(hidden(units[-1], W, a, are_counts=level == 0))
    return units


def _backpropagated(delta: np.ndarray, units: list[Rows], parameters: Arrays) -> Arrays:
    """Return the derivatives by the parameters, of those by the odds of the last layer.

    With t the totals of the rows of Y these are delta_m = (t P - Y) / n; then, layer by layer,

        delta_i = (delta_i+1 W_i+1') U_i (1 - U_i)
    """
    derivatives: Arrays = []  # from the last parameter to the first
    for level in reversed(range(len(units))):
        d = totals(units[level], are_counts=level == 0)
        by_weights = units[level].T @ delta
        by_biases = (d * delta).sum(axis=0)
        derivatives += [by_biases, by_weights]
        if level:
            W = parameters[2 * level]
            U = units[level]
            delta = (delta @ W.T) * U * (1 - U)
    derivatives.reverse()
    return derivatives
