"""The words that an encoder finds near, as a prior: neighbours by loops, and the regression."""

from dataclasses import replace
from math import exp

import numpy as np
import pytest
from scipy import sparse

from cr5.base.rows import unit_rows
from cr5.contracts.training import Validation
from cr5.contracts.vocabulary import Fallbacks
from cr5.systems.ridge.cr5_spelling import Cr5Spelling
from cr5.systems.ridge.near_words import WEIGHTS, near_words, with_fallbacks
from cr5.systems.ridge.problem import Problem
from cr5.systems.ridge.spelling import spelt
from tests.systems.ridge.problems import write_out

N_WORDS = {"da": 17, "en": 25, "it": 21}
N_DOCUMENTS = 12
RIDGE = 0.3
RANK = 4


@pytest.fixture
def training(training_of):
    """Words that are in none to several of twelve documents."""
    generator = np.random.default_rng(5)
    words = {}
    features = {}
    concepts = {}
    for language, n_words in N_WORDS.items():
        words[language] = [f"{language}{number}" for number in range(n_words)]
        shares = generator.random(n_words) / 2
        drawn = generator.random((N_DOCUMENTS, n_words))
        has_word = drawn < shares
        has_word[:, 0] = True
        features[language] = unit_rows(sparse.csr_matrix(has_word, dtype=float))
        concepts[language] = generator.permutation(N_DOCUMENTS)
    return training_of(
        words, features=features, concepts=concepts, n_concepts=N_DOCUMENTS, term_frequency="log"
    )


@pytest.fixture
def rows():
    generator = np.random.default_rng(6)
    drawn = {}
    for language, n_words in N_WORDS.items():
        drawn[language] = generator.normal(1, 1, (n_words, 6)).astype(np.float32)
    return drawn


def by_loops(training, rows):
    """Words x words of all languages, by the definition."""
    unit = {}
    for language, of_words in rows.items():
        centred = of_words - of_words.mean(axis=0)
        unit[language] = of_length_one(centred)
    N = {}
    for language in rows:
        blocks = []
        for other_language in rows:
            if other_language == language:
                blocks.append(np.eye(N_WORDS[language]))
            else:
                blocks.append(neighbours(training, unit, language, other_language))
        table = np.hstack(blocks)
        N[language] = of_length_one(table)
    return N


def of_length_one(rows):
    lengths = np.linalg.norm(rows, axis=1)
    return rows / lengths[:, None]


def neighbours(training, unit, language, other_language):
    cosines = unit[language] @ unit[other_language].T
    block = np.zeros(cosines.shape)
    scores = {}
    for word in frequent(training, other_language):
        of_frequent = cosines[frequent(training, language), word]
        nearest = sorted(of_frequent)[-10:]
        scores[word] = cosines[:, word] - np.mean(nearest) / 2
    for number in range(len(block)):
        of_number = {word: score[number] for word, score in scores.items()}
        best = sorted(of_number, key=of_number.get)[-5:]
        for word in best:
            block[number, word] = exp(10 * of_number[word])
    return of_length_one(block)


def frequent(training, language):
    documents = training.features[language].toarray()
    n_documents = np.count_nonzero(documents, axis=0)
    return np.flatnonzero(n_documents >= 2)


def test_neighbours_are_those_of_the_definition(training, rows):
    N = near_words(training, rows)
    expected = by_loops(training, rows)
    for language in N_WORDS:
        np.testing.assert_allclose(N[language].toarray(), expected[language], atol=1e-5)


def test_words_of_a_language_that_the_encoder_does_not_know_have_no_features(training, rows):
    del rows["en"]
    N = near_words(training, rows)
    assert N["en"].nnz == 0
    n_features = N_WORDS["da"] + N_WORDS["it"]
    assert N["en"].shape == (N_WORDS["en"], n_features)
    assert N["da"].shape == (N_WORDS["da"], n_features)
    assert (N["da"].getnnz(axis=1) == 6).all()


def test_where_all_words_are_rare_there_is_no_neighbour(training, rows):
    features = dict(training.features)
    features["en"] = 0 * features["en"]
    features["en"].eliminate_zeros()
    N = near_words(replace(training, features=features), rows)
    assert (N["da"].getnnz(axis=1) == 6).all()
    assert (N["en"].getnnz(axis=1) == 1).all()


def test_what_stands_for_other_words_has_no_neighbour(training, rows):
    fallbacks = {"en": Fallbacks(words=["new"], beginnings=["abcd", "abcde"])}
    N = near_words(training, rows)
    extended = with_fallbacks(replace(training, near_words=N, fallbacks=fallbacks))
    assert extended["da"].shape == N["da"].shape
    assert (extended["en"][:-3] != N["en"]).nnz == 0
    assert extended["en"][-3:].nnz == 0


def test_word_vectors_are_those_of_the_regression_with_both_priors(training, rows):
    """F F' = (I + S S' + w N N') / 2 with S of spelling, at the weight 1."""
    weight = 3.0

    def validate(model):
        return Validation(float(next(scores)))

    scores = iter([0, -1, 1, -1, 5, -1, 1, -1])  # without and with means
    N = near_words(training, rows)
    system = Cr5Spelling(ridges=[RIDGE], ranks=[RANK])
    fitted = system.fit(replace(training, near_words=N, validate=validate))
    assert fitted.chosen["encoder_words_weight"] == weight
    tried = [trial["encoder_words_weight"] for trial in fitted.report["validation"]]
    assert tried[::2] == [0, *WEIGHTS]
    vectors = written_out(training, N, weight)
    tables = []
    for language, n_words in N_WORDS.items():
        table = fitted.model.tables[language]
        tables.append(table[:n_words])
    found = np.vstack(tables)
    products = found @ found.T
    expected = vectors @ vectors.T
    largest = abs(expected).max()
    np.testing.assert_allclose(products, expected, atol=1e-5 * largest)


def written_out(training, N, weight):
    """Cr5 on X F: word vectors W diag(mu), stacked."""
    S = spelt(training.words)
    n_words = sum(N_WORDS.values())
    identity = sparse.identity(n_words)
    stacked_S = sparse.vstack([S[language] for language in N_WORDS])
    stacked_N = sparse.vstack([N[language] for language in N_WORDS])
    scaled_N = np.sqrt(weight) * stacked_N
    F = sparse.hstack([identity, stacked_S, scaled_N], "csr") / np.sqrt(2)
    prior = []
    start = 0
    for n_words in N_WORDS.values():
        prior.append(F[start : start + n_words])
        start += n_words
    X = [training.features[language] for language in N_WORDS]
    concepts = [training.concepts[language] for language in N_WORDS]
    problem = Problem(X, concepts, N_DOCUMENTS, prior)
    twin = write_out(problem, RIDGE)
    Phi = np.linalg.solve(twin.B, twin.A @ twin.P)
    scaled = Phi * twin.mu
    return F @ scaled[:, :RANK]
