"""Gradients against finite differences of a loss that scikit-learn computes; and whole games."""

from pathlib import Path

import numpy as np
import pytest
import yaml
from sklearn.metrics import log_loss

from cr5.base.errors import UserError
from cr5.base.rows import unit_rows
from cr5.systems.maps import advrefine
from cr5.systems.maps.advrefine import AdvRefine, Game, make_seed
from cr5.systems.maps.starts import judged, refine
from tests.systems.oracles.slopes import differences

CONFIGURATIONS = sorted((Path(__file__).parents[3] / "config").rglob("*.yaml"))
SOURCE_FIRST = np.array([0.9, 0.9, 0.1, 0.1])
SMALL = AdvRefine(epochs=3, samples=2_000, batch=16, hidden=32, orthogonality=0.05)


@pytest.fixture
def one_step():
    """A discriminator 3 -> 4 -> 4 -> 1, a map and a batch of two, in float64."""
    rng = np.random.default_rng(5)
    sizes = ((3, 4), (4, 4), (4, 1))
    layers = [(rng.normal(size=size), rng.normal(size=size[1])) for size in sizes]
    return layers, rng.normal(size=(3, 3)), rng.normal(size=(2, 3)), rng.normal(size=(2, 3))


def loss_of(layers, inputs, wanted):
    """Soft targets are labels of both kinds, weighted; each row stands there twice."""
    for level, (A, b) in enumerate(layers):
        inputs = inputs @ A + b
        if level < 2:
            inputs = np.where(inputs > 0, inputs, 0.2 * inputs)
    p = 1 / (1 + np.exp(-inputs[:, 0]))
    labels = np.repeat([1, 0], len(p))
    weights = np.concatenate([wanted, 1 - wanted])
    return log_loss(labels, np.concatenate([p, p]), sample_weight=weights)


@pytest.mark.parametrize("drop", [False, True])
def test_the_discriminator_descends_its_loss(one_step, drop):
    layers, W, X, Y = one_step
    mask = np.array([[0, 2, 2], [2, 0, 2], [2, 2, 0], [0, 0, 2]]) if drop else np.ones((4, 3))
    inputs = np.vstack([X @ W, Y]) * mask
    stepped = [(A.copy(), b.copy()) for A, b in layers]
    got = advrefine.discriminator_step(stepped, W, X, Y, mask, 0.3)
    assert got == pytest.approx(loss_of(layers, inputs, SOURCE_FIRST), rel=1e-12)
    for before, after in zip(layers, stepped, strict=True):
        for old, new in zip(before, after, strict=True):
            slope = differences(lambda: loss_of(layers, inputs, SOURCE_FIRST), old)
            np.testing.assert_allclose(new, old - 0.3 * slope, atol=1e-9)


def test_the_map_descends_the_loss_of_the_opposite_targets(one_step):
    layers, W, X, Y = one_step
    slope = differences(lambda: loss_of(layers, np.vstack([X @ W, Y]), 1 - SOURCE_FIRST), W)
    np.testing.assert_allclose(
        advrefine.mapping_step(layers, W, X, 0.5, 0.0), W - 0.5 * slope, atol=1e-9
    )
    np.testing.assert_allclose(
        advrefine.mapping_step(layers, W, X, 0.0, 0.1), 1.1 * W - 0.1 * W @ W.T @ W
    )


def test_a_new_discriminator_has_the_layers_and_bounds_of_the_paper():
    layers = advrefine.new_discriminator(np.random.default_rng(0), 9, 16)
    assert [A.shape for A, _ in layers] == [(9, 16), (16, 16), (16, 1)]
    for (A, b), bound in zip(layers, (1 / 3, 1 / 4, 1 / 4), strict=True):
        assert A.dtype == b.dtype == np.float32
        assert 0.8 * bound < np.abs(A).max() <= bound
        assert np.abs(b).max() <= bound


@pytest.fixture
def pair(space):
    """A space, and the same with its numbers the other way round."""
    rng = np.random.default_rng(6)
    X = unit_rows((rng.normal(size=(400, 10)) * np.linspace(2, 0.5, 10)).astype(np.float32))
    return space("it", X), space("en", X[:, ::-1].copy())


def test_the_best_epoch_is_kept_as_a_rotation(pair):
    found = Game(*(2 * x.vectors for x in pair), SMALL, 3).played(
        lambda W: judged(*pair, W, SMALL)[2]
    )
    np.testing.assert_allclose(found.W @ found.W.T, np.eye(10), atol=1e-5)
    assert np.abs(found.W - np.eye(10)).max() > 0.1  # it did move
    history = found.report["adversarial"]
    assert [entry["epoch"] for entry in history] == [0, 1, 2]
    scores = [entry["criterion"] for entry in history]
    assert len(set(scores)) == 3
    assert found.report["best_epoch"] == int(np.argmax(scores))
    assert judged(*pair, found.W, SMALL)[2] == pytest.approx(max(scores))


def test_the_rate_decays_and_shrinks_from_the_second_fall_on(pair, monkeypatch):
    monkeypatch.setattr(Game, "epoch", lambda *_: 0.5)
    scores = iter((0.3, 0.5, 0.4, 0.45, 0.6, 0.1, 0.7))
    system = AdvRefine(rate=1.0, epochs=7, hidden=4)
    found = Game(*(x.vectors for x in pair), system, 0).played(lambda W: next(scores))
    # falls: third (free), fourth (still below the best), sixth
    factors = [1, 0.98, 0.98, 0.98, 0.49, 0.98, 0.49]
    rates = [entry["rate"] for entry in found.report["adversarial"]]
    assert rates == pytest.approx(np.cumprod(factors))


def test_a_rotated_copy_is_recovered(rotated_copy, space):
    """A friendly one: most games with clusters at random are lost."""
    X, Y, Q = rotated_copy(400, 5, seed=100)
    spaces = space("it", X), space("en", Y)
    few = AdvRefine(epochs=3, samples=8000, hidden=32, rate=0.3, rounds=10)
    found = Game(3 * X, 3 * Y, few, 0).played(lambda W: judged(*spaces, W, few)[2])
    np.testing.assert_allclose(refine(*spaces, found.W, few).W, Q, atol=0.02)


def test_divergence_is_reported(pair):
    X, Y = (x.vectors for x in pair)
    with pytest.raises(UserError, match="epoch 0"):
        Game(X * np.float32(1e15), Y, SMALL, 0).played(pytest.fail)


def test_an_epoch_has_the_samples_that_were_asked_for(pair, monkeypatch):
    played = []
    monkeypatch.setattr(Game, "round", lambda self, rate: played.append(rate) or 0.5)
    for samples, rounds in ((1, 1), (16, 1), (47, 2), (48, 3)):
        played.clear()
        few = AdvRefine(epochs=1, samples=samples, batch=16, hidden=4)
        assert Game(*(x.vectors for x in pair), few, 0).epoch(0, 0.1) == 0.5
        assert len(played) == rounds


def test_tables_are_turned_vectors_whatever_other_languages_there_are(training_of):
    rng = np.random.default_rng(0)
    vectors = {x: rng.normal(size=(120, 6)).astype(np.float32) for x in ("da", "en", "it")}
    few = AdvRefine(epochs=2, samples=320, batch=8, hidden=16, starts=2, rounds=2)

    def tables(*languages):
        words = {x: [f"{x}{i}" for i in range(120)] for x in languages}
        return few.fit(training_of(words, vectors={x: vectors[x] for x in languages})).model.tables

    found = tables("da", "en", "it")
    for language, own in vectors.items():  # of their own lengths
        np.testing.assert_allclose(found[language] @ found[language].T, own @ own.T, atol=1e-4)
    np.testing.assert_allclose(found["en"], vectors["en"], atol=1e-5)
    assert tables("it", "en")["it"].tobytes() == found["it"].tobytes()
    seeds = {make_seed(x, y, z) for x in (0, 1) for y in ("da", "it", "ti") for z in (0, 1)}
    assert len(seeds) == 12


def test_no_configuration_rests_on_one_game():
    """A single one hangs on the last bits of the processor's sums."""
    systems = [
        yaml.safe_load(x.read_text(encoding="utf-8")).get("systems", {}) for x in CONFIGURATIONS
    ]
    starts = [AdvRefine(**x["advrefine"]).starts for x in systems if "advrefine" in x]
    assert len(starts) >= 2
    assert min(starts) >= 2
