from functools import partial

import pandas as pd

from cr5.report import systems as module
from cr5.report.names import Systems
from cr5.report.systems import COLUMNS

systems_table = partial(module.systems_table, systems=Systems({"cr5": {"title": "Cr5"}}))

NAN = float("nan")


def means(*rows):
    names = ["setting", "task", "system", "similarity", "metric", "value", "directions"]
    frame = pd.DataFrame([dict(zip(names, row, strict=True)) for row in rows])
    counts = {"repetitions": 1, "n_queries": 718, "n_candidates": 512.4}
    ends = {"ci_low": frame["value"] - 0.05, "ci_high": frame["value"] + 0.05}
    return frame.assign(series=frame["setting"], kind="joint", **ends, **counts)


def comparisons(*rows):
    names = ["query", "target", "system", "other", "p_holm"]
    place = {"setting": "joint", "task": "documents", "similarity": "cosine", "metric": "Success@1"}
    return pd.DataFrame([{**place, **dict(zip(names, row, strict=True))} for row in rows])


MEANS = means(
    ("joint", "documents", "cr5", "csls", "Success@1", 0.5, 12),
    ("joint", "documents", "cr5", "cosine", "Success@1", 0.4, 12),
    ("joint", "documents", "cr5", "cosine", "RR", 0.6, 12),
    ("joint", "documents", "mine", "cosine", "Success@1", 0.25, 12),
    ("pairwise", "documents", "cr5", "cosine", "Success@1", 0.75, 6),
    ("joint", "my_words", "cr5", "cosine", "nDCG@5", 0.5, 12),
)
TESTS = comparisons(("all", "all", "cr5", "mine", 0.01), ("da", "en", "cr5", "mine", 0.9))
COUNTS = ["1", "718", "512"]


def test_layout_by_hand():
    table = systems_table(MEANS, TESTS, "x")
    assert table.header[:5] == ["Setting", "System", "Success@1", "RR", "nDCG@5"]
    assert table.header[5:] == ["Directions", "Repetitions", "Queries", "Candidates"]
    assert table.blocks == [
        (
            "Documents, cosine",
            [
                ["joint", "Cr5", "40.0", "60.0 [55.0, 65.0]", "–", "12", *COUNTS],
                ["joint", "mine", "25.0 [20.0, 30.0]", *"––", "12", *COUNTS],
                ["pairwise", "Cr5", "75.0 [70.0, 80.0]", *"––", "6", *COUNTS],
            ],
        ),
        ("Documents, CSLS", [["joint", "Cr5", "50.0 [45.0, 55.0]", *"––", "12", *COUNTS]]),
        ("My words, cosine", [["joint", "Cr5", *"––", "50.0 [45.0, 55.0]", "12", *COUNTS]]),
    ]
    best = table.blocks[0][1][0][2]
    assert best.rest == "[35.0, 45.0]"  # bold, and its interval in plain type
    assert list(table.data) == [*COLUMNS, "best"]
    assert table.data["best"].fillna(False).tolist() == [False, True, *[False] * 4]


def test_each_task_has_its_first_four_metrics():
    names = ["nDCG@10", "AP", "RR", "P@10", "R@100", "P@5"]
    judged = means(*[("joint", "judged", "cr5", "cosine", x, 0.1, 2) for x in names])
    table = systems_table(pd.concat([MEANS, judged]), TESTS, "x")
    expected = ["Success@1", "RR", "nDCG@5", "nDCG@10", "AP", "P@10"]
    assert table.header[2:-4] == expected
    assert len(table.data) == len(MEANS) + len(names)
    [note] = [note for note in table.notes if note.startswith("Success@k is")]
    assert note.endswith("the Cr5 paper prints it as P@k.")
    assert any("ties count against the query" in note for note in table.notes)


def test_what_was_left_out_is_named():
    names = ["system", "setting", "task", "repetition", "reason"]
    rows = pd.DataFrame([dict(zip(names, ["x", "joint", "words", 1, "No."], strict=True))])
    assert systems_table(MEANS, TESTS, "x", rows).notes[-1] == "words: Left out: x, joint: No."


def test_repetitions_are_named():
    assert (
        "over queries and repetitions"
        in systems_table(MEANS.assign(repetitions=3), TESTS, "x").notes[1]
    )
