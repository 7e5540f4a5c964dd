"""Which documents are asked for and searched, and what weighs their words."""

from dataclasses import replace

import numpy as np
import pandas as pd
import pytest

from cr5.splits.draw import Draw
from cr5.tasks.base import Data
from cr5.tasks.documents import Documents

LANGUAGES = ("da", "en", "vi")


def found_by(bags, drawn, role="test", **options):
    found = Documents(**options).searches(Data(bags, drawn), LANGUAGES, role)
    return {(x.query_language, x.target_language): x for x in found}


def test_documents_may_have_to_be_long(bags, drawn):
    """Queries in both languages, and candidates; words count as often as they occur."""
    longer, long = {}, {}
    for i, (x, b) in enumerate(bags.items()):
        n_tokens = 98 + (np.arange(len(b.documents)) + i) % 5
        longer[x] = replace(b, documents=b.documents.assign(n_tokens=n_tokens))
        long[x] = set(b.documents["concept"][n_tokens >= 100])
    found = found_by(longer, drawn, min_words=100)
    assert len(found) == 6
    for pair, each in found.items():
        asked = set(drawn.queries_of(pair, "test"))
        assert set(each.queries.ids) == asked & long[pair[0]] & long[pair[1]] < asked
        assert set(each.candidates.ids) == set(drawn.candidates_of(pair[1])) & long[pair[1]]


def test_a_pair_without_queries_is_left_out(bags, drawn):
    is_pair = (drawn.queries["first"] == "da") & (drawn.queries["second"] == "vi")
    found = found_by(bags, Draw(drawn.queries[~is_pair], drawn.candidates, drawn.pairs))
    assert found.keys() == {("da", "en"), ("en", "da"), ("en", "vi"), ("vi", "en")}


def test_validation_searches_no_test_document(bags, drawn):
    for pair, each in found_by(bags, drawn, "validation").items():
        assert each.queries.ids.tolist() == drawn.queries_of(pair, "validation").tolist()
        assert not set(each.candidates.ids) & set(drawn.held_out("test"))


@pytest.mark.parametrize("role", ["test", "validation"])
@pytest.mark.parametrize("few", [None, 0, 2])
def test_with_an_own_idf_words_count_once_by_documents_that_are_not_searched(
    bags, drawn, role, few
):
    """If all are searched, or all but two, those that are no queries have the idf."""
    if few is not None:
        every = [b.documents[["concept"]].iloc[few:].assign(language=x) for x, b in bags.items()]
        drawn = replace(drawn, candidates=pd.concat(every))
    for (_, target), search in found_by(bags, drawn, role, idf="own").items():
        used = set(drawn.held_out())
        if few is None:
            used |= set(drawn.search_space(target, LANGUAGES, role))
        has = bags[target].counts.toarray() > 0
        rest = has[[x not in used for x in bags[target].documents["concept"]]]
        assert 0 < len(rest) < len(has)
        expected = [max(1, np.log10(len(rest) / n)) if n else 0 for n in rest.sum(axis=0)]
        np.testing.assert_allclose(search.candidates.weights, expected)
        rows = bags[target].rows(search.candidates.ids)
        np.testing.assert_array_equal(search.candidates.counts.toarray(), has[rows])
