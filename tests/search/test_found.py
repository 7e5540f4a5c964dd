import pandas as pd

from cr5.search.found import Found


def test_the_summary_is_the_share_of_queries_with_an_answer_in_the_first_place():
    # a has two answers, one of them first; b's is second; c's was not found; d's is first
    answers = pd.DataFrame({"query": ["a", "a", "b", "d"], "rank": [1, 2, 2, 1]})
    found = Found("da", "en", "cosine", answers, pd.DataFrame({"query": list("abcd")}))
    assert found.summary() == "da-en cosine: Success@1 0.500"
