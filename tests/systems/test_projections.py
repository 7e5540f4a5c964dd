"""CL-LSI, OPCA and CCA on documents: as systems, against scikit-learn and SciPy."""

import itertools
import json
from dataclasses import replace

import numpy as np
import pytest
from scipy import linalg, sparse
from sklearn.cross_decomposition import CCA
from sklearn.decomposition import TruncatedSVD

from cr5.base import memory
from cr5.base.errors import LeftOutError, UserError
from cr5.fitting import fit as fitting
from cr5.fitting.channels import Channel
from cr5.systems import cl_lsi, document_cca, opca, sogaard
from cr5.systems.projections import solve

SYSTEMS = {"cl_lsi": cl_lsi, "opca": opca, "document_cca": document_cca, "sogaard": sogaard}
ALL = {"skip_words": 0, "dimensions": [5]}
RANKS = {"cl_lsi": 4, "opca": 6, "document_cca": 3, "sogaard": 4}  # of four concepts


@pytest.fixture(scope="session")
def training(training_of):
    """Counts of 60 concepts in languages that share a third of 30 words; documents may lack."""

    def make(languages=("en", "es"), missing=False, n=60, validate=None, **given):
        generator = np.random.default_rng(0)
        mixtures, topics = generator.dirichlet([0.3] * 8, n), generator.dirichlet([0.3] * 30, 8)
        words, counts, concepts = {}, {}, {}
        for x in languages:
            kept = np.flatnonzero(generator.random(n) < (0.7 if missing else 2))
            words[x] = [f"name{i}" if i % 3 == 0 else f"{x}{i}" for i in range(30)]
            rows = generator.poisson(40 * mixtures[kept] @ topics)
            counts[x], concepts[x] = sparse.csr_matrix(rows.astype(np.int32)), kept
        given |= {"validate": validate} if validate else {}
        return training_of(words, counts=counts, concepts=concepts, n_concepts=n, **given)

    return make


def rows_by_hand(training, merged):
    """Per language documents x columns, log2(1 + f) log2(N / d_j), columns by name."""
    names = {
        x: [word if merged else (x, word) for word in words] for x, words in training.words.items()
    }
    order = {name: i for i, name in enumerate(dict.fromkeys(itertools.chain(*names.values())))}
    F = {x: np.zeros((training.counts[x].shape[0], len(order))) for x in names}
    for x, of_words in names.items():
        F[x][:, [order[name] for name in of_words]] = training.counts[x].toarray()
    with np.errstate(divide="ignore"):
        d = sum((f > 0).sum(axis=0) for f in F.values())
        bits = np.where(d, np.log2(sum(len(f) for f in F.values()) / d), 0)
    return F, {x: np.log2(1 + f) * bits for x, f in F.items()}, bits


def cosines(A, B):
    return unit(A) @ unit(B).T


def embedded(model, training):
    return [model.embed(training.counts[x], x) for x in training.languages]


@pytest.mark.parametrize("merged", [True, False])
@pytest.mark.parametrize("languages", [("en", "es"), ("da", "en", "es")])
def test_cl_lsi_has_the_cosines_of_scikit_learn(training, merged, languages):
    given = training(languages)
    F, Z, bits = rows_by_hand(given, merged)
    D = np.log2(1 + sum(F.values())) * bits  # all documents there, in the order of concepts
    svd = TruncatedSVD(5, algorithm="arpack", random_state=0).fit(D)
    model = fitting.fit(cl_lsi, given, ALL | {"merged": merged}).model
    found = embedded(model, given)
    expected = [Z[x] @ svd.components_.T for x in given.languages]
    for a, b in itertools.product(range(len(languages)), repeat=2):
        np.testing.assert_allclose(
            cosines(found[a], found[b]), cosines(expected[a], expected[b]), atol=1e-5
        )


def test_cl_lsi_has_rows_of_one_language_too(training):
    given = training()
    channel = Channel(given.counts["es"][::-1][:20] * 2)  # texts of Spanish alone
    given = replace(given, channels={"es": channel})
    F, Z, bits = rows_by_hand(given, merged=True)
    D = np.vstack([sum(F.values()), 2 * F["es"][::-1][:20]])
    svd = TruncatedSVD(5, algorithm="arpack", random_state=0).fit(np.log2(1 + D) * bits)
    model = fitting.fit(cl_lsi, given, ALL | {"monolingual": True}).model
    expected = [Z[x] @ svd.components_.T for x in given.languages]
    np.testing.assert_allclose(cosines(*embedded(model, given)), cosines(*expected), atol=1e-5)
    without = fitting.fit(cl_lsi, given, ALL).model
    assert np.abs(without.tables["es"] - model.tables["es"]).max() > 0.01


@pytest.mark.parametrize("missing", [False, True])
@pytest.mark.parametrize("merged", [True, False])
@pytest.mark.parametrize("languages", [("en", "es"), ("da", "en", "es")])
def test_opca_has_the_cosines_of_the_matrices_written_out(training, merged, languages, missing):
    given = training(languages, missing)
    _, Z, _ = rows_by_hand(given, merged)
    rows = np.vstack([Z[x] for x in given.languages])
    concept = np.concatenate([given.concepts[x] for x in given.languages])
    n, p = len(set(concept)), rows.shape[1]
    S = sum(len(z) / n * np.cov(z, rowvar=False, bias=True) for z in Z.values())
    apart = rows - np.array([rows[concept == c].mean(axis=0) for c in concept])
    N = apart.T @ apart / n + 0.1 * np.eye(p)
    V = linalg.eigh(S, N)[1][:, ::-1][:, :5]
    model = fitting.fit(opca, given, ALL | {"merged": merged}).model
    for x, found in zip(given.languages, embedded(model, given), strict=True):
        expected = Z[x] @ V
        np.testing.assert_allclose(cosines(found, found), cosines(expected, expected), atol=1e-4)


def test_cca_without_gamma_has_the_variates_of_scikit_learn(training):
    given = training(n=400)
    model = fitting.fit(document_cca, given, ALL | {"gammas": [1e-9], "dimensions": [3]}).model
    rows = {x: np.log1p(given.counts[x].toarray()) * model.weights[x] for x in given.languages}
    theirs = CCA(3, max_iter=20000, tol=1e-12).fit(rows["en"], rows["es"])
    for x, their in zip(("en", "es"), theirs.transform(rows["en"], rows["es"]), strict=True):
        mine = rows[x] @ model.tables[x]
        correlations = np.corrcoef(mine, their, rowvar=False)[:3, 3:]
        np.testing.assert_allclose(np.abs(np.diag(correlations)), 1, atol=1e-3)


def test_cca_has_the_singular_values_of_whitened_covariances(training):
    given = training()
    _, Z, _ = rows_by_hand(given, merged=False)
    X, Y = (Z[x] - Z[x].mean(axis=0) for x in ("en", "es"))
    p = X.shape[1]
    whiten = [linalg.inv(linalg.sqrtm(A.T @ A / 60 + 10 * np.eye(p))) for A in (X, Y)]
    s = np.linalg.svd(whiten[0] @ (X.T @ Y / 60) @ whiten[1])[1]
    found = fitting.fit(document_cca, given, ALL).report["eigenvalues"]
    assert found["largest"] == pytest.approx(s[0]) and found["smallest"] == pytest.approx(s[4])


@pytest.mark.parametrize("languages", [("en", "es"), ("da", "en", "es")])
def test_inverted_indexing_reduces_words_as_scikit_learn_does(training, languages):
    """Rows are words of all languages, columns concepts; each row has length one."""
    given = training(languages)
    _, Z, _ = rows_by_hand(given, merged=False)
    words = sum(Z[x] for x in languages).T
    used = words.any(axis=1)
    words[used] /= np.linalg.norm(words[used], axis=1, keepdims=True)
    vectors = TruncatedSVD(5, algorithm="arpack", random_state=0).fit_transform(words)
    model = fitting.fit(sogaard, given, ALL).model
    expected = [Z[x] @ vectors for x in given.languages]
    for a, b in itertools.product(zip(embedded(model, given), expected, strict=True), repeat=2):
        np.testing.assert_allclose(cosines(a[0], b[0]), cosines(a[1], b[1]), atol=1e-5)


@pytest.mark.parametrize("solver", ["rows", "columns"])
def test_kernel_cca_with_a_linear_kernel_is_the_same(training, solver):
    """In the dual: Kx Ky b = rho (Kx Kx + k Kx) a, and w = X'a, for k = n gamma."""
    given = training()
    gamma, X, Y = 0.05, *(unit(rows_by_hand(given, merged=False)[1][x]) for x in ("en", "es"))
    options = ALL | {"unit_rows": True, "gammas": [gamma], "solver": solver}
    model = fitting.fit(document_cca, given, options).model
    Xc, Yc = X - X.mean(axis=0), Y - Y.mean(axis=0)
    Kx, Ky = Xc @ Xc.T, Yc @ Yc.T
    Rx, Ry = (linalg.inv(K + 60 * gamma * np.eye(60)) for K in (Kx, Ky))
    squares, a = linalg.eig(Rx @ Ky @ Ry @ Kx)
    a = a[:, np.argsort(-squares.real)[:5]].real
    V = []
    for rows, K, dual in ((Xc, Kx, a), (Yc, Ky, Ry @ Kx @ a)):
        lengths = np.einsum("ij,ij->j", dual, K @ (K / 60 + gamma * np.eye(60)) @ dual)
        V.append(rows.T @ (dual / np.sqrt(lengths)))
    expected = cosines(X @ V[0], Y @ V[1])
    np.testing.assert_allclose(cosines(*embedded(model, given)), expected, atol=1e-4)


def unit(rows):
    return rows / np.linalg.norm(rows, axis=1, keepdims=True)


@pytest.mark.parametrize("name", SYSTEMS)
def test_fewer_dimensions_are_the_first_ones_and_validation_chooses(training, name):
    widths = []

    def validate(model):
        widths.append(model.tables["en"].shape[1])
        return 1.0 if widths[-1] == 3 else 0.5

    options = ALL | {"dimensions": [8, 2, 3, 999]}
    fitted = fitting.fit(SYSTEMS[name], training(validate=validate), options)
    assert widths == [2, 3, 8]
    assert fitted.report["dimension"] == fitted.chosen["dimension"] == 3
    assert fitted.report["beyond_rank"] == [999]
    whole = fitting.fit(SYSTEMS[name], training(), ALL | {"dimensions": [8]})
    for x, table in fitted.model.tables.items():
        np.testing.assert_allclose(table, whole.model.tables[x][:, :3], rtol=1e-4, atol=1e-6)
    json.dumps(fitted.report, allow_nan=False)


@pytest.mark.parametrize("name", ["opca", "document_cca"])
def test_gamma_is_validated_with_the_dimensions(training, name):
    scores = iter([0.1, 0.2, 0.9, 0.3])
    options = ALL | {"gammas": [0.1, 10], "dimensions": [2, 5]}
    fitted = fitting.fit(SYSTEMS[name], training(validate=lambda model: next(scores)), options)
    assert fitted.chosen == {"dimension": 2, "gamma": 0.1}  # from the largest gamma down
    assert len(fitted.report["validation"]) == 4


@pytest.mark.parametrize("name", ["opca", "document_cca"])
def test_a_relative_gamma_is_in_units_of_the_mean_squared_row(training, name):
    given = training()
    rows = rows_by_hand(given, merged=name == "opca")[1].values()
    square = np.mean([np.square(z).sum(axis=1) for z in rows])
    relative = fitting.fit(SYSTEMS[name], given, ALL | {"gammas": [0.01], "relative_gamma": True})
    absolute = fitting.fit(SYSTEMS[name], given, ALL | {"gammas": [0.01 * square]})
    assert relative.chosen["gamma"] == 0.01
    for x, table in relative.model.tables.items():
        np.testing.assert_allclose(table, absolute.model.tables[x], rtol=1e-3, atol=1e-6)


@pytest.mark.parametrize("name", SYSTEMS)
def test_too_large_dimensions_alone_become_the_rank(training, name):
    fitted = fitting.fit(SYSTEMS[name], training(n=4), ALL | {"dimensions": [50]})
    assert fitted.chosen["dimension"] == RANKS[name]
    assert any("reduced to" in warning for warning in fitted.report["warnings"])


@pytest.mark.parametrize("name", ["opca", "document_cca"])
def test_documents_that_are_all_alike_are_left_out(training_of, name):
    same = sparse.csr_matrix(np.ones((3, 2), np.int32))
    given = training_of(
        {"en": ["a", "b"], "es": ["a", "c"]},
        counts={"en": same, "es": same},
        concepts={"en": np.arange(3), "es": np.arange(3)},
        n_concepts=3,
    )
    with pytest.raises(LeftOutError, match="nothing in common"):
        fitting.fit(SYSTEMS[name], given, ALL)


def test_a_shared_string_has_one_row_unless_columns_are_separate(training):
    for system, merged in ((cl_lsi, {}), (opca, {}), (opca, {"merged": False}), (document_cca, {})):
        tables = fitting.fit(system, training(), ALL | merged).model.tables
        alike = (tables["en"][0::3] == tables["es"][0::3]).all()
        assert alike == (system is not document_cca and not merged)


@pytest.mark.parametrize("name", SYSTEMS)
def test_unit_rows_are_embedded_as_they_were_fitted(training, name):
    model = fitting.fit(SYSTEMS[name], training(), ALL | {"unit_rows": True}).model
    assert model.input_norm == "l2"


def test_memory_for_the_tables_is_asked_for(training, monkeypatch):
    # 60 words x 5 dimensions x 4 bytes x 2 models, and 12 bytes x 50 columns x 5 dimensions
    monkeypatch.setattr(solve, "needed_bytes", lambda *_: 0)
    monkeypatch.setattr(memory, "available_bytes", lambda: 2400 + 3000)
    assert fitting.fit(opca, training(), ALL)
    monkeypatch.setattr(memory, "available_bytes", lambda: 2400 + 3000 - 1)
    with pytest.raises(UserError, match="lower max_words or the largest of the dimensions"):
        fitting.fit(opca, training(), ALL)


def test_rows_may_be_taken_as_they_are(training):
    """Weights of words as somebody gives them, not counts: the rows are those, and no others."""
    changed = training()
    for X in changed.counts.values():
        X.data = X.data * 0.37
    for name, system in SYSTEMS.items():
        model = fitting.fit(system, changed, ALL | {"weights": "given"}).model
        assert model.term_frequency == "raw", name
        assert all((weights == 1).all() for weights in model.weights.values())
    found = fitting.fit(cl_lsi, changed, ALL | {"weights": "given"}).model
    rows = sum(each for each in rows_by_hand(changed, merged=True)[0].values())
    expected = TruncatedSVD(5, algorithm="arpack").fit(rows)
    F = rows_by_hand(changed, merged=True)[0]["en"]
    np.testing.assert_allclose(
        np.abs(cosines(*[found.embed(changed.counts["en"], "en")] * 2)),
        np.abs(cosines(*[expected.transform(F)] * 2)),
        atol=1e-5,
    )
