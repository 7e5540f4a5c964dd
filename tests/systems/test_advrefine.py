import logging
from pathlib import Path

import numpy as np
import pytest
import yaml

from cr5.base.errors import UserError
from cr5.base.rows import unit_rows
from cr5.fitting.fit import fit
from cr5.systems.advrefine import AdvRefine, make_seed
from cr5.systems.mapping import game
from cr5.systems.mapping.refinement import refine, score

CONFIGURATIONS = sorted((Path(__file__).parents[2] / "config").rglob("*.yaml"))
FEW = AdvRefine(epochs=2, samples=320, batch=8, hidden=16, starts=2, rounds=2)


@pytest.fixture(scope="module")
def toy(training_of):
    def make(languages=("da", "en", "it")):
        rng = np.random.default_rng(0)
        spaces = {x: rng.normal(size=(120, 6)).astype(np.float32) for x in ("da", "en", "it")}
        words = {x: [f"{x}{i}" for i in range(120)] for x in languages}
        return training_of(words, vectors={x: spaces[x] for x in languages})

    return make


@pytest.fixture(scope="module")
def fitted(toy):
    return fit(FEW, toy())


def test_tables_are_rotated_vectors(fitted, toy):
    given = toy().vectors
    for language in ("da", "en", "it"):
        own, table = given[language], fitted.model.tables[language]
        assert table.dtype == np.float32
        # a rotation keeps all inner products
        np.testing.assert_allclose(table @ table.T, own @ own.T, atol=1e-4)
    np.testing.assert_allclose(fitted.model.tables["en"], given["en"], atol=1e-5)


def test_the_game_gets_vectors_of_their_own_length(toy, monkeypatch):
    played = []
    train = game.train
    monkeypatch.setattr(game, "train", lambda *given: played.append(given) or train(*given))
    given = toy(("en", "it")).vectors
    fit(FEW, toy(("en", "it")))
    for X, Y, *_ in played:
        np.testing.assert_allclose(X, given["it"], rtol=1e-5)
        np.testing.assert_allclose(Y, given["en"], rtol=1e-5)


def test_the_number_of_languages_changes_no_map(fitted, toy):
    other = fit(FEW, toy(("it", "en")))
    assert other.model.tables["it"].tobytes() == fitted.model.tables["it"].tobytes()


def test_seeds_differ_by_language_and_start():
    seeds = {
        make_seed(seed, language, start)
        for seed in (0, 1)
        for language in ("da", "it", "ti")
        for start in (0, 1)
    }
    assert len(seeds) == 12


def test_no_configuration_rests_on_one_game():
    """A single one hangs on the last bits of the processor's sums."""
    seen = []
    for path in CONFIGURATIONS:
        systems = yaml.safe_load(path.read_text(encoding="utf-8")).get("systems", {})
        if "advrefine" in systems:
            seen.append(AdvRefine(**systems["advrefine"]).starts)
    assert len(seen) >= 2
    assert min(seen) >= 2


SMALL = AdvRefine(epochs=3, samples=2_000, batch=16, hidden=32, orthogonality=0.05)


def test_rate_decays_and_shrinks_from_the_second_fall_on():
    schedule = game.RateSchedule(1.0, 0.5)
    rates = []
    for criterion in (0.3, 0.5, 0.4, 0.45, 0.6, 0.1):
        schedule.update(criterion)
        rates.append(schedule.rate)
    # falls: third (free), fourth (still below the best), sixth
    factors = [0.98, 0.98, 0.98, 0.49, 0.98, 0.49]
    assert rates == pytest.approx(np.cumprod(factors))


@pytest.fixture(scope="module")
def trained():
    X, Y = spaces()
    return game.train(2 * X, 2 * Y, criterion, SMALL, 3)


def spaces():
    rng = np.random.default_rng(6)
    X = unit_rows((rng.normal(size=(400, 10)) * np.linspace(2, 0.5, 10)).astype(np.float32))
    return X, X[:, ::-1].copy()


def criterion(W):
    return score(*spaces(), W, AdvRefine())


def test_the_map_is_returned_orthogonal(trained):
    W = trained.W
    np.testing.assert_allclose(W @ W.T, np.eye(10), atol=1e-5)
    assert np.abs(W - np.eye(10)).max() > 0.1  # it did move
    assert all(0 < entry["off_orthogonal"] < 1 for entry in trained.report["adversarial"])


def test_the_best_epoch_is_kept(trained):
    history = trained.report["adversarial"]
    assert [entry["epoch"] for entry in history] == [0, 1, 2]
    scores = [entry["criterion"] for entry in history]
    assert len(set(scores)) == 3
    assert trained.report["best_epoch"] == int(np.argmax(scores))
    assert criterion(trained.W) == pytest.approx(max(scores))


def test_a_rotated_copy_is_recovered(rotated_copy):
    """A friendly one: most games with clusters at random are lost."""
    X, Y, Q = rotated_copy(400, 5, seed=100)
    few = AdvRefine(epochs=3, samples=8000, hidden=32, rate=0.3, rounds=10)
    found = game.train(3 * X, 3 * Y, lambda W: score(X, Y, W, few), few, 0)
    refined = refine(X, Y, found.W, few)
    np.testing.assert_allclose(refined.W, Q, atol=0.02)


def test_divergence_is_reported():
    X, Y = spaces()
    with pytest.raises(UserError, match=r"diverged in epoch 0.*lower the option rate"):
        game.train(X * np.float32(1e15), Y, criterion, SMALL, 0)


def test_progress_is_told(caplog):
    X, Y = spaces()
    few = AdvRefine(epochs=1, samples=201_600, batch=1600, hidden=4, orthogonality=0.05)
    with caplog.at_level(logging.INFO, logger="cr5"):
        got = game.train(X, Y, criterion, few, 0)
    told = [record.getMessage() for record in caplog.records]
    assert [line.split("samples")[0] for line in told[:-1]] == [
        "adversarial epoch 1 of 1: 100800 of 201600 ",  # the first after each 100,000
        "adversarial epoch 1 of 1: 200000 of 201600 ",
    ]
    assert (
        told[-1]
        == f"adversarial epoch 1 of 1: criterion {got.report['adversarial'][0]['criterion']:.4f}"
    )


def test_an_epoch_has_the_samples_that_were_asked_for(monkeypatch):
    X, Y = spaces()
    played = []

    def count(layers, W, *_):
        played.append(W)
        return W, 0.5

    monkeypatch.setattr(game, "round_of_game", count)
    for samples, rounds in ((1, 1), (16, 1), (47, 2), (48, 3)):
        played.clear()
        few = AdvRefine(epochs=1, samples=samples, batch=16, hidden=32)
        got = game.train(X, Y, criterion, few, 0)
        assert len(played) == rounds
        assert got.report["adversarial"][0]["discriminator_loss"] == 0.5
