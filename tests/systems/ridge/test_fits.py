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

AB, N_WORDS = ("en", "it"), 40
ONE = {"ridges": [0.3], "ranks": [8]}


@pytest.fixture
def training(training_of):
    """Words of two languages begin alike, three at a time, and end otherwise."""

    def make(**given):
        generator = np.random.default_rng(6)
        X = [sparse.random_array((30, N_WORDS), density=0.2, rng=generator) for _ in AB]
        X = [sparse.csr_matrix(each + sparse.eye_array(*each.shape)) for each in X]
        return training_of(
            {x: [f"w{i // 3:03}{'lmn'[i % 3]}{x}" for i in range(N_WORDS)] for x in AB},
            features={x: unit_rows(each) for x, each in zip(AB, X, strict=True)},
            concepts={x: generator.permutation(30) for x in AB},
            n_concepts=30,
            term_frequency="log",
            **given,
        )

    return make


def by_ridge(*scores):
    """A validation of fits with and without the languages' means, which are no better."""
    given = iter(scores)

    def validate(model):
        return Validation(-1.0 if model.offsets else next(given))

    return validate


def written_out(given, N, ridge, gamma):
    """Cr5 on [X, sqrt(gamma) X N] / sqrt(1 + gamma): word vectors W diag(mu), stacked."""
    own = sparse.identity(sum(N[x].shape[0] for x in AB))
    F = sparse.hstack([own, np.sqrt(gamma) * sparse.vstack([N[x] for x in AB])], "csr")
    F, n = F / np.sqrt(1 + gamma), N["en"].shape[0]
    X = [widened(given.features[x], N[x].shape[0]) for x in AB]
    concepts = [given.concepts[x] for x in AB]
    twin = write_out(Problem(X, concepts, given.n_concepts, [F[:n], F[n:]]), ridge)
    return F @ (np.linalg.solve(twin.B, twin.A @ twin.P) * twin.mu)


def stacked(model):
    """The vectors of the words that trained, without beginnings of others."""
    return np.vstack([model.tables[x][:N_WORDS] for x in AB])


def assert_same_up_to_signs(found, expected):
    scale = np.abs(expected).max()
    signs = np.sign(np.sum(found * expected, axis=0))
    np.testing.assert_allclose(found * signs, expected, atol=2e-6 * scale)


@pytest.mark.parametrize("dictionary_weights", [None, [1.0, 2.0]])
def test_weights_of_prior_and_dictionary_are_tried_at_the_best_ridge(training, dictionary_weights):
    words = training().words
    pairs = {("en", "it"): [(words["en"][i], words["it"][N_WORDS - 1 - i]) for i in range(20)]}
    given = training(seeds=Seeds(pairs))
    given = replace(given, validate=by_ridge(0.1, 0.4, 0.2, 0.5, 0.45, 0.6))
    options = {"ridges": [0.1, 0.3, 1.0], "ranks": [8], "gammas": [3.0]}
    options["dictionary_weights"] = dictionary_weights
    fitted = fitting.fit(Cr5Spelling(**options), given)
    names = "ridge", "gamma", "dictionary_weight"
    tried = [
        tuple(x[name] for name in names if name in x)
        for x in fitted.report["validation"]
        if not x["shift"]
    ]
    grid = [(1.0, 1.0), (0.3, 1.0), (0.1, 1.0), (0.3, 3.0)]
    if not dictionary_weights:
        assert tried == grid
        return
    further = [(0.3, 3.0, 1.0), (0.3, 3.0, 2.0)]
    assert tried == [(*each, 0.0) for each in grid] + further
    assert fitted.report["dictionary_weight"] == 2.0


def test_words_that_a_dictionary_pairs_get_vectors_that_are_alike(training):
    """Also those that no training document has: the same fit as with words that none has."""
    words = training().words
    pairs = [(words["en"][0], "nuovo"), (words["en"][7], "nuovo"), ("w001x", words["it"][30])]
    given = training(seeds=Seeds({AB: pairs}))
    given = replace(given, validate=by_ridge(0.1, 0.2, 0.3))
    options = ONE | {"gammas": [3.0], "dictionary_weights": [2.0]}
    model = fitting.fit(Cr5Spelling(**options), given).model
    assert {x: list(model.fallbacks[x].words) for x in AB} == {"en": ["w001x"], "it": ["nuovo"]}
    N, rows = spelt(given.words), unknown(given.words, given.seeds)[1]
    tied = translations(model.words, given.seeds, model.fallbacks)
    N = {x: sparse.vstack([N[x], rows[x]]) for x in AB}
    N = {x: sparse.hstack([N[x], np.sqrt(2 / 3) * tied[x]]) for x in AB}
    expected = written_out(given, N, 0.3, 3.0)
    assert_same_up_to_signs(np.vstack([model.tables[x] for x in AB]), expected[:, :8])


LETTERS = str.maketrans("0123456789w", "abgdekopruv")
CYRILLIC = str.maketrans("abgdekopruvlmnit", "абгдекопрувлмнит")


def test_words_of_two_scripts_share_their_spelling(training):
    """In Latin letters the fit is that of words which were in Latin letters from the beginning."""
    pytest.importorskip("anyascii", reason="the extra scripts is not installed")
    given = training()
    words = {x: [word.translate(LETTERS) for word in given.words[x]] for x in AB}
    latin = replace(given, words=words)
    mixed = replace(given, words=words | {"it": [word.translate(CYRILLIC) for word in words["it"]]})
    options = ONE | {"string_weights": [0.5]}
    found = fitting.fit(Cr5Spelling(**options | {"scripts": "latin"}), mixed).model
    expected = fitting.fit(Cr5Spelling(**options), latin).model
    assert found.words["it"][:N_WORDS] == mixed.words["it"]
    np.testing.assert_allclose(stacked(found), stacked(expected), atol=1e-6)
    assert found.beside["it"].shape[1] == expected.beside["it"].shape[1]


@pytest.mark.parametrize("names", [True, False])
def test_the_best_makes_every_choice_by_validation(training, names):
    """Scores that prefer a strong prior, matches of words, and strings where there are names."""

    def validate(model):
        strings = model.beta if isinstance(model, JoinedTables) else 0
        of_strings = 0.5 - 0.1 * abs(strings - 2) if names else -0.1 * strings
        return Validation(0.1 * model.rerank + of_strings)

    report = fitting.fit(Best(), replace(training(), validate=validate)).report
    assert {entry["gamma"] for entry in report["validation"]} == {1.0, 3.0}
    assert report["string_weight"] == (2 if names else 0)
    assert report["rerank"] == 1
    assert not [x for x in report["warnings"] if "edge of the grid" in x]  # nobody can extend it


@pytest.fixture
def alike(training_of):
    """Documents of two languages that say the same with different words, in similar numbers."""

    def make(validate=pytest.fail, shape=(40, 60), **given):
        generator = np.random.default_rng(4)
        X = generator.random(shape) * (generator.random(shape) < 0.5) + np.eye(*shape)
        rows = {"en": X, "it": X * generator.uniform(0.8, 1.2, shape)}
        return training_of(
            {x: [f"{x}{i}" for i in range(shape[1])] for x in rows},
            features={x: sparse.csr_matrix(each) for x, each in rows.items()},
            concepts=dict.fromkeys(rows, np.arange(len(X))),
            n_concepts=len(X),
            validate=validate,
            **given,
        )

    return make


def scripted(scores, seen):
    """A validation that gives the scores in turn and keeps the models that it was shown."""
    iterator = iter(scores)

    def validate(model):
        seen.append(model)
        return Validation(next(iterator))

    return validate


def test_a_language_without_documents_is_named_by_its_code(alike):
    given = alike()
    features, concepts = dict(given.features), dict(given.concepts)
    features["it"], concepts["it"] = features["it"][:0], concepts["it"][:0]
    with pytest.raises(UserError, match="Cr5, language it: 0 training documents"):
        fitting.fit(Cr5(), replace(given, features=features, concepts=concepts))


def test_warns_of_a_reduced_rank(alike):
    report = fitting.fit(Cr5(rank=50, ridges=[0.5]), alike()).report
    assert report["rank"] == 39  # 40 concepts, centred
    assert report["warnings"] == ["rank 50 reduced to 39: the data have no more"]


def test_ranks_below_the_smallest_vocabulary_are_validated(alike):
    seen = []
    given = alike(scripted([0.1, 0.9, 0.8, 0.1, 0.9, 0.9], seen), (30, 10))
    report = fitting.fit(Cr5(ridges=[0.1, 1.0]), given).report
    # 10 words of each language; their number less one, and half of it
    assert [x["rank"] for x in report["validation"]] == [20, 9, 4] * 2
    # as many orthonormal columns as rows: so are the rows, of which languages share nothing
    tables = seen[0].tables
    np.testing.assert_allclose(tables["en"] @ tables["it"].T, np.zeros((10, 10)), atol=1e-6)
    assert (report["rank"], report["ridge"]) == (9, 1.0)
    given = replace(given, validate=lambda model: Validation(0.5))
    report = fitting.fit(Cr5(ridges=[0.1, 1.0], rank=9), given).report  # out of their reach
    assert [x["ridge"] for x in report["validation"]] == [1, 0.1]
