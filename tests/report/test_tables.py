"""Tables of a run: each cell is the frame's value, and bold is what the tests say."""

import pandas as pd
import pytest

from cr5.fitting.options import FOUND_NOTHING
from cr5.models import store
from cr5.report import tables
from cr5.report.examples import examples as examples_of_run
from cr5.report.fits import read_fits
from cr5.report.run import mark
from cr5.report.table import BEGIN, DAGGER, NOTHING, Cell, Table, glance, html
from tests.report.conftest import with_facts, with_fits, with_frames


def test_systems_stand_by_falling_value_with_their_dimensions(run):
    dimensions = {("joint", "cr5"): {300, 49}}
    _, block = tables.systems(with_fits(run, dimensions=dimensions)).blocks[0]
    assert list(block["System"]) == ["Mapped", "Cr5", "Topics (l1)"]
    assert list(block["Dimension"]) == [NOTHING, "49, 300", NOTHING]


@pytest.mark.parametrize(
    ("system", "similarity", "is_best"),
    [
        ("mapped", "cosine", "True"),
        ("cr5", "cosine", "False"),
        ("mapped", "csls", "True"),
        ("cr5", "csls", "True"),
        ("topics", "l1", "<NA>"),  # compared with no other
    ],
)
def test_bold_is_the_best_and_what_does_not_differ_from_it(
    means, tests, system, similarity, is_best
):
    best = mark(means, tests).set_index(["system", "similarity", "metric"])["best"]
    assert str(best[system, similarity, "Success@1"]) == is_best


REPETITIONS = ["1", "1", "3"]
WARNED = {("joint", "mapped"): {"it: 0 of 2 starts": REPETITIONS}}
WARNING = "Mapped, joint: it: 0 of 2 starts (in 2 of 5 repetitions)"


@pytest.fixture
def warned(run):
    """A run of which a system found nothing in two repetitions of five."""
    return with_facts(with_fits(run, found_nothing=WARNED), repetitions=5)


def test_what_found_nothing_has_a_dagger_and_a_line(warned):
    table = tables.systems(warned)
    _, block = table.blocks[0]
    assert list(block["System"]) == [f"Mapped{DAGGER}", "Cr5", "Topics (l1)"]
    assert table.notes[0] == f"{DAGGER} {WARNING}"
    reasons = table.tidy.dropna(subset="found_nothing")
    assert set(reasons["system"]) == {"mapped"}
    assert set(reasons["found_nothing"]) == {WARNING}


def test_what_found_nothing_has_a_dagger_in_each_direction(warned):
    table = tables.directions(warned, "documents")
    assert table.notes[0] == f"{DAGGER} {WARNING}"
    with_dagger = [heading for heading, _ in table.blocks if DAGGER in heading]
    assert with_dagger == [f"Mapped, joint {DAGGER}"]


def test_of_one_repetition_none_are_counted(warned):
    notes = tables.systems(with_facts(warned, repetitions=1)).notes
    assert notes[0] == f"{DAGGER} Mapped, joint: it: 0 of 2 starts"


def test_few_queries_and_what_is_left_out_are_told_once_for_each_reason(run):
    left_out = pd.DataFrame({"system": ["cr5", "mapped"], "repetition": 1})
    left_out = left_out.assign(task="documents", setting="joint", reason="too few")
    is_forth = run.scores["query_language"] == "da"
    scores = run.scores.assign(n_queries=run.scores["n_queries"].where(is_forth, 17))
    changed = with_frames(run, left_out=left_out, scores=scores)
    assert tables.directions(changed, "documents").notes[-2:] == [
        tables.FEW,
        "Left out of documents: Cr5, joint; Mapped, joint: too few",
    ]


def test_published_figures_stand_beside_ours_and_verdicts_are_counted(run):
    row = {
        "paper": "Cr5",
        "table": "1b",
        "row": "Cr5 joint",
        "setting": "joint",
        "system": "cr5",
        "task": "documents",
        "query_language": "da",
        "target_language": "en",
        "similarity": "cosine",
        "metric": "Success@1",
        "published": 50.25,
        "ours": 53.5,
        "difference": 3.25,
        "n_queries": 1000.0,
        "n_candidates": 200.0,
        "verdict": "higher",
        "tolerance": 2.5,
    }
    missing = {**row, "query_language": "all", "target_language": "all", "verdict": "missing"}
    missing |= dict.fromkeys(["ours", "difference", "n_queries"])
    table = tables.published(with_frames(run, compared=pd.DataFrame([row, missing])))
    [(heading, block)] = table.blocks
    assert heading == "Cr5, table 1b, Cr5 joint: cr5, joint, documents"
    assert list(block)[:5] == ["Query", "Target", "Similarity", "Metric", "Published"]
    both, pooled = block.to_numpy().tolist()
    place = ["cosine", "Success@1", "50.2"]
    assert both == ["da", "en"] + place + ["53.5", "3.2", "2.5", "1,000", "200", "higher"]
    nothing = [NOTHING, NOTHING, "2.5", NOTHING, "200", "missing"]
    assert pooled == ["all", "all"] + place + nothing
    assert table.notes[0] == "Of 2 figures: higher 1, missing 1."


DANISH_TO_ENGLISH = {"query_language": "da", "target_language": "en"}
TRUTH = Cell("dog")


@pytest.fixture
def asked(run):
    """A function: the table of examples, with some options."""
    rank = {"system": "cr5", "setting": "joint", "similarity": "csls", **DANISH_TO_ENGLISH}
    rank |= {"query": "Q1", "rank": 2.0, "nearest": ["Q2", "Q1", "Q3"]}
    titles = {
        "da": pd.Series({"Q1": "hund", "Q2": "kat"}),
        "en": pd.Series({"Q1": "dog", "Q2": "cat", "Q3": " "}),
    }
    changed = with_frames(run, nearest=pd.DataFrame([rank]), titles=titles)

    def shown(documents=(), **options):
        queries = [{**DANISH_TO_ENGLISH, "document": document} for document in documents]
        examples = {"neighbours": 3, "queries": queries, **options}
        return examples_of_run(with_facts(changed, examples=examples))

    return shown


def test_examples_have_the_nearest_titles_and_the_truth_in_bold(asked):
    [(heading, block)] = asked().blocks
    assert heading == "da→en"
    assert block.to_numpy().tolist() == [["hund", "2", "cat", TRUTH, "Q3"]]


def test_examples_have_titles_of_one_language_where_it_is_named(asked):
    [(_, block)] = asked(titles="en").blocks
    assert block["Title"].tolist() == ["dog"]


def test_named_queries_are_shown_or_told(asked):
    table = asked(["Hund", "Q2", "ræv"])
    [(_, block)] = table.blocks
    assert block["Title"].tolist() == ["hund"]
    assert table.notes[-2:] == [  # Q2 is a kat
        "No test query of da→en: Q2.",
        "No test query of da→en: ræv.",
    ]


def test_without_any_named_query_there_is_only_a_note(asked):
    table = asked(["ræv"])
    assert table.blocks == []
    assert table.notes[-1] == "No test query of da→en: ræv."


@pytest.fixture
def texts(tmp_path):
    """A table of special characters, by the ending of its files."""
    frame = pd.DataFrame({"A_b": ["50 % & <x>|", Cell("y_1", " [0]")]})
    Table([("H*", frame)], frame).write(tmp_path / "t", "T_1", ["note_1"])
    return {path.suffix: path.read_text() for path in tmp_path.iterdir()}


@pytest.mark.parametrize(
    ("ending", "expected"),
    [
        (".md", r"50 % \& \<x\>\|"),
        (".md", r"**y\_1** \[0\]"),
        (".md", r"## H\*"),
        (".tex", r"50 \% \&"),
        (".tex", r"\textbf{y\_1} [0]"),
        (".tex", r"note\_1"),
    ],
)
def test_a_table_is_escaped_in_each_format(texts, ending, expected):
    assert expected in texts[ending]
    assert BEGIN not in texts[ending]


def test_data_of_a_table_are_not_escaped(texts):
    assert texts[".csv"].startswith("A_b\n50 % & <x>|\n")


def test_a_cell_is_escaped_for_html():
    assert html(Cell("<a>", "&")) == "<b>&lt;a&gt;</b>&amp;"
    assert html("<a>") == "&lt;a&gt;"


SYSTEMS_CSV = """\
setting,system,task,similarity,metric,value,best,found_nothing
007,cr5,documents,cosine,Success@1,0.331,True,
007,b,words,cosine,RR,1,True,
007,mine,documents,cosine,Success@1,,False,no map
007,b,documents,csls,RR,1,True,not shown
007,cr5,documents,cosine,Success@5,0.5,False,
007,cr5,documents,cosine,A@99999999999999999999,0.5,False,
"""


@pytest.mark.parametrize(("width", "n_metrics"), [(120, 3), (60, 2)])
def test_a_terminal_shows_the_first_task_and_measure(systems, tmp_path, width, n_metrics):
    """Of a setting whose name is no number, though of digits."""
    path = tmp_path / "systems.csv"
    path.write_text(SYSTEMS_CSV)
    title, head, *lines, note = glance(path, width, systems)
    assert note == f"{DAGGER} no map"
    assert title.startswith("documents, cosine, means in percent; *: the best")
    assert len(head.split()) == 2 + n_metrics
    assert len(head) <= width
    assert [line.split()[:3] for line in lines] == [
        ["007", "Cr5", "*33.1"],
        ["007", f"mine{DAGGER}", NOTHING],
    ]


def test_fits_that_found_nothing_are_known_by_setting_and_series(systems, monkeypatch):
    nothing = f"da: {FOUND_NOTHING}: 0 of 2 starts succeeded"
    warnings = {"a": [nothing], "b": ["the best ridge"]}

    def about(path):
        subject = {"setting": "pairwise_da_en", "system": "mapped", "repetition": path}
        return {**subject, "fit": {"warnings": warnings[path]}}

    monkeypatch.setattr(store, "about", about)
    row = {"setting": "pairwise_da_en", "series": "pairwise", "kind": "pairwise"}
    fits = read_fits(["a", "b"], pd.DataFrame([row]), systems)
    assert fits.found_nothing == {
        ("pairwise", "mapped"): {nothing: ["a"]},
        ("pairwise_da_en", "mapped"): {nothing: ["a"]},
    }
    assert fits.warnings == [
        f"Mapped, pairwise_da_en: {nothing}",
        "Mapped, pairwise_da_en: the best ridge",
    ]
