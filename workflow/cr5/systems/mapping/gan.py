"""The two players of adversarial training, discriminator and mapping, with gradients by hand.

The discriminator D tells mapped source words from target words; the mapping W is changed so that
it cannot (Conneau et al. 2018, section 2.1, eqs. 3-5 and 7). All heavy work is matrix products,
which BLAS can be set to compute identically on every processor (`base/processor.py`); the
elementwise rest takes less than a twentieth of the time. Any float dtype; results keep it.
"""

import numpy as np
from scipy.linalg import get_blas_funcs

from cr5.systems.mapping.family import Game

INPUT_DROPOUT = 0.1  # of the discriminator, as the next two (Conneau et al. 2018, section 3.1)
LEAK = 0.2  # slope of its LeakyReLU below zero, at most 1
SMOOTHING = 0.1  # its targets are 1 - smoothing and smoothing

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


def forward(layers: Layers, X: np.ndarray) -> tuple[list[np.ndarray], np.ndarray]:
    """Return the input of each layer of D for the rows of X (n x d), and D's log odds: (n,).

    They are the log odds that a row is a mapped source word.
    """
    given = [X]
    for A, b in layers[:-1]:
        Z = given[-1] @ A
        Z += b
        given.append(np.maximum(Z, LEAK * Z))  # LeakyReLU
    A, b = layers[-1]
    return given, (given[-1] @ A + b)[:, 0]


def targets(batch: int) -> np.ndarray:
    """D's target outputs for a batch: 1 - smoothing for the source half, then smoothing."""
    return np.repeat([1 - SMOOTHING, SMOOTHING], batch)


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


def back(A: np.ndarray, given: np.ndarray, delta: np.ndarray) -> np.ndarray:
    """Propagate a derivative back through a layer and the LeakyReLU before it.

    Args:
        A: n_in x n_out, the layer.
        given: n x n_in, output of the LeakyReLU: positive where its input was.
        delta: n x n_out, derivative of the loss by the layer's output.

    Returns:
        Derivative of the loss by the LeakyReLU's input, n x n_in.
    """
    delta = delta @ A.T
    delta *= np.maximum(np.sign(given), LEAK)  # 1 or the leak, without a branch
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
    rate: float,
) -> float:
    """One step of gradient descent on D's loss (eq. 3); changes the layers in place.

    Args:
        layers: of D.
        W: d x d.
        X: batch x d, source words before mapping.
        Y: batch x d, target words.
        mask: 2 batch x d, input dropout: 0 or 1 / (1 - dropout).
        rate: learning rate.

    Returns:
        The loss before the step.
    """
    given, z = forward(layers, np.concatenate([X @ W, Y]) * mask)
    wanted = targets(len(X))
    delta = slope(z, wanted)
    for level in reversed(range(len(layers))):
        (A, b), below = layers[level], delta
        if level:
            below = back(A, given[level], delta)
        subtract_product(A, rate, given[level], delta)
        b -= rate * delta.sum(axis=0)
        delta = below
    return cross_entropy(z, wanted)


def mapping_gradient(layers: Layers, W: np.ndarray, X: np.ndarray) -> np.ndarray:
    """Derivative by W (d x d) of the loss of W, whose targets are the opposite of D's (eq. 4).

    The loss is the mean over both halves of a batch, but D's output for target words does not
    depend on W.

    Args:
        layers: of D.
        W: d x d.
        X: batch x d, source words before mapping.
    """
    given, z = forward(layers, X @ W)
    delta = slope(z, np.full(len(X), SMOOTHING)) / 2
    for level in reversed(range(1, len(layers))):
        delta = back(layers[level][0], given[level], delta)
    return X.T @ (delta @ layers[0][0].T)


def mapping_step(
    layers: Layers, W: np.ndarray, X: np.ndarray, rate: float, orthogonality: float
) -> np.ndarray:
    """One step on W (eq. 4), then one towards orthogonality (eq. 7).

    Args:
        layers: of D.
        W: d x d.
        X: batch x d, source words before mapping.
        rate: learning rate of W.
        orthogonality: beta.
    """
    W = W - rate * mapping_gradient(layers, W, X)
    return (1 + orthogonality) * W - orthogonality * (W @ W.T) @ W


def round_of_game(
    layers: Layers,
    W: np.ndarray,
    source: np.ndarray,
    target: np.ndarray,
    rate: float,
    rng: np.random.Generator,
    system: Game,
) -> tuple[np.ndarray, float]:
    """Take D's steps, which change its layers in place, and one step of W.

    Args:
        layers: of D.
        W: d x d.
        source: n x d, the words that batches are drawn from.
        target: m x d, likewise.
        rate: learning rate of W.
        rng: draws all random numbers.
        system: says how it is played.

    Returns:
        W and the mean loss of D.
    """
    losses = []
    for _ in range(system.discriminator_steps):
        X = source[rng.integers(0, len(source), system.batch)]
        Y = target[rng.integers(0, len(target), system.batch)]
        mask = dropout(rng, (2 * system.batch, len(W)), INPUT_DROPOUT, W.dtype)
        losses.append(discriminator_step(layers, W, X, Y, mask, system.rate))
    X = source[rng.integers(0, len(source), system.batch)]
    return mapping_step(layers, W, X, rate, system.orthogonality), float(np.mean(losses))


def dropout(
    rng: np.random.Generator, shape: tuple[int, int], rate: float, dtype: np.dtype
) -> np.ndarray:
    """Draw a mask: 0 with probability `rate`, else 1 / (1 - rate)."""
    kept = rng.random(shape, np.float32) >= rate
    return kept * dtype.type(1 / (1 - rate))
