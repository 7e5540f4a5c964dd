import numpy as np
import pytest

from cr5.systems.reduced_rank.operators import (
    WIDTH,
    CentredFeatures,
    Concepts,
    CrossProduct,
    RidgeGram,
)

RIDGE = 0.2
COLUMNS = 2 * WIDTH + 3  # two blocks and a part of one
ACCURACY = {np.float32: 1e-4, np.float64: 1e-11}


@pytest.fixture
def generator():
    return np.random.default_rng(11)


@pytest.fixture(params=[np.float32, np.float64])
def dtype(request):
    return request.param


def random(generator, rows, dtype):
    return generator.standard_normal((rows, COLUMNS)).astype(dtype)


def assert_twins(left, right, dtype):
    assert left.dtype == dtype
    np.testing.assert_allclose(left, right, atol=ACCURACY[dtype] * np.abs(right).max())


@pytest.mark.parametrize("name", ["centred features", "concepts", "cross product"])
def test_operators_equal_their_dense_twins(
    make_data, write_out, structure, generator, threads, dtype, name
):
    data = make_data(structure)
    problem, written = data.problem.astype(dtype), write_out(data, RIDGE)
    Xhat, Y = CentredFeatures(problem, threads), Concepts(problem, threads)
    operator, twin = {
        "centred features": (Xhat, written.X - written.X.mean(axis=0)),
        "concepts": (Y, written.Y),
        "cross product": (CrossProduct(Xhat, Y), written.A),
    }[name]
    assert operator.shape == twin.shape
    left, right = (random(generator, size, dtype) for size in twin.shape)
    assert_twins(operator.matmat(right), twin @ right, dtype)
    assert_twins(operator.adjoint(left), twin.T @ left, dtype)


def test_ridge_gram_equals_its_dense_twin(
    make_data, write_out, structure, generator, threads, dtype
):
    data = make_data(structure)
    problem = data.problem.astype(dtype)
    B, twin = RidgeGram(CentredFeatures(problem, threads), problem, RIDGE), write_out(data, RIDGE).B
    assert B.shape == twin.shape
    U = random(generator, len(twin), dtype)
    assert_twins(B.matmat(U), twin @ U, dtype)
    if not data.prior:  # with one it is an approximation
        assert_twins(B.diagonal[:, 0], np.diag(twin), dtype)


@pytest.mark.parametrize("ridge", [1e-3, 0.2, 5.0])
def test_ridge_gram_is_inverted(make_data, write_out, structure, ridge, generator, threads):
    data = make_data(structure)
    B = RidgeGram(CentredFeatures(data.problem, threads), data.problem, ridge)
    U = generator.standard_normal((B.shape[0], 3))
    solve = B.solve(U.copy(), 1e-11, 500)
    assert solve.converged
    expected = np.linalg.solve(write_out(data, ridge).B, U)
    np.testing.assert_allclose(solve.value, expected, atol=1e-8 * np.abs(expected).max())


def test_large_means_do_not_spoil_single_precision(make_data, write_out, generator, threads):
    """All documents share most of their length: what centring leaves is a small difference."""
    data = make_data()
    features = [X.copy() for X in data.features]
    for X in features:
        X.data = 1 + 1e-2 * X.data
    data = type(data)(features, data.concepts, data.n_concepts)
    X = write_out(data, RIDGE).X
    Xhat = CentredFeatures(data.problem.astype(np.float32), threads)
    U = random(generator, X.shape[1], np.float32)
    expected = (X - X.mean(axis=0)) @ U
    assert np.abs(Xhat.matmat(U) - expected).max() < 1e-5 * np.abs(X @ U).max()
