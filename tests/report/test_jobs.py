import pytest

from cr5.base import sealed_json
from cr5.report import jobs, rule_graph

HEADER = "s\th:m:s\tmax_rss\tcpu_time\n"
MACHINE = {"processor": "A <b>", "architecture": "x", "system": "y"}


@pytest.fixture
def folder(tmp_path):
    """Of results, with benchmarks of two steps and a log."""
    rows = {
        "fit/joint/cr5/1": "61\t0:01:01\t2048\t100\n",
        "fit/joint/mine/1": "10.5\t0:00:10\t100\t9.5\n",
        "report_page": "0.2\t0:00:00\t-\tNA\n",
        "broken": "",
    }
    for name, row in rows.items():
        path = tmp_path / "benchmarks" / f"{name}.tsv"
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(HEADER + row if row else "")
    (tmp_path / "logs" / "fit" / "joint" / "cr5").mkdir(parents=True)
    (tmp_path / "logs" / "fit" / "joint" / "cr5" / "1.log").write_text("x")
    sealed_json.write(tmp_path / "run.json", {"machine": MACHINE})
    return tmp_path


def test_steps_are_summed_the_longest_first(folder):
    jobs.write(folder, [("fit", "report_page")])
    text = (folder / "jobs.html").read_text(encoding="utf-8")
    rows = ["All", "fit", "report page"]
    places = [text.index(f"<tr><td>{row}</td>") for row in rows]
    assert places == sorted(places)
    plain = text.replace(' class="narrow-off"', "")
    cells = ["2", "1 min 12 s", "1 min 1 s", "1 min 50 s", "2,048 MB"]
    assert "<tr><td>fit</td>" + "".join(f"<td>{x}</td>" for x in cells) in plain
    assert "<td>0.2 s</td><td>0.2 s</td><td>0.0 s</td><td>–</td>" in plain
    assert 'href="logs/fit/joint/cr5/1.log"' in text
    assert "logs/fit/joint/mine" not in text
    assert "A &lt;b&gt;" in text


@pytest.mark.parametrize(
    ("seconds", "said"), [(1, "1.0 s"), (59.96, "60.0 s"), (60, "1 min 0 s"), (7260, "2 h 1 min")]
)
def test_durations(seconds, said):
    assert jobs.duration(seconds) == said


def test_a_graph_leaves_out_what_follows_and_draws_from_above_to_below():
    edges = [("a", "b"), ("b", "c"), ("a", "c"), ("d_<", "c"), ("e", "e")]
    drawn = rule_graph.svg(edges)
    assert drawn.count("<path") == 3
    assert drawn.count("<rect") == 5
    assert "d &lt;" in drawn
    height = {
        name: float(drawn[: drawn.index(f">{name}</text>")].rsplit(' y="', 1)[1].split('"')[0])
        for name in "abce"
    }
    assert height["a"] == height["e"] < height["b"] < height["c"]
    assert drawn == rule_graph.svg(reversed(edges))
