import numpy as np
import pytest
from scipy import sparse

from cr5.base.rows import HybridRows, normalised
from cr5.search import best as module
from cr5.search.best import NONE, best


def rows(kind, n, seed, norm="l2"):
    generator = np.random.default_rng(seed)
    dense = generator.normal(size=(n, 12)).astype(np.float32)
    thin = sparse.random_array((n, 40), density=0.2, rng=generator, dtype=np.float32).tocsr()
    thin = sparse.csr_matrix(thin)
    found = {"dense": dense, "sparse": thin, "joined": HybridRows(dense, thin)}[kind]
    return normalised(found, norm)


def full(found):
    if isinstance(found, HybridRows):
        return np.hstack([found.dense, found.sparse.toarray()]).astype(float)
    return (found.toarray() if sparse.issparse(found) else found).astype(float)


def scores(queries, keys, kernel):
    if kernel == "l1":
        return -np.abs(full(queries)[:, None] - full(keys)[None]).sum(axis=2)
    return full(queries) @ full(keys).T


@pytest.mark.parametrize("kernel", ["product", "l1"])
@pytest.mark.parametrize("kind", ["dense", "sparse", "joined"])
@pytest.mark.parametrize("n", [1, 30, 600])
def test_best_equals_sorting_everything(monkeypatch, kind, kernel, n):
    norm = "l1" if kernel == "l1" else "l2"
    queries, keys = rows(kind, n, 1, norm), rows(kind, 1300, 2, norm)
    expected = scores(queries, keys, kernel)
    monkeypatch.setattr(module, "NUMBERS", 100 * 1300)
    for k in (5, 1):
        found = best(queries, keys, k, kernel=kernel)
        order = np.argsort(-expected, axis=1, kind="stable")[:, :k]
        np.testing.assert_array_equal(found.columns, order)
        np.testing.assert_allclose(
            found.scores, np.take_along_axis(expected, order, 1), atol=1e-12, rtol=1e-12
        )


def test_penalties_and_keys_that_must_not_be_found():
    queries, keys = rows("dense", 20, 1), rows("dense", 300, 2)
    penalty = np.random.default_rng(3).uniform(size=300).astype(np.float32)
    penalty[::2] = np.inf
    expected = scores(queries, keys, "product") - penalty
    found = best(queries, keys, 7, penalty)
    np.testing.assert_array_equal(found.columns, np.argsort(-expected, axis=1)[:, :7])


def test_fewer_keys_than_asked_for():
    queries, keys = rows("dense", 2, 1), rows("dense", 4, 2)
    barred = np.array([0, np.inf, 0, 0], np.float32)
    for k in (3, 6):
        found = best(queries, keys, k, barred)
        assert (found.columns[:, 3:] == NONE).all()
        assert np.isneginf(found.scores[:, 3:]).all()
        assert set(found.columns[0, :3]) == {0, 2, 3}
    assert best(queries[:0], keys, 6, barred).columns.shape == (0, 6)


@pytest.mark.parametrize("spare", [0, 3, module.SPARE])
def test_the_first_of_many_equal_keys_is_taken(monkeypatch, spare):
    monkeypatch.setattr(module, "SPARE", spare)
    keys = np.repeat(rows("dense", 5, 2), 400, axis=0)
    queries = rows("dense", 3, 1)
    found = best(queries, keys, 10)
    nearest = scores(queries, keys, "product")[:, ::400].argmax(axis=1)
    np.testing.assert_array_equal(found.columns, nearest[:, None] * 400 + np.arange(10))


def test_of_keys_without_anything_in_common_the_first_are_taken():
    keys = sparse.csr_matrix(np.eye(5, dtype=np.float32)[np.arange(4000) % 4])
    query = sparse.csr_matrix(np.eye(5, dtype=np.float32)[4:])
    found = best(query, keys, 10)
    assert found.columns.tolist() == [list(range(10))]
    assert (found.scores == 0).all()


def test_close_keys_are_told_apart_whatever_the_rough_numbers_say():
    """Scores 3e-9 apart, of which float32 knows nothing."""
    keys = np.zeros((200, 2), np.float32)
    keys[:, 0] = 1
    keys[:, 1] = 2e-7 * np.random.default_rng(0).permutation(200)
    query = np.array([[1, 2**-6]], np.float32)
    found = best(query, keys, 10)
    np.testing.assert_array_equal(found.columns[0], np.argsort(-keys[:, 1])[:10])


@pytest.mark.parametrize("kind", ["dense", "sparse", "joined"])
def test_one_query_alone_is_as_among_others(kind):
    queries, keys = rows(kind, 40, 1), rows(kind, 3000, 2)
    together = best(queries, keys, 10)
    for row in (0, 39):
        alone = best(queries[row : row + 1], keys, 10)
        np.testing.assert_array_equal(alone.scores[0], together.scores[row])
        np.testing.assert_array_equal(alone.columns[0], together.columns[row])
