"""Maps without a dictionary: neighbours, transport, annealing and adversaries, by definition."""

from dataclasses import dataclass
from itertools import pairwise

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
from tests.systems.conftest import (
    dense_csls,
    differences,
    drawn_rows,
    first_pairs,
    rotated_copy,
    space,
)


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
    np.testing.assert_array_equal(match.pairs, best_both_ways(-squares))
    forward_error = squares.min(axis=1).mean()
    backward_error = squares.min(axis=0).mean()
    expected = (forward_error + backward_error) / 2
    assert match.error == pytest.approx(expected, rel=1e-5)


def best_both_ways(scores):
    """Pairs of each row with its best column, then of the best row of each column with it."""
    n_rows, n_columns = scores.shape
    forward = np.column_stack([np.arange(n_rows), scores.argmax(axis=1)])
    backward = np.column_stack([scores.argmax(axis=0), np.arange(n_columns)])
    return np.vstack([forward, backward])


def test_icp_descends_from_turned_axes():
    """A step takes the sum over both ways, which have the same number of words here."""
    X, Y, _ = rotated_copy(n=200, d=6)
    A = icp.principal_coordinates(X, 6)
    B = icp.principal_coordinates(Y, 6)
    covariance = np.cov(A.T)
    variances = np.diag(covariance)
    np.testing.assert_allclose(covariance, np.diag(variances), atol=1e-6)
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
    f = np.zeros((12, 1))
    g = np.zeros((1, 17))
    for _ in range(1_000):
        sum_of_row = logsumexp((g - cost) / epsilon, axis=1, keepdims=True)
        f = -epsilon * (sum_of_row + np.log(12))
        sum_of_column = logsumexp((f - cost) / epsilon, axis=0, keepdims=True)
        g = -epsilon * (sum_of_column + np.log(17))
    logarithms = (f + g - cost) / epsilon
    expected = np.exp(logarithms)
    plan = sinkhorn(cost, epsilon, tolerance=1e-10, steps=1_000)
    np.testing.assert_allclose(plan, expected, atol=1e-9)


@pytest.mark.parametrize(("rows", "keep"), [(16, 1.0), (512, 1.0), (512, 0.1)])
def test_all_similarities_give_the_dictionary_of_csls(monkeypatch, rows, keep):
    """The objective does not hang on what is kept."""
    monkeypatch.setattr(kernels, "ROWS", rows)
    rng = np.random.default_rng(1)
    X = drawn_rows(rng, 61, 5)
    Y = drawn_rows(rng, 47, 5)
    pairs, objective = induce(X, Y, keep, np.random.default_rng(0))
    is_same = pairs == best_both_ways(dense_csls(X, Y, 10))
    share = is_same.all(axis=1).mean()
    if keep == 1:
        assert share == 1
    else:
        assert share < 0.4
    cosines = X.astype(float) @ Y.astype(float).T
    forward_cosine = cosines.max(axis=1).mean()
    backward_cosine = cosines.max(axis=0).mean()
    expected = (forward_cosine + backward_cosine) / 2
    assert objective == pytest.approx(expected, rel=1e-6)


def test_ranks_are_distributed_as_the_best_of_those_that_a_mask_keeps():
    n = 20_000
    ranks = vecmap_unsupervised.draw_ranks(n, 4, 0.3, np.random.default_rng(0))
    mask = np.random.default_rng(1).random((n, 4)) < 0.3
    mask[:, 3] = True  # where none is kept it is the last one
    ranks_by_masks = mask.argmax(axis=1)
    expected = np.bincount(ranks_by_masks) / n
    np.testing.assert_allclose(np.bincount(ranks) / n, expected, atol=0.015)


def test_columns_of_ranks_are_those_of_sorting():
    rng = np.random.default_rng(1)
    scores = rng.normal(size=(50, 30)).astype(np.float32)
    ranks = rng.integers(0, 12, 50)
    order = np.argsort(-scores, axis=1)
    expected = order[np.arange(50), ranks]
    assert (columns_of_ranks(scores, ranks) == expected).all()
    tied = np.array([[1, 3, 3, 2]])
    assert columns_of_ranks(tied, np.array([1])).tolist() == [1]  # the first of equals


def test_annealing_by_hand(monkeypatch):
    """A step is better from a millionth on; the probability doubles when the objective stands."""
    objectives = iter([0.1, 0.3, 0.3 + 5e-7, 0.3] + 9 * [0.5])
    pairs = first_pairs(2)
    keeps = []

    def induced(mapped, target, keep, generator):
        keeps.append(keep)
        return pairs, next(objectives)

    monkeypatch.setattr(vecmap_unsupervised, "induce", induced)
    axes = np.eye(2, dtype=np.float32)
    VecmapUnsupervised(patience=2).learn(axes, axes, pairs, None)
    assert keeps == [0.1] * 4 + [0.2] * 3 + [0.4] * 2 + [0.8] * 2 + [1.0] * 2


SOURCE_FIRST = np.array([0.9, 0.9, 0.1, 0.1])
SMALL = AdvRefine(epochs=3, samples=2_000, batch=16, hidden=32, orthogonality=0.05)


@dataclass(frozen=True)
class Step:
    """A discriminator 3 -> 4 -> 4 -> 1, a map and a batch of two, in float64."""

    layers: list[Layer]
    W: np.ndarray
    X: np.ndarray
    Y: np.ndarray

    def inputs(self):
        """Vectors of both languages in one space."""
        return np.vstack([self.X @ self.W, self.Y])


@pytest.fixture
def one_step():
    rng = np.random.default_rng(5)
    layers = []
    for n_inputs, n_outputs in pairwise((3, 4, 4, 1)):
        A = rng.normal(size=(n_inputs, n_outputs))
        layers.append(Layer(A, rng.normal(size=n_outputs)))
    W = rng.normal(size=(3, 3))
    X = rng.normal(size=(2, 3))
    Y = rng.normal(size=(2, 3))
    return Step(layers, W, X, Y)


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
    layers = one_step.layers
    mask = np.ones((4, 3))
    if drop:
        mask = np.array([[0, 2, 2], [2, 0, 2], [2, 2, 0], [0, 0, 2]])
    inputs = one_step.inputs() * mask
    stepped = [Layer(layer.A.copy(), layer.b.copy()) for layer in layers]
    advrefine.discriminator_step(stepped, one_step.W, one_step.X, one_step.Y, mask, 0.3)

    def loss():
        return loss_of(layers, inputs, SOURCE_FIRST)

    for layer, after in zip(layers, stepped, strict=True):
        expected_A = layer.A - 0.3 * differences(loss, layer.A)
        np.testing.assert_allclose(after.A, expected_A, atol=1e-9)
        expected_b = layer.b - 0.3 * differences(loss, layer.b)
        np.testing.assert_allclose(after.b, expected_b, atol=1e-9)


def test_the_map_descends_the_loss_of_the_opposite_targets(one_step):
    layers = one_step.layers
    W = one_step.W

    def loss():
        return loss_of(layers, one_step.inputs(), 1 - SOURCE_FIRST)

    stepped = advrefine.mapping_step(layers, W, one_step.X, 0.5, 0.0)
    expected = W - 0.5 * differences(loss, W)
    np.testing.assert_allclose(stepped, expected, atol=1e-9)
    orthogonalised = advrefine.mapping_step(layers, W, one_step.X, 0.0, 0.1)
    expected = 1.1 * W - 0.1 * W @ W.T @ W
    np.testing.assert_allclose(orthogonalised, expected)


@pytest.fixture
def pair():
    """A space, and the same with its numbers the other way round."""
    rng = np.random.default_rng(6)
    spread = np.linspace(2, 0.5, 10)
    vectors = rng.normal(size=(400, 10)) * spread
    X = unit_rows(vectors.astype(np.float32))
    return space("it", X), space("en", X[:, ::-1].copy())


def test_the_best_epoch_of_a_game_is_kept_as_a_rotation(pair):
    source, target = pair
    game = Game(2 * source.vectors, 2 * target.vectors, SMALL, 3)
    assert [layer.A.shape for layer in game.layers] == [(10, 32), (32, 32), (32, 1)]
    for layer in game.layers:
        assert layer.A.dtype == np.float32
        assert layer.b.dtype == np.float32
        bound = 1 / np.sqrt(len(layer.A))
        largest = np.abs(layer.A).max()
        assert 0.8 * bound < largest <= bound
    scores = []

    def criterion(W):
        scores.append(translate_frequent(source, target, W, SMALL).criterion)
        return scores[-1]

    W = game.play(criterion)
    np.testing.assert_allclose(W @ W.T, np.eye(10), atol=1e-5)
    assert len(set(scores)) == 3
    score_of_kept = translate_frequent(source, target, W, SMALL).criterion
    assert score_of_kept == pytest.approx(max(scores))


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
