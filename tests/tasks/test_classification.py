from dataclasses import replace

import numpy as np
import pandas as pd
import pytest
from scipy import sparse
from sklearn.neighbors import KNeighborsClassifier

from cr5.base.errors import LeftOutError, UserError
from cr5.counts.bags import Bags
from cr5.models.word_tables import WordTables
from cr5.scores.metrics import values as of_metric
from cr5.scores.ranked import Ranked
from cr5.splits.drawn import Draw
from cr5.tasks import texts
from cr5.tasks.base import Data, Texts
from cr5.tasks.classification import Classification
from cr5.tasks.ranking import rank_all

LANGUAGES = ("da", "en", "vi")
ROLES = {"labelled": 90, "test": 60, "validation": 40}


def documents(generator, n, labels="abc"):
    """Weights of 30 words, a third of which each class has more often; the last one is empty."""
    found = generator.choice(list(labels), n)
    means = np.repeat(0.4 * np.eye(3) + 0.4, 10, axis=1)[["abc".index(x) for x in found]]
    counts = generator.gamma(means)
    counts[-1] = 0
    ids = pd.Index([f"d{i}" for i in range(n)])
    return Texts(ids, sparse.csr_matrix(counts), labels=pd.Index(found))


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
    theirs = KNeighborsClassifier(1, metric="cosine").fit(X, candidates.labels[:-1])
    for (query, _), values in found.items():
        queries = own.texts[query][role]
        predicted = theirs.predict(queries.counts.toarray()[:-1])
        right = (predicted == queries.labels[:-1]).astype(float)
        assert 0.5 < right.mean() < 1
        np.testing.assert_array_equal(values[:-1], right)
        assert values[-1] == 0  # all are as near to it: an error


def test_each_language_is_labelled_in_turn_unless_some_are_named(own, model_of_words):
    assert len(accuracies(own, model_of_words)) == 9
    some = accuracies(own, model_of_words, labelled=["vi", "da"])
    assert list(some) == [(x, y) for y in ("da", "vi") for x in LANGUAGES]


def by_hand(rows, labels, name="d"):
    counts = sparse.csr_matrix(np.array(rows, np.int32))
    return Texts(
        pd.Index([f"{name}{i}" for i in range(len(rows))]), counts, labels=pd.Index(labels)
    )


def hand_made(queries, labels):
    labelled = by_hand([[1, 0], [1, 0], [2, 0], [0, 1]], ["x", "x", "y", "z"], "l")
    return Data({}, None, {"en": {"labelled": labelled, "test": by_hand(queries, labels)}})


def of_hand(data, **options):
    eye = WordTables({"en": ["a", "b"]}, {"en": np.eye(2)}, {"en": np.ones(2)})
    [search] = Classification(**options).searches(data, ["en"])
    assert search.depth == 1
    return next(rank_all([search], eye, ["cosine"]))


def test_two_labels_as_near_as_one_another_are_an_error_two_documents_of_one_are_none():
    found = of_hand(hand_made([[3, 0], [3, 0], [0, 1], [1, 2]], ["x", "y", "z", "z"]))
    assert found.answers["query"].tolist() == ["d2", "d3"]  # of the first two, x and y are as near
    assert found.answers["rank"].tolist() == [1, 1]
    assert found.queries["n_relevant"].tolist() == [2, 1, 1, 1]
    alone = of_hand(hand_made([[3, 0]], ["x"]), classes=["x", "z"])
    assert alone.answers["rank"].tolist() == [1]
    assert alone.queries["n_relevant"].tolist() == [2]


def test_classes_that_are_named_or_large_enough_count():
    data = hand_made([[3, 0], [3, 0], [0, 1]], ["x", "y", "new"])
    for options in ({"classes": ["x", "z"]}, {"min_documents": 2}):
        assert of_hand(data, **options).queries["query"].tolist() == ["d0"]
    with pytest.raises(UserError, match=r"no labelled .* 'en' is of the class 'new'; there a"):
        of_hand(data, classes=["x", "new"])
    with pytest.raises(UserError, match=r"no class has 3 .* 'x' \(2\), 'y' \(1\), .*: lower"):
        of_hand(data, min_documents=3)
    with pytest.raises(UserError, match="en-en: "):
        of_hand(data)


def test_where_a_language_has_no_labelled_documents_that_is_said(own):
    of = {**own.texts, "en": {"test": own.texts["en"]["test"]}}
    with pytest.raises(UserError, match="'en' has no documents for labelled; see `parts`"):
        list(Classification().searches(replace(own, texts=of), LANGUAGES))
    with pytest.raises(LeftOutError, match=r"none of da, vi has .* \(labelled: en\)"):
        list(Classification(labelled=["en"]).searches(own, ["da", "vi"]))


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


def concepts(data, role="test", **options):
    """Of the candidates, and of the queries by their language."""
    task = Classification(**{"labelled": ["en"], **options})
    found = list(task.searches(data, ["da", "en"], role))
    [candidates] = {tuple(x.candidates.ids) for x in found}
    return candidates, {x.query: x.queries.ids.tolist() for x in found}


def test_of_the_corpus_s_own_documents_no_query_is_labelled(corpus):
    labelled = ("c3", "c4", "c5", "c6", "c7", "c8")
    assert concepts(corpus) == (labelled, {"da": ["c0", "c1"], "en": ["c0", "c1"]})
    assert concepts(corpus, "validation") == (labelled, {"da": ["c2"], "en": ["c2"]})


def test_documents_that_translate_nothing_can_be_tested(corpus):
    _, queries = concepts(corpus, tested="own")
    assert queries == {"da": ["c9", "c10"], "en": ["c0", "c1"]}
    assert concepts(corpus, "validation", tested="own")[1] == {"da": ["c2"], "en": ["c2"]}


def of_labels(language, labels):
    given = [(x, "", "", y) for x, y in labels.items()]
    return texts.count({"labels": given}, language, ["w"])


def without_labels(data):
    bags = {
        x: replace(bag, documents=bag.documents.drop(columns="label"))
        for x, bag in data.bags.items()
    }
    return replace(data, bags=bags)


def test_labels_may_come_from_files_and_need_not_be_of_all_documents(corpus, caplog):
    labels = {f"c{i}": "x" for i in (0, 3, 8, 99)}
    given = replace(without_labels(corpus), texts={x: of_labels(x, labels) for x in ("da", "en")})
    assert concepts(given) == (("c3", "c8"), {"da": ["c0"], "en": ["c0"]})
    assert "da: 1 of 2 drawn documents have no label" in caplog.text


def test_a_corpus_without_labels_and_labels_of_other_documents_are_refused(corpus):
    with pytest.raises(UserError, match="the documents of this corpus have no labels; give the `p"):
        concepts(without_labels(corpus))
    strange = replace(corpus, texts={x: of_labels(x, {"Q5": "x"}) for x in ("da", "en")})
    with pytest.raises(UserError, match=r"none of the 1 labels in 'da' .* such as 'c0', .* 'Q5'"):
        concepts(strange)
    lacking = without_labels(corpus)
    lacking = replace(lacking, texts={"da": {}, "en": of_labels("en", {"c3": "x"})})
    with pytest.raises(UserError, match="have no labels"):
        concepts(lacking)


def test_records_are_read_by_what_they_are_for_and_keep_their_labels(tmp_path):
    path = tmp_path / "a.tsv"
    path.write_text("index_id\tcategory\ttext\n7\tsports\tRun, run\n8\ttravel\tA hill\n")
    files = {"labelled": None, "test": str(path), "labels": None}
    counted = texts.count(Classification().records(files, "en"), "en", ["run", "hill"])
    texts.save(tmp_path / "kept", counted)
    [(role, kept)] = texts.load(tmp_path / "kept").items()
    assert (role, kept.ids.tolist(), kept.labels.tolist()) == (
        "test",
        ["7", "8"],
        ["sports", "travel"],
    )
    assert kept.counts.toarray().tolist() == [[2, 0], [0, 1]]
