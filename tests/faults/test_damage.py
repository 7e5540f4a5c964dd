"""Ways to damage a file, each against what it is to leave; and how the report counts."""

import json
import random

import pytest

from tests.faults import damage, report
from tests.faults.bench import EQUAL, FAILED, SKIPPED, Outcome
from tests.faults.tiny import Place

NAME = "models/joint/cr5/1/tables/aa.npy"
OTHERS = "models/joint/procrustes_identical/1/tables/bb.npy"


@pytest.fixture
def places(tmp_path):
    """Two runs with files whose content can be told apart."""
    for run in ("own", "other"):
        for name in (NAME, OTHERS):
            path = tmp_path / run / "results" / "tiny" / name
            path.parent.mkdir(parents=True)
            path.write_text(f'{run} {name} "format": 1')
        (path.parents[1] / ".snakemake_timestamp").touch()
    return Place(tmp_path / "own"), Place(tmp_path / "other")


CONTENT = f'own {NAME} "format": 1'
LEFT = {
    "truncated": CONTENT[: len(CONTENT) // 2],
    "cut short by a byte": CONTENT[:-1],
    "emptied": "",
    "zeroed": "\0" * len(CONTENT),
    "of another language or system": f'own {OTHERS} "format": 1',
    "of another run and vocabulary": f'other {NAME} "format": 1',
    "of another format version": f'own {NAME} "format": 99',
}


@pytest.mark.parametrize("way", damage.WAYS)
def test_a_file_is_another_and_its_time_is_kept(places, way):
    own, other = places
    path = own.results / NAME
    before = path.stat().st_mtime_ns
    assert damage.do(path, way, random.Random(1), own, other, new=False)
    assert path.exists() == (way != "deleted")
    if path.exists():
        assert path.stat().st_mtime_ns == before
    if way in LEFT:
        assert path.read_text() == LEFT[way]
    if way == "a bit flipped":
        pairs = zip(path.read_bytes(), CONTENT.encode(), strict=True)
        assert sum((x ^ y).bit_count() for x, y in pairs) == 1


def test_a_new_time_is_that_of_the_folder_too(places):
    own, other = places
    path = own.results / OTHERS
    stamp = path.parents[1] / ".snakemake_timestamp"
    before = path.stat().st_mtime_ns, stamp.stat().st_mtime_ns
    assert damage.do(path, "a bit flipped", random.Random(1), own, other, new=True)
    assert path.stat().st_mtime_ns > before[0]
    assert stamp.stat().st_mtime_ns > before[1]


def test_what_leaves_a_file_as_it_was_is_no_damage(places):
    own, other = places
    (own.results / NAME).write_text("no version")
    way = "of another format version"
    assert not damage.do(own.results / NAME, way, random.Random(1), own, other, new=False)


def test_a_whole_folder_of_another_run(places):
    own, other = places
    assert damage.replace(own.results / "models", own, other)
    assert (own.results / NAME).read_text().startswith("other")
    assert not damage.replace(own.results / "none", own, other)


def test_the_report_counts_by_kind(tmp_path):
    outcomes = [
        Outcome("kills", "a", EQUAL),
        Outcome("kills", "b", FAILED, said="lost"),
        Outcome("disks", "c", SKIPPED, said="no root"),
    ]
    assert report.lines(outcomes) == [
        "kills: 2 injected, 1 equal, 0 named, 1 failed, 0 skipped",
        "disks: 0 injected, 0 equal, 0 named, 0 failed, 1 skipped",
        "all: 2 injected, 1 equal, 0 named, 1 failed, 1 skipped",
    ]
    report.write(tmp_path, outcomes, {"seed": 3})
    written = json.loads((tmp_path / "report.json").read_text())
    assert written["seed"] == 3
    assert written["faults"][1]["said"] == "lost"
