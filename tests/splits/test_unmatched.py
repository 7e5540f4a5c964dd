import pandas as pd
import pytest

from cr5.splits import unmatched
from cr5.splits.unmatched import nearly_the_same


def table(*rows):
    return pd.DataFrame(rows, columns=["first", "second", "concepts"])


def told(first, second):
    shared = len(set(first) & set(second))
    documents = {"da": pd.Index(first, dtype=str), "en": pd.Index(second, dtype=str)}
    return nearly_the_same(documents, table(("da", "en", shared)))


@pytest.mark.parametrize(
    ("first", "second"),
    [
        ("A_1", "a1"),
        ("København", "KØBENHAVN"),
        ("doc-007", "doc 7"),
        ("a.100", "a100"),
        ("１", "1"),
    ],
)
def test_concepts_that_differ_in_writing_alone_are_shown(first, second):
    assert told(["x", first, "y"], ["z", second]) == [
        "Concepts that only da or only en has and that are nearly the same: "
        f"{first!r} and {second!r}; only equal ones are one concept."
    ]


def test_at_most_three_are_shown_and_they_come_before_those_that_are_only_alike():
    [sentence] = told(
        [f"A_{i}" for i in range(9)] + ["almost"], [f"a{i}" for i in range(9)] + ["almos"]
    )
    assert sentence.count(" and 'a") == 3
    assert "'A_0' and 'a0', 'A_1' and 'a1', 'A_2' and 'a2'" in sentence
    assert "almos" not in sentence


def test_otherwise_the_nearest_are_shown_the_most_alike_first():
    [sentence] = told(["Danmark", "Norge", "Zürich"], ["Denmark", "Norwegen", "Zuerich"])
    assert "'Danmark' and 'Denmark', 'Zürich' and 'Zuerich', 'Norge' and 'Norwegen';" in sentence
    assert "'da_12' and 'en_12'" in told(["da_12"], ["en_12"])[0]


@pytest.mark.parametrize(
    ("first", "second"), [(["Q64"], ["Q65"]), (["alpha"], ["1234"]), (["--"], ["__"]), ([], ["a"])]
)
def test_other_numbers_and_other_words_are_not_nearly_the_same(first, second):
    assert told(first, second) == []


def test_languages_that_share_a_tenth_are_not_told():
    shared = [f"s{i}" for i in range(10)]
    ours, theirs = ([f"{x}{i}" for i in range(90)] for x in ("A_", "a"))
    assert told(ours + shared, theirs + shared) == []
    assert len(told(ours + shared[:9], theirs + shared[:9])) == 1


def test_of_many_pairs_the_first_few_are_looked_at(monkeypatch):
    documents = {x: pd.Index([f"{x}1"]) for x in "abcdefgh"}
    looked = []
    monkeypatch.setattr(unmatched, "_likely", lambda *given: looked.append(given) or [("x", "y")])
    pairs = [("a", x, 0) for x in "bcdefgh"]
    assert len(nearly_the_same(documents, table(*pairs))) == len(looked) == unmatched.SHOWN


def test_large_corpora_take_a_bounded_number_of_comparisons(monkeypatch):
    monkeypatch.setattr(unmatched, "MOST", 1000)
    compared = []
    monkeypatch.setattr(
        unmatched, "get_close_matches", lambda x, around, *rest: compared.append(len(around)) or []
    )
    told([f"ab{i:05}" for i in range(5000)], [f"bc{i:05}" for i in range(5000)])
    assert 0 < len(compared) <= unmatched.SAMPLE
    assert max(compared) <= 2 * unmatched.AROUND
