import numpy as np
import pytest
from scipy import sparse

from cr5.systems.algebra.gram import add_gram


@pytest.fixture
def rows():
    made = sparse.csr_matrix(sparse.random_array((40, 25), density=0.3, rng=0))
    made.sort_indices()
    return made


@pytest.mark.parametrize("first, last", [(0, 25), (0, 1), (7, 19), (24, 25)])
def test_it_adds_the_lower_triangle_of_the_dense_product(rows, first, last):
    X = rows
    out = np.ones((25 - first, last - first), order="F")
    add_gram(X.T.tocsr(), X, first, -0.5, out)
    expected = 1 - 0.5 * (X.T @ X).toarray()[first:, first:last]
    below = np.tril(np.ones(out.shape, bool))
    np.testing.assert_allclose(out[below], expected[below])
    assert (out[~below] == 1).all()


def test_no_rows_add_nothing():
    nothing = sparse.csr_matrix((0, 5))
    out = np.ones((5, 5), order="F")
    add_gram(nothing.T.tocsr(), nothing, 0, 1, out)
    assert (out == 1).all()
