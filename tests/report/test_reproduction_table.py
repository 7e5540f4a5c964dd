import pandas as pd

from cr5.report.reproduction import COLUMNS
from cr5.report.reproduction_table import HEADER, reproduction_table

NAN = float("nan")


def row(**changes):
    return {
        **{
            "paper": "Cr5",
            "options": "",
            "measure": "",
            "our_system": "cr5",
            "our_task": "documents",
            "table": "1b",
            "row_system": "Cr5 joint",
            "query": "da",
            "target": "en",
        },
        **{"similarity": "csls", "metric": "P@1", "kind": "joint", "languages": "da en it vi"},
        **{"system": "cr5", "task": "documents", "setting": "joint", "command": "./run x"},
        **{"data": "dumps", "hours": "7", "published": 62.6, "ours": 60.04, "ci_low": 58.0},
        **{"ci_high": 62.0, "n_queries": 1000, "n_candidates": 200_000, "difference": -2.56},
        **{"tolerance": 2.0, "because": "noise", "verdict": "lower", "remark": ""},
        **changes,
    }


MISSING = {"ours": NAN, "difference": NAN, "n_queries": NAN, "n_candidates": NAN}
MISSING |= {"verdict": "missing", "remark": "no dumps"}


def test_layout_by_hand():
    documents = {"metric": "docs_in_intersection", "similarity": "", "published": 79_000}
    documents |= {"ours": 81_234, "difference": 2234, "tolerance": NAN, "verdict": "other corpus"}
    documents |= {"n_queries": NAN, "n_candidates": NAN, "remark": "the text is help; it is short"}
    rows = [
        row(),
        row(**documents),
        row(
            table="3", row_system="Cr5", languages="pair", options="ranks=2", setting="", **MISSING
        ),
        row(table="3", row_system="Smith", system="", setting="", **MISSING),
    ]
    table = reproduction_table(pd.DataFrame(rows), "x")
    assert table.header == HEADER
    assert table.blocks == [
        (
            "Cr5, Table 1b, Cr5 joint: cr5, joint (da en it vi), documents, by ./run x",
            [
                ["da→en", "CSLS", "P@1", "62.6", "60.0", "-2.6", "2", "1,000", "200,000", "lower"],
                ["da→en", "–", "Documents", "79,000", "81,234", "+2,234", *"–––", "other corpus"],
            ],
        ),
        (
            "Cr5, Table 3, Cr5: cr5 ranks=2, joint (both languages), documents, by ./run x. "
            "Missing: no dumps",
            [["da→en", "CSLS", "P@1", "62.6", "–", "–", "2", "–", "–", "missing"]],
        ),
        (
            "Cr5, Table 3, Smith. Missing: no dumps",
            [["da→en", "CSLS", "P@1", "62.6", "–", "–", "2", "–", "–", "missing"]],
        ),
    ]
    assert list(table.data) == COLUMNS
    assert table.notes[0] == "Of 4 figures: missing 2, lower 1, other corpus 1."
    assert table.notes[-1] == "Other corpus: no verdict, as the text is help; it is short."
    assert "Tolerances: noise." in table.notes[2]


def test_what_has_a_verdict_comes_first_and_the_rest_is_folded():
    lacking = [row(setting="a", **MISSING), row(setting="b", verdict="other corpus")]
    table = reproduction_table(pd.DataFrame([*lacking, row(), row(setting="c", **MISSING)]), "x")
    assert [rows[0][-1] for _, rows in table.blocks] == [
        "lower",
        *["missing"],
        "other corpus",
        "missing",
    ]
    assert table.folded == 3


def test_nothing_is_said_of_other_corpora_where_all_is_judged():
    assert not any(
        "Other corpus" in x for x in reproduction_table(pd.DataFrame([row()]), "x").notes
    )


def test_papers_without_these_languages_are_not_listed():
    table = reproduction_table(pd.DataFrame(columns=COLUMNS), "x")
    assert (table.blocks, len(table.data), len(table.notes)) == ([], 0, 1)
    assert "figures for pairs of these languages" in table.notes[0]


def test_means_over_both_directions_are_called_so():
    mean = row(paper="OPCA", query="avg_both", target="avg_both", metric="accuracy")
    [(heading, [cells])] = reproduction_table(
        pd.DataFrame([mean | {"kind": "joint pairwise", "languages": "en es"}]), "x"
    ).blocks
    assert cells[:3] == ["both", "CSLS", "accuracy"]
    assert "joint or pairwise (en es)" in heading
