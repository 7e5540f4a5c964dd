"""What ./run starts, up to the moment at which snakemake takes over."""

import runpy
import subprocess
import sys
from pathlib import Path

import pytest

from cr5.plan import start

ROOT = Path(__file__).parents[2]
TARGET = "results/mine/tables/table1.md"


@pytest.fixture(autouse=True)
def files(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "mine.yaml").write_text("{}")


@pytest.fixture
def started(monkeypatch):
    """What snakemake would be given."""
    calls = []
    monkeypatch.setattr(sys, "argv", [])
    monkeypatch.setattr(runpy, "run_module", lambda *_, **__: calls.append(sys.argv))
    return calls


def test_snakemake_runs_in_this_process_with_a_terminal_of_ours(started):
    start.main(["a b", "-n", "--configfile", "mine.yaml"])
    expected = ["snakemake", "--logger=cr5", "a b", "-n", "--configfile", "mine.yaml"]
    assert started == [expected]


@pytest.mark.parametrize(
    ("given", "left"),
    [(["--verbose", "quick"], ["quick"]), (["--summary"], ["--summary"]), (["-q"], ["-q"])],
)
def test_snakemake_speaks_for_itself_where_that_is_asked_for(started, given, left):
    start.main(given)
    assert started == [["snakemake", *left]]


def test_an_interruption_before_any_job_is_told_in_one_line(monkeypatch):
    monkeypatch.setattr(sys, "argv", [])
    monkeypatch.setattr(sys, "stderr", sys.stderr)

    def interrupt(*_, **__):
        raise KeyboardInterrupt

    monkeypatch.setattr(runpy, "run_module", interrupt)
    with pytest.raises(SystemExit, match="no job was started"):
        start.main(["quick"])


@pytest.mark.parametrize("more", [[], [TARGET]])
def test_a_mistake_is_told_in_one_sentence_before_snakemake_starts(started, more):
    with pytest.raises(SystemExit, match=r"run: There is no configuration file none.yaml\."):
        start.main(["--configfile", "none.yaml", *more])
    assert not started


def test_it_starts_without_what_takes_long():
    """Numbers and tables take seconds to import, snakemake half a second more."""
    code = "import sys, cr5.plan.start; print(*{name.split('.')[0] for name in sys.modules})"
    done = subprocess.run([sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True)
    names = set(done.stdout.split())
    assert "yaml" in names
    assert not {"numpy", "pandas", "pydantic", "snakemake"} & names
