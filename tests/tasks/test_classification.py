import numpy as np
import pandas as pd
import pytest
from scipy import sparse
from sklearn.neighbors import KNeighborsClassifier

from cr5.base.errors import UserError
from cr5.counts.bags import Bags
from cr5.models.word_tables import WordTables
from cr5.scores.metrics import values as of_metric
from cr5.scores.ranking import rank_all
from cr5.scores.ranks import Ranked
from cr5.splits.draw import Draw
from cr5.tasks.base import Data, Texts
from cr5.tasks.classification import Classification

LANGUAGES = ("da", "en", "vi")
ROLES = {"labelled": 90, "test": 60, "validation": 40}


def documents(generator, n_documents):
    """Weights of 30 words, a third of which each class has more often; the last one is empty."""
    labels = generator.choice(list("abc"), n_documents)
    mean_of_class = np.repeat(0.4 * np.eye(3) + 0.4, 10, axis=1)
    counts = generator.gamma(mean_of_class[["abc".index(label) for label in labels]])
    counts[-1] = 0
    ids = [f"d{number}" for number in range(n_documents)]
    return Texts(pd.DataFrame({"id": ids, "label": labels}), sparse.csr_matrix(counts))


@pytest.fixture(scope="module")
def of_files():
    """Files of the task's own."""
    generator = np.random.default_rng(0)
    texts = {}
    for language in LANGUAGES:
        texts[language] = {role: documents(generator, size) for role, size in ROLES.items()}
    return Data({}, None, texts)


@pytest.mark.parametrize("role", ["test", "validation"])
def test_the_accuracy_is_that_of_scikit_learn_s_nearest_neighbour(of_files, model_of_words, role):
    searches = Classification(labelled=["en"]).searches(of_files, LANGUAGES, role)
    results = list(rank_all(searches, model_of_words, ["cosine"]))
    assert [result.query for result in results] == list(LANGUAGES)
    assert [result.target for result in results] == ["en", "en", "en"]
    candidates = of_files.texts["en"]["labelled"]
    labelled = candidates.counts.toarray()[:-1]  # one without words is as far from all
    classifier = KNeighborsClassifier(1, metric="cosine")
    classifier.fit(labelled, candidates.about["label"][:-1])
    for result in results:
        queries = of_files.texts[result.query][role]
        predicted = classifier.predict(queries.counts.toarray()[:-1])
        is_right = predicted == queries.about["label"].to_numpy()[:-1]
        assert 0.5 < is_right.mean() < 1
        accuracies = of_metric(Ranked.of(result.answers, result.queries), "Success@1")
        np.testing.assert_array_equal(accuracies[:-1], is_right.astype(float))
        assert accuracies[-1] == 0  # all are as near to it: an error


def by_hand(counts, labels, prefix="d"):
    ids = [f"{prefix}{number}" for number in range(len(counts))]
    return Texts(pd.DataFrame({"id": ids, "label": labels}), sparse.csr_matrix(np.array(counts)))


def ranked_by_hand(counts, labels):
    """Searched among two documents of x, one of y as near as these, and one of z."""
    labelled = by_hand([[1, 0], [1, 0], [2, 0], [0, 1]], ["x", "x", "y", "z"], "l")
    data = Data({}, None, {"en": {"labelled": labelled, "test": by_hand(counts, labels)}})
    model = WordTables({"en": ["a", "b"]}, {"en": np.eye(2)}, {"en": np.ones(2)})
    searches = Classification().searches(data, ["en"], "test")
    return next(rank_all(searches, model, ["cosine"]))


def test_two_labels_as_near_as_one_another_are_an_error_two_documents_of_one_are_none():
    result = ranked_by_hand([[3, 0], [3, 0], [0, 1], [1, 2]], ["x", "y", "z", "z"])
    # of the first two, x and y are as near
    assert result.answers["query"].tolist() == ["d2", "d3"]
    assert result.answers["rank"].tolist() == [1, 1]
    assert result.queries["n_relevant"].tolist() == [2, 1, 1, 1]


def test_a_class_that_no_labelled_document_has_is_refused():
    with pytest.raises(UserError, match="en-en: of the class 'new' there are"):
        ranked_by_hand([[0, 1]], ["new"])


@pytest.fixture(scope="module")
def corpus():
    """Concepts c0 to c5 in both languages, c6 to c8 in English alone, c9 and c10 in Danish."""
    labels = dict.fromkeys(["c0", "c2", "c4", "c6", "c8", "c9"], "x")
    bags = {}
    for language, numbers in (("da", [0, 1, 2, 3, 4, 5, 9, 10]), ("en", range(9))):
        table = pd.DataFrame({"concept": [f"c{number}" for number in numbers], "n_unique": 1})
        table["label"] = table["concept"].map(labels).fillna("y")
        counts = sparse.csr_matrix(np.eye(len(table), dtype=np.int32))
        bags[language] = Bags(counts, pd.DataFrame({"word": table["concept"]}), table)
    queries = pd.DataFrame(
        {
            "concept": ["c0", "c1", "c2"],
            "role": ["test", "test", "validation"],
            "first": "da",
            "second": "en",
        }
    )
    pairs = pd.DataFrame({"first": ["da"], "second": ["en"], "test": [2], "validation": [1]})
    return Data(bags, Draw(queries, pd.DataFrame(), pairs))


@pytest.mark.parametrize(
    ("role", "tested", "danish", "english"),
    [
        ("test", "drawn", ["c0", "c1"], ["c0", "c1"]),
        ("validation", "drawn", ["c2"], ["c2"]),
        ("test", "own", ["c9", "c10"], ["c0", "c1"]),  # which translate nothing
        ("validation", "own", ["c2"], ["c2"]),
    ],
)
def test_of_the_corpus_s_own_documents_no_query_is_labelled(corpus, role, tested, danish, english):
    task = Classification(labelled=["en"], tested=tested)
    searches = list(task.searches(corpus, ["da", "en"], role))
    queries = {search.query_language: search.queries.ids.tolist() for search in searches}
    assert queries == {"da": danish, "en": english}
    for search in searches:
        assert search.candidates.ids.tolist() == ["c3", "c4", "c5", "c6", "c7", "c8"]
