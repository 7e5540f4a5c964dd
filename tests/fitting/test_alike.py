"""Which models validation cannot tell apart: sums with random signs, by hand and enumerated."""

import itertools

import numpy as np
import pytest

from cr5.contracts.training import Fit, QueryRanks, Validation
from cr5.fitting.alike import are_alike
from cr5.fitting.choose import Selection, Validator
from tests.kit.concepts import LANGUAGES, made_bags, made_draw, made_model

NOWHERE = np.inf


def validation(*ranks_of_searches):
    """The validation of searches with the same queries; its score is the MRR."""
    searches = []
    means = []
    for ranks in ranks_of_searches:
        reciprocals = 1 / np.array(ranks, float)
        means.append(reciprocals.mean())
        ids = np.arange(len(ranks))
        searches.append(QueryRanks(ids, np.array(ranks, float)))
    return Validation(np.mean(means), ranks=searches)


@pytest.mark.parametrize(
    ("first", "second", "expected"),
    [
        ([1, 1, 2], [1, 1, 2], True),
        ([1, 1, 1], [1, 1, NOWHERE], True),  # one query alone
        ([1, 1, 1], [1, NOWHERE, NOWHERE], False),  # 2 > sqrt(2)
        ([1, 1, 1, 2, 2], [2, 2, 2, 1, 1], True),  # 1/2 <= sqrt(5) / 2
        ([1, 1, 1, 1, 2], [2, 2, 2, 2, 1], False),  # 3/2 > sqrt(5) / 2
        ([1, 1, 1, 4], [2, 2, 2, 1], True),  # 3/2 - 3/4 <= sqrt(3/4 + 9/16)
    ],
)
def test_by_hand(first, second, expected):
    assert are_alike(validation(first), validation(second)) == expected
    assert are_alike(validation(second), validation(first)) == expected


@pytest.mark.parametrize(
    ("second", "expected"),
    [
        ([2, 1, 1, 1, 4, 6, 3, 2], True),
        ([2, 1, 40, 1, 4, 6, 3, 40], False),
    ],
)
def test_the_chance_is_that_of_random_signs(second, expected):
    first = np.array([1, 2, 1, 5, 3, 1, 1, 2.0])
    added = 1 / first - 1 / np.array(second)
    signs = np.array(list(itertools.product((-1, 1), repeat=8)))
    sums = signs @ added
    is_within = abs(added.sum()) <= sums.std()
    assert is_within == expected
    assert are_alike(validation(first), validation(second)) == expected


def test_a_query_of_several_directions_counts_once():
    """Were it four queries, the difference of 4 would be above sqrt(4)."""
    better = validation([1, 2], [1, 2], [1, 2], [1, 2])
    worse = validation([NOWHERE, 2], [NOWHERE, 2], [NOWHERE, 2], [NOWHERE, 2])
    assert are_alike(better, worse)


def test_each_direction_counts_alike_however_many_queries_it_has():
    """Two queries of two add 1/4 each, two of six take 1/24 each: 5/12 > sqrt(74) / 24.

    Were queries counted alike, they would add 1 and take 1/2 each, and 1 <= sqrt(5/2).
    """
    better = validation([1, 1], [2, 2, 2, 2, 2, 2])
    worse = validation([NOWHERE, NOWHERE], [2, 2, 1, 1, 2, 2])
    assert not are_alike(better, worse)


def test_of_unknown_ranks_nothing_is_said():
    assert not are_alike(Validation(0.5), Validation(0.5))


OF_CHANCE = [[1, 1, 2, 2], [2, 2, 2, 2], [1, 1, 1, 2]]  # the last is better by one query
BETTER = [[1, 2, 2, 2], [1, 1, 1, 1], [1, 1, 1, 2]]


@pytest.mark.parametrize(
    ("ranks", "prefers_first", "chosen"),
    [
        (OF_CHANCE, False, 2),
        (OF_CHANCE, True, 0),
        (BETTER, False, 1),
        (BETTER, True, 1),
    ],
)
def test_a_choice_that_prefers_the_first_leaves_it_only_for_what_is_better(
    make_training_set, ranks, prefers_first, chosen
):
    in_turn = map(validation, ranks)
    training = make_training_set(validate=lambda model: next(in_turn))
    selection = Selection(training, prefers_first)
    for number in range(len(ranks)):
        selection.add(Fit(made_model(), {}, {"number": number}))
    report = selection.result().report
    assert report["number"] == chosen
    assert report["kept"] == chosen


def test_validation_tells_the_rank_of_each_query():
    bags = made_bags(noise=1.0)
    drawn = made_draw(bags)
    validate = Validator(bags, drawn, LANGUAGES)
    result = validate(made_model())
    means = []
    for search in result.ranks:
        reciprocals = 1 / search.ranks
        means.append(reciprocals.mean())
    assert np.mean(means) == pytest.approx(result.score)
    queries = drawn.queries
    is_validation = queries["role"] == "validation"
    of_pairs = []
    for _, concepts in queries[is_validation].groupby(["first", "second"])["concept"]:
        of_pairs += 2 * [sorted(concepts)]  # in both directions
    assert sorted(sorted(search.ids) for search in result.ranks) == sorted(of_pairs)
