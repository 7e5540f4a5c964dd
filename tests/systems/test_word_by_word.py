import json
from dataclasses import replace

import numpy as np
import pytest
from scipy import sparse

from cr5.base.errors import LeftOutError
from cr5.fitting import fit as fitting
from cr5.systems.word_by_word import WordByWord

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


def test_a_word_with_a_translation_is_not_passed_on_as_well(training_of):
    """Danish gift (married, poison) is no gift."""
    words = {"da": ["gift"], "en": ["gift", "poison"]}
    alignments = {
        "da": {"en": sparse.csr_matrix([[0, 1.0]])},
        "en": {"da": sparse.csr_matrix((2, 1))},
    }
    tables = fitting.fit(
        WordByWord(**CORPUS), training_of(words, alignments=alignments)
    ).model.tables
    assert tables["da"]["en"].toarray().tolist() == [[0, 1]]
    assert tables["en"]["da"].toarray().tolist() == [[1], [0]]


def test_a_document_without_a_translated_word_is_a_row_of_zeros(training):
    model = fitting.fit(WordByWord(**CORPUS | {"pass_on": False}), training).model
    rows = model.embed(sparse.csr_matrix([[0, 0, 5, 1], [1, 0, 5, 0]]), "da", "en").toarray()
    assert rows.tolist() == [[0, 0, 0], [0, 1, 0]]


@pytest.mark.parametrize(
    ("pass_on", "passed_on", "lost"), [(True, (1, 1), (1, 0)), (False, (0, 0), (2, 1))]
)
def test_report_counts_what_becomes_of_words(training, pass_on, passed_on, lost):
    report = json.loads(
        json.dumps(fitting.fit(WordByWord(**CORPUS | {"pass_on": pass_on}), training).report)
    )
    assert report == {
        "words": {
            "da": {"en": {"translated": 2, "passed_on": passed_on[0], "lost": lost[0]}},
            "en": {"da": {"translated": 2, "passed_on": passed_on[1], "lost": lost[1]}},
        }
    }


def test_where_there_are_fewer_dimensions_than_any_asked_for_all_are_taken(training):
    options = {"skip_words": 0, "via": "lsa", "dimensions": [9, 5]}
    fitted = fitting.fit(WordByWord(**options), training)
    assert fitted.chosen == {"dimension": 4}
    assert fitted.model.tables["en"]["da"].shape == (3, 4)
    assert fitted.report["beyond_rank"] == [5, 9]
    [warning] = fitted.report["warnings"]
    assert "[5, 9] reduced to 4" in warning


def test_a_latent_space_without_a_dimension_is_left_out(training):
    features = {x: sparse.csr_matrix((6, len(WORDS[x]))) for x in WORDS}
    bare = replace(training, features=features)
    with pytest.raises(LeftOutError, match="no word of the training documents has a weight"):
        fitting.fit(WordByWord(weighting="corpus", via="lsa"), bare)


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
    report = fitting.fit(WordByWord(skip_words=1), training).report["words"]
    assert report["da"]["en"] == {"translated": 1, "passed_on": 1, "lost": 1}
    assert report["en"]["da"] == {"translated": 0, "passed_on": 1, "lost": 2}
