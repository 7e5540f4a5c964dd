"""BM25 against gensim's, in one language and translated; and by hand."""

from dataclasses import replace

import numpy as np
import pandas as pd
import pytest
from gensim.corpora import Dictionary
from gensim.models.bm25model import LuceneBM25Model
from scipy import sparse

from cr5.base.errors import LeftOutError
from cr5.fitting import fit as fitting
from cr5.models.contract import ModelError
from cr5.systems.bm25 import Bm25
from cr5.systems.bm25_translated import Bm25Translated
from cr5.tasks.base import Search, Texts
from cr5.tasks.ranking import rank_all

WORDS = {"da": ["hus", "kat", "taxi", "og"], "en": ["cat", "house", "taxi", "the", "tree"]}
TO_ENGLISH = [[0, 1, 0, 0, 0], [0.75, 0.25, 0, 0, 0], [0, 0, 0, 0, 0], [0, 0, 0, 0, 0]]
TO_DANISH = np.zeros((5, 4))
DOCUMENTS = {
    x: np.random.default_rng(3).poisson(0.8, (12, len(words))) for x, words in WORDS.items()
}
ONCE = {"da": np.array([[1, 1, 0, 1], [0, 1, 1, 0]]), "en": np.array([[1, 0, 1, 1, 0]])}


@pytest.fixture
def training(training_of):
    counts = {x: sparse.csr_matrix(rows.astype(np.int32)) for x, rows in DOCUMENTS.items()}
    given = {
        "da": {"en": sparse.csr_matrix(TO_ENGLISH)},
        "en": {"da": sparse.csr_matrix(TO_DANISH)},
    }
    return lambda **more: training_of(WORDS, counts=counts, alignments=given, **more)


def of_gensim(rows, k1, b):
    """Documents x words: what each word of a query adds to the score of a document."""
    texts = [np.repeat(np.arange(len(row)).astype(str), row).tolist() for row in rows]
    dictionary = Dictionary(texts)  # without it, mean lengths would be of different words
    theirs = LuceneBM25Model(dictionary=dictionary, k1=k1, b=b)
    found = np.zeros(rows.shape)
    for i, text in enumerate(texts):
        for j, weight in theirs[dictionary.doc2bow(text)]:
            found[i, int(dictionary[j])] = weight
    return found


def scores(model, queries, source, target):
    model.check()
    Q = model.embed(sparse.csr_matrix(queries), source, target)
    C = model.embed(sparse.csr_matrix(DOCUMENTS[target]), target, target)
    return (Q @ C.T).toarray()


def proportional(found, expected):
    sums = (each.sum(axis=1, keepdims=True) for each in (found, expected))
    a, b = (each / total for each, total in zip((found, expected), sums, strict=True))
    np.testing.assert_allclose(a, b, atol=1e-5)
    assert np.ptp(expected) > 0.1


@pytest.mark.parametrize(("k1", "b"), [(1.2, 0.75), (0.5, 0.0), (2.0, 1.0)])
@pytest.mark.parametrize("language", WORDS)
def test_in_one_language_queries_of_different_words_rank_as_by_gensim(training, language, k1, b):
    model = fitting.fit(Bm25(k1=[k1], b=[b]), training()).model
    expected = ONCE[language] @ of_gensim(DOCUMENTS[language], k1, b).T
    proportional(scores(model, ONCE[language], language, language), expected)


# Longer than what trained, and of other words.
COLLECTION = {
    x: np.random.default_rng(5).poisson(np.linspace(4, 0.3, len(words)), (9, len(words)))
    for x, words in WORDS.items()
}


def searched(model, source, target, **more):
    """Scores of all documents of the collection, as a run's ranks have them."""
    queries, documents = (
        Texts(pd.Index([str(i) for i in range(len(rows))]), sparse.csr_matrix(rows))
        for rows in (ONCE[source], COLLECTION[target])
    )
    every = sparse.csr_matrix(np.ones((len(queries.ids), len(documents.ids))))
    search = Search(source, target, queries, documents, every, **more)
    [found] = rank_all([search], model, ["dot"])
    found = found.answers.astype({"query": int, "candidate": int})
    return (
        found.set_index(["query", "candidate"])["score"]
        .sort_index()
        .to_numpy()
        .reshape(every.shape)
    )


@pytest.mark.parametrize("language", WORDS)
def test_a_collection_is_searched_with_its_own_idf_and_mean_length(training, language):
    model = fitting.fit(Bm25(), training()).model
    expected = ONCE[language] @ of_gensim(COLLECTION[language], 1.2, 0.75).T
    proportional(searched(model, language, language, collection=True), expected)
    # as candidates of a test, the same texts tell nothing
    rows = [sparse.csr_matrix(each[language]) for each in (ONCE, COLLECTION)]
    Q, C = (model.embed(each, language, language) for each in rows)
    np.testing.assert_allclose(searched(model, language, language), (Q @ C.T).toarray(), rtol=1e-6)


def test_a_collection_in_another_language_likewise(training):
    model = fitting.fit(Bm25Translated(pass_on=False), training()).model
    expected = ONCE["da"] @ np.array(TO_ENGLISH) @ of_gensim(COLLECTION["en"], 1.2, 0.75).T
    proportional(searched(model, "da", "en", collection=True), expected)


def test_weights_of_words_of_other_systems_are_refused(training):
    model = fitting.fit(Bm25(), training()).model
    with pytest.raises(LeftOutError, match="idf: corpus"):
        model.reweighted("en", np.ones(5))


def test_scores_are_those_worked_out_by_hand(training_of):
    """Two documents of 2 and 4 words; the query has the rarer word twice and is as long as both.

    Idf of `a`, in one of two documents, is ln(1 + 1.5 / 1.5) = ln 2. With k1 = 1 and b = 1, m = 3:
    the document of 4 words has it twice, 2 * 2 / (2 + 4/3) = 1.2; the query 2 * 2 / (2 + 1) = 4/3.
    """
    counts = {x: sparse.csr_matrix([[0, 2], [2, 2]]) for x in ("da", "en")}
    given = training_of({"da": ["a", "b"], "en": ["a", "b"]}, counts=counts)
    model = fitting.fit(Bm25(k1=[1], b=[1]), given).model
    assert model.lengths == {"da": 3, "en": 3}
    query = model.embed(sparse.csr_matrix([[2, 1]]), "en", "en")
    documents = model.embed(counts["en"], "en", "en")
    expected = 4 / 3 * 1.2 * np.log(2)
    idf_b = np.log1p(0.5 / 2.5)  # of `b`, in both; the query has it once: 2 / (1 + 1) = 1
    np.testing.assert_allclose(
        (query @ documents.T).toarray()[0],
        [2 * 2 / (2 + 2 / 3) * idf_b, expected + 1.2 * idf_b],
        rtol=1e-6,
    )


@pytest.mark.parametrize(
    ("changed", "said"),
    [
        ({"k1": -1.0}, "k1 is -1.0, b 0.75"),
        ({"b": float("nan")}, "k1 is 1.2, b nan"),
        ({"lengths": {"en": 3.0}}, "the mean length of language 'da' is None"),
        ({"lengths": {"da": 0.0, "en": 3.0}}, "the mean length of language 'da' is 0.0"),
        (
            {"tables": {x: dict.fromkeys(WORDS, sparse.eye(len(y), 3)) for x, y in WORDS.items()}},
            "tables towards 'da' have 3 columns, expected 4",
        ),
    ],
)
def test_constants_that_cannot_be_are_refused(training, changed, said):
    model = fitting.fit(Bm25(), training()).model
    with pytest.raises(ModelError, match=said):
        replace(model, **changed).check()
