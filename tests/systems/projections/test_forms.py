import numpy as np
import pytest

from cr5.systems.algebra.threads import Threads
from cr5.systems.projections import pencils
from cr5.systems.projections.forms import SparseForm


@pytest.fixture(params=["opca S", "opca N", "cca S", "cca N"])
def form(request, documents):
    system, which = request.param.split()
    opca, cca = pencils.opca(documents, 0.3), pencils.cca(documents, (0,), 2.0)
    return getattr(opca if system == "opca" else cca, which)


def test_the_operator_and_its_panels_are_the_dense_twin(form, documents):
    A = form.dense(documents.Z.toarray())
    p = len(A)
    V = np.random.default_rng(0).normal(size=(p, 100))  # more than are taken at a time
    with Threads(2) as threads:
        operator = SparseForm(form, documents.Z, threads)
        np.testing.assert_allclose(operator(V), A @ V, atol=1e-8)
        for first, last in ((0, 7), (7, 20), (20, p)):
            panel = operator.panel(first, last)
            below = np.tril(np.ones(panel.shape, bool))
            np.testing.assert_allclose(panel[below], A[first:, first:last][below], atol=1e-9)


def test_it_does_not_touch_what_it_is_applied_to(form, documents):
    V = np.random.default_rng(0).normal(size=(documents.Z.shape[1], 3))
    before = V.copy()
    with Threads() as threads:
        SparseForm(form, documents.Z, threads)(V)
    np.testing.assert_array_equal(V, before)
