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


def documents(generator, n, labels="abc"):
    """Weights of 30 words, a third of which each class has more often; the last one is empty."""
    found = generator.choice(list(labels), n)
    means = np.repeat(0.4 * np.eye(3) + 0.4, 10, axis=1)[["abc".index(x) for x in found]]
    counts = generator.gamma(means)
    counts[-1] = 0
    about = pd.DataFrame({"id": [f"d{i}" for i in range(n)], "label": found})
    return Texts(about, sparse.csr_matrix(counts))


@pytest.fixture(scope="module")
def own():
    """Files of the task's own."""
    generator = np.random.default_rng(0)
    of = {x: {role: documents(generator, n) for role, n in ROLES.items()} for x in LANGUAGES}
    return Data({}, None, of)


def accuracies(data, model, role="test", **options):
    found = rank_all(Classification(**options).searches(data, LANGUAGES, role), model, ["cosine"])
    return {
        (x.query, x.target): of_metric(Ranked.of(x.answers, x.queries), "Success@1") for x in found
    }


@pytest.mark.parametrize("role", ["test", "validation"])
def test_the_accuracy_is_that_of_scikit_learn_s_nearest_neighbour(own, model_of_words, role):
    found = accuracies(own, model_of_words, role, labelled=["en"])
    assert list(found) == [(x, "en") for x in LANGUAGES]
    candidates = own.texts["en"]["labelled"]
    X = candidates.counts.toarray()[:-1]  # one without words is as far from all
    theirs = KNeighborsClassifier(1, metric="cosine").fit(X, candidates.about["label"][:-1])
    for (query, _), values in found.items():
        queries = own.texts[query][role]
        predicted = theirs.predict(queries.counts.toarray()[:-1])
        right = (predicted == queries.about["label"].to_numpy()[:-1]).astype(float)
        assert 0.5 < right.mean() < 1
        np.testing.assert_array_equal(values[:-1], right)
        assert values[-1] == 0  # all are as near to it: an error


def of_hand(queries, labels):
    """Searched among two documents of x, one of y as near as these, and one of z."""

    def by_hand(rows, labels, name="d"):
        about = pd.DataFrame({"id": [f"{name}{i}" for i in range(len(rows))], "label": labels})
        return Texts(about, sparse.csr_matrix(np.array(rows)))

    labelled = by_hand([[1, 0], [1, 0], [2, 0], [0, 1]], ["x", "x", "y", "z"], "l")
    data = Data({}, None, {"en": {"labelled": labelled, "test": by_hand(queries, labels)}})
    eye = WordTables({"en": ["a", "b"]}, {"en": np.eye(2)}, {"en": np.ones(2)})
    return next(rank_all(Classification().searches(data, ["en"], "test"), eye, ["cosine"]))


def test_two_labels_as_near_as_one_another_are_an_error_two_documents_of_one_are_none():
    found = of_hand([[3, 0], [3, 0], [0, 1], [1, 2]], ["x", "y", "z", "z"])
    assert found.answers["query"].tolist() == ["d2", "d3"]  # of the first two, x and y are as near
    assert found.answers["rank"].tolist() == [1, 1]
    assert found.queries["n_relevant"].tolist() == [2, 1, 1, 1]


def test_a_class_that_no_labelled_document_has_is_refused():
    with pytest.raises(UserError, match="en-en: of the class 'new' there are"):
        of_hand([[0, 1]], ["new"])


@pytest.fixture(scope="module")
def corpus():
    """Concepts c0 to c5 in both languages, c6 to c8 in English alone, c9 and c10 in Danish."""
    labels = dict.fromkeys(["c0", "c2", "c4", "c6", "c8", "c9"], "x")
    bags = {}
    for language, numbers in (("da", [0, 1, 2, 3, 4, 5, 9, 10]), ("en", range(9))):
        frame = pd.DataFrame({"concept": [f"c{i}" for i in numbers], "n_unique": 1})
        frame["label"] = frame["concept"].map(labels).fillna("y")
        counts = sparse.csr_matrix(np.eye(len(frame), dtype=np.int32))
        bags[language] = Bags(counts, pd.DataFrame({"word": frame["concept"]}), frame)
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
    found = {x.query_language: x for x in task.searches(corpus, ["da", "en"], role)}
    assert {x: y.queries.ids.tolist() for x, y in found.items()} == {"da": danish, "en": english}
    for search in found.values():
        assert search.candidates.ids.tolist() == ["c3", "c4", "c5", "c6", "c7", "c8"]
