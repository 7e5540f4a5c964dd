"""The report as a whole: the page and its files."""

import json
import re

import pandas as pd
import pytest
from matplotlib.figure import Figure

from cr5.report import report
from cr5.report.canvas import Drawn
from cr5.report.facts import RunFacts
from cr5.report.report import Item
from cr5.report.table import Table
from tests.report.conftest import with_facts, with_fits

ABOUT = {"made": "seed 7", "versions": {"numpy": "2"}, "config": {}}
FRAME = pd.DataFrame({"A": ["x"]})
WARNINGS = ["splits: 3 documents of 'a<b'"]


def a_table(run, task=None):
    """Shows.

    In many words.
    """
    return Table([("", FRAME)], FRAME)


def a_figure(run):
    """Draws."""
    return Drawn(Figure(), FRAME)


def nothing(run):
    """Has nothing to show."""


@pytest.fixture
def written(run, tmp_path, monkeypatch):
    """The folder of a report of two tables and a figure."""
    items = [
        Item("Results", "table", "Table", a_table),
        Item("Results", "figure", "Figure", a_figure),
        Item("Results", "nothing", "Nothing", nothing),
        Item("Corpus", "of_a_b", "Of a_b", a_table, {"task": "a_b"}),
    ]
    monkeypatch.setattr(report, "items", lambda run: items)
    monkeypatch.setattr(report, "record", lambda run, config: ABOUT)
    run = with_fits(run, found_nothing={("joint", "mapped"): {"it: no map": ["1"]}})
    report.write(run, {}, tmp_path / "first", False, WARNINGS)
    report.write(run, {}, tmp_path / "second", False, WARNINGS)
    return tmp_path / "first"


def test_the_page_has_the_main_table(written):
    page = (written / "report.html").read_text(encoding="utf-8")
    assert "<h1>Document retrieval on mine</h1>" in page
    assert '<td class="value" style="--share:50.0%"><b>50.0</b> <small>[45.0, 55.0]' in page
    assert "<td>Topics (l1)</td>" in page  # which has no cosine
    assert "<td>Mapped†</td>" in page
    assert "<p>† Mapped, joint: it: no map</p>" in page


def test_the_page_escapes_warnings(written):
    page = (written / "report.html").read_text(encoding="utf-8")
    assert "Cr5: rank &lt;300&gt; reduced" in page
    assert "<p>1 of 3 &lt;documents&gt; are not there.</p>" in page
    assert "<p>splits: 3 documents of &#39;a&lt;b&#39;.</p>" in page.split("<table>")[0]


def test_the_page_links_to_all_files(written):
    page = (written / "report.html").read_text(encoding="utf-8")
    links = set(re.findall('href="([^"]+)"', page))
    assert {f"report/table.{ending}" for ending in ("md", "tex")} < links
    assert {f"report/figure.{ending}" for ending in ("svg", "pdf")} < links
    names = sorted(path.name for path in (written / "report").iterdir())
    assert names == [
        "about.json",
        "figure.csv",
        "figure.pdf",
        "figure.png",
        "figure.svg",
        "of_a_b.csv",
        "of_a_b.md",
        "of_a_b.tex",
        "table.csv",
        "table.md",
        "table.tex",
    ]


def test_a_caption_is_the_first_paragraph(written):
    text = (written / "report" / "table.md").read_text()
    assert "Shows.\n" in text
    assert "many words" not in text
    assert "Made from seed 7." in text


def test_the_same_run_has_the_same_page(written):
    again = written.with_name("second") / "report.html"
    assert (written / "report.html").read_bytes() == again.read_bytes()


def test_facts_are_made_again_from_their_json(run):
    point = {"series": "low", "query_language": "da", "target_language": "en", "setting": "few"}
    paper = {"paper": "Cr5", "table": "1b", "rows": {"Cr5 joint": "cr5"}, "setting": "joint"}
    facts = with_facts(
        run,
        fits=[{"setting": "joint", "system": "cr5", "task": "documents"}],
        points=[point],
        published=[{**paper, "queries": {"da": 100}, "departures": ["bags.case"]}],
        examples={"titles": "en"},
    ).facts
    text = json.dumps(facts.model_dump(mode="json"))
    again = RunFacts.model_validate(json.loads(text))
    assert again == facts
    assert json.dumps(again.model_dump(mode="json")) == text
