"""The two players of adversarial training, discriminator and mapping, with gradients by hand.

The discriminator D tells mapped source words from target words; the mapping W is changed so that
it cannot (Conneau et al. 2018, section 2.1, eqs. 3-5 and 7). All heavy work is matrix products,
which BLAS can be set to compute identically on every processor (`base/processor.py`); the
elementwise rest takes less than a twentieth of the time. Any float dtype; results keep it.
"""

from collections.abc import Mapping
from typing import Any

import numpy as np
from scipy.linalg import get_blas_funcs

# The values of Conneau et al. 2018 (section 3.1 and the authors' code).
OPTIONS = {
    "epochs": (5, {"ge": 1}, "after each the criterion is computed and the rate changed"),
    "samples": (1_000_000, {"ge": 1}, "words drawn from each language per epoch"),
    "batch": (32, {"ge": 1}, "words of each language per step"),
    "frequent_words": (75_000, {"ge": 1}, "most frequent words that batches are drawn from"),
    "hidden": (2048, {"ge": 1}, "width of both hidden layers of the discriminator"),
    "input_dropout": (0.1, {"ge": 0, "lt": 1}, "of the discriminator"),
    "leak": (0.2, {"ge": 0, "le": 1}, "slope of its LeakyReLU below zero"),
    "smoothing": (0.1, {"ge": 0, "lt": 0.5}, "its targets are 1 - smoothing and smoothing"),
    "discriminator_steps": (5, {"ge": 1}, "per step of the mapping"),
    "rate": (0.1, {"gt": 0}, "learning rate of both players at the start"),
    "rate_decay": (0.98, {"gt": 0, "le": 1}, "factor on the mapping's rate after each epoch"),
    "rate_shrink": (
        0.5,
        {"gt": 0, "le": 1},
        "further factor from the second time on that the criterion is below its best",
    ),
    "orthogonality": (0.001, {"ge": 0, "le": 1}, "beta of eq. 7"),
}

Layers = list[tuple[np.ndarray, np.ndarray]]


def new_discriminator(
    rng: np.random.Generator, d: int, hidden: int, dtype: type = np.float32
) -> Layers:
    """Draw the layers d -> hidden -> hidden -> 1, uniform in +-1/sqrt(inputs of the layer)."""
    layers = []
    for n_in, n_out in ((d, hidden), (hidden, hidden), (hidden, 1)):
        bound = n_in**-0.5
        A, b = (rng.uniform(-bound, bound, shape) for shape in ((n_in, n_out), n_out))
        layers.append((A.astype(dtype), b.astype(dtype)))
    return layers


def forward(layers: Layers, X: np.ndarray, leak: float) -> tuple[list[np.ndarray], np.ndarray]:
    """Return the input of each layer of D for the rows of X (n x d), and D's log odds: (n,).

    They are the log odds that a row is a mapped source word.
    """
    given = [X]
    for A, b in layers[:-1]:
        Z = given[-1] @ A
        Z += b
        given.append(np.maximum(Z, leak * Z))  # LeakyReLU, as the leak is at most 1
    A, b = layers[-1]
    return given, (given[-1] @ A + b)[:, 0]


def targets(batch: int, smoothing: float) -> np.ndarray:
    """D's target outputs for a batch: 1 - smoothing for the source half, then smoothing."""
    return np.repeat([1 - smoothing, smoothing], batch)


def cross_entropy(z: np.ndarray, wanted: np.ndarray) -> float:
    """Mean binary cross-entropy of log odds z with soft targets; both (n,)."""
    z = z.astype(np.float64)
    return float(np.mean(np.maximum(z, 0) - wanted * z + np.log1p(np.exp(-np.abs(z)))))


def probability(z: np.ndarray) -> np.ndarray:
    """1 / (1 + exp(-z)) without overflow."""
    small = np.exp(-np.abs(z))
    return np.where(z < 0, small, 1) / (1 + small)


def slope(z: np.ndarray, wanted: np.ndarray) -> np.ndarray:
    """Derivative of `cross_entropy` by the log odds, n x 1."""
    return ((probability(z) - wanted.astype(z.dtype)) / z.dtype.type(len(z)))[:, None]


def back(A: np.ndarray, given: np.ndarray, delta: np.ndarray, leak: float) -> np.ndarray:
    """Propagate a derivative back through a layer and the LeakyReLU before it.

    Args:
        A: n_in x n_out, the layer.
        given: n x n_in, output of the LeakyReLU: positive where its input was.
        delta: n x n_out, derivative of the loss by the layer's output.
        leak: of the LeakyReLU.

    Returns:
        Derivative of the loss by the LeakyReLU's input, n x n_in.
    """
    delta = delta @ A.T
    delta *= np.maximum(np.sign(given), leak)  # 1 or the leak, without a branch
    return delta


def subtract_product(A: np.ndarray, rate: float, X: np.ndarray, Y: np.ndarray) -> None:
    """A -= rate X'Y in one pass over A, the largest of the three. All are in C order.

    NumPy's products and SciPy's have an OpenBLAS each. That suits fits, which have one BLAS thread;
    with more, the threads of one spin while the other computes, and a game takes longer.
    """
    gemm = get_blas_funcs("gemm", (A,))
    gemm(-rate, Y.T, X.T, 1.0, A.T, trans_b=True, overwrite_c=True)  # Fortran order: transposed


def discriminator_step(
    layers: Layers,
    W: np.ndarray,
    X: np.ndarray,
    Y: np.ndarray,
    mask: np.ndarray,
    options: Mapping[str, Any],
) -> float:
    """One step of gradient descent on D's loss (eq. 3); changes the layers in place.

    Args:
        layers: of D.
        W: d x d.
        X: batch x d, source words before mapping.
        Y: batch x d, target words.
        mask: 2 batch x d, input dropout: 0 or 1 / (1 - rate).
        options: see `OPTIONS`.

    Returns:
        The loss before the step.
    """
    given, z = forward(layers, np.concatenate([X @ W, Y]) * mask, options["leak"])
    wanted = targets(len(X), options["smoothing"])
    delta = slope(z, wanted)
    for level in reversed(range(len(layers))):
        (A, b), below = layers[level], delta
        if level:
            below = back(A, given[level], delta, options["leak"])
        subtract_product(A, options["rate"], given[level], delta)
        b -= options["rate"] * delta.sum(axis=0)
        delta = below
    return cross_entropy(z, wanted)


def mapping_gradient(
    layers: Layers, W: np.ndarray, X: np.ndarray, options: Mapping[str, Any]
) -> np.ndarray:
    """Derivative by W (d x d) of the loss of W, whose targets are the opposite of D's (eq. 4).

    The loss is the mean over both halves of a batch, but D's output for target words does not
    depend on W.

    Args:
        layers: of D.
        W: d x d.
        X: batch x d, source words before mapping.
        options: see `OPTIONS`.
    """
    given, z = forward(layers, X @ W, options["leak"])
    delta = slope(z, np.full(len(X), options["smoothing"])) / 2
    for level in reversed(range(1, len(layers))):
        delta = back(layers[level][0], given[level], delta, options["leak"])
    return X.T @ (delta @ layers[0][0].T)


def mapping_step(
    layers: Layers, W: np.ndarray, X: np.ndarray, rate: float, options: Mapping[str, Any]
) -> np.ndarray:
    """One step on W (eq. 4), then one towards orthogonality (eq. 7).

    Args:
        layers: of D.
        W: d x d.
        X: batch x d, source words before mapping.
        rate: learning rate of W.
        options: see `OPTIONS`.
    """
    W = W - rate * mapping_gradient(layers, W, X, options)
    return (1 + options["orthogonality"]) * W - options["orthogonality"] * (W @ W.T) @ W


def round_of_game(
    layers: Layers,
    W: np.ndarray,
    source: np.ndarray,
    target: np.ndarray,
    rate: float,
    rng: np.random.Generator,
    options: Mapping[str, Any],
) -> tuple[np.ndarray, float]:
    """Take D's steps, which change its layers in place, and one step of W.

    Args:
        layers: of D.
        W: d x d.
        source: n x d, the words that batches are drawn from.
        target: m x d, likewise.
        rate: learning rate of W.
        rng: draws all random numbers.
        options: see `OPTIONS`.

    Returns:
        W and the mean loss of D.
    """
    losses = []
    for _ in range(options["discriminator_steps"]):
        X = source[rng.integers(0, len(source), options["batch"])]
        Y = target[rng.integers(0, len(target), options["batch"])]
        mask = dropout(rng, (2 * options["batch"], len(W)), options["input_dropout"], W.dtype)
        losses.append(discriminator_step(layers, W, X, Y, mask, options))
    X = source[rng.integers(0, len(source), options["batch"])]
    return mapping_step(layers, W, X, rate, options), float(np.mean(losses))


def dropout(
    rng: np.random.Generator, shape: tuple[int, int], rate: float, dtype: np.dtype
) -> np.ndarray:
    """Draw a mask: 0 with probability `rate`, else 1 / (1 - rate)."""
    kept = rng.random(shape, np.float32) >= rate
    return kept * dtype.type(1 / (1 - rate))
