import pandas as pd
import pytest

from cr5.base.errors import UserError
from cr5.report.table import to_markdown
from cr5.report.table1 import COLUMNS, table1

NAN = float("nan")


def scores(*rows):
    return pd.DataFrame(rows, columns=COLUMNS)


def row(setting, system, query, target, similarity, metric, value, published=NAN):
    interval = (max(value - 0.01, 0), min(value + 0.01, 1))
    return (
        *(setting, system, query, target, similarity, metric),
        *(value, *interval, published, 1000, 200000),
    )


SCORES = scores(
    row("joint", "my|system", "en", "da", "cosine", "P@1", 0.5),
    row("pairwise_da-en", "cr5", "da", "en", "csls", "P@10", 0.96549, 0.412),
    row("pairwise_da-en", "cr5", "en", "da", "csls", "P@10", NAN, 0.412),
    row("pairwise_da-en", "cr5", "en", "da", "csls", "P@1", 0.0),
    row("pairwise_da-vi", "cr5", "vi", "da", "csls", "P@5", 0.99),
    row("pairwise_da-vi", "cr5", "vi", "da", "csls", "MRR", 0.7),
)


def test_layout_and_figures():
    table = table1(SCORES, "wikipedia")
    measures = [f"{s} P@{k}" for s in ("cosine", "CSLS") for k in (1, 5, 10)]
    assert table.header == ["Direction", *measures, "Queries", "Candidates"]
    counts = ["1,000", "200,000"]
    assert table.blocks == [
        ("my|system, joint", [["en→da", "50.0", *["–"] * 5, *counts]]),
        (
            "Cr5, pairwise",
            [
                ["da→en", *["–"] * 5, "96.5 (41.2)", *counts],
                ["en→da", *["–"] * 3, "0.0", "–", "– (41.2)", *counts],
                ["vi→da", *["–"] * 4, "99.0", "–", *counts],
            ],
        ),
    ]


def test_only_the_similarities_that_are_there():
    assert table1(SCORES.iloc[:1], "x").header[1:4] == ["cosine P@1", "cosine P@5", "cosine P@10"]
    assert len(table1(SCORES.iloc[:1], "x").header) == 6


def test_csv_keeps_fractions_and_intervals_of_precision():
    data = table1(SCORES, "wikipedia").data
    assert list(data.columns) == COLUMNS
    assert data["metric"].tolist() == ["P@1", "P@10", "P@10", "P@1", "P@5"]
    assert data["ci_low"].tolist()[0] == 0.49


def test_says_what_published_figures_are_worth():
    own = to_markdown(table1(SCORES, "libreoffice_help"))
    assert "not libreoffice\\_help: those figures are for orientation only" in own
    wikipedia = to_markdown(table1(SCORES, "wikipedia"))
    assert "orientation" not in wikipedia
    assert "its dumps, queries and candidates are others" in wikipedia
    none = to_markdown(table1(SCORES.assign(published=NAN), "mine"))
    assert "Josifoski" not in none


def test_bad_input():
    with pytest.raises(UserError, match=r"scores: expected the column\(s\) published"):
        table1(SCORES.drop(columns="published"), "x")
    with pytest.raises(UserError, match="scores: no rows"):
        table1(SCORES.iloc[:0], "x")
    with pytest.raises(UserError, match=r"row 0, column value: expected a fraction.*found 50\.0"):
        table1(SCORES.assign(value=50.0), "x")
    with pytest.raises(UserError, match=r"more than one row for kind joint, system my.system"):
        table1(pd.concat([SCORES, SCORES.iloc[:1]]), "x")
