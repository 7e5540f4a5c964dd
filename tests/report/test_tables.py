"""Tables of a run: each cell is the frame's value, and bold is what the tests say."""

import pandas as pd
import pytest

from cr5.report import tables
from cr5.report.names import direction
from cr5.report.published import COLUMNS
from cr5.report.table import BEGIN, NOTHING, Table, bold, html, plain

NOTHING_PUBLISHED = pd.DataFrame(columns=COLUMNS)
DIMENSIONS = pd.DataFrame(
    [{"setting": "joint", "series": "joint", "system": "cr5", "dimension": x} for x in (300, 49)]
)


def shown(cell):
    """The number of a cell, in percent."""
    return float(cell.split()[0].strip("\ue000\ue001"))


def systems_table(means, tests, systems):
    return tables.systems_table(means, tests, DIMENSIONS, NOTHING_PUBLISHED, systems)


def test_each_cell_of_the_systems_is_the_mean_of_the_frame(means, tests, systems):
    found = systems_table(means, tests, systems)
    assert [heading for heading, _ in found.blocks] == [
        *("Documents, cosine", "Documents, CSLS", "Documents, l1")
    ]
    values = means.set_index(["system", "similarity", "metric"])["value"]
    names = {
        "Cr5": ("cr5", "cosine"),
        "Mapped": ("mapped", "cosine"),
        "Topics (l1)": ("topics", "l1"),
    }
    block = found.blocks[0][1].set_index("System")
    assert set(block.index) == set(names)
    for title, name in names.items():
        for metric in ("Success@1", "Success@5"):
            assert shown(block.loc[title, metric]) == pytest.approx(100 * values[(*name, metric)])
    assert block.loc["Cr5", "Success@1"] == f"{bold('25.0')} [20.0, 30.0]"
    assert (block["Queries"] == "400").all() and (block["Candidates"] == "1,000").all()


def test_systems_stand_by_falling_value_with_their_dimensions(means, tests, systems):
    block = systems_table(means, tests, systems).blocks[0][1]
    assert list(block["System"]) == ["Mapped", "Cr5", "Topics (l1)"]
    assert list(block["Dimension"]) == [NOTHING, "49, 300", NOTHING]


def test_bold_is_the_best_and_what_does_not_differ_from_it(means, tests, systems):
    best = tables.marked_means(means, tests).set_index(["system", "similarity", "metric"])["best"]
    assert best["mapped", "cosine", "Success@1"] and not best["cr5", "cosine", "Success@1"]
    assert best["mapped", "csls", "Success@1"] and best["cr5", "csls", "Success@1"]
    assert pd.isna(best["topics", "l1", "Success@1"])  # compared with no other


def test_where_measures_differ_each_system_has_its_own(means, tests):
    own = tables.by_own_measure(means, tests)
    of = own[own["metric"] == "Success@1"].set_index("system")
    assert of["similarity"].to_dict() == {"cr5": "cosine", "topics": "l1", "mapped": "cosine"}
    assert of["best"].to_dict() == {"cr5": True, "topics": False, "mapped": True}


def test_each_cell_of_a_direction_is_the_frame_s_value(scores, tests, systems):
    found = tables.directions_table(scores, tests, NOTHING_PUBLISHED, systems, "documents")
    values = scores.assign(
        direction=[direction(*x) for x in zip(scores["query"], scores["target"], strict=True)],
        measure=scores["similarity"].replace("csls", "CSLS") + " " + scores["metric"],
    ).set_index(["system", "direction", "measure"])["value"]
    names = {"Cr5, joint": "cr5", "Topics, joint": "topics", "Mapped, joint": "mapped"}
    seen = set()
    for heading, block in found.blocks:
        for record in block.set_index("Direction").to_dict("index").items():
            for measure, cell in record[1].items():
                key = (names[heading], record[0], measure)
                if key in values.index:
                    assert shown(cell) == pytest.approx(100 * values[key])
                    seen.add(key)
                elif measure not in ("Queries", "Candidates"):
                    assert cell == NOTHING
    assert seen == set(values.index)
    assert found.blocks[0][1]["Direction"].tolist() == ["da→en", "en→da"]


def test_published_figures_stand_in_parentheses(scores, tests, systems):
    keys = {"setting": "joint", "task": "documents", "system": "cr5", "query": "da"}
    keys |= {"target": "en", "similarity": "cosine", "metric": "Success@1", "published": 62.6}
    table = tables.directions_table(scores, tests, pd.DataFrame([keys]), systems, "documents")
    cells = table.blocks[0][1].set_index("Direction")["cosine Success@1"]
    assert cells.to_dict() == {"da→en": "25.0 (62.6)", "en→da": "35.0"}
    assert "In parentheses: the published figures." in table.notes


def test_few_queries_are_told(scores):
    few = scores.assign(n_queries=scores["n_queries"].where(scores["query"] == "da", 17))
    assert "en→da (17)" in tables.few_queries(few)[0]
    assert tables.few_queries(scores) == []


def test_what_is_left_out_is_named_once_for_each_reason(systems):
    rows = [{"task": "documents", "system": x, "setting": "joint"} for x in ("cr5", "mapped")]
    found = tables.left_out(pd.DataFrame(rows).assign(reason="too few", repetition=1), systems)
    assert found == ["Left out of documents: Cr5, joint; Mapped, joint: too few"]


def test_examples_have_the_nearest_titles_and_the_truth_in_bold(systems):
    ranks = {"system": "cr5", "setting": "joint", "similarity": "csls", "query_language": "da"}
    ranks |= {"target_language": "en", "query": "Q1", "rank": 2.0, "nearest": ["Q2", "Q1", "Q3"]}
    titles = {
        "da": pd.Series({"Q1": "hund", "Q2": "kat"}),
        "en": pd.Series({"Q1": "dog", "Q2": "cat", "Q3": " "}),
    }
    options = {"queries": 5, "neighbours": 3}
    table = tables.examples_table(pd.DataFrame([ranks]), titles, options, 7, systems)
    [(heading, block)] = table.blocks
    assert heading == "da→en"
    assert block.to_numpy().tolist() == [["hund", "2", "cat", bold("dog"), "Q3"]]
    english = tables.examples_table(
        pd.DataFrame([ranks]), titles, options | {"titles": "en"}, 7, systems
    )
    assert english.blocks[0][1]["Query"].tolist() == ["dog"]


def test_published_cells_are_printed_with_their_verdicts(systems):
    of = {"paper": "Cr5", "table": "1b", "row": "Cr5 joint", "system": "cr5", "setting": "joint"}
    of |= {"task": "documents", "query": "all", "target": "all", "similarity": "cosine"}
    of |= {"n_queries": 9, "n_candidates": 2000, "tolerance": 2.0}
    rows = [
        {"metric": "Success@1", "published": 62.6, "ours": 60.0, "verdict": "lower"},
        {
            "metric": "docs_in_intersection",
            "published": 79000,
            "ours": 80000,
            "verdict": "not judged",
        },
    ]
    frame = pd.DataFrame([of | x | {"difference": x["ours"] - x["published"]} for x in rows])
    [(heading, block)] = tables.published_table(frame, systems).blocks
    assert heading == "Cr5, table 1b, Cr5 joint: Cr5, joint, documents"
    cells = block[["Published", "Ours", "Difference", "Verdict"]].to_numpy().tolist()
    assert cells == [
        ["62.6", "60.0", "-2.6", "lower"],
        ["79,000", "80,000", "+1,000", "not judged"],
    ]


def test_a_table_is_escaped_in_each_format(tmp_path):
    frame = pd.DataFrame({"A_b": ["50 % & <x>|", bold("y_1")]})
    Table("T_1", [("H*", frame)], frame, ["note_1"]).write(tmp_path / "t")
    markdown = (tmp_path / "t.md").read_text()
    assert r"50 % \& \<x\>\|" in markdown and r"**y\_1**" in markdown and r"## H\*" in markdown
    latex = (tmp_path / "t.tex").read_text()
    assert r"50 \% \&" in latex and r"\textbf{y\_1}" in latex and r"note\_1" in latex
    assert (tmp_path / "t.csv").read_text().startswith("A_b\n")
    assert html(bold("<a>")) == "<b>&lt;a&gt;</b>"
    assert BEGIN not in markdown + latex


def test_plain_frames_keep_counts_whole():
    frame = pd.DataFrame(
        {"language": ["da"], "documents": [2290], "mean_words": [51.12], "x": [None]}
    )
    assert plain(frame).to_numpy().tolist() == [["da", "2,290", "51.1", NOTHING]]
