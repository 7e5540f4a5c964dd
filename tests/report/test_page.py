"""The page of a run, from tables written by hand."""

import re
import shutil

import pandas as pd
import pytest

from cr5.base import origin, sealed_json
from cr5.base.origin import Origin
from cr5.report import page

SOURCE = Origin(7, "a1b2c3", "c3d4", ("1.0+abc",))
ABOUT = {
    "systems": {"cr5": {"title": "Cr5"}},
    "config": {"corpus": {"name": "my_<corpus>"}, "languages": ["da", "en"], "repetitions": 2},
    "versions": {"cr5": "1.0", "numpy": "2.0"},
    "origin": origin.as_json(SOURCE),
}
HTML = "<h1>x</h1><table><tr><th>Cell</th></tr><tr><td>1</td></tr></table><table></table>"
SHOWN = [
    ("tables/systems", "systems", ""),
    ("tables/pairs", "pairs", ""),
    ("tables/tasks/own", "task", "own"),
    ("figures/precision_at_k", "first", "cosine"),
    ("figures/precision_at_k_pairs", "precision_at_k_pairs", "csls"),
]
PATHS = [f"{stem}.{'html' if stem.startswith('tables') else 'svg'}" for stem, _, _ in SHOWN]


def means():
    rows = [
        ("joint", "documents", "cr5", "cosine", "Success@1", 0.25, True),
        ("joint", "documents", "mine<", "cosine", "Success@1", 0.5, True),
        ("joint", "documents", "mine<", "cosine", "RR", 0.6, None),
        ("low_resource_da-en_50", "documents", "cr5", "cosine", "Success@1", 0.125, False),
        ("joint", "documents", "cr5", "csls", "Success@1", 0.99, True),
        ("joint", "words", "cr5", "cosine", "Success@1", 0.98, True),
    ]
    names = ["setting", "task", "system", "similarity", "metric", "value", "best"]
    frame = pd.DataFrame(rows, columns=names)
    ends = {"ci_low": frame["value"] - 0.1, "ci_high": frame["value"] + 0.1}
    return frame.assign(**ends, directions=2, n_queries=1234, n_candidates=20.0)


@pytest.fixture
def folder(tmp_path):
    """Of results, with a table and a figure of each kind."""
    for name in ("tables/tasks", "figures"):
        (tmp_path / name).mkdir(parents=True)
    means().to_csv(tmp_path / "tables" / "systems.csv", index=False)
    left_out = pd.DataFrame(columns=["setting", "system", "task", "repetition", "reason"])
    left_out.to_csv(tmp_path / "tables" / "left_out.csv", index=False)
    for path in PATHS:
        (tmp_path / path).write_text(HTML if path.endswith("html") else "<svg/>")
    sealed_json.write(tmp_path / "run.json", ABOUT)
    return tmp_path


def written(folder, shown=SHOWN, explored=True):
    page.write(folder, shown, "documents", "cosine", explored)
    return (folder / "report.html").read_text(encoding="utf-8")


def test_the_main_table_is_of_the_main_task_and_measure_by_falling_value(folder):
    text = written(folder)
    main = text[text.index('<section class="card main">') : text.index("</section>")]
    cells = re.findall(r"<t[dh][^>]*>(.*?)</t[dh]>", main)
    plain = [re.sub(r"<[^>]*>", "", cell) for cell in cells]
    assert plain == [
        *("System", "Success@1", "RR"),
        "joint: 2 directions, 1,234 queries, 20 candidates",
        *("mine&lt;", "50.0 [40.0, 60.0]", "60.0"),
        *("Cr5", "25.0 [15.0, 35.0]", "–"),
        "Other settings, each with its own directions and queries",
        *("Cr5, low resource, da–en, 50 concepts", "12.5 [2.5, 22.5]", "–"),
    ]
    assert main.count("<b>") == 2
    assert "99.0" not in text and "98.0" not in text


def test_it_says_what_was_done_and_what_it_was_made_from(folder):
    text = written(folder)
    assert "<h1>Document retrieval on my_&lt;corpus&gt;</h1>" in text
    assert "2 languages (da, en), 2 directions, 1,234 queries" in text
    assert "in 2 repetitions" in text
    assert f"Made from {SOURCE}." in text


def test_all_is_linked_and_the_main_figure_is_inside(folder):
    text = written(folder)
    for path in PATHS:
        assert f'href="{path}"' in text
    assert 'src="figures/precision_at_k_pairs.png"' in text
    assert "data:image/svg+xml;base64,PHN2Zy8+" in text  # <svg/>
    assert 'href="explore/index.html"' in text
    headings = re.findall("<h2>(.*?)</h2>", text)
    assert headings == ["Results", "Corpus", "Data", "The run"]
    assert "explore/index.html" not in written(folder, explored=False)


def test_what_was_left_out_is_said_with_its_reason(folder):
    assert "Left out" not in written(folder)
    row = {"setting": "joint", "system": "cr5", "task": "words", "repetition": 1}
    rows = pd.DataFrame([{**row, "reason": "Too <few>."}, {**row, "reason": "Too <few>."}])
    rows.to_csv(folder / "tables" / "left_out.csv", index=False)
    assert "<li>Too &lt;few&gt;.: Cr5, joint, words</li>" in written(folder)


def test_nothing_found_is_said(folder):
    means()[:0].to_csv(folder / "tables" / "systems.csv", index=False)
    assert "No system has figures" in written(folder)


def test_the_same_run_gives_the_same_bytes_elsewhere(folder, tmp_path_factory):
    other = tmp_path_factory.mktemp("other") / "results"
    shutil.copytree(folder, other)
    assert written(folder) == written(other, [*reversed(SHOWN)])


def test_it_needs_no_network(folder):
    assert "http" not in written(folder).replace("http-equiv", "")
