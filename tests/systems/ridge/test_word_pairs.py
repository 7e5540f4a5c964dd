"""Words that a dictionary pairs, compared one by one beside what was learned."""

from dataclasses import replace

import numpy as np
import pytest
from scipy import sparse

from cr5.base.rows import parts_of, unit_rows
from cr5.contracts.seeds import Seeds
from cr5.contracts.training import Fit, Validation
from cr5.models.word_tables import JoinedTables, WordTables
from cr5.systems.algebra.beginnings import beside
from cr5.systems.ridge.best import Best
from cr5.systems.ridge.spelling import translations
from cr5.systems.ridge.word_pairs import with_word_pairs

WORDS = {"en": ["house", "cat", "taxi", "sun"], "it": ["casa", "gatto", "taxi", "sole"]}
DICTIONARY = Seeds({("en", "it"): [("house", "casa"), ("cat", "gatto"), ("sun", "sole")]})
COUNTS = {
    "en": np.array([[4.0, 0, 1, 0], [0, 9, 1, 0], [1, 1, 0, 4]]),
    "it": np.array([[1.0, 0, 4, 0], [0, 4, 0, 1]]),
}
IDF = {"en": np.array([1.5, 2, 1, 3]), "it": np.array([2.5, 1, 2, 1])}
SECOND_STAGE = (0.0, 0.5)


@pytest.fixture
def training(training_of):
    """Make a training set of five documents, which prefers some weights of blocks beside it."""
    features = {
        language: unit_rows(sparse.csr_matrix(counts)) for language, counts in COUNTS.items()
    }

    def make(wanted, **options):
        given = {
            "features": features,
            "weights": IDF,
            "concepts": {"en": np.arange(3), "it": np.arange(2)},
            "n_concepts": 3,
            "seeds": DICTIONARY,
            "validate": prefers(wanted),
        }
        return training_of(WORDS, **given | options)

    return make


def prefers(beta, rerank=0.0):
    """Validate models by how near the weights beside them, and of the second stage, are to some."""

    def validate(model):
        distance = abs(getattr(model, "beta", 0.0) - beta) + abs(model.rerank - rerank)
        return Validation(-distance)

    return validate


def learned_alone():
    """Return a fit whose documents are all alike."""
    tables = {language: np.ones((4, 2), np.float32) for language in WORDS}
    return Fit(WordTables(WORDS, tables, IDF), {}, {})


def with_beginnings(training, beta):
    """Return such a fit with the beginnings of words beside it."""
    learned = learned_alone().model
    strings = beside(WORDS, training.features, 5, {})
    model = JoinedTables(WORDS, learned.tables, IDF, **strings, beta=beta)
    return Fit(model, {"ridge": 1.0}, {"ridge": 1.0})


def unit(rows):
    return rows / np.linalg.norm(rows, axis=1, keepdims=True)


def beside_rows(model, language):
    """Return what stands beside the learned part of rows, of length one."""
    _, z = parts_of(model.embed(sparse.csr_matrix(COUNTS[language]), language))
    return unit(z.toarray())


def mean_length(tables):
    """Return the mean of the languages of the mean length of a document with each word once."""
    means = []
    for language, counts in COUNTS.items():
        lengths = []
        for document in counts:
            words = np.flatnonzero(document)
            total = sum(tables[language][word] for word in words)
            lengths.append(np.sqrt((total**2).sum()))
        means.append(np.mean(lengths))
    return np.mean(means)


def written_out(blocks):
    """Return rows of documents, of dense tables and their weights, with loops over words."""
    rows = {}
    for language, counts in COUNTS.items():
        rows[language] = []
        for document in counts:
            parts = []
            for tables, weight in blocks:
                total = np.zeros(tables[language].shape[1])
                for word in np.flatnonzero(document):
                    total += np.sqrt(document[word]) * tables[language][word]
                parts.append(total * np.sqrt(weight) / mean_length(tables))
            rows[language].append(np.hstack(parts))
    return {language: unit(np.array(of_language)) for language, of_language in rows.items()}


def test_blocks_side_by_side_are_those_written_out_with_loops(training):
    training = training(2.5)
    fitted = with_beginnings(training, beta=2.0)
    model = with_word_pairs(training, fitted, SECOND_STAGE).model
    model.check()
    assert model.beta == 2.5

    strings = beside(WORDS, training.features, 5, {})
    dictionary = translations(WORDS, DICTIONARY, {})
    beginnings = {}
    pairs = {}
    for language in WORDS:
        weights = strings["beside_weights"][language]
        beginnings[language] = weights[:, None] * strings["beside"][language].toarray()
        pairs[language] = IDF[language][:, None] * dictionary[language].toarray()
    expected = written_out([(beginnings, 2.0), (pairs, 0.5)])
    for language in WORDS:
        np.testing.assert_allclose(beside_rows(model, language), expected[language], atol=1e-6)


def test_documents_are_as_near_as_their_words_translate_each_other(training):
    """By hand: three pairs of one feature each; a taxi has no translation."""
    model = with_word_pairs(training(1.0), learned_alone(), SECOND_STAGE).model
    # sqrt(count) times idf, in the order house, cat, sun
    english = unit(np.array([[2 * 1.5, 0, 0], [0, 3 * 2, 0], [1.5, 2, 2 * 3]]))
    italian = unit(np.array([[2.5, 0, 0], [0, 2 * 1, 1.0]]))
    by_hand = english @ italian.T
    english_rows = beside_rows(model, "en")
    italian_rows = beside_rows(model, "it")
    cosines = english_rows @ italian_rows.T
    np.testing.assert_allclose(cosines, by_hand, atol=1e-6)
    # with the learned part, in which all documents are alike: (1 + beta cosine) / (1 + beta)
    rows = {}
    for language, counts in COUNTS.items():
        embedded = model.embed(sparse.csr_matrix(counts), language)
        learned, beside = parts_of(embedded)
        rows[language] = np.hstack([learned, beside.toarray()])
    expected = (1 + by_hand) / 2
    cosines = rows["en"] @ rows["it"].T
    np.testing.assert_allclose(cosines, expected, atol=1e-6)


def test_the_weight_is_chosen_together_with_that_of_the_second_stage(training):
    fitted = Fit(learned_alone().model, {"ridge": 1.0}, {"ridge": 1.0})
    found = with_word_pairs(training(0.0, validate=prefers(0.25, 0.5)), fitted, SECOND_STAGE)
    assert found.chosen == {"ridge": 1.0, "word_pair_weight": 0.25}
    assert found.model.rerank == 0  # it is chosen by whoever adds the stage
    tried = [
        (entry["word_pair_weight"], entry["rerank"])
        for entry in found.report["word_pair_validation"]
    ]
    assert tried == [(b, rerank) for b in (0, 0.25, 0.5, 1, 2) for rerank in SECOND_STAGE]


def test_validation_can_refuse_it(training):
    training = training(2.0)
    fitted = with_beginnings(training, beta=2.0)
    found = with_word_pairs(training, fitted, SECOND_STAGE)
    assert found.chosen["word_pair_weight"] == 0
    for language in WORDS:
        assert found.model.beside[language] is fitted.model.beside[language]


@pytest.mark.parametrize("pairs", [[], [("dog", "cane")]])
def test_without_pairs_of_known_words_there_is_no_choice(training, pairs):
    fitted = learned_alone()
    training = training(1.0, seeds=Seeds({("en", "it"): pairs}))
    unchanged = with_word_pairs(training, fitted, SECOND_STAGE)
    assert unchanged.model is fitted.model
    assert unchanged.chosen == fitted.chosen
    [warning] = unchanged.report["warnings"]
    assert warning.startswith("word_pairs adds nothing: no section `dictionary`")


@pytest.fixture
def translated(planted):
    """Make a training set whose words are all paired, word by word."""

    def make(**options):
        training = planted(80, **options)
        by_number = {word[2:]: word for word in training.words["es"]}
        pairs = [(word, by_number[word[2:]]) for word in training.words["en"]]
        features = {
            language: unit_rows(counts.astype(float))
            for language, counts in training.counts.items()
        }
        return replace(training, features=features, seeds=Seeds({("en", "es"): pairs}))

    return make


def test_best_weighs_pairs_only_if_asked(translated):
    training = translated(validate=prefers(1.5, 0.5))
    plain = Best().fit(training)
    assert "word_pair_weight" not in plain.chosen
    fitted = Best(word_pairs=True).fit(training)
    beginnings = fitted.chosen["string_weight"]
    assert fitted.model.beta == beginnings + fitted.chosen["word_pair_weight"] == 1.5
    assert fitted.chosen["rerank"] == fitted.model.rerank == 0.5


def test_what_words_add_adds_up_to_the_row(translated):
    training = translated(validate=prefers(1.5))
    model = Best(word_pairs=True).fit(training).model
    n_columns = len(model.vocabulary("en"))
    counts = sparse.hstack([training.counts["en"][:1], sparse.csr_matrix((1, n_columns))])
    counts = counts.tocsr()[:, :n_columns]
    _, parts = model.parts(counts, "en")
    row = model.embed(counts, "en")
    for part, whole in zip(parts_of(parts), parts_of(row), strict=True):
        added_up = np.asarray(part.sum(axis=0)).ravel()
        np.testing.assert_allclose(added_up, np.asarray(whole.sum(axis=0)).ravel(), atol=1e-6)


def test_bytes_do_not_depend_on_the_number_of_threads(translated):
    models = [
        Best(word_pairs=True).fit(translated(threads=threads, validate=prefers(1.5))).model
        for threads in (1, 3)
    ]
    for language in ("en", "es"):
        first, second = (model.beside[language] for model in models)
        np.testing.assert_array_equal(first.indices, second.indices)
        np.testing.assert_array_equal(first.data, second.data)
