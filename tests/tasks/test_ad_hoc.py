import json

import numpy as np
import pandas as pd
import pytest
from scipy import sparse
from sklearn.metrics import average_precision_score, ndcg_score

from cr5.base.errors import UserError
from cr5.counts.bags import Bags
from cr5.counts.columns import beginning
from cr5.models.word_tables import WordTables
from cr5.scores.metrics import values
from cr5.scores.ranked import Ranked
from cr5.tasks import texts
from cr5.tasks.ad_hoc import AdHoc
from cr5.tasks.base import Data
from cr5.tasks.ranking import rank_all

DOCUMENTS = {
    "da": [("d1", "rød grøn"), ("d2", "blå blå rød"), ("d3", "grøn"), ("d4", "gul rød blå")],
    "en": [("d1", "red green"), ("d2", "blue blue red"), ("d4", "yellow red blue"), ("d5", "red")],
}
QUERIES = {
    "da": [("q1", "rød"), ("q2", "blå grøn"), ("q3", "gul"), ("q9", "gul")],
    "en": [("q1", "red"), ("q2", "blue green"), ("q3", "yellow")],
}
QRELS = """q1 0 d1 1
q1 0 d2 3

q1\t0\td4  2
q2 0 d2 2
q2 0 d3 0
q2 0 d1 -1
q3 0 d4 1.5
q7 0 d1 1
q9 0 none 1
"""
COLOURS = {"da": ["rød", "grøn", "blå", "gul"], "en": ["red", "green", "blue", "yellow"]}


def write(folder, language, documents, queries):
    files = {"documents": folder / f"{language}.jsonl", "queries": folder / f"{language}.tsv"}
    lines = [json.dumps({"id": name, "text": text}) + "\n" for name, text in documents]
    files["documents"].write_text("".join(lines))
    files["queries"].write_text("".join(f"{name}\t{text}\n" for name, text in queries))
    return files


def read(folder, documents, queries, words):
    """By language, as a job reads them."""
    files = {x: write(folder, x, documents[x], queries[x]) for x in documents}
    return {x: texts.count(AdHoc().records(files[x], x), x, words[x]) for x in documents}


def untranslated(words, **changes):
    """Every string is a dimension of its own; the words of each language are given."""
    numbers = {string: i for i, string in enumerate(sorted(set().union(*words.values())))}
    tables = {}
    for language, own in words.items():
        places = np.arange(len(own)), [numbers[word] for word in own]
        table = np.ones(len(own), np.float32), places
        tables[language] = sparse.csr_matrix(table, (len(own), len(numbers)))
    weights = {x: np.ones(len(own)) for x, own in words.items()}
    return WordTables(words, tables, **{"weights": weights, **changes})


@pytest.fixture
def colours(tmp_path):
    (tmp_path / "qrels").write_text(QRELS)
    data = Data({}, None, read(tmp_path, DOCUMENTS, QUERIES, COLOURS))
    return data, {"qrels": str(tmp_path / "qrels")}


def test_judgements_of_what_no_language_has_are_told(colours, caplog):
    list(AdHoc(**colours[1]).searches(colours[0], ("en", "da")))
    said = [record.getMessage().partition(": ")[2] for record in caplog.records]
    assert said == [
        "1 of 9 judgements are of queries that no language has, such as 'q7'",
        "1 of 9 judgements are of documents that no language has, such as 'none'",
    ]


def test_searches_by_hand(colours):
    found = {(s.query, s.target): s for s in AdHoc(**colours[1]).searches(colours[0], ("en", "da"))}
    assert set(found) == {("da", "en"), ("en", "da")}
    search = found["da", "en"]
    assert search.queries.ids.tolist() == ["q1", "q2", "q3"]  # q9's document is none of these
    assert search.candidates.ids.tolist() == ["d1", "d2", "d4", "d5"]
    assert search.relevance.toarray().tolist() == [[1, 3, 2, 0], [0, 2, 0, 0], [0, 0, 1.5, 0]]
    assert search.queries.counts.toarray().tolist() == [[1, 0, 0, 0], [0, 1, 1, 0], [0, 0, 0, 1]]
    assert search.neighbours.ids.tolist() == ["q1", "q2", "q3", "q9"]
    assert search.collection
    assert found["en", "da"].relevance.toarray()[0].tolist() == [1, 3, 0, 2]


def asked(data, options, **more):
    """The queries of each direction."""
    found = AdHoc(**options, **more).searches(data, ("da", "en"))
    return {(x.query, x.target): x.queries.ids.tolist() for x in found}


def test_each_language_in_itself(colours):
    found = asked(*colours, monolingual=True)
    assert found == {("da", "da"): ["q1", "q2", "q3"], ("en", "en"): ["q1", "q2", "q3"]}


def test_languages_whose_documents_are_not_searched_need_none(colours):
    data, options = colours
    del data.texts["en"]["documents"]
    assert list(asked(data, options, searched=["da"])) == [("en", "da")]
    assert list(asked(data, options, searched=["da"], monolingual=True)) == [("da", "da")]


@pytest.mark.parametrize(
    ("least", "expected"),
    # known words: of q1 4 of 5, of q2 1 of 3 different ones, of q3 none
    [(0, ["q1", "q2", "q3"]), (0.3, ["q1", "q2"]), (0.4, ["q1"]), (0.8, ["q1"]), (0.81, [])],
)
def test_queries_with_too_few_known_words_are_not_asked(tmp_path, least, expected):
    queries = {
        "da": [("q1", "rød grøn blå gul ukendt"), ("q2", "rød rød rød a b"), ("q3", "a")],
        "en": [("q1", "nothing"), ("q2", "known"), ("q3", "here")],
    }
    (tmp_path / "qrels").write_text(QRELS)
    data = Data({}, None, read(tmp_path, DOCUMENTS, queries, COLOURS))
    found = asked(data, {"qrels": tmp_path / "qrels"}, known_words=least, searched=["en"])
    assert found.get(("da", "en"), []) == expected


def test_beginnings_of_unknown_words_are_not_known_words(tmp_path):
    """`ukendt` has a column of its own, behind the words: one of two words is known, or three."""
    words = {x: [*own, beginning("uken")] for x, own in COLOURS.items()}
    queries = {"da": [("q1", "rød ukendt"), ("q2", "rød blå gul ukendt")], "en": QUERIES["en"]}
    (tmp_path / "qrels").write_text(QRELS)
    given = read(tmp_path, DOCUMENTS, queries, words)
    assert given["da"]["queries"].counts[:, 4].toarray().ravel().tolist() == [1, 1]
    bags = {x: Bags(None, pd.DataFrame({"word": own}), None) for x, own in COLOURS.items()}
    more = {"qrels": tmp_path / "qrels", "searched": ["en"]}
    for least, expected in ((0.5, ["q1", "q2"]), (0.6, ["q2"]), (0.8, [])):
        found = asked(Data(bags, None, given), more, known_words=least)
        assert found.get(("da", "en"), []) == expected


def test_a_query_without_a_known_word_counts_as_last(tmp_path):
    queries = {"da": [("q1", "rød"), ("q3", "ukendt")], "en": QUERIES["en"]}
    (tmp_path / "qrels").write_text(QRELS)
    data = Data({}, None, read(tmp_path, DOCUMENTS, queries, COLOURS))
    task = AdHoc(qrels=str(tmp_path / "qrels"), searched=["en"])
    searches = task.searches(data, ("da", "en"))
    [found] = rank_all(searches, untranslated(COLOURS), ["cosine"])
    ranked = Ranked.of(found.answers, found.queries)
    assert found.queries["query"].tolist() == ["q1", "q3"]
    assert values(ranked, "RR")[1] == 1 / 4  # behind all four documents
    assert values(ranked, "nDCG@1")[1] == 0


def test_ids_that_no_judgement_knows(colours, tmp_path):
    path = tmp_path / "others"
    path.write_text("x1 0 d1 1\nq1 0 none 1\n")
    with pytest.raises(UserError, match=r"others: no query in 'da' has an answer among .* 'en'"):
        list(AdHoc(qrels=str(path)).searches(colours[0], ("da", "en")))


def brute_force(search, model):
    """By sorting all candidates: no two scores are equal."""
    Q = model.embed(search.queries.counts, search.query).toarray().astype(float)
    C = model.embed(search.candidates.counts, search.target).toarray().astype(float)
    scores = Q @ C.T
    assert all(len(np.unique(row.round(5))) == len(row) for row in scores)
    return (-scores).argsort(axis=1).argsort(axis=1) + 1, scores


def test_the_whole_chain_equals_brute_force_and_scikit_learn(tmp_path):
    generator = np.random.default_rng(0)
    words = {x: [c + d for c in "abcdefgh" for d in "xyz"] for x in ("da", "en")}

    def made_up(prefix, n):
        return [(f"{prefix}{i}", " ".join(generator.choice(words["da"], 15))) for i in range(n)]

    documents, queries = ({x: made_up(p, n) for x in words} for p, n in (("d", 18), ("q", 9)))
    lines = [
        f"q{i} 0 d{j} {generator.integers(0, 4)}\n"
        for i in range(9)
        for j in generator.permutation(18)[:7]
    ]
    (tmp_path / "qrels").write_text("".join(lines))
    data = Data({}, None, read(tmp_path, documents, queries, words))
    weights = {x: generator.random(24) + 0.5 for x in words}  # so that no two scores are equal
    model = untranslated(words, term_frequency="log", weights=weights)
    searches = list(AdHoc(qrels=str(tmp_path / "qrels")).searches(data, ("da", "en")))
    assert {(x.query, x.target) for x in searches} == {("da", "en"), ("en", "da")}
    for search in searches:
        [found] = rank_all([search], model, ["cosine"])
        ranks, scores = brute_force(search, model)
        grades, k = search.relevance.toarray(), 5
        expected = [ranks[i, j] for i, j in np.ndindex(grades.shape) if grades[i, j]]
        assert found.answers["rank"].tolist() == expected
        ranked = Ranked.of(found.answers, found.queries)
        theirs = [ndcg_score([g], [s], k=k) for g, s in zip(grades, scores, strict=True)]
        np.testing.assert_allclose(values(ranked, f"nDCG@{k}"), theirs)
        theirs = [average_precision_score(g > 0, s) for g, s in zip(grades, scores, strict=True)]
        np.testing.assert_allclose(values(ranked, "AP"), theirs)
