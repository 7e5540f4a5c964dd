from functools import partial
from types import SimpleNamespace

import pandas as pd

from cr5.report import all_tables
from cr5.report import table2 as module
from cr5.report.markup import Bold
from cr5.report.names import Systems
from cr5.report.table import to_latex, to_markdown
from cr5.report.table2 import COLUMNS, without_examples

table2 = partial(module.table2, systems=Systems({"cr5": {"title": "Cr5"}}))

EXAMPLES = pd.DataFrame(
    [
        ("joint", "joint", "joint", "cr5", "en", "vi", "Q2", "Hanoi", 2, 1, "Sài Gòn", False),
        (
            "joint",
            "joint",
            "joint",
            "cr5",
            "en",
            "vi",
            "Q2",
            "Hanoi",
            2,
            2,
            "Hà Nội | thủ đô",
            True,
        ),
        ("joint", "joint", "joint", "cr5", "en", "vi", "Q1", "", 31, 1, None, False),
        (
            "my_pair-1",
            "my_pair",
            "pairwise",
            "mine",
            "en",
            "da",
            "Q1",
            "Sun",
            None,
            2,
            "Måne",
            False,
        ),
    ],
    columns=COLUMNS,
)


def test_layout():
    table = table2(EXAMPLES, "x", "csls")
    assert table.title == "Nearest documents on x, by CSLS"
    assert table.header == ["Query", "Rank", "1", "2"]
    assert table.blocks == [
        ("en→da: mine, my_pair", [["Sun", "–", "–", "Måne"]]),
        (
            "en→vi: Cr5, joint",
            [["Q1", "31", "–", "–"], ["Hanoi", "2", "Sài Gòn", "Hà Nội | thủ đô"]],
        ),
    ]


def test_only_the_true_counterpart_is_bold():
    rows = [row for _, rows in table2(EXAMPLES, "x", "cosine").blocks for row in rows]
    bold = [cell for row in rows for cell in row if isinstance(cell, Bold)]
    assert bold == ["Hà Nội | thủ đô"]
    assert r"**Hà Nội \| thủ đô**" in to_markdown(table2(EXAMPLES, "x", "cosine"))
    assert r"\textbf{Hà Nội \textbar{} thủ đô}" in to_latex(table2(EXAMPLES, "x", "cosine"))


def test_without_examples_there_is_the_reason():
    table = without_examples("x", "They share nothing.")
    assert "They share nothing." in to_markdown(table)
    assert list(table.data) == list(table2(EXAMPLES, "x", "cosine").data)


def test_a_system_that_other_measures_compare_has_no_examples(monkeypatch):
    """Such as BM25 alone, by dot products: the table is there and says so."""
    monkeypatch.setattr(all_tables, "left_out", lambda folder: None)
    monkeypatch.setattr(all_tables, "nearest", lambda *given: pd.DataFrame({"query": []}))
    told = {"similarity": "cosine", "examples": {}}
    run = SimpleNamespace(told=told, read={"ranks": ["bm25"]}, corpus="tiny")
    found = all_tables.table(run, "table2", "documents")
    assert found.blocks == []
    assert found.notes == ["no ranks by cosine of the system that is shown"]
