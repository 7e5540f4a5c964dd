import itertools
from dataclasses import replace

import numpy as np
import pandas as pd
import pytest

from cr5.fitting.choose import validation
from cr5.models.word_tables import WordTables
from cr5.splits.draw import draw
from cr5.splits.drawn import Draw
from cr5.splits.options import Sizes
from cr5.tasks.base import Data
from cr5.tasks.documents import Documents
from cr5.tasks.ranking import rank_all

LANGUAGES = ("da", "en", "vi")


def found_by(bags, drawn, languages, model, role="test", measures=None):
    searches = Documents().searches(Data(bags, drawn), languages, role)
    found = rank_all(searches, model, measures)
    return {(each.query, each.target, each.similarity): each for each in found}


@pytest.mark.parametrize("role", ["test", "validation"])
def test_of_a_pair_that_others_link_the_pair_alone_is_searched(bags, model_of_words, role):
    """As by a model of the pair alone, though it is of three languages, for which none is drawn."""
    tables = {x: b.documents for x, b in bags.items()}
    drawn = draw(tables, [("da", "vi")], Sizes(test=30, validation=20, candidates=100), 0)
    data = Data(bags, drawn, pairs=[("da", "vi")])
    found = list(rank_all(Documents().searches(data, LANGUAGES, role), model_of_words))
    expected = found_by(bags, drawn, ("da", "vi"), model_of_words, role)
    assert list(expected) == [(x.query, x.target, x.similarity) for x in found]
    assert {("da", "vi"), ("vi", "da")} == {(x.query, x.target) for x in found}
    for each in found:
        other = expected[each.query, each.target, each.similarity]
        pd.testing.assert_frame_equal(each.answers, other.answers)
        pd.testing.assert_frame_equal(each.queries, other.queries)


def test_documents_may_have_to_be_long(bags, drawn):
    """Queries in both languages, and candidates; words count as often as they occur."""
    longer = {x: replace(b, documents=b.documents.copy()) for x, b in bags.items()}
    for i, b in enumerate(longer.values()):
        b.documents["n_tokens"] = 98 + (np.arange(len(b.documents)) + i) % 5
    long = {
        x: set(b.documents["concept"][b.documents["n_tokens"] >= 100]) for x, b in longer.items()
    }
    found = list(Documents(min_words=100).searches(Data(longer, drawn), LANGUAGES))
    assert len(found) == 6
    for each in found:
        asked = set(drawn.queries_of((each.query, each.target), "test"))
        assert set(each.queries.ids) == asked & long[each.query] & long[each.target]
        assert 0 < len(each.queries.ids) < len(asked)
        candidates = set(drawn.candidates_of(each.target)) & long[each.target]
        assert set(each.candidates.ids) == candidates
        assert each.relevance.sum() == len(each.queries.ids)


def without(drawn, pair):
    """The draw of a corpus in which a pair shares too little for a query."""
    is_pair = (drawn.queries["first"] == pair[0]) & (drawn.queries["second"] == pair[1])
    return Draw(drawn.queries[~is_pair], drawn.candidates, drawn.pairs)


def test_a_pair_without_queries_is_left_out(bags, drawn, model_of_words):
    found = found_by(bags, without(drawn, ("da", "vi")), LANGUAGES, model_of_words)
    assert {key[:2] for key in found} == {("da", "en"), ("en", "da"), ("en", "vi"), ("vi", "en")}


def test_validation_searches_no_test_document(bags, drawn, model_of_words):
    found = found_by(bags, drawn, LANGUAGES, model_of_words, "validation")
    for (query, target, _), each in found.items():
        queries = drawn.queries_of((query, target), "validation")
        assert each.queries["query"].tolist() == queries.tolist()
        nearest = set().union(*each.queries["nearest"])
        assert not nearest & set(drawn.held_out("test"))


@pytest.mark.parametrize("role", ["test", "validation"])
def test_with_an_own_idf_words_count_once_by_documents_that_are_not_searched(bags, drawn, role):
    searches = Documents(idf="own").searches(Data(bags, drawn), LANGUAGES, role)
    for search in searches:
        used = set(drawn.search_space(search.target, LANGUAGES, role)) | set(drawn.held_out())
        has = bags[search.target].counts.toarray() > 0
        rest = has[[x not in used for x in bags[search.target].documents["concept"]]]
        assert 0 < len(rest) < len(has)
        expected = [max(1, np.log10(len(rest) / n)) if n else 0 for n in rest.sum(axis=0)]
        np.testing.assert_allclose(search.candidates.weights, expected)
        rows = bags[search.target].rows(search.candidates.ids)
        np.testing.assert_array_equal(search.candidates.counts.toarray(), has[rows])


@pytest.mark.parametrize("others", [0, 2])
def test_if_too_few_are_not_searched_those_that_are_no_queries_have_the_idf(bags, drawn, others):
    concepts = {x: each.documents[["concept"]].iloc[others:] for x, each in bags.items()}
    searched = [each.assign(language=x) for x, each in concepts.items()]
    data = Data(bags, replace(drawn, candidates=pd.concat(searched)))
    for search in Documents(idf="own").searches(data, LANGUAGES):
        given, queries = bags[search.target], set(drawn.held_out())
        rest = given.counts.toarray()[[x not in queries for x in given.documents["concept"]]] > 0
        expected = [max(1, np.log10(len(rest) / n)) if n else 0 for n in rest.sum(axis=0)]
        np.testing.assert_allclose(search.candidates.weights, expected)


def unit(bags, concepts):
    counts = bags.counts[bags.rows(concepts)].toarray().astype(float)
    return counts / np.linalg.norm(counts, axis=1)[:, None]


def test_the_criterion_of_validation_is_the_mean_reciprocal_rank(bags, drawn, model_of_words):
    expected = []
    for query, target in itertools.permutations(LANGUAGES, 2):
        queries = drawn.queries_of((query, target), "validation")
        space = drawn.search_space(target, LANGUAGES, "validation")
        Q, C = unit(bags[query], queries), unit(bags[target], space)
        cosines = Q @ C.T
        own = cosines[np.arange(len(queries)), space.get_indexer(queries)]
        expected.append((1 / (cosines >= own[:, None] - 1e-6).sum(axis=1)).mean())
    score = validation(bags, drawn, LANGUAGES)
    assert score(model_of_words) == pytest.approx(np.mean(expected))
    assert score(model_of_words) > 0.9
    shuffled = np.random.default_rng(0).permutation(np.eye(30, dtype=np.float32))
    tables = {**model_of_words.tables, "vi": shuffled}
    worse = WordTables(model_of_words.words, tables, model_of_words.weights)
    assert score(worse) < score(model_of_words)
