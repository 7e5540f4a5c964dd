"""The two players of adversarial training, in jax: discriminator and mapping.

The discriminator D tells mapped source words from target words; the mapping W is changed so that
it cannot (Conneau et al. 2018, section 2.1, eqs. 3-5 and 7). Importing this module starts jax, so
only `adversarial` imports it, and only when it trains.
"""

import os
from functools import partial

from cr5.systems.mapping.game import AdversarialSettings


def _start_jax() -> None:
    """Start jax on the CPU with one thread, so that bytes do not depend on the machine's cores.

    XLA reads NPROC for the size of its thread pool (its thread flags have no effect on it), and
    only once; child processes should not inherit it. JAX_PLATFORMS, if set, is respected.
    """
    os.environ.setdefault("JAX_PLATFORMS", "cpu")
    before = os.environ.get("NPROC")
    os.environ["NPROC"] = "1"
    import jax

    jax.devices()
    if before is None:
        del os.environ["NPROC"]
    else:
        os.environ["NPROC"] = before


_start_jax()

import jax  # noqa: E402
import jax.numpy as jnp  # noqa: E402

Layers = list[tuple[jax.Array, jax.Array]]


def new_keys(seed: int, n: int) -> list[jax.Array]:
    """Make n independent random keys."""
    return list(jax.random.split(jax.random.key(seed), n))


def new_discriminator(key: jax.Array, d: int, hidden: int) -> Layers:
    """Draw the layers d -> hidden -> hidden -> 1, uniform in +-1/sqrt(inputs of the layer)."""
    layers = []
    for n_in, n_out in ((d, hidden), (hidden, hidden), (hidden, 1)):
        key, a, b = jax.random.split(key, 3)
        bound = n_in**-0.5
        A = jax.random.uniform(a, (n_in, n_out), jnp.float32, -bound, bound)
        layers.append((A, jax.random.uniform(b, (n_out,), jnp.float32, -bound, bound)))
    return layers


def logits(layers: Layers, X: jax.Array, leak: float) -> jax.Array:
    """D's log odds that each row of X (n x d) is a mapped source word: (n,)."""
    for A, b in layers[:-1]:
        X = jax.nn.leaky_relu(X @ A + b, leak)
    A, b = layers[-1]
    return (X @ A + b)[:, 0]


def cross_entropy(z: jax.Array, targets: jax.Array) -> jax.Array:
    """Mean binary cross-entropy of log odds z with soft targets."""
    return jnp.mean(jnp.logaddexp(0.0, z) - targets * z)


def targets(batch: int, smoothing: float) -> jax.Array:
    """What D should say of a batch: 1 - smoothing for its source half, then smoothing."""
    return jnp.repeat(jnp.array([1 - smoothing, smoothing], jnp.float32), batch)


def discriminator_step(
    layers: Layers,
    W: jax.Array,
    X: jax.Array,
    Y: jax.Array,
    mask: jax.Array,
    s: AdversarialSettings,
) -> tuple[Layers, jax.Array]:
    """One step of gradient descent on D's loss (eq. 3).

    Args:
        layers: of D.
        W: d x d.
        X: batch x d, source words before mapping.
        Y: batch x d, target words.
        mask: 2 batch x d, input dropout: 0 or 1 / (1 - rate).
        s: settings.

    Returns:
        The new layers and the loss before the step.
    """
    inputs = jnp.concatenate([X @ W, Y]) * mask
    wanted = targets(len(X), s.smoothing)
    loss, slope = jax.value_and_grad(
        lambda layers: cross_entropy(logits(layers, inputs, s.leak), wanted)
    )(layers)
    return jax.tree.map(lambda p, g: p - s.rate * g, layers, slope), loss


def mapping_step(
    layers: Layers,
    W: jax.Array,
    X: jax.Array,
    Y: jax.Array,
    rate: jax.Array,
    s: AdversarialSettings,
) -> jax.Array:
    """One step on W to make D say the opposite (eq. 4), then towards orthogonality (eq. 7)."""
    wanted = 1 - targets(len(X), s.smoothing)

    def loss(W: jax.Array) -> jax.Array:
        return cross_entropy(logits(layers, jnp.concatenate([X @ W, Y]), s.leak), wanted)

    W = W - rate * jax.grad(loss)(W)
    return (1 + s.orthogonality) * W - s.orthogonality * (W @ W.T) @ W


@partial(jax.jit, static_argnames=("s",))
def epoch(
    layers: Layers,
    W: jax.Array,
    source: jax.Array,
    target: jax.Array,
    rate: jax.Array,
    key: jax.Array,
    s: AdversarialSettings,
) -> tuple[Layers, jax.Array, jax.Array]:
    """Run one epoch: `s.samples` / `s.batch` rounds of D's steps and one step of W.

    Args:
        layers: of D.
        W: d x d.
        source: n x d, the words that batches are drawn from.
        target: m x d, likewise.
        rate: learning rate of W.
        key: of this epoch's random numbers.
        s: settings.

    Returns:
        Layers, W and the mean loss of D.
    """

    def draw(key: jax.Array) -> tuple[jax.Array, jax.Array]:
        a, b = jax.random.split(key)
        rows = jax.random.randint(a, (s.batch,), 0, len(source))
        return source[rows], target[jax.random.randint(b, (s.batch,), 0, len(target))]

    def teach(state: tuple[Layers, jax.Array], key: jax.Array) -> tuple:
        layers, W = state
        words, noise = jax.random.split(key)
        keep = 1 - s.input_dropout
        mask = jax.random.bernoulli(noise, keep, (2 * s.batch, W.shape[0])) / keep
        layers, loss = discriminator_step(layers, W, *draw(words), mask, s)
        return (layers, W), loss

    def play(state: tuple[Layers, jax.Array], key: jax.Array) -> tuple:
        keys = jax.random.split(key, s.discriminator_steps + 1)
        (layers, W), losses = jax.lax.scan(teach, state, keys[1:])
        return (layers, mapping_step(layers, W, *draw(keys[0]), rate, s)), losses

    rounds = jax.random.split(key, max(1, s.samples // s.batch))
    (layers, W), losses = jax.lax.scan(play, (layers, W), rounds)
    return layers, W, losses.mean()
