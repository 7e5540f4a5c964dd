import pandas as pd

from cr5.report.examples import examples

NAMES = {"setting": "joint", "system": "cr5", "query": "da", "target": "en"}
RANKS = pd.DataFrame(
    {
        "similarity": ["cosine", "cosine", "csls"],
        "concept": ["q2", "q1", "q1"],
        "rank": [2, 1, 1],
        "nearest": [["q1", "q2"], ["q1", "q3"], ["q3", "q1"]],
    }
)
TITLES = {
    "da": pd.Series({"q1": "Hus", "q2": "Bil"}),
    "en": pd.Series({"q1": "House", "q2": "Car", "q3": "Tree"}),
}


def test_neighbours_by_title():
    found = examples([(NAMES, RANKS)], TITLES, 5, 0)
    assert found.to_dict("list") == {
        "setting": ["joint"] * 4,
        "system": ["cr5"] * 4,
        "query_language": ["da"] * 4,
        "target_language": ["en"] * 4,
        "query_concept": ["q1", "q1", "q2", "q2"],
        "query_title": ["Hus", "Hus", "Bil", "Bil"],
        "rank_of_truth": [1, 1, 2, 2],
        "neighbour_rank": [1, 2, 1, 2],
        "neighbour_title": ["House", "Tree", "House", "Car"],
        "correct": [True, False, False, True],
    }


def test_as_many_queries_as_asked_for_and_the_same_for_a_seed():
    one = examples([(NAMES, RANKS)], TITLES, 1, 3)
    assert len(set(one["query_concept"])) == 1
    assert one.equals(examples([(NAMES, RANKS)], TITLES, 1, 3))
