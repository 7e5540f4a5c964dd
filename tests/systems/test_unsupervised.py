"""Maps without a dictionary: neighbours, transport, annealing and adversaries, by definition."""

import numpy as np
import pytest
from scipy.spatial.distance import cdist
from scipy.special import logsumexp
from sklearn.metrics import log_loss

from cr5.base.errors import UserError
from cr5.base.rows import unit_rows
from cr5.search import kernels
from cr5.systems.maps import advrefine, icp, vecmap_unsupervised
from cr5.systems.maps.advrefine import AdvRefine, Game, Layer
from cr5.systems.maps.icp import Icp
from cr5.systems.maps.refinement import translate_frequent
from cr5.systems.maps.transport import sinkhorn
from cr5.systems.maps.vecmap_unsupervised import VecmapUnsupervised, columns_of_ranks, induce
from cr5.systems.maps.wasserstein import Wasserstein
from tests.systems.conftest import dense_csls, differences, rotated_copy, space


@pytest.mark.parametrize("kind", [VecmapUnsupervised, Wasserstein, Icp, AdvRefine])
def test_the_seed_alone_decides_on_the_starts(kind, monkeypatch):
    # after more steps it finds the same map from every start
    monkeypatch.setattr(vecmap_unsupervised, "LEARNING_STEPS", 4)
    options = {"starts": 1, "trials": 2, "axes": 8, "epochs": 1, "samples": 320}
    options |= {"batch": 16, "hidden": 8}
    system = kind(**{key: options[key] for key in options if key in kind.model_fields})
    X, Y, _ = rotated_copy(n=60, d=8)

    def start(seed):
        return next(system.begin(space("it", X), space("en", Y), seed)).tobytes()

    assert start(0) == start(0)
    assert start(0) != start(1)


def test_closest_points_both_ways_and_their_error():
    rng = np.random.default_rng(1)
    A = rng.normal(size=(30, 3)).astype(np.float32)
    B = rng.normal(size=(20, 3)).astype(np.float32)
    squares = cdist(A, B, "sqeuclidean")
    match = icp.closest(A, B)
    forward = np.column_stack([np.arange(30), squares.argmin(axis=1)])
    backward = np.column_stack([squares.argmin(axis=0), np.arange(20)])
    np.testing.assert_array_equal(match.pairs, np.vstack([forward, backward]))
    expected = (squares.min(axis=1).mean() + squares.min(axis=0).mean()) / 2
    assert match.error == pytest.approx(expected, rel=1e-5)


def test_icp_descends_from_turned_axes():
    """A step takes the sum over both ways, which have the same number of words here."""
    X, Y, _ = rotated_copy(n=200, d=6)
    A = icp.principal_coordinates(X, 6)
    B = icp.principal_coordinates(Y, 6)
    covariance = np.cov(A.T)
    np.testing.assert_allclose(covariance, np.diag(np.diag(covariance)), atol=1e-6)
    start = np.diag([1, -1, 1, 1, -1, 1]).astype(np.float32)
    errors = [icp.descend(A, B, start, steps).error for steps in range(8)]
    assert errors[0] > errors[-1]
    assert (np.diff(errors) <= 1e-7).all()
    axes = np.eye(3, dtype=np.float32)
    match = icp.descend(axes, axes, axes, 50)
    assert match.error == 0
    assert match.pairs.tolist() == [[0, 0], [1, 1], [2, 2]] * 2


def test_a_plan_equals_scaling_in_logarithms():
    cost = np.random.default_rng(5).normal(size=(12, 17))
    epsilon = 0.1
    g = np.zeros(17)
    for _ in range(1_000):
        f = -epsilon * (logsumexp((g - cost) / epsilon, axis=1) + np.log(12))
        g = -epsilon * (logsumexp((f[:, None] - cost) / epsilon, axis=0) + np.log(17))
    plan = sinkhorn(cost, epsilon, tolerance=1e-10, steps=1_000)
    np.testing.assert_allclose(plan, np.exp((f[:, None] + g - cost) / epsilon), atol=1e-9)


@pytest.mark.parametrize(("rows", "keep"), [(16, 1.0), (512, 1.0), (512, 0.1)])
def test_all_similarities_give_the_dictionary_of_csls(monkeypatch, rows, keep):
    """The objective does not hang on what is kept."""
    monkeypatch.setattr(kernels, "ROWS", rows)
    rng = np.random.default_rng(1)
    X = unit_rows(rng.normal(0.3, 1, (61, 5)).astype(np.float32))
    Y = unit_rows(rng.normal(0.3, 1, (47, 5)).astype(np.float32))
    pairs, objective = induce(X, Y, keep, np.random.default_rng(0))
    csls = dense_csls(X, Y, 10)
    forward = np.column_stack([np.arange(61), csls.argmax(axis=1)])
    backward = np.column_stack([csls.argmax(axis=0), np.arange(47)])
    share = (pairs == np.vstack([forward, backward])).all(axis=1).mean()
    assert share == 1 if keep == 1 else share < 0.4
    cosines = X.astype(float) @ Y.astype(float).T
    expected = (cosines.max(axis=1).mean() + cosines.max(axis=0).mean()) / 2
    assert objective == pytest.approx(expected, rel=1e-6)


def test_ranks_are_distributed_as_the_best_of_those_a_mask_keeps_and_equal_sorting():
    drawn = vecmap_unsupervised.draw_ranks(20_000, 4, 0.3, np.random.default_rng(0))
    rng = np.random.default_rng(1)
    mask = rng.random((20_000, 4)) < 0.3
    mask[:, 3] = True  # where none is kept it is the last one
    expected = np.bincount(mask.argmax(axis=1)) / 20_000
    np.testing.assert_allclose(np.bincount(drawn) / 20_000, expected, atol=0.015)
    scores = rng.normal(size=(50, 30)).astype(np.float32)
    ranks = rng.integers(0, 12, 50)
    expected = np.argsort(-scores, axis=1)[np.arange(50), ranks]
    assert (columns_of_ranks(scores, ranks) == expected).all()
    tied = np.array([[1, 3, 3, 2]])
    assert columns_of_ranks(tied, np.array([1])).tolist() == [1]  # the first of equals


def test_annealing_by_hand(monkeypatch):
    """A step is better from a millionth on; the probability doubles when the objective stands."""
    objectives = iter([0.1, 0.3, 0.3 + 5e-7, 0.3, *[0.5] * 9])
    keeps = []

    def induced(mapped, target, keep, generator):
        keeps.append(keep)
        return np.array([[0, 0], [1, 1]]), next(objectives)

    monkeypatch.setattr(vecmap_unsupervised, "induce", induced)
    axes = np.eye(2, dtype=np.float32)
    VecmapUnsupervised(patience=2).learn(axes, axes, np.array([[0, 0], [1, 1]]), None)
    assert keeps == [0.1] * 4 + [0.2] * 3 + [0.4] * 2 + [0.8] * 2 + [1.0] * 2


SOURCE_FIRST = np.array([0.9, 0.9, 0.1, 0.1])
SMALL = AdvRefine(epochs=3, samples=2_000, batch=16, hidden=32, orthogonality=0.05)


@pytest.fixture
def one_step():
    """A discriminator 3 -> 4 -> 4 -> 1, a map and a batch of two, in float64."""
    rng = np.random.default_rng(5)
    sizes = ((3, 4), (4, 4), (4, 1))
    layers = [Layer(rng.normal(size=size), rng.normal(size=size[1])) for size in sizes]
    return layers, rng.normal(size=(3, 3)), rng.normal(size=(2, 3)), rng.normal(size=(2, 3))


def loss_of(layers, inputs, targets):
    """Soft targets are labels of both kinds, weighted; each row comes twice."""
    for level, layer in enumerate(layers):
        inputs = inputs @ layer.A + layer.b
        if level < 2:
            inputs = np.where(inputs > 0, inputs, 0.2 * inputs)
    p = 1 / (1 + np.exp(-inputs[:, 0]))
    labels = np.repeat([1, 0], len(p))
    weights = np.concatenate([targets, 1 - targets])
    return log_loss(labels, np.concatenate([p, p]), sample_weight=weights)


@pytest.mark.parametrize("drop", [False, True])
def test_the_discriminator_descends_its_loss(one_step, drop):
    layers, W, X, Y = one_step
    mask = np.array([[0, 2, 2], [2, 0, 2], [2, 2, 0], [0, 0, 2]]) if drop else np.ones((4, 3))
    inputs = np.vstack([X @ W, Y]) * mask
    stepped = [Layer(layer.A.copy(), layer.b.copy()) for layer in layers]
    advrefine.discriminator_step(stepped, W, X, Y, mask, 0.3)

    def loss():
        return loss_of(layers, inputs, SOURCE_FIRST)

    for layer, after in zip(layers, stepped, strict=True):
        expected = layer.A - 0.3 * differences(loss, layer.A)
        np.testing.assert_allclose(after.A, expected, atol=1e-9)
        expected = layer.b - 0.3 * differences(loss, layer.b)
        np.testing.assert_allclose(after.b, expected, atol=1e-9)


def test_the_map_descends_the_loss_of_the_opposite_targets(one_step):
    layers, W, X, Y = one_step

    def loss():
        return loss_of(layers, np.vstack([X @ W, Y]), 1 - SOURCE_FIRST)

    stepped = advrefine.mapping_step(layers, W, X, 0.5, 0.0)
    np.testing.assert_allclose(stepped, W - 0.5 * differences(loss, W), atol=1e-9)
    orthogonalised = advrefine.mapping_step(layers, W, X, 0.0, 0.1)
    np.testing.assert_allclose(orthogonalised, 1.1 * W - 0.1 * W @ W.T @ W)


@pytest.fixture
def pair():
    """A space, and the same with its numbers the other way round."""
    rng = np.random.default_rng(6)
    X = unit_rows((rng.normal(size=(400, 10)) * np.linspace(2, 0.5, 10)).astype(np.float32))
    return space("it", X), space("en", X[:, ::-1].copy())


def test_the_best_epoch_of_a_game_is_kept_as_a_rotation(pair):
    source, target = pair
    game = Game(2 * source.vectors, 2 * target.vectors, SMALL, 3)
    assert [layer.A.shape for layer in game.layers] == [(10, 32), (32, 32), (32, 1)]
    for layer in game.layers:
        bound = len(layer.A) ** -0.5
        assert layer.A.dtype == layer.b.dtype == np.float32
        assert 0.8 * bound < np.abs(layer.A).max() <= bound
    scores = []

    def criterion(W):
        scores.append(translate_frequent(source, target, W, SMALL).criterion)
        return scores[-1]

    W = game.play(criterion)
    np.testing.assert_allclose(W @ W.T, np.eye(10), atol=1e-5)
    assert len(set(scores)) == 3
    assert translate_frequent(source, target, W, SMALL).criterion == pytest.approx(max(scores))


def test_the_rate_decays_and_shrinks_from_the_second_fall_on(pair, monkeypatch):
    rates = []
    monkeypatch.setattr(Game, "play_epoch", lambda self, rate: rates.append(rate))
    scores = iter((0.3, 0.5, 0.4, 0.45, 0.6, 0.1, 0.7))
    system = AdvRefine(rate=1.0, epochs=7, hidden=4)
    source, target = pair
    Game(source.vectors, target.vectors, system, 0).play(lambda W: next(scores))
    # falls: third (free), fourth (still below the best), sixth
    factors = [1, 0.98, 0.98, 0.98, 0.49, 0.98, 0.49]
    assert rates == pytest.approx(np.cumprod(factors))


def test_a_game_that_diverges_is_reported(pair):
    source, target = pair
    game = Game(source.vectors * np.float32(1e15), target.vectors, SMALL, 0)
    with pytest.raises(UserError, match="epoch 0"):
        game.play(pytest.fail)
