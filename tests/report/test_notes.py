import pandas as pd

from cr5.report import notes

NAN = float("nan")


def test_few_queries_names_the_worst_and_what_to_do():
    counts = pd.Series({"da→en": 1000, "da→vi": 12, "vi→da": 49.4, "en→vi": 50})
    assert notes.few_queries(counts, "do this") == [
        "Fewer than 50 queries in da→vi (12) and 1 more: "
        "such figures vary by several points between draws; do this."
    ]
    (alone,) = notes.few_queries(pd.Series({"da–en": 0}), notes.MORE_DOCUMENTS)
    assert alone.startswith("Fewer than 50 queries in da–en (0): ")
    assert "splits.max_share.test" in alone
    assert "repetitions: 5" in alone


def test_nothing_to_say_of_enough_queries():
    # 49.6 is printed as 50
    assert notes.few_queries(pd.Series({"a": 50, "b": 49.6, "c": NAN}), "x") == []


def test_few_candidates_are_told_by_direction():
    """A language with enough of them does not hide those with few."""
    rows = [("da", "en", 200_000), ("en", "da", 29_200), ("en", "vi", 31_870), ("da", "en", 7)]
    scores = pd.DataFrame(rows, columns=["query", "target", "n_candidates"]).assign(published=0.5)
    [_, said] = notes.published(scores, [])
    assert said.endswith(": 31,870 candidates at most in en→da, en→vi, not 200,000.")


def left_out(*rows):
    names = ["system", "setting", "task", "repetition", "reason"]
    return pd.DataFrame([dict(zip(names, row, strict=True)) for row in rows])


def test_what_was_left_out_is_named_once_for_each_reason():
    rows = left_out(
        ("cr5", "pairwise_a-b", "documents", 1, "shares nothing."),
        ("mine", "pairwise_a-b", "documents", 1, "shares nothing."),
        ("cr5", "pairwise_a-b", "words", 1, "shares nothing."),
        ("mine", "joint", "documents", 1, "no strings."),
    )
    assert notes.left_out(rows, "documents") == [
        "Left out: cr5, pairwise_a-b; mine, pairwise_a-b: shares nothing.",
        "Left out: mine, joint: no strings.",
    ]
    assert notes.left_out(rows[:0], "documents") == []
    assert notes.left_out(None, "documents") == []


def test_of_several_repetitions_those_that_were_left_out_are_named():
    rows = left_out(*[("cr5", "joint", "x", repetition, "why.") for repetition in (1, 3)])
    assert notes.left_out(rows, "x") == ["Left out: cr5, joint (repetition 1, 3): why."]


BUNDLE = {
    "name": "da-en",
    "languages": ["en", "da"],
    "of_corpus": False,
    "min_words": 2,
    "pairs": [
        {"first": "da", "second": "en", "lines": 1200, "kept": 1, "empty": 2, "short": 3}
        | {"double": 4}
    ],
}


def test_what_was_left_out_of_files_and_which_pairs_have_none():
    assert notes.of_sentences([BUNDLE], ["vi", "en", "da"]) == [
        "Parallel lines: da–en 1,200, of these 2 empty, 4 with the words of another, 3 of fewer "
        "than 2 words. The rest can be queries.",
        "No parallel file: da–vi, en–vi.",
    ]
