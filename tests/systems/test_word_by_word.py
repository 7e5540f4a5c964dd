import numpy as np
import pytest
from scipy import sparse
from sklearn.preprocessing import normalize

from cr5.systems import word_by_word as system

WORDS = {"da": ["hus", "kat", "og", "taxi"], "en": ["cat", "house", "taxi"]}
# kat is a cat, or a house's; og has no translation, nor has taxi, which is spelled the same
TO_ENGLISH = [[0, 1, 0], [0.75, 0.25, 0], [0, 0, 0], [0, 0, 0]]
TO_DANISH = [[0, 1, 0, 0], [0.5, 0, 0.5, 0], [0, 0, 0, 0]]
WEIGHTS = {"da": np.array([1, 2, 3, 4.0]), "en": np.array([4, 2, 1.0])}


@pytest.fixture
def training(training_of):
    alignments = {
        "da": {"en": sparse.csr_matrix(np.array(TO_ENGLISH, float))},
        "en": {"da": sparse.csr_matrix(np.array(TO_DANISH, float))},
    }
    return training_of(WORDS, weights=WEIGHTS, alignments=alignments, term_frequency="log")


def documents(language):
    generator = np.random.default_rng(len(WORDS[language]))
    return generator.poisson(1.0, (6, len(WORDS[language])))


@pytest.mark.parametrize("pass_on", [True, False])
@pytest.mark.parametrize(("source", "target"), [("da", "en"), ("en", "da")])
def test_cosines_are_those_of_matrix_products(training, source, target, pass_on):
    P = np.array(TO_ENGLISH if source == "da" else TO_DANISH, float)
    if pass_on:
        P[-1, -1] = 1  # taxi; og has no word of its spelling to stand for
    X, Y = (np.log1p(documents(x)) * WEIGHTS[x] for x in (source, target))
    expected = normalize(X @ P) @ normalize(Y).T
    model = system.fit(training, {"pass_on": pass_on}).model
    model.check()
    Q = model.embed(sparse.csr_matrix(documents(source)), source, target)
    C = model.embed(sparse.csr_matrix(documents(target)), target, target)
    np.testing.assert_allclose((Q @ C.T).toarray(), expected, atol=1e-6)
    assert expected.max() > 0.5


def test_words_are_passed_on_by_default(training):
    assert system.DEFAULTS == {"pass_on": True}
    table = system.fit(training, {}).model.tables["da"]["en"]
    assert table.toarray()[3].tolist() == [0, 0, 1]


def test_a_word_with_a_translation_is_not_passed_on_as_well(training_of):
    """Danish gift (married, poison) is no gift."""
    words = {"da": ["gift"], "en": ["gift", "poison"]}
    alignments = {
        "da": {"en": sparse.csr_matrix([[0, 1.0]])},
        "en": {"da": sparse.csr_matrix((2, 1))},
    }
    tables = system.fit(training_of(words, alignments=alignments), {}).model.tables
    assert tables["da"]["en"].toarray().tolist() == [[0, 1]]
    assert tables["en"]["da"].toarray().tolist() == [[1], [0]]


def test_a_document_without_a_translated_word_is_a_row_of_zeros(training):
    model = system.fit(training, {"pass_on": False}).model
    rows = model.embed(sparse.csr_matrix([[0, 0, 5, 1], [1, 0, 5, 0]]), "da", "en").toarray()
    assert rows.tolist() == [[0, 0, 0], [0, 1, 0]]


@pytest.mark.parametrize(
    ("pass_on", "passed_on", "lost"), [(True, (1, 1), (1, 0)), (False, (0, 0), (2, 1))]
)
def test_report_counts_what_becomes_of_words(training, pass_on, passed_on, lost):
    report = system.fit(training, {"pass_on": pass_on}).report
    assert report == {
        "words": {
            "da": {"en": {"translated": 2, "passed_on": passed_on[0], "lost": lost[0]}},
            "en": {"da": {"translated": 2, "passed_on": passed_on[1], "lost": lost[1]}},
        }
    }
