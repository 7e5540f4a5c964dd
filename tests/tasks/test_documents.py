"""Which documents are asked for and searched, and what weighs their words."""

from dataclasses import replace

import numpy as np
import pandas as pd
import pytest

from cr5.splits.draw import Draw
from cr5.tasks.base import Data
from cr5.tasks.documents import Documents
from tests.kit.concepts import LANGUAGES


def searches(bags, drawn, role="test", **options):
    """The searches of the task, by direction."""
    made = Documents(**options).searches(Data(bags, drawn), LANGUAGES, role)
    return {(search.query_language, search.target_language): search for search in made}


def test_documents_may_have_to_be_long(bags, drawn):
    """Queries in both languages, and candidates; words count as often as they occur."""
    longer = {}
    long_concepts = {}
    for number, language in enumerate(LANGUAGES):
        documents = bags[language].documents
        n_tokens = 98 + (np.arange(len(documents)) + number) % 5
        longer[language] = replace(bags[language], documents=documents.assign(n_tokens=n_tokens))
        long_concepts[language] = set(documents["concept"][n_tokens >= 100])
    by_direction = searches(longer, drawn, min_words=100)
    assert len(by_direction) == 6
    for (query_language, target_language), search in by_direction.items():
        asked = set(drawn.queries_of((query_language, target_language), "test"))
        candidates = set(drawn.candidates_of(target_language))
        long_in_both = long_concepts[query_language] & long_concepts[target_language]
        assert set(search.queries.ids) == asked & long_in_both
        assert set(search.queries.ids) < asked
        assert set(search.candidates.ids) == candidates & long_concepts[target_language]


def test_a_pair_without_queries_is_left_out(bags, drawn):
    is_pair = (drawn.queries["first"] == "da") & (drawn.queries["second"] == "vi")
    by_direction = searches(bags, Draw(drawn.queries[~is_pair], drawn.candidates, drawn.pairs))
    assert by_direction.keys() == {("da", "en"), ("en", "da"), ("en", "vi"), ("vi", "en")}


def test_validation_searches_no_test_document(bags, drawn):
    for pair, search in searches(bags, drawn, "validation").items():
        assert search.queries.ids.tolist() == drawn.queries_of(pair, "validation").tolist()
        assert set(search.candidates.ids).isdisjoint(drawn.held_out("test"))


def idf_of_muse(counts):
    """max(1, log10(N / df)), and 0 of a word that no text has."""
    frequencies = (counts > 0).sum(axis=0)
    n_texts = len(counts)
    return [max(1, np.log10(n_texts / frequency)) if frequency else 0 for frequency in frequencies]


def check_idf(search, bags, reference_concepts):
    """Raise unless words count once, weighed by documents of these concepts."""
    all_counts = bags.counts.toarray()
    is_reference = bags.documents["concept"].isin(reference_concepts).to_numpy()
    assert 0 < is_reference.sum() < len(all_counts)
    expected = idf_of_muse(all_counts[is_reference])
    np.testing.assert_allclose(search.candidates.weights, expected)
    is_there = all_counts[bags.rows(search.candidates.ids)] > 0
    np.testing.assert_array_equal(search.candidates.counts.toarray(), is_there)


@pytest.mark.parametrize("role", ["test", "validation"])
def test_documents_that_are_not_searched_have_the_idf(bags, drawn, role):
    for (_, target_language), search in searches(bags, drawn, role, idf="own").items():
        concepts = set(bags[target_language].documents["concept"])
        searched = drawn.search_space(target_language, LANGUAGES, role)
        check_idf(search, bags[target_language], concepts.difference(drawn.held_out(), searched))


@pytest.mark.parametrize("role", ["test", "validation"])
@pytest.mark.parametrize("n_not_searched", [0, 2])
def test_where_too_few_are_not_searched_those_that_are_no_queries_have_it(
    bags, drawn, role, n_not_searched
):
    candidates = [
        bags[language].documents[["concept"]].iloc[n_not_searched:].assign(language=language)
        for language in LANGUAGES
    ]
    searching_all = replace(drawn, candidates=pd.concat(candidates))
    for (_, target_language), search in searches(bags, searching_all, role, idf="own").items():
        concepts = set(bags[target_language].documents["concept"])
        check_idf(search, bags[target_language], concepts.difference(drawn.held_out()))
