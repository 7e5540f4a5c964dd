"""The report as a whole: the page and its files."""

import re

import pandas as pd
from matplotlib.figure import Figure

from cr5.report import report
from cr5.report.table import Table

ABOUT = {"made": "seed 7", "versions": {"numpy": "2"}, "config": {}}


def a_table(run, task=None):
    """Shows.

    In many words.
    """
    frame = pd.DataFrame({"A": ["x"]})
    return Table([("", frame)], frame)


def a_figure(run):
    """Draws."""
    return Figure(), pd.DataFrame({"A": ["x"]})


def test_the_page_has_the_main_table_and_links_to_files(run, tmp_path, monkeypatch):
    items = [("Results", "table", "Table", a_table), ("Results", "figure", "Figure", a_figure)]
    items += [("Results", "nothing", "Nothing", lambda run: None)]
    items += [("Corpus", "of_a_b", "Of a_b", a_table, "a_b")]
    monkeypatch.setattr(report, "items", lambda run: items)
    monkeypatch.setattr(report, "record", lambda run, config: ABOUT)
    run.found_nothing = {("joint", "mapped"): {"it: no map": ["1"]}}
    report.write(run, {}, tmp_path, False, ["splits: 3 documents of 'a<b'"])
    page = (tmp_path / "report.html").read_text(encoding="utf-8")
    assert "<h1>Document retrieval on mine</h1>" in page
    assert '<td class="value" style="--share:50.0%"><b>50.0</b> <small>[45.0, 55.0]' in page
    assert "<td>Topics (l1)</td>" in page  # which has no cosine
    assert "<td>Mapped†</td>" in page and "<p>† Mapped, joint: it: no map</p>" in page
    assert "Cr5: rank &lt;300&gt; reduced" in page
    assert "<p>1 of 3 &lt;documents&gt; are not there.</p>" in page
    assert "<p>splits: 3 documents of &#39;a&lt;b&#39;.</p>" in page.split("<table>")[0]
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
    report.write(run, {}, tmp_path, False, ["splits: 3 documents of 'a<b'"])
    assert (tmp_path / "report.html").read_text(encoding="utf-8") == page
