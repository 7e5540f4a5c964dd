from dataclasses import replace

import numpy as np
import pytest
from scipy import sparse

from cr5.base.errors import UserError
from cr5.base.rows import unit_rows
from cr5.contracts.seeds import Seeds
from cr5.contracts.training import Validation
from cr5.counts.columns import widened
from cr5.fitting import fit as fitting
from cr5.models.word_tables import JoinedTables
from cr5.systems.ridge.best import Best
from cr5.systems.ridge.cr5 import Cr5
from cr5.systems.ridge.cr5_spelling import Cr5Spelling
from cr5.systems.ridge.problem import Problem
from cr5.systems.ridge.spelling import spelt, translations, unknown
from tests.systems.ridge.problems import write_out

LANGUAGES = ("en", "it")
N_WORDS = 40
ONE = {"ridges": [0.3], "ranks": [8]}


@pytest.fixture
def training(training_of):
    """Words of two languages begin alike, three at a time, and end otherwise."""

    def make(**options):
        generator = np.random.default_rng(6)
        shape = (30, N_WORDS)
        beginnings = [f"w{word // 3:03}{'lmn'[word % 3]}" for word in range(N_WORDS)]
        words = {}
        features = {}
        for language in LANGUAGES:
            X = sparse.random_array(shape, density=0.2, rng=generator) + sparse.eye_array(*shape)
            features[language] = unit_rows(sparse.csr_matrix(X))
            words[language] = [beginning + language for beginning in beginnings]
        return training_of(
            words,
            features=features,
            concepts={language: generator.permutation(30) for language in LANGUAGES},
            n_concepts=30,
            term_frequency="log",
            **options,
        )

    return make


def by_ridge(*scores):
    """A validation of fits with and without the languages' means, which are no better."""
    iterator = iter(scores)

    def validate(model):
        return Validation(-1.0 if model.offsets else next(iterator))

    return validate


def written_out(training_set, N, ridge, gamma):
    """Cr5 on [X, sqrt(gamma) X N] / sqrt(1 + gamma): word vectors W diag(mu), stacked."""
    n_words, _ = N["en"].shape
    stacked_N = sparse.vstack([N[language] for language in LANGUAGES])
    identity = sparse.identity(2 * n_words)
    F = sparse.hstack([identity, np.sqrt(gamma) * stacked_N], "csr") / np.sqrt(1 + gamma)
    X = [widened(training_set.features[language], n_words) for language in LANGUAGES]
    concepts = [training_set.concepts[language] for language in LANGUAGES]
    prior = [F[:n_words], F[n_words:]]
    problem = Problem(X, concepts, training_set.n_concepts, prior)
    twin = write_out(problem, ridge)
    Phi = np.linalg.solve(twin.B, twin.A @ twin.P)
    return F @ (Phi * twin.mu)


def stacked(model):
    """The vectors of the words that trained, without beginnings of others."""
    return np.vstack([model.tables[language][:N_WORDS] for language in LANGUAGES])


def assert_same_up_to_signs(vectors, expected):
    scale = np.abs(expected).max()
    signs = np.sign(np.sum(vectors * expected, axis=0))
    np.testing.assert_allclose(vectors * signs, expected, atol=2e-6 * scale)


@pytest.mark.parametrize("dictionary_weights", [None, [1.0, 2.0]])
def test_weights_of_prior_and_dictionary_are_tried_at_the_best_ridge(training, dictionary_weights):
    words = training().words
    pairs = list(zip(words["en"][:20], words["it"][:-21:-1], strict=True))
    training_set = training(seeds=Seeds({LANGUAGES: pairs}))
    validate = by_ridge(0.1, 0.4, 0.2, 0.5, 0.45, 0.6)
    options = {"ridges": [0.1, 0.3, 1.0], "ranks": [8], "gammas": [3.0]}
    system = Cr5Spelling(**options, dictionary_weights=dictionary_weights)
    report = fitting.fit(system, replace(training_set, validate=validate)).report
    trials = [entry for entry in report["validation"] if not entry["shift"]]
    grid = [(1.0, 1.0), (0.3, 1.0), (0.1, 1.0), (0.3, 3.0)]
    weights = [0.0] * 4
    if dictionary_weights:
        grid += [(0.3, 3.0), (0.3, 3.0)]
        weights += dictionary_weights
        assert [entry["dictionary_weight"] for entry in trials] == weights
        assert report["dictionary_weight"] == 2.0
    assert [(entry["ridge"], entry["gamma"]) for entry in trials] == grid


def test_words_that_a_dictionary_pairs_get_vectors_that_are_alike(training):
    """Also those that no training document has: the same fit as with words that none has."""
    words = training().words
    pairs = [(words["en"][0], "nuovo"), (words["en"][7], "nuovo"), ("w001x", words["it"][30])]
    seeds = Seeds({LANGUAGES: pairs})
    training_set = replace(training(seeds=seeds), validate=by_ridge(0.1, 0.2, 0.3))
    options = ONE | {"gammas": [3.0], "dictionary_weights": [2.0]}
    model = fitting.fit(Cr5Spelling(**options), training_set).model
    assert list(model.fallbacks["en"].words) == ["w001x"]
    assert list(model.fallbacks["it"].words) == ["nuovo"]
    spelling_of_words = spelt(training_set.words)
    _, spelling_of_unknown = unknown(training_set.words, seeds)
    translated = translations(model.words, seeds, model.fallbacks)
    weight = np.sqrt(2 / 3)
    N = {}
    for language in LANGUAGES:
        spelling = sparse.vstack([spelling_of_words[language], spelling_of_unknown[language]])
        N[language] = sparse.hstack([spelling, weight * translated[language]])
    expected = written_out(training_set, N, 0.3, 3.0)
    vectors = np.vstack([model.tables[language] for language in LANGUAGES])
    assert_same_up_to_signs(vectors, expected[:, :8])


LETTERS = str.maketrans("0123456789w", "abgdekopruv")
CYRILLIC = str.maketrans("abgdekopruvlmnit", "абгдекопрувлмнит")


def test_words_of_two_scripts_share_their_spelling(training):
    """In Latin letters the fit is that of words which were in Latin letters from the beginning."""
    pytest.importorskip("anyascii", reason="the extra scripts is not installed")
    training_set = training()
    english = [word.translate(LETTERS) for word in training_set.words["en"]]
    italian = [word.translate(LETTERS) for word in training_set.words["it"]]
    cyrillic = [word.translate(CYRILLIC) for word in italian]
    in_latin = replace(training_set, words={"en": english, "it": italian})
    in_two_scripts = replace(training_set, words={"en": english, "it": cyrillic})
    options = ONE | {"string_weights": [0.5]}
    model_of_latin = fitting.fit(Cr5Spelling(**options), in_latin).model
    model = fitting.fit(Cr5Spelling(**options, scripts="latin"), in_two_scripts).model
    assert model.words["it"][:N_WORDS] == cyrillic
    np.testing.assert_allclose(stacked(model), stacked(model_of_latin), atol=1e-6)
    n_strings = model.beside["it"].shape[1]
    assert n_strings == model_of_latin.beside["it"].shape[1]


@pytest.mark.parametrize("string_weight", [2, 0])
def test_the_best_makes_every_choice_by_validation(training, string_weight):
    """Scores that prefer a strong prior, matches of words, and some weight of strings."""

    def validate(model):
        weight = 0
        if isinstance(model, JoinedTables):
            weight = model.beta
        return Validation(0.1 * model.rerank - 0.1 * abs(weight - string_weight))

    report = fitting.fit(Best(), replace(training(), validate=validate)).report
    assert {entry["gamma"] for entry in report["validation"]} == {1.0, 3.0}
    assert report["string_weight"] == string_weight
    assert report["rerank"] == 1
    assert "edge of the grid" not in "".join(report["warnings"])  # nobody can extend it


@pytest.fixture
def alike(training_of):
    """Documents of two languages that say the same with different words, in similar numbers."""

    def make(validate=pytest.fail, shape=(40, 60)):
        n_documents, n_words = shape
        generator = np.random.default_rng(4)
        weights = generator.random(shape)
        has_word = generator.random(shape) < 0.5
        english = weights * has_word + np.eye(*shape)
        italian = english * generator.uniform(0.8, 1.2, shape)
        words = {}
        for language in LANGUAGES:
            words[language] = [f"{language}{number}" for number in range(n_words)]
        return training_of(
            words,
            features={"en": sparse.csr_matrix(english), "it": sparse.csr_matrix(italian)},
            concepts=dict.fromkeys(LANGUAGES, np.arange(n_documents)),
            n_concepts=n_documents,
            validate=validate,
        )

    return make


def scripted(scores, validated):
    """A validation that gives the scores in turn and adds to the models that it has validated."""
    iterator = iter(scores)

    def validate(model):
        validated.append(model)
        return Validation(next(iterator))

    return validate


def test_a_language_without_documents_is_named_by_its_code(alike):
    training_set = alike()
    features = training_set.features | {"it": training_set.features["it"][:0]}
    concepts = training_set.concepts | {"it": training_set.concepts["it"][:0]}
    with pytest.raises(UserError, match="Cr5, language it: 0 training documents"):
        fitting.fit(Cr5(), replace(training_set, features=features, concepts=concepts))


def test_warns_of_a_reduced_rank(alike):
    report = fitting.fit(Cr5(rank=50, ridges=[0.5]), alike()).report
    assert report["rank"] == 39  # 40 concepts, centred
    assert report["warnings"] == ["rank 50 reduced to 39: the data have no more"]


def test_ranks_below_the_smallest_vocabulary_are_validated(alike):
    validated = []
    training_set = alike(scripted([0.1, 0.9, 0.8, 0.1, 0.9, 0.9], validated), (30, 10))
    report = fitting.fit(Cr5(ridges=[0.1, 1.0]), training_set).report
    # 10 words of each language; their number less one, and half of it
    assert [entry["rank"] for entry in report["validation"]] == [20, 9, 4] * 2
    # as many orthonormal columns as rows: so are the rows, of which languages share nothing
    tables = validated[0].tables
    products = tables["en"] @ tables["it"].T
    np.testing.assert_allclose(products, np.zeros((10, 10)), atol=1e-6)
    assert report["rank"] == 9
    assert report["ridge"] == 1.0
    out_of_reach = Cr5(ridges=[0.1, 1.0], rank=9)
    training_set = replace(training_set, validate=lambda model: Validation(0.5))
    report = fitting.fit(out_of_reach, training_set).report
    assert [entry["ridge"] for entry in report["validation"]] == [1, 0.1]
