import pandas as pd

from cr5.report.best import COLUMN, mark, note

PLACE = {"setting": "joint", "task": "documents", "similarity": "cosine", "metric": "Success@1"}


def scores(values, query="da", target="en"):
    rows = [{"system": system, "value": value} for system, value in values.items()]
    return pd.DataFrame(rows).assign(**PLACE, query=query, target=target)


def comparisons(pairs, query="da", target="en"):
    rows = [{"system": a, "other": b, "p_holm": p} for (a, b), p in pairs.items()]
    return pd.DataFrame(rows).assign(**PLACE, query=query, target=target)


def best(marked):
    return marked.loc[marked["best"].fillna(False), "system"].tolist()


def test_the_highest_and_those_that_do_not_differ_from_it():
    """c does not differ from b, nor b from a, but c does from a."""
    pairs = {("a", "b"): 0.05, ("c", "a"): 0.049, ("b", "c"): 0.9, ("d", "c"): 1.0}
    marked = mark(scores({"b": 0.4, "c": 0.3, "a": 0.5, "d": 0.1}), comparisons(pairs))
    assert best(marked) == ["b", "a"]
    assert marked["best"].tolist() == [True, False, True, False]


def test_of_two_that_are_equally_high_both_count():
    pairs = {("a", "b"): 1.0, ("a", "c"): 0.01, ("b", "c"): 0.2}
    assert best(mark(scores({"a": 0.5, "b": 0.5, "c": 0.4}), comparisons(pairs))) == ["a", "b", "c"]


def test_each_column_by_itself():
    both = pd.concat([scores({"a": 0.5, "b": 0.1}), scores({"a": 0.2, "b": 0.3}, "en", "da")])
    both = both.reset_index(drop=True)
    found = pd.concat(
        [comparisons({("a", "b"): 0.01}), comparisons({("a", "b"): 0.01}, "en", "da")]
    )
    assert mark(both, found)["best"].tolist() == [True, False, False, True]


def test_what_was_compared_with_nothing_is_neither():
    alone = scores({"a": 0.5, "b": 0.1}, "vi", "en")
    assert mark(alone, comparisons({("a", "b"): 0.01}))["best"].isna().all()
    three = mark(scores({"a": 0.5, "b": 0.1, "alone": 0.9}), comparisons({("a", "b"): 0.01}))
    assert three["best"].isna().tolist() == [False, False, True]
    for nothing in (None, comparisons({("a", "b"): 0.01})[:0]):
        marked = mark(alone, nothing)
        assert marked["best"].isna().all()
        assert note(marked, "x", "y") == []


def test_other_columns_than_those_of_directions():
    """Means over directions have none."""
    column = [name for name in COLUMN if name not in ("query", "target")]
    frame = scores({"a": 0.5, "b": 0.1}).drop(columns=["query", "target"])
    assert best(mark(frame, comparisons({("a", "b"): 0.01}, "all", "all"), column)) == ["a"]
