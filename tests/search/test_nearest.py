"""The nearest keys against sorting everything, in float64."""

import itertools
from dataclasses import dataclass

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal
from scipy import sparse
from scipy.spatial import distance

from cr5.base.rows import HybridRows, normalised
from cr5.search import nearest
from cr5.search.nearest import best
from tests.kit.inside import dense
from tests.search.drawn import normal, thinned, unit

N_KEYS = 1300


def in_float64(rows):
    return np.hstack(dense(rows)).astype(float)


def order_of_everything(scores, k):
    """Descending; of equal scores the column that comes first."""
    columns = np.broadcast_to(np.arange(scores.shape[1]), scores.shape)
    return np.lexsort((columns, -scores), axis=1)[:, :k]


SCORES = {
    "random": normal(5, 1000, 3),
    "ascending": np.sort(normal(5, 1000, 3), axis=1),
    "descending": -np.sort(normal(5, 1000, 3), axis=1),
    "ties": normal(5, 1000, 4).round(),
    "constant": np.zeros((5, 1000), np.float32),
}


def shown(scores, borders, k):
    """The best of the columns between the borders, which are seen block by block."""
    best_seen = nearest.BestSoFar(len(scores), k)
    for start, stop in itertools.pairwise(borders):
        best_seen.see(start, scores[:, start:stop].copy())
    return best_seen


@pytest.mark.parametrize("k", [1, 10])
@pytest.mark.parametrize("scores", SCORES.values(), ids=SCORES)
@pytest.mark.parametrize("borders", [[0, 1000], [0, 3, 400, 999, 1000]])
def test_the_best_equal_sorting_everything(scores, k, borders):
    expected = order_of_everything(scores, k)
    best_seen = shown(scores, borders, k)
    assert_array_equal(best_seen.columns, expected)
    assert_array_equal(best_seen.scores, np.take_along_axis(scores, expected, 1))


@pytest.mark.parametrize("k", [1, 10])
@pytest.mark.parametrize("scores", SCORES.values(), ids=SCORES)
def test_the_best_of_two_parts_equal_sorting_everything(scores, k):
    first = shown(scores, [0, 300], k)
    second = shown(scores, [300, 700, 1000], k)
    best_of_both = nearest.merged([[first, second]])
    assert_array_equal(best_of_both.columns, order_of_everything(scores, k))


@pytest.mark.parametrize("n_rows", [1, 7, 100, 1000])
@pytest.mark.parametrize("n_decimals", [None, 1])  # with one there are ties
def test_means_of_columns_equal_sorting_everything(n_rows, n_decimals):
    scores = normal(n_rows, 70, seed=n_rows)
    if n_decimals is not None:
        scores = scores.round(n_decimals)
    largest = np.sort(scores.astype(float), axis=0)[-10:]
    expected = largest.mean(axis=0).astype(np.float32)
    assert_array_equal(nearest.mean_top_k_of_columns(scores, 10), expected)


@pytest.mark.parametrize("penalty", [None, np.linspace(-1, 1, 30, dtype=np.float32)])
@pytest.mark.parametrize("k", [1, 4, 50])
def test_the_nearest_of_queries_equal_sorting_everything(k, penalty):
    queries = unit(600, 8, 0)
    keys = unit(30, 8, 1)
    scores = in_float64(queries) @ in_float64(keys).T
    if penalty is not None:
        scores -= penalty
    _, columns = nearest.nearest(queries, keys, k, penalty)
    assert_array_equal(columns, order_of_everything(scores, min(k, 30)))


def drawn(kind, n_rows, seed, norm):
    wide = normal(n_rows, 12, seed)
    thin = thinned(wide, 0.5, seed)
    by_kind = {"dense": wide, "sparse": thin, "joined": HybridRows(wide, thin)}
    return normalised(by_kind[kind], norm)


@dataclass(frozen=True)
class Compared:
    """Queries, keys, and all their similarities in float64."""

    queries: object
    keys: object
    kernel: str
    similarities: np.ndarray


NORMS = {"product": "l2", "l1": "l1"}
CASES = list(itertools.product(NORMS, ["dense", "sparse", "joined"], [1, 300]))


@pytest.fixture(params=CASES, ids=str)
def compared(request):
    kernel, kind, n_queries = request.param
    queries = drawn(kind, n_queries, 1, NORMS[kernel])
    keys = drawn(kind, N_KEYS, 2, NORMS[kernel])
    exact_queries = in_float64(queries)
    exact_keys = in_float64(keys)
    if kernel == "product":
        similarities = exact_queries @ exact_keys.T
    else:
        similarities = -distance.cdist(exact_queries, exact_keys, "cityblock")
    return Compared(queries, keys, kernel, similarities)


def without_every_second():
    """A penalty of each key; it excludes half of them."""
    penalty = np.random.default_rng(3).uniform(size=N_KEYS).astype(np.float32)
    penalty[::2] = np.inf
    return penalty


@pytest.mark.parametrize("k", [5, 1, 700])
@pytest.mark.parametrize(
    "penalty", [np.zeros(N_KEYS), without_every_second()], ids=["none", "half"]
)
def test_best_equals_sorting_everything_in_float64(compared, k, penalty):
    """Some keys are excluded: of these there may be more than are sought."""
    expected_scores = compared.similarities - penalty
    expected_columns = order_of_everything(expected_scores, k)
    expected = np.take_along_axis(expected_scores, expected_columns, 1)
    is_key = np.isfinite(expected)
    scores, columns = best(compared.queries, compared.keys, k, penalty, compared.kernel)
    assert_array_equal(np.isfinite(scores), is_key)
    assert_array_equal(columns[is_key], expected_columns[is_key])
    assert_allclose(scores, expected, atol=1e-12, rtol=1e-12)


@pytest.mark.parametrize("k", [5, 1])
def test_the_best_of_a_query_alone_are_those_among_others(compared, k):
    penalty = without_every_second()
    scores, columns = best(compared.queries, compared.keys, k, penalty, compared.kernel)
    last_query = compared.queries[len(scores) - 1 :]
    scores_alone, columns_alone = best(last_query, compared.keys, k, penalty, compared.kernel)
    assert_array_equal(scores_alone[0], scores[-1])
    assert_array_equal(columns_alone[0], columns[-1])


def test_of_equal_keys_the_first_are_taken():
    queries = unit(3, 12, 1)
    different_keys = unit(50, 12, 2)
    keys = np.repeat(different_keys, 40, axis=0)
    cosines = in_float64(queries) @ in_float64(different_keys).T
    first_column = 40 * cosines.argmax(axis=1)
    _, columns = best(queries, keys, 10, np.zeros(2000))
    assert_array_equal(columns, first_column[:, None] + np.arange(10))


def test_of_keys_that_have_nothing_in_common_with_the_query_the_first_are_taken():
    units = np.eye(5, dtype=np.float32)
    query = sparse.csr_matrix(units[4:])
    keys = sparse.csr_matrix(units[np.arange(4000) % 4])
    scores, columns = best(query, keys, 10, np.zeros(4000))
    assert columns.tolist() == [list(range(10))]
    assert (scores == 0).all()


def test_close_keys_are_told_apart_whatever_float32_says():
    """Scores 3e-9 apart, of which it knows nothing."""
    order = np.random.default_rng(0).permutation(100)
    keys = np.ones((100, 2), np.float32)
    keys[:, 1] = 2e-7 * order
    query = np.array([[1, 2**-6]], np.float32)
    _, columns = best(query, keys, 10, np.zeros(100))
    assert_array_equal(columns[0], np.argsort(-order)[:10])
