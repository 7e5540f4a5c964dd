"""By which rules bags are made: those that change none are the same step."""

import numpy as np
import pytest

from cr5.counts import bags
from cr5.counts.rules import Rules
from cr5.steps.bags import rules_of_bags

RECORDS = [("q1", "", "a b c d"), ("q2", "", "a b c"), ("q3", "", "a b e f g"), ("q4", "", "a")]
ALL_WORDS = list("abcdefg")


def counted(rules, given_words):
    bags_of_records, _ = bags.counted(RECORDS, rules, "en", given_words)
    return bags_of_records


@pytest.mark.parametrize(
    ("keys", "given_words", "counts"),
    [
        ({"vocabulary": "training"}, None, False),
        ({"vocabulary": "training_df"}, None, False),
        ({"vocabulary": "training", "unique_words_in": "vocabulary"}, None, True),
        ({"vocabulary": "text"}, None, True),
        ({"vocabulary": "text", "unique_words_in": "vocabulary"}, None, True),
        ({"vocabulary": "vectors"}, ALL_WORDS, False),
        ({"vocabulary": "vectors", "unique_words_in": "vocabulary"}, ALL_WORDS, False),
    ],
)
def test_max_words_is_of_the_step_where_it_changes_bags_and_only_there(keys, given_words, counts):
    rules = Rules(min_documents=1, unique_words=(1, 4), **keys)
    of_two_words = rules.model_copy(update={"max_words": 2})
    assert (rules_of_bags(of_two_words) != rules_of_bags(rules)) == counts
    by_rules = counted(rules, given_words)
    by_two_words = counted(of_two_words, given_words)
    is_same = (
        by_rules.words.equals(by_two_words.words)
        and by_rules.documents.equals(by_two_words.documents)
        and np.array_equal(by_rules.counts.toarray(), by_two_words.counts.toarray())
    )
    assert is_same != counts
