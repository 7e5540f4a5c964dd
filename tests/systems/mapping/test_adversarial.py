import os
import subprocess
import sys

import numpy as np
import pytest

from cr5.base.errors import UserError
from cr5.base.rows import unit_rows
from cr5.systems.mapping import adversarial
from cr5.systems.mapping.adversarial import RateSchedule
from cr5.systems.mapping.game import AdversarialSettings
from cr5.systems.mapping.refinement import RefinementSettings, score

SMALL = AdversarialSettings(
    epochs=3, samples=2_000, batch=16, hidden=32, scale=2.0, orthogonality=0.05
)


@pytest.fixture(scope="module")
def gan():
    from cr5.systems.mapping import gan

    return gan


@pytest.fixture
def one_step():
    """A discriminator 3 -> 4 -> 4 -> 1, a map and a batch of two, in float64."""
    rng = np.random.default_rng(5)
    sizes = ((3, 4), (4, 4), (4, 1))
    layers = [(rng.normal(size=size), rng.normal(size=size[1])) for size in sizes]
    return layers, rng.normal(size=(3, 3)), rng.normal(size=(2, 3)), rng.normal(size=(2, 3))


def numpy_pass(layers, inputs, wanted, leak):
    """Loss, and its gradients by hand: one (A, b) per layer, and the inputs'."""
    acts, slopes = [inputs], []
    for A, b in layers[:-1]:
        z = acts[-1] @ A + b
        acts.append(np.where(z > 0, z, leak * z))
        slopes.append(np.where(z > 0, 1.0, leak))
    A, b = layers[-1]
    p = 1 / (1 + np.exp(-(acts[-1] @ A + b)[:, 0]))
    loss = -np.mean(wanted * np.log(p) + (1 - wanted) * np.log(1 - p))
    delta, grads = (p - wanted)[:, None] / len(p), []
    for level in (2, 1, 0):
        grads.insert(0, (acts[level].T @ delta, delta.sum(axis=0)))
        delta = delta @ layers[level][0].T * (slopes[level - 1] if level else 1.0)
    return loss, grads, delta


def as_float32(layers):
    return [(A.astype(np.float32), b.astype(np.float32)) for A, b in layers]


def test_discriminator_step_equals_numpy(gan, one_step):
    layers, W, X, Y = one_step
    s = AdversarialSettings(smoothing=0.1, leak=0.2, rate=0.3)
    wanted = np.array([0.9, 0.9, 0.1, 0.1])  # source first
    loss, grads, _ = numpy_pass(layers, np.vstack([X @ W, Y]), wanted, 0.2)
    got, got_loss = gan.discriminator_step(as_float32(layers), W, X, Y, np.ones((4, 3)), s)
    assert float(got_loss) == pytest.approx(loss, rel=1e-5)
    for (A, b), (dA, db), (new_A, new_b) in zip(layers, grads, got, strict=True):
        np.testing.assert_allclose(new_A, A - 0.3 * dA, atol=1e-5)
        np.testing.assert_allclose(new_b, b - 0.3 * db, atol=1e-5)


def test_discriminator_step_drops_inputs(gan, one_step):
    layers, W, X, Y = one_step
    mask = np.array([[0, 2, 2], [2, 0, 2], [2, 2, 0], [0, 0, 2]])
    wanted = np.array([0.9, 0.9, 0.1, 0.1])
    loss, _, _ = numpy_pass(layers, np.vstack([X @ W, Y]) * mask, wanted, 0.2)
    got = gan.discriminator_step(as_float32(layers), W, X, Y, mask, AdversarialSettings())[1]
    assert float(got) == pytest.approx(loss, rel=1e-5)


def test_mapping_step_equals_numpy(gan, one_step):
    layers, W, X, Y = one_step
    s = AdversarialSettings(orthogonality=0.01)
    opposite = np.array([0.1, 0.1, 0.9, 0.9])
    _, _, slope = numpy_pass(layers, np.vstack([X @ W, Y]), opposite, 0.2)
    stepped = W - 0.5 * X.T @ slope[:2]
    expected = 1.01 * stepped - 0.01 * stepped @ stepped.T @ stepped
    got = gan.mapping_step(as_float32(layers), W.astype(np.float32), X, Y, 0.5, s)
    np.testing.assert_allclose(got, expected, atol=1e-5)


def test_new_discriminator_has_the_layers_and_bounds_of_the_paper(gan):
    key = gan.new_keys(0, 1)[0]
    layers = gan.new_discriminator(key, 9, 16)
    assert [A.shape for A, _ in layers] == [(9, 16), (16, 16), (16, 1)]
    assert [b.shape for _, b in layers] == [(16,), (16,), (1,)]
    for (A, b), bound in zip(layers, (1 / 3, 1 / 4, 1 / 4), strict=True):
        assert 0.8 * bound < np.abs(A).max() <= bound
        assert np.abs(b).max() <= bound


def test_rate_decays_and_shrinks_from_the_second_fall_on():
    schedule = RateSchedule(AdversarialSettings(rate=1.0, rate_decay=0.9, rate_shrink=0.5))
    rates = []
    for criterion in (0.3, 0.5, 0.4, 0.45, 0.6, 0.1):
        schedule.update(criterion)
        rates.append(schedule.rate)
    # falls: third (free), fourth (still below the best), sixth
    factors = [0.9, 0.9, 0.9, 0.45, 0.9, 0.45]
    assert rates == pytest.approx(np.cumprod(factors))


@pytest.fixture(scope="module")
def trained():
    """Two runs with the same seed and one with another."""
    X, Y = spaces()
    return [adversarial.train(X, Y, criterion, SMALL, seed) for seed in (3, 3, 4)]


def spaces():
    rng = np.random.default_rng(6)
    X = unit_rows((rng.normal(size=(400, 10)) * np.linspace(2, 0.5, 10)).astype(np.float32))
    return X, X[:, ::-1].copy()


def criterion(W):
    return score(*spaces(), W, RefinementSettings())


def test_mapping_step_pulls_towards_orthogonality(gan, one_step):
    layers, _, X, Y = one_step
    Q = np.linalg.qr(np.random.default_rng(7).normal(size=(3, 3)))[0]
    W = (Q @ np.diag([1.3, 1.0, 0.7])).astype(np.float32)
    settings = AdversarialSettings(orthogonality=0.1)
    for _ in range(60):
        W = gan.mapping_step(as_float32(layers), W, X, Y, 0.0, settings)
    np.testing.assert_allclose(W @ W.T, np.eye(3), atol=1e-4)


def test_the_map_is_returned_orthogonal(trained):
    W = trained[0].W
    np.testing.assert_allclose(W @ W.T, np.eye(10), atol=1e-5)
    assert np.abs(W - np.eye(10)).max() > 0.1  # it did move
    assert all(0 < entry["off_orthogonal"] < 1 for entry in trained[0].history)


def test_the_best_epoch_is_kept(trained):
    history = trained[0].history
    assert [entry["epoch"] for entry in history] == [0, 1, 2]
    scores = [entry["criterion"] for entry in history]
    assert len(set(scores)) == 3
    assert trained[0].best == int(np.argmax(scores))
    assert criterion(trained[0].W) == pytest.approx(max(scores))


def test_same_seed_same_bytes_other_seed_other_map(trained):
    first, again, other = trained
    assert first.W.tobytes() == again.W.tobytes()
    assert first.history == again.history
    assert first.W.tobytes() != other.W.tobytes()


def test_divergence_is_reported():
    X, Y = spaces()
    with pytest.raises(UserError, match=r"diverged in epoch 0.*lower the option rate or scale"):
        adversarial.train(X * np.float32(1e15), Y, criterion, SMALL, 0)


BUSY = """
import time, numpy as np
from cr5.systems.mapping import gan
import jax, os
f = jax.jit(lambda A: A @ A)
A = jax.numpy.ones((2000, 2000))
f(A).block_until_ready()
cpu, wall = time.process_time(), time.perf_counter()
for _ in range(3):
    f(A).block_until_ready()
print((time.process_time() - cpu) / (time.perf_counter() - wall), os.environ.get("NPROC"))
"""


@pytest.mark.skipif(len(os.sched_getaffinity(0)) < 2, reason="needs two cores to tell")
def test_jax_has_one_thread_and_children_do_not_inherit_the_setting():
    environment = {k: v for k, v in os.environ.items() if k != "NPROC"}
    done = subprocess.run(
        [sys.executable, "-c", BUSY], capture_output=True, text=True, env=environment, check=True
    )
    cores, inherited = done.stdout.split()
    assert float(cores) < 1.3
    assert inherited == "None"


def test_jax_is_not_imported_until_training_starts():
    code = "import sys, cr5.systems.advrefine; print('jax' in sys.modules)"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "False"
