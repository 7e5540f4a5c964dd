"""Which documents are asked for and searched, and what weighs their words."""

from dataclasses import replace

import numpy as np
import pandas as pd
import pytest
from numpy.testing import assert_allclose, assert_array_equal

from cr5.splits.draw import Draw
from cr5.tasks.base import Data
from cr5.tasks.documents import Documents
from tests.kit.concepts import LANGUAGES
from tests.tasks.asked import by_direction, candidate_ids, query_ids


def searches(bags, drawn, role="test", **options):
    """The searches of the task, by direction."""
    task = Documents(**options)
    return by_direction(task.searches(Data(bags, drawn), LANGUAGES, role))


@pytest.fixture
def long_bags(bags):
    """The same, of 98 to 102 tokens; a concept's documents differ in length."""
    with_lengths = {}
    for number, language in enumerate(LANGUAGES):
        documents = bags[language].documents
        lengths = 98 + (np.arange(len(documents)) + number) % 5
        with_lengths[language] = replace(
            bags[language], documents=documents.assign(n_tokens=lengths)
        )
    return with_lengths


def test_documents_may_have_to_be_long(long_bags, drawn):
    """Queries in both languages, and candidates; words count as often as they occur."""
    long_concepts = {}
    for language, bags in long_bags.items():
        is_long = bags.documents["n_tokens"] >= 100
        long_concepts[language] = set(bags.documents["concept"][is_long])
    asked = searches(long_bags, drawn, min_words=100)
    assert len(asked) == 6
    for direction, search in asked.items():
        query_language, target_language = direction
        long_in_both = long_concepts[query_language] & long_concepts[target_language]
        drawn_queries = set(drawn.queries_of(direction, "test"))
        candidates = set(drawn.candidates_of(target_language))
        assert set(query_ids(search)) == drawn_queries & long_in_both
        assert set(query_ids(search)) < drawn_queries
        assert set(candidate_ids(search)) == candidates & long_concepts[target_language]


def test_a_pair_without_queries_is_left_out(bags, drawn):
    queries = drawn.queries
    is_pair = (queries["first"] == "da") & (queries["second"] == "vi")
    asked = searches(bags, Draw(queries[~is_pair], drawn.candidates, drawn.pairs))
    assert asked.keys() == {("da", "en"), ("en", "da"), ("en", "vi"), ("vi", "en")}


def test_validation_searches_no_test_document(bags, drawn):
    for direction, search in searches(bags, drawn, "validation").items():
        assert query_ids(search) == drawn.queries_of(direction, "validation").tolist()
        assert set(candidate_ids(search)).isdisjoint(drawn.held_out("test"))


def idf_of_muse(counts):
    """max(1, log10(N / df)), and 0 of a word that no text has."""
    frequencies = (counts > 0).sum(axis=0)
    idf = np.log10(len(counts) / np.maximum(frequencies, 1))
    return np.where(frequencies > 0, np.maximum(idf, 1), 0)


def check_idf(search, bags, reference_concepts):
    """Raise unless words count once, weighed by documents of these concepts."""
    counts = bags.counts.toarray()
    is_reference = bags.documents["concept"].isin(reference_concepts).to_numpy()
    is_in_candidate = counts[bags.rows(search.candidates.ids)] > 0
    assert 0 < is_reference.sum() < len(counts)
    assert_allclose(search.candidates.weights, idf_of_muse(counts[is_reference]))
    assert_array_equal(search.candidates.counts.toarray(), is_in_candidate)


@pytest.mark.parametrize("role", ["test", "validation"])
def test_documents_that_are_not_searched_have_the_idf(bags, drawn, role):
    for direction, search in searches(bags, drawn, role, idf="own").items():
        _, target_language = direction
        bags_of_target = bags[target_language]
        concepts = set(bags_of_target.documents["concept"])
        concepts.difference_update(drawn.held_out())
        concepts.difference_update(drawn.search_space(target_language, LANGUAGES, role))
        check_idf(search, bags_of_target, concepts)


@pytest.mark.parametrize("role", ["test", "validation"])
@pytest.mark.parametrize("n_not_searched", [0, 2])
def test_where_too_few_are_not_searched_those_that_are_no_queries_have_it(
    bags, drawn, role, n_not_searched
):
    candidates = []
    for language in LANGUAGES:
        documents = bags[language].documents.iloc[n_not_searched:]
        candidates.append(documents[["concept"]].assign(language=language))
    searching_all = replace(drawn, candidates=pd.concat(candidates))
    for direction, search in searches(bags, searching_all, role, idf="own").items():
        _, target_language = direction
        bags_of_target = bags[target_language]
        concepts = set(bags_of_target.documents["concept"])
        check_idf(search, bags_of_target, concepts.difference(drawn.held_out()))
