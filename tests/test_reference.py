"""The reference runs: they have everything that there is, and learn what was planted."""

import re

import pandas as pd
import pytest

from benchmarks.figures import OURS, XCNN
from tests.kit import papers
from tests.kit.reference import ROOT, merged, run, tables

DOCS = ROOT / "docs"
REFERENCE = {
    **{name: [ROOT / path] for name, path in OURS.items()},
    "xcnn_small": [XCNN],
    **{name: papers.files(name) for name in papers.NAMES},
}
FIRST = ("Success@1", "nDCG@1")  # one of n candidates is the first once in n times
CHANCE = 2  # so many times as often as at random is more than chance
# Run on made-up files by workflow/test_fire.py; and minutes of jobs in 28 languages, as in four.
ELSEWHERE = ("xcnn", "xcnn_mt", "wikipedia28")
NO_BETTER = {  # vectors of so little made-up text translate nothing
    ("wikipedia", "advrefine"),
    ("wikipedia", "procrustes_identical"),
}


@pytest.fixture(scope="module")
def configured():
    return [merged(*paths) for paths in REFERENCE.values()]


def modules(config, section):
    """The modules of systems or tasks that a configuration names."""
    entries = config.get(section) or {"documents": {}}
    return {(entry or {}).get("module", name) for name, entry in entries.items()}


def headings(page, mark):
    return set(re.findall(rf"^{mark} ([a-z0-9_]+)$", (DOCS / page).read_text(), re.MULTILINE))


def test_every_paper_is_shrunken():
    assert {path.stem for path in (ROOT / "config" / "papers").glob("*.yaml")} <= set(papers.NAMES)


@pytest.mark.parametrize(
    ("section", "page", "mark"), [("systems", "systems.md", "###"), ("tasks", "tasks.md", "##")]
)
def test_every_system_and_task_is_in_a_reference_run(configured, section, page, mark):
    found = set().union(*(modules(config, section) for config in configured))
    assert len(headings(page, mark)) >= 5
    assert headings(page, mark) <= found


def test_every_source_is_in_a_reference_run(configured):
    text = (DOCS / "configuration.md").read_text()
    listed = re.search(r"^\| `corpus.source` \| required \| (.+), or the path", text, re.MULTILINE)
    assert set(listed[1].split(", ")) <= {config["corpus"]["source"] for config in configured}


@pytest.mark.slow
@pytest.mark.parametrize("name", [x for x in papers.NAMES if x not in ELSEWHERE])
def test_a_paper_s_configuration_learns_what_was_planted(name, tmp_path):
    papers.give(name, tmp_path)
    done = run(papers.files(name), tmp_path, cores=2)
    assert done.returncode == 0, done.stdout[-6000:]
    folder = tables(papers.files(name), tmp_path)
    systems = set(merged(*papers.files(name))["systems"])
    scores = pd.read_csv(folder / "scores.csv", keep_default_na=False, na_values=[""])
    assert set(scores["system"]) == systems
    found = scores[scores["metric"].isin(FIRST)]
    best = (
        found.assign(times=found["value"] * found["n_candidates"]).groupby("system")["times"].max()
    )
    assert {x for x in systems if best[x] < CHANCE} <= {x for run, x in NO_BETTER if run == name}
    assert found["value"].min() < 1
