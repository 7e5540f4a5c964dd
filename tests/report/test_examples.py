import numpy as np
import pandas as pd
from scipy import sparse

from cr5.counts import bags
from cr5.report.examples import DIRECTION, examples, titles_in
from cr5.report.examples import titles as title_of

RANKS = pd.DataFrame(
    [
        ("joint", "joint", "joint", "cr5", "da", "en", "q2", 2, ["q1", "q2"]),
        ("joint", "joint", "joint", "cr5", "da", "en", "q1", 1, ["q1", "q3"]),
    ],
    columns=[*DIRECTION, "query", "rank", "nearest"],
)
TITLES = {
    "da": pd.Series({"q1": "Hus", "q2": "Bil"}),
    "en": pd.Series({"q1": "House", "q2": "Car", "q3": "Tree"}),
}


def test_neighbours_by_title():
    found = examples(RANKS, TITLES, 5, 0)
    assert found.to_dict("list") == {
        "setting": ["joint"] * 4,
        "series": ["joint"] * 4,
        "kind": ["joint"] * 4,
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


def test_as_many_neighbours_as_asked_for_with_titles_in_one_language():
    """As the paper's Table 2, whose titles are English; q4 has no English document."""
    ranks = RANKS.assign(query_language="en", target_language="da", nearest=[["q4", "q2"]] * 2)
    titles = TITLES | {"da": pd.Series({"q1": "Hus", "q2": "Bil", "q4": "Træ"})}
    found = examples(ranks, titles_in(titles, "en"), 5, 0, neighbours=1)
    assert found["query_title"].tolist() == ["House", "Car"]
    assert found["neighbour_title"].tolist() == ["Træ", "Træ"]
    assert examples(ranks, titles_in(titles, "en"), 5, 0)["neighbour_title"][1] == "Car"
    assert examples(ranks, titles_in(titles, "vi"), 5, 0)["neighbour_title"][1] == "Bil"


def many(setting):
    names = [f"q{number:02}" for number in range(20)]
    ranks = pd.DataFrame({"query": names, "rank": 1, "nearest": [[name] for name in names]})
    return ranks.assign(**dict.fromkeys(DIRECTION, setting)).assign(query_language="x")


def test_as_many_queries_of_each_direction_as_asked_for_whatever_the_order_of_the_rows():
    ranks = pd.concat([many("one"), many("two")])
    titles = pd.Series({name: name for name in ranks["query"]})
    titles = {"x": titles, "one": titles, "two": titles}
    found = examples(ranks, titles, 3, 7)
    # the same places of the sorted concepts in each direction
    places = np.sort(np.random.default_rng(7).choice(20, 3, replace=False))
    names = [f"q{place:02}" for place in places]
    assert found["query_concept"].tolist() == [*names, *names]
    assert found["setting"].tolist() == ["one"] * 3 + ["two"] * 3
    shuffled = pd.concat([many("one")[::-1], many("two").sample(frac=1, random_state=1)])
    pd.testing.assert_frame_equal(examples(shuffled, titles, 3, 7), found)


def test_titles_are_those_of_the_bags(tmp_path):
    frame = pd.DataFrame({"concept": ["q1"], "title": ["Hus"], "n_unique": [3]})
    made = bags.Bags(sparse.csr_matrix((1, 1)), pd.DataFrame({"word": ["hus"]}), frame)
    bags.save(tmp_path / "da", made, {"language": "da"})
    assert title_of({"da": tmp_path / "da"})["da"].to_dict() == {"q1": "Hus"}
