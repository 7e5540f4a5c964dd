from dataclasses import replace
from functools import partial

import numpy as np
import pytest
from scipy import linalg, sparse

from cr5.counts.columns import beginning, count_known, untrained, widened
from cr5.fitting import fit as fitting
from cr5.fitting.seeds import Seeds
from cr5.systems.cr5.cr5 import Cr5
from cr5.systems.cr5.cr5_spelling import Cr5Spelling
from cr5.systems.spelling.features import features, translations, unknown
from tests.systems.spelled import AB, N_WORDS, spelled_alike

ONE = {"ridges": [0.3], "ranks": [8], "shifts": [False]}
TIGHT = {"solver": "iterative", "tolerance": 1e-9}


@pytest.fixture
def training(training_of):
    return partial(spelled_alike, training_of)


def written_out(given, N, ridge, gamma):
    """Cr5 on [X, sqrt(gamma) X N] / sqrt(1 + gamma): word vectors W diag(mu), stacked; and mu."""
    X = [widened(given.features[x], N[x].shape[0]).toarray() for x in AB]
    X, N = linalg.block_diag(*X), np.vstack([N[x].toarray() for x in AB])
    Z = np.hstack([X, np.sqrt(gamma) * X @ N]) / np.sqrt(1 + gamma)
    Y = np.eye(given.n_concepts)[np.concatenate([given.concepts[x] for x in AB])]
    Z, Y = Z - Z.mean(axis=0), Y - Y.mean(axis=0)
    Phi = np.linalg.solve(Z.T @ Z + ridge * np.eye(Z.shape[1]), Z.T @ Y)
    mu, P = np.linalg.eigh((Y.T @ Z @ Phi + Phi.T @ Z.T @ Y) / 2)
    Phi = Phi @ P[:, ::-1] * mu[::-1]
    W = (Phi[: len(N)] + np.sqrt(gamma) * N @ Phi[len(N) :]) / np.sqrt(1 + gamma)
    return W, mu[::-1]


def stacked(model):
    """The vectors of the words that trained, without beginnings of others."""
    return np.vstack([model.tables[x][:N_WORDS] for x in AB])


def assert_same_up_to_signs(found, expected):
    scale = np.abs(expected).max()
    signs = np.sign(np.sum(found * expected, axis=0))
    np.testing.assert_allclose(found * signs, expected, atol=2e-6 * scale)


def test_beginnings_have_the_vectors_of_words_that_no_document_has(training):
    """The same fit as with such a word in the vocabulary, whose features no other word changes."""
    given = training()
    model = fitting.fit(Cr5Spelling(**ONE), given).model
    begins = model.words["en"][N_WORDS:]
    assert begins[:3] == [beginning("w000"), beginning("w000l"), beginning("w000m")]
    N = features(given.words, "prefixes")
    # (I + N N') Phi = W; a new word w has n_w N' Phi
    joint = np.vstack([N[x].toarray() for x in AB])
    W = stacked(model).astype(float)
    Phi = np.linalg.solve(np.eye(len(joint)) + joint @ joint.T, W)
    names = sorted({f for x in AB for w in given.words[x] for f in (w, w[:4], w[:5], w[:6])})
    first, second, new = (np.log(2 * N_WORDS / n) for n in (6, 2, 1))  # w000, w000l, a new word
    row = np.zeros(len(names))
    row[names.index("w000")], row[names.index("w000l")] = first, second
    expected = row @ joint.T @ Phi / np.sqrt(first**2 + second**2 + new**2)
    found = model.tables["en"][model.words["en"].index(beginning("w000l"))]
    np.testing.assert_allclose(found, expected, atol=1e-5 * np.abs(W).max())


def test_a_document_of_new_words_is_embedded_by_their_beginnings(training):
    model = fitting.fit(Cr5Spelling(**ONE), training()).model
    words = {word: i for i, word in enumerate(model.words["it"])}
    texts, tokens = ["w000lother w000lmore w000x", "w9"], lambda text, _: text.split()
    counts = count_known(texts, "it", words, tokens).counts
    begins = [words[beginning(letters)] for letters in ("w000l", "w000")]
    assert counts.indices.tolist() == sorted(begins)
    table = model.tables["it"].astype(float)
    first, second = (table[each] * model.weights["it"][each] for each in begins)
    expected = np.log(3) * first + np.log(2) * second
    found = model.embed(counts, "it")
    np.testing.assert_allclose(found[0], expected / np.linalg.norm(expected), atol=1e-6)
    assert not found[1].any()


def test_without_a_prior_it_is_cr5_but_for_the_scaling(training):
    given = training()
    fitted = fitting.fit(Cr5Spelling(**ONE | {"prior": "none", "scaling": 0.0}), given)
    theirs = fitting.fit(Cr5(ridges=[0.3], rank=8), given)
    assert fitted.report["eigenvalues"] == theirs.report["eigenvalues"]
    mine, T = stacked(fitted.model).astype(float), stacked(theirs.model).astype(float)
    np.testing.assert_allclose(T @ (T.T @ mine), mine, atol=1e-6)  # the same space


def test_goes_on_where_the_best_ridge_is_at_the_edge(training):
    """With all ranks and shifts of each."""
    scores = iter([0.1, 0.1, 0.2, 0.3, 0.4, 0.4, 0.2, 0.2])
    given = training(lambda model: next(scores), extend=3)
    options = {"ridges": [0.1, 1.0], "ranks": [8], "shifts": [True, False]}
    report = fitting.fit(Cr5Spelling(**options), given).report
    tried = [entry["ridge"] for entry in report["validation"]]
    assert tried == [1.0, 1.0, 0.1, 0.1, 0.01, 0.01, 0.001, 0.001]
    assert report["beyond"] == {"ridge": [0.01, 0.001]}
    assert (report["ridge"], report["warnings"]) == (0.01, [])


def test_other_weights_of_the_prior_are_tried_at_the_best_ridge(training):
    scores = iter([0.1, 0.4, 0.2, 0.5])
    given = training(lambda model: next(scores))
    options = {"ridges": [0.1, 1.0, 3.0], "ranks": [8], "shifts": [False], "gammas": 3.0}
    fitted = fitting.fit(Cr5Spelling(**options), given)
    tried = [(x["ridge"], x["gamma"]) for x in fitted.report["validation"]]
    assert tried == [(3.0, 1.0), (1.0, 1.0), (0.1, 1.0), (1.0, 3.0)]
    alone = {"ridges": [1.0], "ranks": [8], "shifts": [False], "gamma": 3.0}
    expected = fitting.fit(Cr5Spelling(**alone), given).model
    np.testing.assert_array_equal(stacked(fitted.model), stacked(expected))
    assert fitted.report["gamma"] == 3.0


@pytest.mark.parametrize("prior", ["prefixes", "none"])
def test_weights_of_a_dictionary_are_tried_after_those_of_the_prior(training, prior):
    words = training().words
    pairs = {("en", "it"): [(words["en"][i], words["it"][N_WORDS - 1 - i]) for i in range(20)]}
    scores = iter([0.1, 0.4, 0.2, 0.5, 0.6])
    given = training(lambda model: next(scores), seeds=Seeds(pairs))
    options = {"ridges": [0.1, 0.3], "ranks": [8], "shifts": [False], "prior": prior}
    options |= {"gammas": 3.0, "dictionary_weights": [1.0, 2.0], "solver": "dense"}
    fitted = fitting.fit(Cr5Spelling(**options), given)
    tried = [tuple(x.values())[:-1] for x in fitted.report["validation"]]
    base = (8, False)
    assert tried == [
        (0.3, *base, 1.0, 0.0),
        (0.1, *base, 1.0, 0.0),
        (0.1, *base, 3.0, 0.0),
        (0.1, *base, 1.0, 1.0),
        (0.1, *base, 1.0, 2.0),
    ]
    assert fitted.report["dictionary_weight"] == 2.0


@pytest.mark.parametrize("solver", [{"solver": "dense"}, TIGHT])
def test_words_that_a_dictionary_pairs_get_vectors_that_are_alike(training, solver):
    """Also those that no training document has: the same fit as with words that none has."""
    words, scores = training().words, iter([0.1, 0.2])
    pairs = [(words["en"][0], "nuovo"), (words["en"][7], "nuovo"), ("w001x", words["it"][30])]
    given = training(lambda model: next(scores), seeds=Seeds({AB: pairs}))
    options = ONE | solver | {"gamma": 3.0, "dictionary_weights": 2.0}
    model = fitting.fit(Cr5Spelling(**options), given).model
    assert model.words["en"][N_WORDS] == untrained("w001x")
    assert model.words["it"][N_WORDS] == untrained("nuovo")
    N, rows = features(given.words, "prefixes"), unknown(given.words, given.seeds)[1]
    tied = translations(model.words, given.seeds)
    N = {x: sparse.vstack([N[x], rows[x]]) for x in AB}
    N = {x: sparse.hstack([N[x], np.sqrt(2 / 3) * tied[x]]) for x in AB}
    expected, _ = written_out(given, N, 0.3, 3.0)
    assert_same_up_to_signs(np.vstack([model.tables[x] for x in AB]), expected[:, :8])


def test_without_a_pair_of_words_no_weight_of_a_dictionary_is_tried(training):
    report = fitting.fit(Cr5Spelling(**ONE | {"dictionary_weights": [1.0]}), training()).report
    assert "dictionary_weight" not in report


LETTERS = str.maketrans("0123456789w", "abgdekopruv")
CYRILLIC = str.maketrans("abgdekopruvlmnit", "абгдекопрувлмнит")


@pytest.mark.parametrize(
    ("scripts", "of_latin", "shared"),
    [("latin", "own", True), ("auto", "sounds", True), ("own", "own", False)],
)
def test_words_of_two_scripts_share_their_spelling(training, scripts, of_latin, shared):
    """In Latin letters the fit is that of words which were in Latin letters from the beginning."""
    pytest.importorskip("anyascii", reason="the extra scripts is not installed")
    given = training()
    words = {x: [word.translate(LETTERS) for word in given.words[x]] for x in AB}
    latin = replace(given, words=words)
    mixed = replace(given, words=words | {"it": [word.translate(CYRILLIC) for word in words["it"]]})
    options = ONE | {"string_weights": [0.5]}
    found = fitting.fit(Cr5Spelling(**options | {"scripts": scripts}), mixed).model
    expected = fitting.fit(Cr5Spelling(**options | {"scripts": of_latin}), latin).model
    assert found.words["it"][:N_WORDS] == mixed.words["it"]
    assert np.allclose(stacked(found), stacked(expected), atol=1e-6) == shared
    assert (found.beside["it"].shape[1] == expected.beside["it"].shape[1]) == shared


def test_a_corpus_of_one_script_is_fitted_as_it_always_was(training):
    variants = ONE, ONE | {"scripts": "auto"}
    models = [fitting.fit(Cr5Spelling(**options), training()).model for options in variants]
    np.testing.assert_array_equal(*map(stacked, models))
