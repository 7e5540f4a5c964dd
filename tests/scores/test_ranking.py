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
from tests.kit.concepts import LANGUAGES, made_bags, made_draw, made_model
from tests.kit.inside import dense
from tests.retrieval.made_up import MODELS

LETTERS = "abcdefghijklmno"


@pytest.fixture(scope="session")
def bags():
    return made_bags()


@pytest.fixture
def model_of_words():
    return made_model()


def texts(counts, whole=None):
    """Texts of these counts, called a, b, c, ..."""
    ids = list(LETTERS[: counts.shape[0]])
    return Texts(pd.DataFrame({"id": ids}), sparse.csr_matrix(counts), whole)


def some_texts(n_texts, seed=0):
    return texts(np.random.default_rng(seed).poisson(1, (n_texts, 30)) + 1)


def same_ids(queries, candidates):
    return relevance_of(queries.ids, candidates.ids, queries.ids, queries.ids)


def by_direction(results):
    return {
        (result.query_language, result.target_language, result.similarity): result
        for result in results
    }


def check_same(results, expected):
    assert results.keys() == expected.keys()
    for key, result in results.items():
        of_key = expected[key]
        pd.testing.assert_frame_equal(result.answers, of_key.answers, check_exact=True)
        pd.testing.assert_frame_equal(result.queries, of_key.queries, check_exact=True)


def check(result, scores, candidates, atol=1e-6):
    """Raise unless a result has these scores; the k-th query's answer is the k-th column."""
    of_answers = np.diag(scores)
    np.testing.assert_allclose(result.answers["score"], of_answers, atol=atol)
    ranks = (scores >= of_answers[:, None]).sum(axis=1)
    assert result.answers["rank"].tolist() == ranks.tolist()
    nearest = []
    for order in np.argsort(-scores)[:, :10]:
        nearest.append(candidates.ids[order].tolist())
    assert result.queries["nearest"].tolist() == nearest


def mean_of_top(scores, k):
    return np.sort(scores)[:, -k:].mean(axis=1)


@pytest.fixture
def counts():
    """Of queries, candidates and neighbours: texts x 60 words."""
    sizes = {"queries": 4, "candidates": 15, "neighbours": 9}
    counts = {}
    for seed, (name, n_texts) in enumerate(sizes.items()):
        generator = np.random.default_rng(seed)
        counts[name] = sparse.csr_matrix(generator.poisson(0.3, (n_texts, 60)))
    return counts


def embedded(model, counts, language):
    """Rows of documents of a language, of a directed model for Italian."""
    target_language = "it" if model.directed else None
    rows = model.embed(counts, language, target_language)
    return np.hstack(dense(rows)).astype(float)


def expected_scores(model, counts, neighbourhood):
    """Scores by the formulas of the measures, with dense matrices; K is 3 and beta 8."""
    queries = embedded(model, counts["queries"], "en")
    candidates = embedded(model, counts["candidates"], "it")
    neighbours = embedded(model, counts["neighbours"], "en")
    if neighbourhood == "queries":
        neighbours = queries
    if neighbourhood == "training":  # as they are stored
        neighbours = neighbours.astype(np.float16).astype(float)
    cosines = queries @ candidates.T
    to_neighbours = candidates @ neighbours.T
    hubness = mean_of_top(cosines, 3)[:, None] + mean_of_top(to_neighbours, 3)
    sums = np.exp(8 * to_neighbours).sum(axis=1)
    return {
        "cosine": cosines,
        "csls": 2 * cosines - hubness,
        "inverted_softmax": cosines - np.log(sums) / 8,
    }


@pytest.fixture
def ranked(counts):
    """Gives the results of queries, by direction and measure."""

    def rank(model, queries, neighbourhood, threads=1):
        candidates = texts(counts["candidates"])
        relevance = same_ids(queries, candidates)
        neighbours = texts(counts["neighbours"])
        search = Search("en", "it", queries, candidates, relevance, neighbours)
        how = SearchOptions(
            csls_neighbourhood=neighbourhood, csls_neighbours=3, inverse_temperature=8.0
        )
        measures = ["cosine", "csls", "inverted_softmax"]
        return by_direction(rank_all([search], model, measures, how, threads))

    return rank


@pytest.mark.parametrize(
    ("kind", "neighbourhood"),
    [
        ("dense", "training"),
        ("sparse", "training"),
        ("joined", "training"),
        ("directed", "training"),
        ("dense", "candidates"),
        ("dense", "queries"),
    ],
)
def test_hubs_are_corrected_by_their_neighbourhood_with_dense_matrices(
    kind, neighbourhood, counts, ranked
):
    model = with_bank(MODELS[kind], {"en": counts["neighbours"], "it": counts["candidates"]})
    queries = texts(counts["queries"])
    results = ranked(model, queries, neighbourhood)
    check_same(results, ranked(model, queries, neighbourhood, threads=3))
    for name, scores in expected_scores(model, counts, neighbourhood).items():
        result = results["en", "it", name]
        check(result, scores, texts(counts["candidates"]), atol=2e-4)  # sparse: no float16


@pytest.mark.parametrize("kind", ["dense", "sparse", "joined", "directed"])
def test_by_training_documents_each_query_alone_gets_what_it_gets_among_others(
    kind, counts, ranked
):
    model = with_bank(MODELS[kind], {"en": counts["neighbours"], "it": counts["candidates"]})
    queries = texts(counts["queries"])
    together = ranked(model, queries, "training")
    for number in range(len(queries.ids)):
        alone = ranked(model, queries.select(queries.ids[[number]]), "training")
        for key, result in alone.items():
            score = together[key].answers["score"][number]
            assert result.answers["score"].item() == pytest.approx(score, abs=1e-6)


@pytest.mark.parametrize("kind", ["dense", "directed"])
def test_texts_that_are_found_one_way_and_near_the_other_way_are_embedded_for_each(kind):
    counts = np.random.default_rng(0).poisson(0.5, (2, 9, 60))
    english = texts(counts[0])
    italian = texts(counts[1])
    relevance = same_ids(english, italian)
    to_italian = Search("en", "it", english, italian, relevance, english)
    to_english = Search("it", "en", italian, english, relevance, italian)
    together = rank_all([to_italian, to_english], MODELS[kind], ["csls"])
    first = rank_all([to_italian], MODELS[kind], ["csls"])
    second = rank_all([to_english], MODELS[kind], ["csls"])
    apart = list(first) + list(second)
    check_same(by_direction(together), by_direction(apart))


@pytest.mark.parametrize(
    ("asked", "taken"),
    [
        (None, {"cosine", "csls"}),
        (["l1", "csls"], {"csls"}),  # what fits its rows
        (["dot"], {"cosine", "csls"}),  # none does: all of its own
    ],
)
def test_the_models_own_measures_or_others(model_of_words, asked, taken):
    search = Search("da", "en", some_texts(2), some_texts(2), sparse.identity(2, format="csr"))
    results = rank_all([search], model_of_words, asked)
    assert {result.similarity for result in results} == taken


def test_a_model_with_a_second_stage_ranks_by_both(bags, model_of_words, monkeypatch):
    """The second stage takes all candidates, so that all are in the order of both."""
    monkeypatch.setattr(word_matches, "DEPTH", 1000)
    model = replace(model_of_words, rerank=0.5)
    data = Data(bags, made_draw(bags))
    searches = list(Documents().searches(data, LANGUAGES, "test"))
    results = by_direction(rank_all(searches, model, ["cosine"]))
    check_same(results, by_direction(rank_all(searches, model, ["cosine"], threads=3)))
    for search in searches:
        scores = scores_of_both_stages(model, search)
        of_answers = scores[np.arange(len(scores)), search.relevance.indices]
        ranks = (scores >= of_answers[:, None] - 1e-6).sum(axis=1)
        answers = results[search.query_language, search.target_language, "cosine"].answers
        assert answers["query"].tolist() == search.queries.ids.tolist()
        assert answers["rank"].tolist() == ranks.tolist()
        np.testing.assert_allclose(answers["score"], of_answers, atol=1e-6)


def scores_of_both_stages(model, search):
    """Queries x candidates: the cosine, and half of what matches of words add."""
    query_counts = search.queries.counts
    candidate_counts = search.candidates.counts
    query_rows = model.embed(query_counts, search.query_language).astype(float)
    candidate_rows = model.embed(candidate_counts, search.target_language).astype(float)
    query_words = model.matched(query_counts, search.query_language)
    candidate_words = model.matched(candidate_counts, search.target_language)
    n_queries, n_candidates = search.relevance.shape
    assert n_candidates <= 1000
    queries, candidates = np.divmod(np.arange(n_queries * n_candidates), n_candidates)
    added = matches(query_words, candidate_words, queries, candidates)
    return query_rows @ candidate_rows.T + 0.5 * added.reshape(n_queries, n_candidates)


@pytest.mark.parametrize("rerank", [0.0, 1.0])
def test_texts_own_weights_of_words_hold_in_both_stages(model_of_words, rerank):
    weights = np.linspace(0, 3, 30)
    queries = some_texts(2)
    candidates = some_texts(3, seed=1)

    def answers(model, queries):
        relevance = same_ids(queries, candidates)
        search = Search("da", "en", queries, candidates, relevance)
        [result] = rank_all([search], model, ["cosine"])
        return result.answers

    model = replace(model_of_words, rerank=rerank)
    weighed = answers(model, replace(queries, weights=weights))
    expected = answers(model.reweighted("da", weights), queries)
    pd.testing.assert_frame_equal(weighed, expected)
    assert not answers(model, queries)["score"].equals(weighed["score"])
