"""BWESG: the text that it merges, and gensim trained on that text by hand."""

from collections import Counter
from itertools import pairwise

import numpy as np
import pytest
from gensim.models import Word2Vec
from scipy import sparse

from cr5.fitting import fit as fitting
from cr5.fitting import vectors
from cr5.systems import bwesg
from cr5.systems.bwesg import Bwesg

WORDS = {"da": ["hus", "kat", "taxi"], "en": ["cat", "house", "taxi"]}
SMALL = {"dimensions": [4], "window": 3, "epochs": 2, "negative": 2, "min_count": 1}


@pytest.fixture
def training(training_of):
    """Concept 2 has a document in Danish alone."""
    given = {
        "counts": {
            "da": sparse.csr_matrix([[3, 0, 1], [0, 2, 0], [1, 1, 1]]),
            "en": sparse.csr_matrix([[0, 4, 0], [2, 0, 1]]),
        },
        "concepts": {"da": np.array([0, 1, 2]), "en": np.array([0, 1])},
        "n_concepts": 3,
    }
    return lambda **more: training_of(WORDS, **given | more)


@pytest.fixture
def merged(monkeypatch):
    """The texts that vectors are trained on."""
    texts, train = [], vectors.train
    monkeypatch.setattr(
        vectors, "train", lambda text, *given: texts.append(text) or train(text, *given)
    )
    return texts


def test_the_documents_of_a_concept_are_one_text_with_words_told_apart(training, merged):
    fitting.fit(Bwesg(**SMALL), training())
    assert [Counter(text) for text in merged[0]] == [
        {"da:hus": 3, "da:taxi": 1, "en:house": 4},
        {"da:kat": 2, "en:cat": 2, "en:taxi": 1},
    ]


def test_words_are_shuffled_by_the_seed(training, merged):
    counts = {x: sparse.csr_matrix([[20, 0, 20], [1, 1, 1]]) for x in WORDS}
    given = {"counts": counts, "concepts": {x: np.array([0, 1]) for x in WORDS}}
    for seed in (1, 1, 2):
        fitting.fit(Bwesg(**SMALL), training(seed=seed, **given))
    assert merged[0] == merged[1] != merged[2]
    languages = [word[:2] for word in merged[0][0]]
    changes = sum(a != b for a, b in pairwise(languages))
    assert changes > 20  # of 79; one if the documents were put one after the other


def test_a_long_text_is_given_in_parts_that_gensim_reads_to_the_end(training, merged, monkeypatch):
    monkeypatch.setattr(bwesg, "LONGEST", 3)
    fitting.fit(Bwesg(**SMALL), training())
    assert [len(text) for text in merged[0]] == [3, 3, 2, 3, 2]


def test_vectors_are_gensims_and_documents_sum_them(training, merged):
    model = fitting.fit(Bwesg(**SMALL), training()).model
    theirs = Word2Vec(
        merged[0],
        vector_size=4,
        window=3,
        epochs=2,
        negative=2,
        min_count=1,
        sample=1e-4,
        sg=1,
        seed=1,
        workers=1,
    ).wv
    for x, words in WORDS.items():
        expected = np.array([theirs[f"{x}:{word}"] for word in words])
        np.testing.assert_array_equal(model.tables[x], expected)
        row = 2 * expected[0] + expected[2]
        found = model.embed(sparse.csr_matrix([[2, 0, 1]]), x)
        np.testing.assert_allclose(found[0], row / np.linalg.norm(row), atol=1e-6)


def test_rare_words_have_no_vector_and_do_not_count(training):
    fitted = fitting.fit(Bwesg(**SMALL | {"min_count": 2}), training())
    assert fitted.report["words_with_vector"] == 4
    assert fitted.model.learned("da").tolist() == [True, True, False]
    assert fitted.model.learned("en").tolist() == [True, True, False]
