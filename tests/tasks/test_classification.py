import numpy as np
import pandas as pd
import pytest
from numpy.testing import assert_array_equal
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
from tests.tasks.asked import by_direction, candidate_ids, query_ids

LANGUAGES = ("da", "en", "vi")
ROLES = {"labelled": 90, "test": 60, "validation": 40}


def documents(generator, n_documents):
    """Weights of 30 words, a third of which each class has more often; the last one is empty."""
    classes = generator.integers(0, 3, n_documents)
    means_of_classes = np.repeat(0.4 * np.eye(3) + 0.4, 10, axis=1)
    weights = generator.gamma(means_of_classes[classes])
    weights[-1] = 0
    return labelled_texts(weights, ["abc"[number] for number in classes])


def labelled_texts(counts, labels, prefix="d"):
    ids = [f"{prefix}{number}" for number in range(len(labels))]
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
    assert [result.query_language for result in results] == list(LANGUAGES)
    assert [result.target_language for result in results] == ["en", "en", "en"]
    candidates = of_files.texts["en"]["labelled"]
    for result in results:
        queries = of_files.texts[result.query_language][role]
        is_right = is_right_by_scikit_learn(queries, candidates)
        accuracies = of_metric(Ranked.of(result.answers, result.queries), "Success@1")
        assert 0.5 < is_right.mean() < 1
        assert_array_equal(accuracies[:-1], is_right)
        assert accuracies[-1] == 0  # all are as near to it: an error


def is_right_by_scikit_learn(queries, candidates):
    """Of the queries but the last one, which has no words, and is as far from all candidates."""
    with_words = slice(None, -1)
    classifier = KNeighborsClassifier(1, metric="cosine")
    classifier.fit(candidates.counts[with_words], candidates.about["label"][with_words])
    predicted = classifier.predict(queries.counts[with_words])
    return predicted == queries.about["label"].to_numpy()[with_words]


def ranked_by_hand(counts, labels):
    """Searched among two documents of x, one of y as near as these, and one of z."""
    candidates = labelled_texts([[1, 0], [1, 0], [2, 0], [0, 1]], ["x", "x", "y", "z"], "l")
    queries = labelled_texts(counts, labels)
    data = Data({}, None, {"en": {"labelled": candidates, "test": queries}})
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


def bags_of(concepts):
    """A document of each, with a word of its own; labels are x and y in turn."""
    table = pd.DataFrame({"concept": concepts, "n_unique": 1, "label": "y"})
    table.loc[::2, "label"] = "x"
    counts = sparse.csr_matrix(np.eye(len(concepts), dtype=np.int32))
    return Bags(counts, pd.DataFrame({"word": concepts}), table)


@pytest.fixture(scope="module")
def corpus():
    """Concepts c0 to c5 in both languages, c6 to c8 in English alone, c9 and c10 in Danish."""
    bags = {
        "da": bags_of(["c0", "c1", "c2", "c3", "c4", "c5", "c9", "c10"]),
        "en": bags_of(["c0", "c1", "c2", "c3", "c4", "c5", "c6", "c7", "c8"]),
    }
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
    searches = by_direction(task.searches(corpus, ["da", "en"], role))
    assert searches.keys() == {("da", "en"), ("en", "en")}
    assert query_ids(searches["da", "en"]) == danish
    assert query_ids(searches["en", "en"]) == english
    for search in searches.values():
        assert candidate_ids(search) == ["c3", "c4", "c5", "c6", "c7", "c8"]
