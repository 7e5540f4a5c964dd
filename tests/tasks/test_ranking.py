"""Every search of a task is ranked, each text embedded once."""

from dataclasses import replace

import numpy as np
import pandas as pd
import pytest
from scipy import sparse

from cr5.base.errors import UserError
from cr5.base.rows import parts_of
from cr5.models.bank import with_bank
from cr5.models.word_tables import WordTables
from cr5.search import word_matches
from cr5.search.options import SearchOptions
from cr5.search.word_matches import matches
from cr5.tasks.base import Data, Search, Texts, one_answer_each
from cr5.tasks.documents import Documents
from cr5.tasks.ranking import rank_all
from tests.retrieval import made_up

TRAINING = SearchOptions(csls_neighbourhood="training")
LANGUAGES = ("da", "en", "vi")


def texts(names, seed=0):
    counts = np.random.default_rng(seed).poisson(1, (len(names), 30)) + 1
    return Texts(pd.Index(list(names), dtype=str), sparse.csr_matrix(counts))


def by_direction(found):
    return {(each.query, each.target, each.similarity): each for each in found}


def same(one, other):
    assert one.keys() == other.keys()
    for key, found in one.items():
        pd.testing.assert_frame_equal(found.answers, other[key].answers, check_exact=True)
        pd.testing.assert_frame_equal(found.queries, other[key].queries, check_exact=True)


def searches(bags, drawn):
    return Documents().searches(Data(bags, drawn), LANGUAGES)


@pytest.mark.parametrize("neighbourhood", ["candidates", "queries"])
def test_neighbourhoods_of_csls_by_the_formula(model_of_words, neighbourhood):
    whole, candidates = texts("abcdefghij", 1), texts("jihgfedcba", 2)
    queries = whole.select(pd.Index(["c", "a", "f"]))
    relevance = one_answer_each(queries.ids, candidates.ids)
    search = Search("da", "en", queries, candidates, relevance, whole)
    how = SearchOptions(csls_neighbours=2, csls_neighbourhood=neighbourhood)
    found = by_direction(rank_all([search], model_of_words, ["cosine", "csls"], how))
    Q, C, N = (
        each / np.linalg.norm(each, axis=1)[:, None]
        for each in (x.counts.toarray().astype(float) for x in (queries, candidates, whole))
    )
    N = N if neighbourhood == "candidates" else Q
    cosines = Q @ C.T
    csls = (
        2 * cosines - np.sort(cosines)[:, -2:].mean(1)[:, None] - np.sort(C @ N.T)[:, -2:].mean(1)
    )
    for name, scores in (("cosine", cosines), ("csls", csls)):
        each = found["da", "en", name]
        assert each.answers["query"].tolist() == ["c", "a", "f"]
        assert each.answers["candidate"].tolist() == ["c", "a", "f"]
        own = scores[[0, 1, 2], candidates.ids.get_indexer(["c", "a", "f"])]
        np.testing.assert_allclose(each.answers["score"], own, atol=1e-6)
        assert each.answers["rank"].tolist() == (scores >= own[:, None]).sum(axis=1).tolist()
        best = [candidates.ids[order].tolist() for order in np.argsort(-scores)]
        assert each.queries["nearest"].tolist() == best
        assert each.queries["n_relevant"].tolist() == [1, 1, 1]
        assert each.queries["n_candidates"].tolist() == [10] * 3


KINDS = dict(made_up.models())


@pytest.mark.parametrize("kind", ["dense", "sparse", "joined", "directed"])
def test_hubs_by_training_documents_with_dense_matrices(kind):
    """Each query alone gets what it gets among others."""
    counts = {
        name: sparse.csr_matrix(np.random.default_rng(seed).poisson(0.3, (n, 60)))
        for seed, (name, n) in enumerate((("queries", 4), ("candidates", 15), ("training", 9)))
    }
    model = with_bank(KINDS[kind], {"en": counts["training"], "it": counts["candidates"]})
    queries = Texts(pd.Index(list("abcd")), counts["queries"])
    candidates = Texts(pd.Index(list("abcdefghijklmno")), counts["candidates"])
    measures, k, beta = ["cosine", "csls", "inverted_softmax"], 3, 8.0
    given = {"csls_neighbours": k, "inverse_temperature": beta}
    how = SearchOptions(csls_neighbourhood="training", **given)

    def ranked(queries, threads=1):
        relevance = one_answer_each(queries.ids, candidates.ids)
        search = Search("en", "it", queries, candidates, relevance)
        return by_direction(rank_all([search], model, measures, how, threads))

    def unit(rows):
        return np.hstack([x.toarray() if sparse.issparse(x) else x for x in parts_of(rows)]).astype(
            float
        )

    towards = "it" if model.directed else None
    Q = unit(model.embed(counts["queries"], "en", towards))
    C = unit(model.embed(counts["candidates"], "it", towards))
    B = unit(model.embed(counts["training"], "en", towards)).astype(np.float16).astype(float)
    cosines, near = Q @ C.T, C @ B.T
    top = np.sort(cosines)[:, -k:].mean(1)[:, None]
    expected = {
        "cosine": cosines,
        "csls": 2 * cosines - top - np.sort(near)[:, -k:].mean(1),
        "inverted_softmax": cosines - np.log(np.exp(beta * near).sum(1)) / beta,
    }
    found = ranked(queries)
    same(found, ranked(queries, threads=3))
    alone = [ranked(queries.select(queries.ids[[row]])) for row in range(4)]
    for name, scores in expected.items():
        each, own = found["en", "it", name], np.diag(scores)
        np.testing.assert_allclose(each.answers["score"], own, atol=2e-4)  # sparse: no float16
        best = [candidates.ids[order].tolist() for order in np.argsort(-scores)[:, :10]]
        assert each.queries["nearest"].tolist() == best
        assert each.answers["rank"].tolist() == (scores >= own[:, None]).sum(axis=1).tolist()
        single = [x["en", "it", name].answers["score"].item() for x in alone]
        np.testing.assert_allclose(single, each.answers["score"], atol=1e-6)


def test_a_model_without_training_documents_cannot_correct_by_them(model_of_words):
    search = Search("da", "en", texts("ab"), texts("ab"), sparse.identity(2, format="csr"))
    with pytest.raises(UserError, match=r"keeps no training documents of .* fit it with"):
        list(rank_all([search], model_of_words, how=TRAINING))
    [found] = rank_all([search], model_of_words, ["cosine"], TRAINING)
    assert found.similarity == "cosine"


def test_the_models_own_measures_or_others(bags, drawn, model_of_words):
    found = by_direction(rank_all(searches(bags, drawn), model_of_words))
    assert {name for *_, name in found} == {"cosine", "csls"}
    for wanted, taken in (
        (["l1", "csls"], {"csls"}),  # what fits its rows
        (["dot"], {"cosine", "csls"}),  # none does: all of its own
    ):
        found = by_direction(rank_all(searches(bags, drawn), model_of_words, wanted))
        assert {name for *_, name in found} == taken


def test_several_graded_answers_none_and_a_depth(model_of_words):
    queries, candidates = texts("ab", 1), texts("wxyz", 2)
    grades = sparse.csr_matrix([[0, 0, 0, 0], [2, 1, 3, 0]])
    search = Search("da", "en", queries, candidates, grades)
    [found] = rank_all([search], model_of_words, ["cosine"])
    assert found.answers["query"].tolist() == ["b"] * 3
    assert found.answers["grade"].tolist() == [2, 1, 3]
    assert found.queries["query"].tolist() == ["a", "b"]
    assert found.queries["n_relevant"].tolist() == [0, 3]
    shallow = Search("da", "en", queries, candidates, grades, depth=1)
    [first] = rank_all([shallow], model_of_words, ["cosine"])
    kept = found.answers[found.answers["rank"] == 1].reset_index(drop=True)
    pd.testing.assert_frame_equal(first.answers, kept)
    assert first.queries["n_relevant"].tolist() == [0, 3]
    assert first.queries["depth"].tolist() == [1, 1]
    assert found.queries["depth"].isna().all()
    assert found.queries["depth"].dtype == first.queries["depth"].dtype == "Int64"


def test_rows_that_a_measure_cannot_compare(model_of_words):
    table = np.eye(30, dtype=np.float32)
    table[3, 3] = np.nan
    tables = {"da": table, "en": np.eye(30, dtype=np.float32)}
    broken = WordTables(
        {x: list(range(30)) for x in tables}, tables, dict.fromkeys(tables, np.ones(30))
    )
    search = Search("da", "en", texts("ab"), texts("ab"), sparse.identity(2, format="csr"))
    with pytest.raises(UserError, match=r"da-en: queries: .* row 0 has norm nan"):
        list(rank_all([search], broken))


def test_a_model_with_a_second_stage_ranks_by_both(bags, drawn, model_of_words, monkeypatch):
    """The second stage takes all candidates, so that all are in the order of both."""
    monkeypatch.setattr(word_matches, "DEPTH", 1000)
    model = replace(model_of_words, rerank=0.5)
    found = by_direction(rank_all(searches(bags, drawn), model, ["cosine"]))
    once_more = by_direction(rank_all(searches(bags, drawn), model, ["cosine"], threads=3))
    same(found, once_more)
    for search in searches(bags, drawn):
        spaces = [(search.queries, search.query), (search.candidates, search.target)]
        assert len(search.candidates.ids) <= 1000
        rows = [model.embed(texts.counts, x).astype(float) for texts, x in spaces]
        words = [model.matched(texts.counts, x) for texts, x in spaces]
        n, m = search.relevance.shape
        pairs = np.divmod(np.arange(n * m), m)
        scores = rows[0] @ rows[1].T + 0.5 * matches(*words, *pairs).reshape(n, m)
        own = scores[np.arange(n), search.relevance.indices]
        expected = (scores >= own[:, None] - 1e-6).sum(axis=1)
        ranked = found[search.query, search.target, "cosine"].answers
        assert ranked["query"].tolist() == search.queries.ids.tolist()
        assert ranked["rank"].tolist() == expected.tolist()
        np.testing.assert_allclose(ranked["score"], own, atol=1e-6)
    plain = by_direction(rank_all(searches(bags, drawn), model_of_words, ["cosine"]))
    assert any(not each.answers.equals(plain[key].answers) for key, each in found.items())


def test_a_second_stage_uses_the_texts_own_weights_of_words(model_of_words):
    model = replace(model_of_words, rerank=1.0)
    queries, candidates = texts("ab"), texts("abc", 1)
    relevance = one_answer_each(queries.ids, candidates.ids)
    weights = np.linspace(0, 3, 30)
    own = replace(queries, weights=weights)
    [found] = rank_all([Search("da", "en", own, candidates, relevance)], model, ["cosine"])
    weighing = model.reweighted("da", weights)
    [expected] = rank_all(
        [Search("da", "en", queries, candidates, relevance)], weighing, ["cosine"]
    )
    pd.testing.assert_frame_equal(found.answers, expected.answers)
    [other] = rank_all([Search("da", "en", queries, candidates, relevance)], model, ["cosine"])
    assert not other.answers["score"].equals(found.answers["score"])
