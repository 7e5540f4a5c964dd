import numpy as np
import pytest

from cr5.base.rows import unit_rows
from cr5.search import nearest


def order_of_everything(scores, k):
    """Descending; of equal scores the column that comes first."""
    columns = np.broadcast_to(np.arange(scores.shape[1]), scores.shape)
    return np.lexsort((columns, -scores), axis=1)[:, :k]


@pytest.mark.parametrize("k", [1, 10])
@pytest.mark.parametrize("order", ["random", "ascending", "descending", "ties", "constant"])
@pytest.mark.parametrize("width", [1, 7, 100, 1000])
def test_nearest_equals_sorting_everything(k, order, width):
    scores = np.random.default_rng(3).normal(size=(5, 1000)).astype(np.float32)
    if order != "random":
        scores.sort(axis=1)
    if order == "descending":
        scores = scores[:, ::-1]
    if order == "ties":
        scores = np.random.default_rng(4).integers(0, 4, scores.shape).astype(np.float32)
    if order == "constant":
        scores[:] = 0
    found = nearest.Nearest(5, k)
    for first in range(0, 1000, width):
        found.add(scores[:, first : first + width], first)
    expected = order_of_everything(scores, k)
    np.testing.assert_array_equal(found.columns, expected)
    np.testing.assert_array_equal(found.scores, np.take_along_axis(scores, expected, axis=1))


@pytest.mark.parametrize("penalised", [False, True])
@pytest.mark.parametrize("k", [1, 4, 50])
def test_of_nearest_equals_sorting_everything(k, penalised):
    generator = np.random.default_rng(0)
    queries, keys = (unit_rows(generator.normal(size=(n, 8)).astype("float32")) for n in (600, 30))
    penalty = np.linspace(-1, 1, 30, dtype=np.float32) if penalised else None
    scores = queries.astype(float) @ keys.astype(float).T - (penalty if penalised else 0)
    found = nearest.of_nearest(queries, keys, k, lambda found: found.columns, penalty)
    np.testing.assert_array_equal(found, order_of_everything(scores, min(k, 30)))
