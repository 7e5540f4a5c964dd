"""CL-LSI, OPCA and CCA on documents: pencils against SciPy, and what data do not allow.

That documents of several languages, some of them missing, get the columns and the matrices of the
paper: `test_every_system`.
"""

import numpy as np
import pytest
from scipy import linalg, sparse

from cr5.base.errors import LeftOutError, UserError
from cr5.fitting import fit as fitting
from cr5.systems.algebra import cholesky, krylov, threads
from cr5.systems.algebra.columns import Documents, columns_of
from cr5.systems.projections import pencils
from cr5.systems.projections.cl_esa import ClEsa
from cr5.systems.projections.cl_lsi import ClLsi
from cr5.systems.projections.document_cca import DocumentCca
from cr5.systems.projections.opca import Opca
from cr5.systems.projections.pencils import solve
from cr5.systems.projections.sogaard import Sogaard


def test_no_word_left_is_said(training_of):
    counts = {"en": sparse.csr_matrix([[5, 1]])}
    training_set = training_of({"en": ["the", "mill"]}, counts=counts)
    with pytest.raises(UserError, match="skip_words is 50, max_words 20000; lower the first, or"):
        columns_of(training_set, Opca())


def documents(kind, p=30, n=20, density=0.4):
    """Random documents in two languages, or three, of which some lack documents."""
    generator = np.random.default_rng(0)
    n_languages = 2
    share = 1.0
    if "missing" in kind:
        n_languages = 3
        share = 0.7
    common = generator.normal(size=(n, p))
    parts = []
    concepts = []
    languages = []
    for language in range(n_languages):
        present = np.flatnonzero(generator.random(n) < share)
        noise = generator.normal(size=(len(present), p))
        noisy = np.abs(common[present] + noise)
        has_word = generator.random(noisy.shape) < density
        parts.append(sparse.csr_matrix(5 * noisy * has_word))
        concepts.append(present)
        languages.append(np.full(len(present), language))
    Z = sparse.vstack(parts, "csr")
    if "cca" in kind:
        Z = sparse.block_diag(parts, "csr")
    Z.sort_indices()
    _, concept = np.unique(np.hstack(concepts), return_inverse=True)
    return Documents(Z, np.hstack(languages), concept)


KINDS = ["opca", "opca, missing", "cca", "cca, missing", "lsi"]


def pencil_of(kind, p=30, **options):
    drawn = documents(kind, p, **options)
    if kind == "lsi":
        return pencils.lsi(drawn.Z)
    if "opca" in kind:
        return pencils.opca(drawn, 0.5)
    return pencils.cca(drawn, range(0, drawn.Z.shape[1], p), 2.0)


def forms(pencil):
    Z = pencil.Z.toarray()
    S = pencil.S.dense(Z)
    if pencil.N is None:
        return S, np.eye(len(S))
    return S, pencil.N.dense(Z)


@pytest.fixture
def small_blocks(monkeypatch):
    """As large pencils are solved: with several panels and pieces, and with restarts."""
    for module, constant, value in (
        (pencils, "SMALL", -1),
        (pencils, "TOLERANCE", 1e-10),
        (cholesky, "PANEL", 64),
        (threads, "ROWS", 50),
        (krylov, "BLOCK", 8),
        (krylov, "RESTARTS", 200),
    ):
        monkeypatch.setattr(module, constant, value)


@pytest.fixture(params=["dense", "iterative"])
def way(request):
    if request.param == "iterative":
        request.getfixturevalue("small_blocks")
    return request.param


@pytest.mark.parametrize("p", [40, 250])
@pytest.mark.parametrize("kind", KINDS)
def test_what_scipy_finds_in_the_matrices_written_out(kind, p, way):
    pencil = pencil_of(kind, p, n=80, density=0.1)
    S, N = forms(pencil)
    rising_values, vectors_of_rising = linalg.eigh(S, N)
    values = rising_values[::-1][:9]
    vectors = vectors_of_rising[:, ::-1][:, :9]
    solution = solve(pencil, 9)
    V = solution.vectors
    np.testing.assert_allclose(solution.values, values, rtol=1e-8)
    agreement = np.diag(vectors.T @ N @ V)
    np.testing.assert_allclose(np.abs(agreement), 1, atol=1e-6)
    np.testing.assert_allclose(V.T @ N @ V, np.eye(9), atol=1e-8)
    assert (V.max(axis=0) >= -V.min(axis=0)).all()
    assert solution.facts["solver"] == way
    assert solution.warnings == []


@pytest.mark.parametrize(("kind", "n", "rank"), [("opca", 6, 10), ("cca", 12, 11)])
@pytest.mark.parametrize("p", [150, 300])
def test_more_pairs_than_there_are_give_the_rank(kind, n, rank, p, way):
    """For OPCA M (n - 1); for CCA n - 1, the positive half of the pairs."""
    solution = solve(pencil_of(kind, p, n=n), 100)
    assert len(solution.values) == rank


@pytest.mark.parametrize("kind", ["opca", "cca, missing"])
@pytest.mark.usefixtures("small_blocks")
def test_threads_change_no_byte(kind):
    pencil = pencil_of(kind, 250, density=0.1)
    one_thread = solve(pencil, 9, 1)
    for n_threads in (2, 3):
        solution = solve(pencil, 9, n_threads)
        assert solution.values.tobytes() == one_thread.values.tobytes()
        assert solution.vectors.tobytes() == one_thread.vectors.tobytes()


def test_what_has_not_converged_is_said(monkeypatch):
    monkeypatch.setattr(krylov, "RESTARTS", 0)
    monkeypatch.setattr(pencils, "SMALL", -1)
    monkeypatch.setattr(pencils, "TOLERANCE", 1e-14)
    solution = solve(pencil_of("opca", 500, n=400, density=0.05), 20)
    assert solution.warnings[0].endswith("of 20 eigenvectors have NOT CONVERGED")


def test_a_gamma_that_rounding_swallows_is_refused(way):
    with pytest.raises(UserError, match=r"gamma 1e-30 is too small .*; raise it"):
        solve(pencils.opca(documents("opca", 150, n=100), 1e-30), 3)


@pytest.mark.parametrize(
    ("system", "rank"), [(ClLsi, 4), (Opca, 6), (DocumentCca, 3), (Sogaard, 4)]
)
def test_too_large_dimensions_alone_become_the_rank_of_four_concepts(planted, system, rank):
    fitted = fitting.fit(system(skip_words=0, dimensions=[50]), planted(n=4))
    assert fitted.chosen["dimension"] == rank
    assert any("reduced to" in warning for warning in fitted.report["warnings"])


def test_documents_that_are_all_alike_are_left_out(training_of):
    same = dict.fromkeys(("en", "es"), sparse.csr_matrix(np.ones((3, 2), np.int32)))
    concepts = dict.fromkeys(same, np.arange(3))
    training_set = training_of(
        {"en": ["a", "b"], "es": ["a", "c"]}, counts=same, concepts=concepts, n_concepts=3
    )
    with pytest.raises(LeftOutError, match="nothing in common"):
        fitting.fit(Opca(skip_words=0), training_set)


def test_documents_of_one_concept_and_language_are_one(training_of):
    """CL-ESA adds up both documents of English concept 1, and scales the sum."""
    features = {
        "da": sparse.csr_matrix([[2.0, 0, 1], [0, 3, 1]]),
        "en": sparse.csr_matrix([[0, 2.0, 3], [2, 0, 1], [1, 1, 0]]),
    }
    concepts = {"da": np.array([0, 1]), "en": np.array([0, 1, 1])}
    words = {"da": ["et", "to", "tre"], "en": ["one", "two", "three"]}
    training_set = training_of(words, features=features, concepts=concepts, n_concepts=2)
    model = fitting.fit(ClEsa(keep=[None]), training_set).model
    vectors_by_concept = model.tables["en"].toarray()
    sums = np.array([2 + 1, 0 + 1, 1 + 0])
    expected = sums / np.linalg.norm(sums)
    np.testing.assert_allclose(vectors_by_concept[:, 1], expected, atol=1e-6)
