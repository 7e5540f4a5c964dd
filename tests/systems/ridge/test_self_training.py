"""Documents without a counterpart are paired by what was learned, and fitted again."""

import itertools
from dataclasses import replace

import numpy as np
import pytest
from scipy import sparse

import cr5
from cr5.base.rows import unit_rows
from cr5.contracts.training import Validation
from cr5.models.text_encoder import TextEncoder
from cr5.models.word_tables import WordTables
from cr5.systems.ridge.cr5 import Cr5
from cr5.systems.ridge.cr5_spelling import Cr5Spelling
from cr5.systems.ridge.self_training import (
    Document,
    Guess,
    guesses,
    known_alone,
    with_guesses,
    without_counterpart,
)
from tests.systems.conftest import dense_csls, scored

SYSTEMS = {
    "cr5": Cr5(rank=12, ridges=[0.1]),
    "cr5_spelling": Cr5Spelling(ranks=[6, 12], ridges=[0.1], string_weights=[0, 1]),
}


@pytest.fixture
def half_known(planted):
    """Make a training set of topics, of which only every second concept connects its documents."""

    def make(languages=("en", "es"), n=200, **options):
        training = planted(n, languages=languages, **options)
        n_concepts = training.n_concepts
        concepts = {}
        for number, language in enumerate(languages):
            of_language = np.arange(n_concepts)
            of_language[1::2] += n_concepts * (number + 1)
            concepts[language] = of_language
        distinct = np.unique(np.concatenate(list(concepts.values())))
        numbered = {
            language: np.searchsorted(distinct, numbers) for language, numbers in concepts.items()
        }
        features = {
            language: unit_rows(counts.astype(float))
            for language, counts in training.counts.items()
        }
        return replace(training, concepts=numbered, n_concepts=len(distinct), features=features)

    return make


def random_model(training, r=5, seed=0, offsets=False):
    """Word vectors drawn at random."""
    generator = np.random.default_rng(seed)
    tables = {}
    of_languages = {}
    for language, words in training.words.items():
        tables[language] = generator.normal(size=(len(words), r)).astype(np.float32)
        of_languages[language] = generator.normal(size=r)
    model = WordTables.of(training, tables)
    if offsets:
        return replace(model, offsets=of_languages)
    return model


def test_documents_without_a_counterpart_are_those_whose_concept_is_in_no_other_language(
    training_of,
):
    concepts = {"en": np.array([0, 1, 1, 2]), "es": np.array([0, 3, 4, 4]), "fr": np.array([3, 5])}
    words = {language: ["w"] for language in concepts}
    found = without_counterpart(training_of(words, concepts=concepts, n_concepts=6))
    rows = {language: numbers.tolist() for language, numbers in found.items()}
    assert rows == {"en": [1, 2, 3], "es": [2, 3], "fr": [1]}


def test_what_has_no_counterpart_is_left_out_of_the_regression(half_known, planted):
    training = half_known()
    known = known_alone(training)
    n_known = (training.features["en"].shape[0] + 1) // 2
    for language in ("en", "es"):
        assert known.concepts[language].tolist() == list(range(n_known))
        expected = training.features[language][::2]
        assert (known.features[language] != expected).nnz == 0
    assert known.n_concepts == n_known
    everything = planted(30)
    assert known_alone(everything) is everything


@pytest.mark.parametrize("offsets", [False, True])
def test_guesses_are_the_mutual_nearest_by_the_definition_of_csls(half_known, offsets):
    training = half_known()
    model = random_model(training, offsets=offsets)
    unpaired = without_counterpart(training)
    found = guesses(training, unpaired, model)
    rows = {}
    for language in ("en", "es"):
        texts = training.features[language].toarray() @ model.tables[language]
        if offsets:
            texts = texts + model.offsets[language]
        texts = texts[unpaired[language]]
        rows[language] = texts / np.linalg.norm(texts, axis=1, keepdims=True)
    scores = dense_csls(rows["en"], rows["es"], 10) / 2
    expected = {}
    for row, column in enumerate(scores.argmax(axis=1)):
        if scores[:, column].argmax() == row:
            expected[unpaired["en"][row], unpaired["es"][column]] = scores[row, column]
    assert len(expected) > 5
    assert {(guess.first.number, guess.second.number) for guess in found} == set(expected)
    for guess in found:
        pair = guess.first.number, guess.second.number
        assert (guess.first.language, guess.second.language) == ("en", "es")
        assert guess.score == pytest.approx(expected[pair], abs=1e-5)
    in_order = [guess.score for guess in found]
    assert in_order == sorted(in_order, reverse=True)


def test_a_guessed_concept_has_one_document_of_a_language_and_the_best_guess_decides(training_of):
    concepts = {"en": np.array([0, 1, 2]), "es": np.array([0, 3, 4]), "fr": np.array([5, 6])}
    words = {language: ["w"] for language in concepts}
    training = training_of(words, concepts=concepts, n_concepts=7)
    found = [
        Guess(0.9, Document("en", 1), Document("es", 1)),
        Guess(0.8, Document("en", 2), Document("fr", 0)),
        Guess(0.7, Document("es", 1), Document("fr", 1)),  # with the first: three documents
        Guess(0.6, Document("es", 2), Document("fr", 1)),  # the concept has one in Spanish
        Guess(0.5, Document("en", 1), Document("fr", 0)),  # it has one in French
        Guess(0.4, Document("es", 2), Document("fr", 0)),  # with the second
    ]
    guessed = with_guesses(training, found)
    numbers = {language: of_language.tolist() for language, of_language in guessed.concepts.items()}
    assert numbers == {"en": [0, 1, 2], "es": [0, 1, 2], "fr": [2, 1]}
    assert guessed.n_concepts == 3
    assert training.concepts["fr"].tolist() == [5, 6]


def test_known_concepts_stay_as_they_are(half_known):
    training = half_known(("en", "es", "fr"))
    unpaired = without_counterpart(training)
    guessed = with_guesses(training, guesses(training, unpaired, random_model(training)))
    known = {
        language: np.setdiff1d(np.arange(len(numbers)), unpaired[language])
        for language, numbers in training.concepts.items()
    }
    for language, rows in known.items():
        before = training.concepts[language][rows]
        after = guessed.concepts[language][rows]
        assert len(set(zip(before, after, strict=True))) == len(set(after)) == len(rows)
        english_after = guessed.concepts["en"][known["en"]]
        assert after.tolist() == english_after.tolist()
    for numbers in guessed.concepts.values():
        assert len(set(numbers)) == len(numbers)  # one of a language at most


@pytest.mark.parametrize("name", SYSTEMS)
def test_rounds_find_what_belongs_together(half_known, name):
    """Topics that both languages have word by word: nearly every guess is right."""
    training = half_known()
    fits = []

    def validate(model):
        fits.append(model)
        return Validation(float(len(fits)))

    system = SYSTEMS[name].model_copy(update={"self_training": 2})
    fitted = system.fit(replace(training, validate=validate))
    assert fitted.chosen["self_training"] == 2
    assert not [warning for warning in fitted.report["warnings"] if "self_training" in warning]
    [first, second] = fitted.report["joined"]
    assert min(first, second) > 80  # of 100
    found = guesses(training, without_counterpart(training), fits[1])
    n_right = sum(guess.first.number == guess.second.number for guess in found)
    assert n_right > 0.9 * len(found)


def test_rows_of_an_encoder_tell_what_belongs_together(half_known):
    """Words that tell nothing, and rows that are the same in both languages."""
    training = half_known()
    generator = np.random.default_rng(0)
    n_documents = training.features["es"].shape[0]
    spanish = training.features["es"][generator.permutation(n_documents)]
    of_documents = unit_rows(generator.normal(size=(n_documents, 20)))
    training = replace(
        training,
        features={"en": training.features["en"], "es": spanish},
        encoder=TextEncoder(training.words, "folder", "", query_means={}),
        encoder_rows=dict.fromkeys(training.languages, of_documents),
        validate=scored(itertools.count()),
    )
    known = known_alone(training)
    np.testing.assert_array_equal(known.encoder_rows["es"], of_documents[::2])
    system = SYSTEMS["cr5_spelling"].model_copy(update={"self_training": 1})
    fitted = system.fit(training)
    found = guesses(training, without_counterpart(training), fitted.model)
    n_right = sum(guess.first.number == guess.second.number for guess in found)
    assert n_right > 0.9 * len(found) > 80


@pytest.mark.parametrize("name", SYSTEMS)
def test_guessed_concepts_can_raise_the_rank_that_the_known_ones_limited(half_known, name):
    """Forty concepts, twenty of them known: a rank of thirty needs what is guessed."""
    training = half_known(n=40, validate=scored(range(100)))
    ranks = {"cr5": {"rank": 30}, "cr5_spelling": {"ranks": [30]}}
    options = ranks[name] | {"self_training": 1}
    fitted = SYSTEMS[name].model_copy(update=options).fit(training)
    assert fitted.chosen["self_training"] == 1
    assert 20 < fitted.model.tables["en"].shape[1] <= 30


@pytest.mark.parametrize("name", SYSTEMS)
def test_validation_can_refuse_what_was_guessed(half_known, name):
    training = half_known(validate=scored(range(100, 0, -1)))
    plain = SYSTEMS[name].fit(training)
    fitted = SYSTEMS[name].model_copy(update={"self_training": 2}).fit(training)
    assert fitted.chosen == plain.chosen | {"self_training": 0}
    for language in training.languages:
        np.testing.assert_array_equal(fitted.model.tables[language], plain.model.tables[language])


@pytest.mark.parametrize("name", SYSTEMS)
def test_where_every_document_has_a_counterpart_nothing_is_done(planted, name):
    training = planted(60)
    features = {
        language: unit_rows(sparse.csr_matrix(counts, dtype=float))
        for language, counts in training.counts.items()
    }
    training = replace(training, features=features)
    plain = SYSTEMS[name].fit(training)
    fitted = SYSTEMS[name].model_copy(update={"self_training": 2}).fit(training)
    assert fitted.report.keys() == plain.report.keys()
    assert fitted.chosen == plain.chosen
    for language in training.languages:
        np.testing.assert_allclose(
            fitted.model.tables[language], plain.model.tables[language], atol=1e-6
        )


def test_bytes_do_not_depend_on_the_number_of_threads(half_known):
    system = SYSTEMS["cr5_spelling"].model_copy(update={"self_training": 1})
    models = [system.fit(half_known(threads=threads)).model for threads in (1, 3)]
    for language in ("en", "es"):
        np.testing.assert_array_equal(models[0].tables[language], models[1].tables[language])


def in_letters(word):
    """Return a word without digits."""
    return "".join(chr(ord("k") + int(letter)) if letter.isdigit() else letter for letter in word)


def test_texts_without_a_partner_are_paired_in_a_fit_from_python(planted):
    """Every third text of each language stands alone, under a concept that the other lacks."""
    training = planted(120)
    texts = {}
    for language, counts in training.counts.items():
        words = [in_letters(word) for word in training.words[language]]
        texts[language] = {}
        for number, row in enumerate(counts.toarray()):
            concept = f"{number:03}" if number % 3 else f"{number:03} {language}"
            texts[language][concept] = " ".join(np.repeat(words, row))
    options = {"ridges": [0.1], "rank": 12, "bags": {"min_documents": 1}, "threads": 1}
    model = cr5.fit(texts, "cr5", splits={"unpaired": 0}, self_training=1, **options)
    [n_joined] = model.report["joined"]
    assert n_joined > 20  # of 40
    assert len(model.report["self_training_validation"]) == 2
    without = cr5.fit(texts, "cr5", self_training=1, **options)
    assert "joined" not in without.report
