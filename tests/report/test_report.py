"""The report as a whole: the page and its files, and what is kept where a figure fails."""

import re

import pandas as pd
import pytest
from matplotlib.figure import Figure

from cr5.base.errors import UserError
from cr5.report import report
from cr5.report.report import Item
from cr5.report.table import Table

ABOUT = {"made": "seed 7", "versions": {"numpy": "2"}, "config": {}}


@pytest.fixture
def shown(monkeypatch):
    """A function: what the report shows."""
    frame = pd.DataFrame({"A": ["x"]})
    table = Table([("", frame)], frame)

    def a_table(run, task=None):
        """Shows.

        In many words.
        """
        return table

    def a_figure(run):
        """Draws."""
        return Figure(), frame

    def nothing(run):
        """Has nothing."""

    def make(**more):
        of = {"table": a_table, "figure": a_figure, "nothing": nothing, **more}
        items = [Item(x, x.title(), y) for x, y in of.items()]
        of_tasks = [Item("of_{}", "Of {}", a_table, lambda run: ["a_b"])]
        monkeypatch.setattr(report, "ITEMS", {"Results": items, "Corpus": of_tasks})

    return make


def test_the_page_has_the_main_table_and_links_to_files(run, shown, tmp_path):
    shown()
    report.write(run, ABOUT, tmp_path)
    page = (tmp_path / "report.html").read_text(encoding="utf-8")
    assert "<h1>Document retrieval on mine</h1>" in page
    assert '<td class="value" style="--share:50.0%"><b>50.0</b> <small>[45.0, 55.0]' in page
    assert "<td>Topics (l1)</td>" in page  # which has no cosine
    assert "Cr5: rank &lt;300&gt; reduced" in page
    assert {f"report/{x}" for x in ("table.md", "table.tex", "figure.svg", "figure.pdf")} < set(
        re.findall('href="([^"]+)"', page)
    )
    assert sorted(x.name for x in (tmp_path / "report").iterdir()) == [
        "about.json",
        *(f"figure.{x}" for x in ("csv", "pdf", "png", "svg")),
        *(f"{x}.{y}" for x in ("of_a_b", "table") for y in ("csv", "md", "tex")),
    ]
    text = (tmp_path / "report" / "table.md").read_text()
    assert "Shows.\n" in text and "many words" not in text and "Made from seed 7." in text
    report.write(run, ABOUT, tmp_path)
    assert (tmp_path / "report.html").read_text(encoding="utf-8") == page


def test_where_a_figure_fails_the_rest_is_written_beside(run, shown, tmp_path):
    def fails(run):
        raise ValueError("no points")

    shown(bad=fails)
    with pytest.raises(UserError, match="bad: ValueError: no points"):
        report.write(run, ABOUT, tmp_path)
    assert not (tmp_path / "report.html").exists()
    assert (tmp_path / "partial" / "report" / "table.csv").exists()
    assert "no points" in (tmp_path / "partial" / "report.html").read_text(encoding="utf-8")
    shown()
    report.write(run, ABOUT, tmp_path)
    assert not (tmp_path / "partial").exists()
