from dataclasses import replace

import pandas as pd

from cr5.base import origin
from cr5.report.markup import Bold
from cr5.report.table import Table, to_html, to_latex, to_markdown, write_table

SOURCE = origin.Origin(7, "a1b2", "c3d4", ("1.0+abc",))
TABLE = Table(
    title="Titles",
    header=["Name", "n_x"],
    align="lr",
    blocks=[("A & B", [["Hà|x", "1"]]), ("", [[Bold("50%"), "–"]])],
    data=pd.DataFrame({"name": ["Hà|x", "50%"], "n": [1.0, None]}),
    notes=["First.", "Second."],
)


def test_markdown():
    assert to_markdown(TABLE) == (
        "# Titles\n\n"
        "First.\n\n"
        "Second.\n\n"
        "## A \\& B\n\n"
        "| Name   |   n\\_x |\n"
        "|:-------|-------:|\n"
        "| Hà\\|x  |      1 |\n\n"
        "| Name    |   n\\_x |\n"
        "|:--------|-------:|\n"
        "| **50%** |      – |\n"
    )


def test_latex():
    assert to_latex(TABLE).splitlines()[2:] == [
        r"\begingroup\footnotesize\setlength{\tabcolsep}{3pt}",
        r"\begin{longtable}{lr}",
        r"\caption{Titles. First. Second.}\\",
        r"\toprule",
        r"Name & n\_x \\",
        r"\midrule",
        r"\endfirsthead",
        r"\toprule",
        r"Name & n\_x \\",
        r"\midrule",
        r"\endhead",
        r"\bottomrule",
        r"\endlastfoot",
        r"\multicolumn{2}{p{0.95\linewidth}}{A \& B} \\*",
        r"Hà\textbar{}x & 1 \\",
        r"\midrule",
        r"\textbf{50\%} & -- \\",
        r"\end{longtable}",
        r"\endgroup",
    ]


def test_paragraph_columns_share_the_line():
    table = Table("T", ["a", "b", "c"], "prp", [("", [["1", "2", "3"]])], TABLE.data)
    paragraph = r">{\raggedright\arraybackslash}p{0.4\linewidth}"
    assert rf"\begin{{longtable}}{{{paragraph}r{paragraph}}}" in to_latex(table)


def test_html():
    head, body = to_html(TABLE).split("<body>\n")
    assert '<meta charset="utf-8">\n' in head and "<title>Titles</title>" in head
    assert body.splitlines() == [
        "<h1>Titles</h1>",
        "<p>First.</p>",
        "<p>Second.</p>",
        "<h2>A &amp; B</h2>",
        "<div><table>",
        '<tr><th class="l">Name</th><th class="r">n_x</th></tr>',
        '<tr><td class="l">Hà|x</td><td class="r">1</td></tr>',
        "</table></div>",
        "<div><table>",
        '<tr><th class="l">Name</th><th class="r">n_x</th></tr>',
        '<tr><td class="l"><b>50%</b></td><td class="r">–</td></tr>',
        "</table></div>",
        "</body>",
        "</html>",
    ]


def test_the_last_blocks_of_a_page_may_be_folded_under_their_headings():
    blocks = [(name, [["1", "2"]]) for name in ("a", "b&", "c")]
    body = to_html(replace(TABLE, blocks=blocks, folded=2))
    assert body.count("<h2>") == body.count("<h2>a</h2>") == 1
    for heading in ("b&amp;", "c"):
        assert f"<details>\n<summary>{heading}</summary>\n<div><table>" in body
    assert body.count("<tr><td") == 3


def test_write_table_writes_four_files_in_utf8_and_its_origin(tmp_path):
    write_table(TABLE, tmp_path / "new" / "t", SOURCE)
    named = replace(TABLE, notes=["First.", "Second.", f"Made from {SOURCE}."])
    names = sorted(path.name for path in (tmp_path / "new").iterdir())
    assert names == ["t.csv", "t.html", "t.json", "t.md", "t.tex"]
    assert (tmp_path / "new" / "t.csv").read_bytes() == "name,n\nHà|x,1.0\n50%,\n".encode()
    assert (tmp_path / "new" / "t.md").read_text("utf-8") == to_markdown(named)
    assert (tmp_path / "new" / "t.tex").read_text("utf-8") == to_latex(named)
    source, more = origin.read(tmp_path / "new" / "t.json")
    assert (source, more["csv"]["bytes"]) == (SOURCE, len("name,n\nHà|x,1.0\n50%,\n".encode()))
    assert (tmp_path / "new" / "t.html").read_text("utf-8") == to_html(named)
