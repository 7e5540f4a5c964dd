"""Tables of a run: each cell is the frame's value, and bold is what the tests say."""

import pandas as pd
import pytest

from cr5.fitting.options import FOUND_NOTHING
from cr5.models import store
from cr5.report import tables
from cr5.report.run import Run, mark
from cr5.report.table import BEGIN, DAGGER, NOTHING, Table, bold, glance, html


def test_systems_stand_by_falling_value_with_their_dimensions(run):
    run.dimensions = {("joint", "cr5"): {300, 49}}
    block = tables.systems(run).blocks[0][1]
    assert list(block["System"]) == ["Mapped", "Cr5", "Topics (l1)"]
    assert list(block["Dimension"]) == [NOTHING, "49, 300", NOTHING]


def test_bold_is_the_best_and_what_does_not_differ_from_it(means, tests):
    best = mark(means, tests).set_index(["system", "similarity", "metric"])["best"]
    assert best["mapped", "cosine", "Success@1"] and not best["cr5", "cosine", "Success@1"]
    assert best["mapped", "csls", "Success@1"] and best["cr5", "csls", "Success@1"]
    assert pd.isna(best["topics", "l1", "Success@1"])  # compared with no other


def test_what_found_nothing_has_a_dagger_and_a_line(run):
    run.found_nothing = {("joint", "mapped"): {"it: 0 of 2 starts": ["1", "1", "3"]}}
    run.facts["repetitions"] = 5
    line = f"{DAGGER} Mapped, joint: it: 0 of 2 starts (in 2 of 5 repetitions)"
    table = tables.systems(run)
    assert list(table.blocks[0][1]["System"]) == [f"Mapped{DAGGER}", "Cr5", "Topics (l1)"]
    assert table.notes[0] == line
    said = table.data.dropna(subset="found_nothing")
    assert set(said["system"]) == {"mapped"} and set(said["found_nothing"]) == {line[2:]}
    by_direction = tables.directions(run, "documents")
    assert by_direction.notes[0] == line
    named = [name for name, _ in by_direction.blocks if DAGGER in name]
    assert named == [f"Mapped, joint {DAGGER}"]
    run.facts["repetitions"] = 1
    assert tables.systems(run).notes[0] == line.partition(" (")[0]


def test_few_queries_and_what_is_left_out_are_told_once_for_each_reason(run):
    rows = [{"task": "documents", "system": x, "setting": "joint"} for x in ("cr5", "mapped")]
    run.left_out = pd.DataFrame(rows).assign(reason="too few", repetition=1)
    few = run.scores["n_queries"].where(run.scores["query"] == "da", 17)
    run.scores = run.scores.assign(n_queries=few)
    few, left_out = tables.directions(run, "documents").notes[-2:]
    assert few == tables.FEW
    assert left_out == "Left out of documents: Cr5, joint; Mapped, joint: too few"


def test_published_figures_stand_beside_ours_and_verdicts_are_counted(run):
    row = {"paper": "Cr5", "table": "1b", "row": "Cr5 joint", "setting": "joint", "system": "cr5"}
    row |= {"task": "documents", "query": "da", "target": "en", "similarity": "cosine"}
    row |= {"metric": "Success@1", "published": 50.25, "ours": 53.5, "difference": 3.25}
    row |= {"n_queries": 1000.0, "n_candidates": 200.0, "verdict": "higher", "tolerance": 2.5}
    missing = {"query": "all", "target": "all", "ours": None, "difference": None, "n_queries": None}
    run.compared = pd.DataFrame([row, row | missing | {"verdict": "missing"}])
    found = tables.published(run)
    [(heading, block)] = found.blocks
    assert heading == "Cr5, table 1b, Cr5 joint: cr5, joint, documents"
    first = ["da", "en", "cosine", "Success@1", "50.2", "53.5", "3.2", "2.5"]
    first += ["1,000", "200", "higher"]
    both = ["all", "all", "cosine", "Success@1", "50.2", *[NOTHING] * 2, "2.5", NOTHING, "200"]
    both += ["missing"]
    assert block.to_numpy().tolist() == [first, both]
    assert found.notes[0] == "Of 2 figures: higher 1, missing 1."


def test_examples_have_the_nearest_titles_and_the_truth_in_bold(run):
    ranks = {"system": "cr5", "setting": "joint", "similarity": "csls", "query_language": "da"}
    ranks |= {"target_language": "en", "query": "Q1", "rank": 2.0, "nearest": ["Q2", "Q1", "Q3"]}
    run.nearest = pd.DataFrame([ranks])
    run.titles = {
        "da": pd.Series({"Q1": "hund", "Q2": "kat"}),
        "en": pd.Series({"Q1": "dog", "Q2": "cat", "Q3": " "}),
    }
    run.facts["examples"] = {"neighbours": 3}
    [(heading, block)] = tables.examples(run).blocks
    assert heading == "da→en"
    assert block.to_numpy().tolist() == [["hund", "2", "cat", bold("dog"), "Q3"]]
    run.facts["examples"]["titles"] = "en"
    assert tables.examples(run).blocks[0][1]["Title"].tolist() == ["dog"]
    place = {"query_language": "da", "target_language": "en"}
    run.facts["examples"]["queries"] = [place | {"document": x} for x in ("Hund", "Q2", "ræv")]
    shown = tables.examples(run)
    assert shown.blocks[0][1]["Title"].tolist() == ["dog"]
    gone = [f"No test query of da→en: {x}." for x in ("Q2", "ræv")]  # Q2 is a kat
    assert shown.notes[-2:] == gone
    run.facts["examples"]["queries"] = [place | {"document": "ræv"}]
    assert (tables.examples(run).blocks, tables.examples(run).notes[-1]) == ([], gone[1])


def test_a_table_is_escaped_in_each_format(tmp_path):
    frame = pd.DataFrame({"A_b": ["50 % & <x>|", bold("y_1")]})
    Table([("H*", frame)], frame).write(tmp_path / "t", "T_1", ["note_1"])
    markdown = (tmp_path / "t.md").read_text()
    assert r"50 % \& \<x\>\|" in markdown and r"**y\_1**" in markdown and r"## H\*" in markdown
    latex = (tmp_path / "t.tex").read_text()
    assert r"50 \% \&" in latex and r"\textbf{y\_1}" in latex and r"note\_1" in latex
    assert (tmp_path / "t.csv").read_text().startswith("A_b\n")
    assert html(bold("<a>")) == "<b>&lt;a&gt;</b>"
    assert BEGIN not in markdown + latex


@pytest.mark.parametrize(("width", "metrics"), [(120, 3), (60, 2)])
def test_a_terminal_shows_the_first_task_and_measure(systems, tmp_path, width, metrics):
    path = tmp_path / "systems.csv"
    rows = [
        *("joint,cr5,documents,cosine,Success@1,0.331,True,", "joint,b,words,cosine,RR,1,True,"),
        "joint,mine,documents,cosine,Success@1,,False,no map",
        "joint,b,documents,csls,RR,1,True,not shown",
        *(f"joint,cr5,documents,cosine,{x},0.5,False," for x in ("Success@5", "A@" + 20 * "9")),
    ]
    head = "setting,system,task,similarity,metric,value,best,found_nothing"
    path.write_text("\n".join([head, *rows]))
    title, head, *lines, note = glance(path, width, systems)
    assert note == f"{DAGGER} no map"
    assert title.startswith("documents, cosine, means in percent; *: the best")
    assert len(head.split()) == 2 + metrics and len(head) <= width
    assert [line.split()[:3] for line in lines] == [
        ["joint", "Cr5", "*33.1"],
        ["joint", f"mine{DAGGER}", NOTHING],
    ]


def test_fits_that_found_nothing_are_known_by_setting_and_series(systems, monkeypatch):
    warnings = {"a": [f"da: {FOUND_NOTHING}: 0 of 2 starts succeeded"], "b": ["the best ridge"]}
    monkeypatch.setattr(
        store,
        "about",
        lambda path: {
            **{"setting": "pairwise_da_en", "system": "mapped", "repetition": path},
            "fit": {"warnings": warnings[path]},
        },
    )
    run = Run.__new__(Run)
    run.systems = systems
    row = {"setting": "pairwise_da_en", "series": "pairwise", "kind": "pairwise"}
    run.pairs = pd.DataFrame([row])
    run._read_fits(["a", "b"])
    found = {warnings["a"][0]: ["a"]}
    assert run.found_nothing == {
        ("pairwise", "mapped"): found,
        ("pairwise_da_en", "mapped"): found,
    }
