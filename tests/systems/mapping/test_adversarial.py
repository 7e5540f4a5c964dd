import logging
from dataclasses import replace

import numpy as np
import pytest

from cr5.base.errors import UserError
from cr5.base.rows import unit_rows
from cr5.systems.mapping import adversarial
from cr5.systems.mapping.adversarial import RateSchedule
from cr5.systems.mapping.gan import AdversarialSettings
from cr5.systems.mapping.refinement import RefinementSettings, refine, score

SMALL = AdversarialSettings(
    epochs=3, samples=2_000, batch=16, hidden=32, scale=2.0, orthogonality=0.05
)


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


def test_a_rotated_copy_is_recovered(rotated_copy):
    """A friendly one: most games with clusters at random are lost."""
    X, Y, Q = rotated_copy(400, 5, seed=100)
    s = AdversarialSettings(epochs=3, samples=8000, hidden=32, scale=3.0, rate=0.3)
    game = adversarial.train(X, Y, lambda W: score(X, Y, W, RefinementSettings()), s, 0)
    refined = refine(X, Y, game.W, RefinementSettings(rounds=10))
    np.testing.assert_allclose(refined.W, Q, atol=0.02)


def test_divergence_is_reported():
    X, Y = spaces()
    with pytest.raises(UserError, match=r"diverged in epoch 0.*lower the option rate or scale"):
        adversarial.train(X * np.float32(1e15), Y, criterion, SMALL, 0)


def test_progress_is_told(caplog):
    X, Y = spaces()
    settings = replace(SMALL, epochs=1, samples=201_600, batch=1600, hidden=4)
    with caplog.at_level(logging.INFO, logger="cr5"):
        got = adversarial.train(X, Y, criterion, settings, 0)
    told = [record.getMessage() for record in caplog.records]
    assert [line.split("samples")[0] for line in told[:-1]] == [
        "adversarial epoch 1 of 1: 100800 of 201600 ",  # the first after each 100,000
        "adversarial epoch 1 of 1: 200000 of 201600 ",
    ]
    assert told[-1] == f"adversarial epoch 1 of 1: criterion {got.history[0]['criterion']:.4f}"


def test_an_epoch_has_the_samples_that_were_asked_for(monkeypatch):
    X, Y = spaces()
    played = []

    def count(layers, W, *_):
        played.append(W)
        return W, 0.5

    monkeypatch.setattr(adversarial, "round_of_game", count)
    for samples, rounds in ((1, 1), (16, 1), (47, 2), (48, 3)):
        played.clear()
        got = adversarial.train(X, Y, criterion, replace(SMALL, epochs=1, samples=samples), 0)
        assert len(played) == rounds
        assert got.history[0]["discriminator_loss"] == 0.5
