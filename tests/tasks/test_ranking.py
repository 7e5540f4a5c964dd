"""Every search of a task is ranked by the formulas of its measures, each text embedded once."""

from dataclasses import replace

import numpy as np
import pandas as pd
import pytest
from scipy import sparse

from cr5.models.bank import with_bank
from cr5.scores.ranking import rank_all
from cr5.search import word_matches
from cr5.search.options import SearchOptions
from cr5.search.word_matches import matches
from cr5.tasks.base import Data, Search, Texts, relevance_of
from cr5.tasks.documents import Documents
from tests.kit.inside import dense
from tests.retrieval import made_up

LANGUAGES = ("da", "en", "vi")


def texts(names, seed=0):
    counts = np.random.default_rng(seed).poisson(1, (len(names), 30)) + 1
    return Texts(pd.DataFrame({"id": list(names)}, dtype=str), sparse.csr_matrix(counts))


def same_ids(queries, candidates):
    return relevance_of(queries, candidates, queries, queries)


def by_direction(found):
    return {(each.query, each.target, each.similarity): each for each in found}


def same(one, other):
    assert one.keys() == other.keys()
    for key, found in one.items():
        pd.testing.assert_frame_equal(found.answers, other[key].answers, check_exact=True)
        pd.testing.assert_frame_equal(found.queries, other[key].queries, check_exact=True)


def check(found, scores, candidates, atol=1e-6):
    """Raise unless a result has these scores; the k-th query's answer is the k-th column."""
    own = np.diag(scores)
    np.testing.assert_allclose(found.answers["score"], own, atol=atol)
    assert found.answers["rank"].tolist() == (scores >= own[:, None]).sum(axis=1).tolist()
    best = [candidates.ids[order].tolist() for order in np.argsort(-scores)[:, :10]]
    assert found.queries["nearest"].tolist() == best


def mean_of_top(scores, k):
    return np.sort(scores)[:, -k:].mean(axis=1)


KINDS = dict(made_up.models())


@pytest.mark.parametrize(
    ("kind", "neighbourhood"),
    [
        *((kind, "training") for kind in ("dense", "sparse", "joined", "directed")),
        *(("dense", x) for x in ("candidates", "queries")),
    ],
)
def test_hubs_are_corrected_by_their_neighbourhood_with_dense_matrices(kind, neighbourhood):
    """By training documents each query alone gets what it gets among others."""
    counts = [
        sparse.csr_matrix(np.random.default_rng(seed).poisson(0.3, (n, 60)))
        for seed, n in enumerate((4, 15, 9))
    ]
    model = with_bank(KINDS[kind], {"en": counts[2], "it": counts[1]})
    candidates = Texts(pd.DataFrame({"id": list("abcdefghijklmno")}), counts[1])
    given = {"csls_neighbours": 3, "inverse_temperature": 8.0}
    how = SearchOptions(csls_neighbourhood=neighbourhood, **given)

    def ranked(queries, threads=1):
        relevance = same_ids(queries.ids, candidates.ids)
        whole = Texts(pd.DataFrame({"id": list("abcdefghi")}), counts[2])
        search = Search("en", "it", queries, candidates, relevance, whole)
        measures = ["cosine", "csls", "inverted_softmax"]
        return by_direction(rank_all([search], model, measures, how, threads))

    towards = "it" if model.directed else None
    Q, C, B = (
        np.hstack(dense(model.embed(rows, language, towards))).astype(float)
        for rows, language in zip(counts, ("en", "it", "en"), strict=True)
    )
    near = {"queries": Q, "candidates": B, "training": B.astype(np.float16).astype(float)}
    cosines, near = Q @ C.T, C @ near[neighbourhood].T
    expected = {
        "cosine": cosines,
        "csls": 2 * cosines - mean_of_top(cosines, 3)[:, None] - mean_of_top(near, 3),
        "inverted_softmax": cosines - np.log(np.exp(8 * near).sum(1)) / 8,
    }
    queries = Texts(pd.DataFrame({"id": list("abcd")}), counts[0])
    found = ranked(queries)
    same(found, ranked(queries, threads=3))
    alone = [ranked(queries.select(queries.ids[[row]])) for row in range(4)]
    for name, scores in expected.items():
        each = found["en", "it", name]
        check(each, scores, candidates, atol=2e-4)  # sparse: no float16
        if neighbourhood == "training":
            single = [x["en", "it", name].answers["score"].item() for x in alone]
            np.testing.assert_allclose(single, each.answers["score"], atol=1e-6)


@pytest.mark.parametrize("kind", ["dense", "directed"])
def test_texts_that_are_found_one_way_and_near_the_other_way_are_embedded_for_each(kind):
    model, counts = KINDS[kind], np.random.default_rng(0).poisson(0.5, (2, 9, 60))
    ids = pd.DataFrame({"id": list("abcdefghi")})
    spaces = {
        x: Texts(ids, sparse.csr_matrix(y)) for x, y in zip(("en", "it"), counts, strict=True)
    }
    relevant = same_ids(spaces["en"].ids, spaces["it"].ids)
    searches = [
        Search(x, y, spaces[x], spaces[y], relevant, spaces[x])
        for x, y in (("en", "it"), ("it", "en"))
    ]
    alone = [*rank_all(searches[:1], model, ["csls"]), *rank_all(searches[1:], model, ["csls"])]
    same(by_direction(rank_all(searches, model, ["csls"])), by_direction(alone))


@pytest.mark.parametrize(
    ("asked", "taken"),
    [
        (None, {"cosine", "csls"}),
        (["l1", "csls"], {"csls"}),  # what fits its rows
        (["dot"], {"cosine", "csls"}),  # none does: all of its own
    ],
)
def test_the_models_own_measures_or_others(model_of_words, asked, taken):
    search = Search("da", "en", texts("ab"), texts("ab"), sparse.identity(2, format="csr"))
    assert {x.similarity for x in rank_all([search], model_of_words, asked)} == taken


def test_a_model_with_a_second_stage_ranks_by_both(bags, drawn, model_of_words, monkeypatch):
    """The second stage takes all candidates, so that all are in the order of both."""
    monkeypatch.setattr(word_matches, "DEPTH", 1000)
    model, searches = replace(model_of_words, rerank=0.5), Documents().searches
    made = list(searches(Data(bags, drawn), LANGUAGES, "test"))
    found = by_direction(rank_all(made, model, ["cosine"]))
    same(found, by_direction(rank_all(made, model, ["cosine"], threads=3)))
    for search in made:
        spaces = [
            (search.queries, search.query_language),
            (search.candidates, search.target_language),
        ]
        rows = [model.embed(texts.counts, x).astype(float) for texts, x in spaces]
        words = [model.matched(texts.counts, x) for texts, x in spaces]
        n, m = search.relevance.shape
        assert m <= 1000
        pairs = np.divmod(np.arange(n * m), m)
        scores = rows[0] @ rows[1].T + 0.5 * matches(*words, *pairs).reshape(n, m)
        own = scores[np.arange(n), search.relevance.indices]
        ranked = found[search.query_language, search.target_language, "cosine"].answers
        assert ranked["query"].tolist() == search.queries.ids.tolist()
        assert ranked["rank"].tolist() == (scores >= own[:, None] - 1e-6).sum(axis=1).tolist()
        np.testing.assert_allclose(ranked["score"], own, atol=1e-6)


@pytest.mark.parametrize("rerank", [0.0, 1.0])
def test_texts_own_weights_of_words_hold_in_both_stages(model_of_words, rerank):
    model, weights = replace(model_of_words, rerank=rerank), np.linspace(0, 3, 30)
    queries, candidates = texts("ab"), texts("abc", 1)

    def answers(model, queries):
        relevance = same_ids(queries.ids, candidates.ids)
        [found] = rank_all([Search("da", "en", queries, candidates, relevance)], model, ["cosine"])
        return found.answers

    found = answers(model, replace(queries, weights=weights))
    expected = answers(model.reweighted("da", weights), queries)
    pd.testing.assert_frame_equal(found, expected)
    assert not answers(model, queries)["score"].equals(found["score"])
