import re
from functools import partial

import pandas as pd

from cr5.base.origin import Origin
from cr5.report import table1 as module
from cr5.report.names import Systems
from cr5.report.table import write_table
from cr5.report.table1 import COLUMNS

table1 = partial(module.table1, systems=Systems({"cr5": {"title": "Cr5"}}))

NAN = float("nan")
SOURCE = Origin(7, "a1b2", "c3d4", ("1.0",))
JOINT = ("joint", "joint", "joint")
DA_EN = ("pairwise_da-en", "pairwise", "pairwise")
DA_VI = ("pairwise_da-vi", "pairwise", "pairwise")


def scores(*rows):
    return pd.DataFrame(rows, columns=COLUMNS)


def row(setting, system, query, target, similarity, metric, value, published=NAN, **other):
    values = {
        **dict(zip(["setting", "series", "kind"], setting, strict=True)),
        **{"system": system, "task": "documents", "query": query, "target": target},
        **{"similarity": similarity, "metric": metric, "value": value},
        **{"ci_low": max(value - 0.01, 0), "ci_high": min(value + 0.01, 1)},
        **{"n_queries": 1000, "n_candidates": 200000, "repetitions": 1},
        "published": published,
        **other,
    }
    return tuple(values[name] for name in COLUMNS)


SCORES = scores(
    row(JOINT, "my|system", "en", "da", "cosine", "Success@1", 0.5),
    row(DA_EN, "cr5", "da", "en", "csls", "Success@10", 0.96549, 0.412),
    row(DA_EN, "cr5", "en", "da", "csls", "Success@10", NAN, 0.412),
    row(DA_EN, "cr5", "en", "da", "csls", "Success@1", 0.0),
    row(DA_VI, "cr5", "vi", "da", "csls", "Success@5", 0.99),
    row(DA_VI, "cr5", "vi", "da", "csls", "RR", 0.7),
)
WORDS = scores(
    *[
        row(JOINT, "cr5", "da", "en", *measure, 0.25, task="word_translation")
        for measure in [
            ("dot", "RR"),
            ("csls", "AP"),
            ("cosine", "Success@5"),
            ("cosine", "Success@1"),
        ]
    ],
    row(JOINT, "mine", "da", "en", "l1", "nDCG@10", 0.75, task="word_translation"),
    row(JOINT, "mine", "da", "en", "cosine", "Success@1", 0.5, task="documents"),
)


def test_layout_and_figures():
    table = table1(SCORES, "wikipedia")
    assert table.title == "Document retrieval on wikipedia, Success@k in percent"
    measures = ["cosine Success@1", "CSLS Success@1", "CSLS Success@5", "CSLS Success@10"]
    assert table.header == ["Direction", *measures, "Queries", "Candidates"]
    assert table.align == "lrrrrrr"
    counts = ["1,000", "200,000"]
    assert table.blocks == [
        ("my|system, joint", [["en→da", "50.0", "–", "–", "–", *counts]]),
        (
            "Cr5, pairwise",
            [
                ["da→en", "–", "–", "–", "96.5 (41.2)", *counts],
                ["en→da", "–", "0.0", "–", "– (41.2)", *counts],
                ["vi→da", "–", "–", "99.0", "–", *counts],
            ],
        ),
    ]


def test_any_other_task_shows_every_metric_and_measure():
    table = table1(WORDS, "x", task="word_translation")
    assert table.title == "Word translation on x"
    measures = ["cosine Success@1", "cosine Success@5", "CSLS AP", "dot RR", "l1 nDCG@10"]
    assert table.header[1:-2] == measures
    assert table.blocks == [
        ("Cr5, joint", [["da→en", *["25.0"] * 4, "–", "1,000", "200,000"]]),
        ("mine, joint", [["da→en", *["–"] * 4, "75.0", "1,000", "200,000"]]),
    ]
    assert "All scores are in percent." in table.notes
    assert [heading for heading, _ in table1(WORDS, "x").blocks] == ["mine, joint"]


def comparisons(*rows):
    names = ["system", "other", "query", "target", "p_holm"]
    place = {"setting": "joint", "task": "documents", "similarity": "cosine", "metric": "Success@1"}
    return pd.DataFrame([{**place, **dict(zip(names, each, strict=True))} for each in rows])


def test_the_best_of_a_direction_are_bold_in_every_format(tmp_path):
    """The paper's figure beside ours is not."""
    table = table1(
        scores(
            row(JOINT, "cr5", "da", "en", "cosine", "Success@1", 0.5, 0.626),
            row(JOINT, "mine", "da", "en", "cosine", "Success@1", 0.4),
            row(JOINT, "cr5", "en", "da", "cosine", "Success@1", 0.3),
            row(JOINT, "mine", "en", "da", "cosine", "Success@1", 0.6),
            row(DA_EN, "cr5", "da", "en", "cosine", "Success@1", 0.9),
        ),
        "x",
        significance=comparisons(
            ("cr5", "mine", "da", "en", 0.3),
            ("cr5", "mine", "en", "da", 0.01),
            ("cr5", "mine", "all", "all", 0.9),
        ),
    )
    write_table(table, tmp_path / "t", SOURCE)
    lines = {x: (tmp_path / f"t.{x}").read_text("utf-8") for x in ("md", "tex", "html", "csv")}
    assert re.findall(r"\*\*\S+\*\*.*? \|", lines["md"]) == [
        "**50.0** (62.6) |",
        "**40.0** |",
        "**60.0** |",
    ]
    assert r"\textbf{50.0} (62.6)" in lines["tex"]
    assert "<b>50.0</b> (62.6)</td>" in lines["html"]
    assert lines["html"].count("<b>") == 3
    assert pd.read_csv(tmp_path / "t.csv")["best"].fillna("").astype(str).tolist() == [
        *("True", "True", "False", "True"),
        "",
    ]
    [note] = [each for each in table.notes if each.startswith("Bold: ")]
    assert "Holm" in note


def test_says_how_far_the_figures_carry():
    few = SCORES.assign(n_queries=[1000, 30, 30, 30, 12.4, 12.4], repetitions=5)
    notes = table1(few, "x", unlike=["its text is help"]).notes
    assert notes[2] == "Means over 5 repetitions."
    assert notes[4].startswith("Fewer than 50 queries in vi→da (12) and 2 more: ")
    assert "splits.max_share.test" in notes[4]
    assert notes[-1] == "This run differs from the paper's: its text is help."
    (warning,) = table1(WORDS.assign(n_queries=9), "x", task="word_translation").notes[5:]
    assert "splits" not in warning


def test_a_task_of_which_all_was_left_out_is_a_sentence():
    why = {"system": "cr5", "setting": "joint", "task": "words", "repetition": 1, "reason": "No."}
    table = table1(SCORES, "tiny", "words", left_out=pd.DataFrame([why]))
    assert (table.blocks, table.notes) == ([], ["Left out: Cr5, joint: No."])
    assert list(table.data) == COLUMNS
    assert table.data.empty
