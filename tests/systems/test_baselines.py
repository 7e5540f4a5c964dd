"""Baselines against gensim's, and by hand where the oracles of all systems do not look."""

from collections import Counter
from itertools import pairwise

import numpy as np
import pandas as pd
import pytest
from gensim.corpora import Dictionary
from gensim.models import Word2Vec
from gensim.models.bm25model import LuceneBM25Model
from scipy import sparse
from sklearn.preprocessing import normalize

from cr5.base.errors import LeftOutError, UserError
from cr5.fitting import vectors
from cr5.fitting.fit import fit
from cr5.scores.ranking import rank_all
from cr5.systems.baselines import bwesg
from cr5.systems.baselines.bm25_translated import Bm25Translated
from cr5.systems.baselines.bwesg import Bwesg
from cr5.systems.baselines.lexical_overlap import LexicalOverlap
from cr5.systems.baselines.word_by_word import WordByWord
from cr5.systems.encoders.pretrained import Pretrained
from cr5.tasks.base import Search, Texts

WORDS = {"da": ["hus", "kat", "taxi", "og"], "en": ["cat", "house", "taxi", "the", "tree"]}
# kat is a cat, or a house's; og is `the`; taxi, which has no translation, is spelled the same
TO_ENGLISH = np.array([[0, 1, 0, 0, 0], [0.75, 0.25, 0, 0, 0], [0] * 5, [0, 0, 0, 1, 0]])
WITH_SAME_WORD = TO_ENGLISH + np.eye(4, 5) * [0, 0, 1, 0, 0]
TRAINED = {
    "da": np.random.default_rng(3).poisson(0.8, (12, 4)),
    "en": np.random.default_rng(3).poisson(0.8, (12, 5)),
}
TRAINED["en"][:, 3] = 9  # `the` is the most frequent word


@pytest.fixture
def training(training_of):
    alignments = {
        "da": {"en": sparse.csr_matrix(TO_ENGLISH)},
        "en": {"da": sparse.csr_matrix(np.zeros((5, 4)))},
    }
    counts = {language: sparse.csr_matrix(TRAINED[language], dtype=np.int32) for language in WORDS}
    return training_of(WORDS, alignments=alignments, counts=counts, term_frequency="log")


def of_gensim(rows, k1=1.2, b=0.75):
    """Documents x words: what each word of a query adds to the score of a document."""
    texts = [np.repeat(np.arange(len(row)).astype(str), row).tolist() for row in rows]
    dictionary = Dictionary(texts)  # without it, mean lengths would be of different words
    theirs = LuceneBM25Model(dictionary=dictionary, k1=k1, b=b)
    weights = np.zeros(rows.shape)
    for document, text in enumerate(texts):
        for number, weight in theirs[dictionary.doc2bow(text)]:
            weights[document, int(dictionary[number])] = weight
    return weights


def texts_of(rows):
    ids = [str(row) for row in range(len(rows))]
    return Texts(pd.DataFrame({"id": ids}), sparse.csr_matrix(rows))


def test_bm25_of_a_collection_has_its_own_idf_and_mean_length(training):
    """In another language too; as candidates of a test, the same texts tell nothing."""
    model = fit(Bm25Translated(), training).model
    queries = np.array([[1, 1, 0, 1], [0, 1, 1, 0]])
    # longer than what trained, and of other words
    documents = np.random.default_rng(5).poisson(np.linspace(4, 0.3, 5), (9, 5))
    relevant = sparse.csr_matrix(np.ones((2, 9)))

    def scores(**options):
        search = Search("da", "en", texts_of(queries), texts_of(documents), relevant, **options)
        [ranking] = rank_all([search], model, ["dot"])
        wide = ranking.answers.pivot_table(index="query", columns="candidate", values="score")
        return normalize(wide, "l1")

    expected = normalize(queries @ WITH_SAME_WORD @ of_gensim(documents).T, "l1")
    np.testing.assert_allclose(scores(collection=True), expected, atol=1e-5)
    assert not np.allclose(scores(), expected, rtol=0.01)
    with pytest.raises(LeftOutError, match="idf: corpus"):
        model.reweighted("en", np.ones(5))


def test_words_that_are_translated_passed_on_or_lost_are_counted(training):
    """With the most frequent word of each language dropped, og has no translation left."""
    report = fit(WordByWord(skip_words=1), training).report["words"]
    assert report["da"]["en"] == {"translated": 2, "passed_on": 1, "lost": 1}
    assert report["en"]["da"] == {"translated": 0, "passed_on": 1, "lost": 4}


def test_counts_enter_as_they_are_or_as_logarithms(training):
    """By the weights of Platt et al., of documents of both languages; or without any."""
    counts = np.array([[0, 3, 1, 0]])
    danish = sparse.csr_matrix(counts)
    n_having = (TRAINED["da"] > 0).sum(axis=0)
    idf = np.log2(24 / np.maximum(n_having, 1))
    logarithms = np.log2(1 + counts)
    for form, frequencies in (("raw", counts), ("log", logarithms)):
        system = WordByWord(skip_words=0, into="en", term_frequency=form)
        model = fit(system, training).model
        row = model.embed(danish, "da").toarray()
        weighted = frequencies * idf
        in_english = weighted @ WITH_SAME_WORD
        length = np.linalg.norm(in_english)
        cosine = np.vdot(row, in_english) / length
        assert cosine == pytest.approx(1, abs=1e-6)
    system = LexicalOverlap(paper_weights=True, skip_words=0, counts=True)
    model = fit(system, training).model
    english = sparse.csr_matrix([[0, 1, 2, 0, 0]])  # one of three, and two of the same string
    danish_row = model.embed(danish, "da")
    english_row = model.embed(english, "en")
    cosine = (danish_row @ english_row.T).toarray().item()
    lengths = np.sqrt(10 * 5)
    assert cosine == pytest.approx(1 * 2 / lengths)


def test_where_there_are_fewer_dimensions_than_any_asked_for_all_are_taken(training):
    fitted = fit(WordByWord(skip_words=0, via="lsa", dimensions=[9, 7]), training)
    assert f"[7, 9] reduced to {fitted.chosen['dimension']}" in fitted.report["warnings"][0]
    assert fitted.chosen["dimension"] < 7


def test_released_vectors_that_are_lacking_are_told(training_of, tmp_path):
    """Two words of three have a vector, in a file with others."""
    (tmp_path / "da").write_text("hus 1 0\nkat 5 5\nbil 0.5 2\n")
    released = training_of(
        {"da": ["bil", "hus", "og"]},
        files={"da": {"path": str(tmp_path / "da")}},
        frequencies={"da": np.array([3, 2, 5])},
    )
    fitted = fit(Pretrained(dimension=2), released)
    assert fitted.model.learned("da").tolist() == [True, True, False]
    warning = "da: 1 of 3 words, 50.0% of the text, have no vector and do not count"
    assert fitted.report["warnings"] == [warning]
    with pytest.raises(UserError, match=r"da, line 1: expected a word and 300 numbers"):
        fit(Pretrained(), released)


FEW = {"da": ["hus", "kat", "taxi"], "en": ["cat", "house", "taxi"]}
COUNTS = {"da": [[3, 0, 1], [0, 2, 0], [1, 1, 1]], "en": [[0, 4, 0], [2, 0, 1]]}


@pytest.fixture
def shuffled(training_of, monkeypatch):
    """Fit BWESG: returns the model and the texts of concepts, of which one is in Danish alone."""
    texts = []
    train = vectors.train

    def watched(text, *options):
        texts.append(text)
        return train(text, *options)

    monkeypatch.setattr(vectors, "train", watched)

    def fitted(counts=COUNTS, seed=1, min_count=1):
        training_set = training_of(
            FEW,
            counts={language: sparse.csr_matrix(rows) for language, rows in counts.items()},
            concepts={language: np.arange(len(rows)) for language, rows in counts.items()},
            n_concepts=3,
            seed=seed,
        )
        system = Bwesg(dimensions=[4], window=3, epochs=2, negative=2, min_count=min_count)
        return fit(system, training_set), texts[-1]

    return fitted


def test_vectors_are_gensims_on_the_documents_of_a_concept_with_words_told_apart(shuffled):
    fitted, text = shuffled()
    assert [Counter(words) for words in text] == [
        {"da:hus": 3, "da:taxi": 1, "en:house": 4},
        {"da:kat": 2, "en:cat": 2, "en:taxi": 1},
    ]
    options = {"vector_size": 4, "window": 3, "epochs": 2, "negative": 2, "min_count": 1}
    theirs = Word2Vec(text, **options, sample=1e-4, sg=1, seed=1, workers=1).wv
    for language, words in FEW.items():
        expected = np.array([theirs[f"{language}:{word}"] for word in words])
        np.testing.assert_array_equal(fitted.model.tables[language], expected)
    fitted, _ = shuffled(min_count=2)
    assert fitted.model.learned("da").tolist() == [True, True, False]


def test_words_are_shuffled_by_the_seed_and_given_in_parts_that_gensim_reads(shuffled, monkeypatch):
    counts = {language: [[20, 0, 20], [1, 1, 1]] for language in FEW}
    _, text = shuffled(counts, seed=1)
    _, text_again = shuffled(counts, seed=1)
    _, text_of_another_seed = shuffled(counts, seed=2)
    assert text == text_again
    assert text != text_of_another_seed
    languages = [word[:2] for word in text[0]]
    # of 79; one if the documents were put one after the other
    assert sum(language != after for language, after in pairwise(languages)) > 20
    monkeypatch.setattr(bwesg, "LONGEST", 3)
    _, parts = shuffled()
    assert [len(words) for words in parts] == [3, 3, 2, 3, 2]
