import json
from dataclasses import replace

import numpy as np
import pytest
from scipy import sparse
from sklearn.decomposition import TruncatedSVD
from sklearn.preprocessing import normalize

from cr5.base.errors import LeftOutError
from cr5.base.options import complete
from cr5.fitting import fit as fitting
from cr5.systems import word_by_word as system

WORDS = {"da": ["hus", "kat", "og", "taxi"], "en": ["cat", "house", "taxi"]}
# kat is a cat, or a house's; og has no translation, nor has taxi, which is spelled the same
TO_ENGLISH = [[0, 1, 0], [0.75, 0.25, 0], [0, 0, 0], [0, 0, 0]]
TO_DANISH = [[0, 1, 0, 0], [0.5, 0, 0.5, 0], [0, 0, 0, 0]]
CORPUS = {"weighting": "corpus"}
WEIGHTS = {"da": np.array([1, 2, 3, 4.0]), "en": np.array([4, 2, 1.0])}


@pytest.fixture
def training(training_of):
    alignments = {
        "da": {"en": sparse.csr_matrix(np.array(TO_ENGLISH, float))},
        "en": {"da": sparse.csr_matrix(np.array(TO_DANISH, float))},
    }
    counts = {x: sparse.csr_matrix(documents(x)) for x in WORDS}
    return training_of(
        WORDS, weights=WEIGHTS, alignments=alignments, counts=counts, term_frequency="log"
    )


def documents(language):
    generator = np.random.default_rng(len(WORDS[language]))
    return generator.poisson(1.0, (6, len(WORDS[language])))


def rows_by_hand(language, weighting, skip_words=0, counts="log"):
    """Weighted rows; and which words have a weight.

    Those of the paper are log2(f + 1) log2(n / d_j), for n documents of both languages, without the
    most frequent words.
    """
    F = documents(language)
    if weighting == "corpus":
        return np.log1p(F) * WEIGHTS[language], np.ones(F.shape[1], bool)
    weights = np.log2(12 / np.maximum((F > 0).sum(axis=0), 1))
    weights[np.argsort(-F.sum(axis=0), kind="stable")[:skip_words]] = 0
    return (np.log2(F + 1) if counts == "log" else F) * weights, weights != 0


@pytest.mark.parametrize(
    "options",
    [
        {"weighting": "corpus"},
        {"weighting": "corpus", "pass_on": False},
        {"weighting": "corpus", "via": "lsa", "dimensions": [2]},
        {"weighting": "paper", "skip_words": 0},
        {"weighting": "paper", "skip_words": 1},
        {"weighting": "paper", "skip_words": 0, "counts": "raw"},
        {"weighting": "paper", "skip_words": 0, "via": "lsa", "dimensions": [2]},
    ],
)
@pytest.mark.parametrize(("source", "target"), [("da", "en"), ("en", "da")])
def test_cosines_are_those_of_matrix_products_and_scikit_learn(training, source, target, options):
    P = np.array(TO_ENGLISH if source == "da" else TO_DANISH, float)
    if options.get("pass_on", True):
        P[-1, -1] = 1  # taxi; og has no word of its spelling to stand for
    how = options["weighting"], options.get("skip_words", 0), options.get("counts", "log")
    (X, _), (Y, kept) = (rows_by_hand(x, *how) for x in (source, target))
    for x, rows in ((source, X), (target, Y)):
        training.features[x] = sparse.csr_matrix(rows)  # not of length one, as a harder case
    X, Y = (X @ P) * kept, Y
    if "via" in options:
        latent = TruncatedSVD(2, algorithm="arpack", random_state=1).fit(Y)
        X, Y = latent.transform(X), latent.transform(Y)
    expected = normalize(X) @ normalize(Y).T
    fitted = fitting.fit(system, training, options)
    np.testing.assert_allclose(cosines(fitted.model, source, target), expected, atol=1e-5)
    assert expected.max() > 0.5
    if "via" in options:
        assert fitted.report["dimension"] == 2
        assert fitted.report["latent"] == {"vectors": {"da": 2, "en": 2}}


@pytest.mark.parametrize("more", [{}, {"via": "lsa", "dimensions": [2]}])
def test_into_one_language_both_directions_are_the_same_comparison(training, more):
    """Platt et al.: the Spanish side is translated, whether it asks or is searched."""
    for x in WORDS:
        training.features[x] = sparse.csr_matrix(rows_by_hand(x, "corpus")[0])
    directed = fitting.fit(system, training, CORPUS | more).model
    one_way = fitting.fit(system, training, CORPUS | more | {"into": "en"}).model
    assert not one_way.directed
    found = cosines(one_way, "da", "en")
    np.testing.assert_allclose(found, cosines(directed, "da", "en"), atol=1e-6)
    np.testing.assert_array_equal(cosines(one_way, "en", "da"), found.T)
    assert not np.allclose(cosines(directed, "en", "da"), found.T)


def cosines(model, source, target):
    model.check()
    Q = model.embed(sparse.csr_matrix(documents(source)), source, target)
    C = model.embed(sparse.csr_matrix(documents(target)), target, target)
    product = Q @ C.T
    return product.toarray() if sparse.issparse(product) else product


def test_a_word_with_a_translation_is_not_passed_on_as_well(training_of):
    """Danish gift (married, poison) is no gift."""
    words = {"da": ["gift"], "en": ["gift", "poison"]}
    alignments = {
        "da": {"en": sparse.csr_matrix([[0, 1.0]])},
        "en": {"da": sparse.csr_matrix((2, 1))},
    }
    tables = fitting.fit(system, training_of(words, alignments=alignments), CORPUS).model.tables
    assert tables["da"]["en"].toarray().tolist() == [[0, 1]]
    assert tables["en"]["da"].toarray().tolist() == [[1], [0]]


def test_a_document_without_a_translated_word_is_a_row_of_zeros(training):
    model = fitting.fit(system, training, CORPUS | {"pass_on": False}).model
    rows = model.embed(sparse.csr_matrix([[0, 0, 5, 1], [1, 0, 5, 0]]), "da", "en").toarray()
    assert rows.tolist() == [[0, 0, 0], [0, 1, 0]]


@pytest.mark.parametrize(
    ("pass_on", "passed_on", "lost"), [(True, (1, 1), (1, 0)), (False, (0, 0), (2, 1))]
)
def test_report_counts_what_becomes_of_words(training, pass_on, passed_on, lost):
    report = json.loads(
        json.dumps(fitting.fit(system, training, CORPUS | {"pass_on": pass_on}).report)
    )
    assert report == {
        "words": {
            "da": {"en": {"translated": 2, "passed_on": passed_on[0], "lost": lost[0]}},
            "en": {"da": {"translated": 2, "passed_on": passed_on[1], "lost": lost[1]}},
        }
    }


def test_validation_chooses_the_dimension_among_those_that_there_are(training):
    """Danish has four words and English three: there are no five dimensions, nor more."""
    widths = []

    def validate(model):
        widths.append(model.tables["en"]["da"].shape[1])
        return {2: 0.7}.get(widths[-1], 0.5)

    options = {"skip_words": 0, "via": "lsa", "dimensions": [9, 5, 2, 1]}
    fitted = fitting.fit(system, replace(training, validate=validate), options)
    assert widths == [1, 2]
    assert fitted.chosen == {"dimension": 2}
    assert fitted.model.tables["da"]["en"].shape == (4, 2)
    assert [each["dimension"] for each in fitted.report["validation"]] == [1, 2]
    assert fitted.report["beyond_rank"] == [5, 9]
    assert not any("reduced" in warning for warning in fitted.report["warnings"])


def test_where_there_are_fewer_dimensions_than_any_asked_for_all_are_taken(training):
    options = {"skip_words": 0, "via": "lsa", "dimensions": [9, 5]}
    fitted = fitting.fit(system, training, options)
    assert fitted.chosen == {"dimension": 4}
    assert fitted.model.tables["en"]["da"].shape == (3, 4)
    assert fitted.report["beyond_rank"] == [5, 9]
    [warning] = fitted.report["warnings"]
    assert "[5, 9] reduced to 4" in warning


def test_a_latent_space_without_a_dimension_is_left_out(training):
    features = {x: sparse.csr_matrix((6, len(WORDS[x]))) for x in WORDS}
    bare = replace(training, features=features)
    with pytest.raises(LeftOutError, match="no word of the training documents has a weight"):
        fitting.fit(system, bare, {"weighting": "corpus", "via": "lsa"})


def test_a_word_whose_translations_are_all_dropped_is_lost(training_of):
    """English `the` is the most frequent word and dropped; house and taxi are not."""
    words = {"da": ["den", "hus", "taxi"], "en": ["house", "taxi", "the"]}
    alignments = {
        "da": {"en": sparse.csr_matrix([[0, 0, 1.0], [0.5, 0, 0.5], [0, 0, 0]])},
        "en": {"da": sparse.csr_matrix((3, 3))},
    }
    counts = {
        "da": sparse.csr_matrix([[1, 1, 0], [3, 0, 1], [0, 0, 0]]),
        "en": sparse.csr_matrix([[1, 0, 3], [0, 1, 2], [0, 0, 0]]),
    }
    training = training_of(words, alignments=alignments, counts=counts, term_frequency="log")
    report = fitting.fit(system, training, {"skip_words": 1}).report["words"]
    assert report["da"]["en"] == {"translated": 1, "passed_on": 1, "lost": 1}
    assert report["en"]["da"] == {"translated": 0, "passed_on": 1, "lost": 2}


def test_the_published_weights_are_the_default():
    defaults = complete(system.OPTIONS, {})
    assert defaults["weighting"] == "paper"
    assert (defaults["skip_words"], defaults["max_words"]) == (50, 20000)
