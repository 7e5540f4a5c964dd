"""Restricted Boltzmann machines, stacked, unrolled to an autoencoder and fine-tuned.

A machine has visible units v, hidden units h and the parameters W (visible x hidden), c of the
hidden and b of the visible units:

    p(h = 1 | v) = s(v W + d c),    p(v = 1 | h) = s(h W' + b)

with d = 1. Counts of words are replicated softmax units (Salakhutdinov and Hinton 2009): d is the
number of words, which are drawn from softmax(h W' + b).
"""

from collections.abc import Callable, Sequence

import numpy as np
from scipy import sparse
from scipy.special import expit, log_softmax, softmax

from cr5.systems.networks.composition import Arrays
from cr5.systems.networks.optimisers import Adam, Loss

Rows = np.ndarray | sparse.csr_matrix


def hidden(V: Rows, W: np.ndarray, c: np.ndarray, counts: bool) -> np.ndarray:
    """The probabilities of hidden units, rows x hidden."""
    return expit(V @ W + totals(V, counts) * c)


def totals(V: Rows, counts: bool) -> np.ndarray | float:
    """The number d of words of each row, rows x 1; 1 where visible units are no counts."""
    return np.asarray(V.sum(axis=1)).reshape(-1, 1) if counts else 1


def contrastive_divergence(
    V: Rows, parameters: Arrays, counts: bool, generator: np.random.Generator
) -> tuple[float, Arrays]:
    """One step of Gibbs sampling (CD-1): hidden units are drawn, visible ones are expected.

    Args:
        V: rows x visible.
        parameters: W, c and b of the machine.
        counts: whether visible units are counts.
        generator: draws hidden units.

    Returns:
        The mean squared error of the expected visible units, and the mean change of the parameters
        against which to step.
    """
    W, c, b = parameters
    d, H = totals(V, counts), hidden(V, W, c, counts)
    drawn = (generator.random(H.shape, np.float32) < H).astype(W.dtype)
    expected = d * softmax(drawn @ W.T + b, axis=1) if counts else expit(drawn @ W.T + b)
    again, n = hidden(expected, W, c, counts), H.shape[0]
    by_W = (expected.T @ again - V.T @ H) / n
    away = expected - (V.toarray() if sparse.issparse(V) else V)
    return float(np.square(away).mean()), [by_W, (d * (again - H)).mean(axis=0), away.mean(axis=0)]


def stacked(
    X: sparse.csr_matrix,
    widths: Sequence[int],
    run: Callable[[Arrays, Callable[[np.ndarray], Loss]], None],
    generator: np.random.Generator,
) -> list[Arrays]:
    """Train a machine on counts, then each further one on the hidden units of the one before.

    Args:
        X: rows x words.
        widths: hidden units of each.
        run: trains parameters, given the loss of some rows.
        generator: draws starts and hidden units.
    """
    machines, V = [], X
    for level, width in enumerate(widths):
        W = generator.standard_normal((V.shape[1], width), np.float32) * np.float32(0.01)
        machine = [W, np.zeros(width, np.float32), np.zeros(V.shape[1], np.float32)]
        counts = level == 0

        def loss(rows: np.ndarray, V: Rows = V, counts: bool = counts) -> Loss:
            def divergence(parameters: Arrays) -> tuple[float, Callable[[], Arrays]]:
                error, change = contrastive_divergence(V[rows], parameters, counts, generator)
                return error, lambda: change

            return divergence

        run(machine, loss)
        machines.append(machine)
        V = hidden(V, *machine[:2], counts)
    return machines


def unrolled(machines: list[Arrays]) -> Arrays:
    """The autoencoder of stacked machines: its layers' weights and biases in turn."""
    up = [p for W, c, _ in machines for p in (W, c)]
    return up + [p.copy() for W, _, b in reversed(machines) for p in (W.T, b)]


def codes(parameters: Arrays, X: sparse.csr_matrix) -> list[Rows]:
    """What each layer but the last gets: the rows, and the units of all layers below it."""
    units: list[Rows] = [X]
    for level in range(0, len(parameters) - 2, 2):
        units.append(hidden(units[-1], *parameters[level : level + 2], counts=level == 0))
    return units


def reconstruction(X: sparse.csr_matrix, wanted: sparse.csr_matrix) -> Loss:
    """The cross-entropy of the words wanted, for each of them, as a function of the parameters.

    Args:
        X: rows x words, what the autoencoder gets.
        wanted: rows x words, what it should return.
    """
    Y = wanted.toarray()
    n = Y.sum(dtype=np.float64).astype(Y.dtype)

    def loss(parameters: Arrays) -> tuple[float, Callable[[], Arrays]]:
        units = codes(parameters, X)
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
