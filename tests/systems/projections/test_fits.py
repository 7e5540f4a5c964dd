"""CL-LSI, OPCA and CCA on documents: as systems, against scikit-learn and SciPy."""

import itertools

import numpy as np
import pytest
from scipy import linalg, sparse
from sklearn.decomposition import TruncatedSVD

from cr5.base.errors import LeftOutError
from cr5.fitting import fit as fitting
from cr5.systems.projections.models import ClEsa, ClLsi, DocumentCca, Opca, Sogaard

SYSTEMS = {"cl_lsi": ClLsi, "opca": Opca, "document_cca": DocumentCca, "sogaard": Sogaard}
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


def unit(rows):
    return rows / np.linalg.norm(rows, axis=1, keepdims=True)


def test_cca_has_the_singular_values_of_whitened_covariances(training):
    given = training()
    _, Z, _ = rows_by_hand(given, merged=False)
    X, Y = (Z[x] - Z[x].mean(axis=0) for x in ("en", "es"))
    p = X.shape[1]
    whiten = [linalg.inv(linalg.sqrtm(A.T @ A / 60 + 10 * np.eye(p))) for A in (X, Y)]
    s = np.linalg.svd(whiten[0] @ (X.T @ Y / 60) @ whiten[1])[1]
    found = fitting.fit(DocumentCca(**ALL), given).report["eigenvalues"]
    assert found["largest"] == pytest.approx(s[0]) and found["smallest"] == pytest.approx(s[4])


@pytest.mark.parametrize("name", ["opca", "document_cca"])
def test_gamma_is_validated_with_the_dimensions(training, name):
    scores = iter([0.1, 0.2, 0.9, 0.3])
    options = ALL | {"gammas": [0.1, 10], "dimensions": [2, 5]}
    fitted = fitting.fit(SYSTEMS[name](**options), training(validate=lambda model: next(scores)))
    assert fitted.chosen == {"dimension": 2, "gamma": 0.1}  # from the largest gamma down
    assert len(fitted.report["validation"]) == 4


@pytest.mark.parametrize("name", SYSTEMS)
def test_too_large_dimensions_alone_become_the_rank(training, name):
    fitted = fitting.fit(SYSTEMS[name](**ALL | {"dimensions": [50]}), training(n=4))
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
        fitting.fit(SYSTEMS[name](**ALL), given)


def test_rows_may_be_taken_as_they_are(training):
    """Weights of words as somebody gives them, not counts: the rows are those, and no others."""
    changed = training()
    for X in changed.counts.values():
        X.data = X.data * 0.37
    for name, system in SYSTEMS.items():
        model = fitting.fit(system(**ALL | {"weights": "given"}), changed).model
        assert model.term_frequency == "raw", name
        assert all((weights == 1).all() for weights in model.weights.values())
    found = fitting.fit(ClLsi(**ALL | {"weights": "given"}), changed).model
    rows = sum(each for each in rows_by_hand(changed, merged=True)[0].values())
    expected = TruncatedSVD(5, algorithm="arpack").fit(rows)
    F = rows_by_hand(changed, merged=True)[0]["en"]
    np.testing.assert_allclose(
        np.abs(cosines(*[found.embed(changed.counts["en"], "en")] * 2)),
        np.abs(cosines(*[expected.transform(F)] * 2)),
        atol=1e-5,
    )


def test_documents_of_one_concept_and_language_are_one(training_of):
    """CL-ESA adds up both documents of English concept 1, and scales the sum."""
    rows = {"da": [[2, 0, 1], [0, 3, 1]], "en": [[0, 2, 3], [2, 0, 1], [1, 1, 0]]}
    features = {x: sparse.csr_matrix(unit(np.array(each, float))) for x, each in rows.items()}
    concepts = {"da": np.array([0, 1]), "en": np.array([0, 1, 1])}
    words = {x: [f"{x}{i}" for i in range(3)] for x in rows}
    given = training_of(words, features=features, concepts=concepts, n_concepts=2)
    table = fitting.fit(ClEsa(keep=[None]), given).model.tables["en"].toarray()
    both = features["en"].toarray()[1:].sum(axis=0)
    np.testing.assert_allclose(table[:, 1], both / np.linalg.norm(both), atol=1e-6)
