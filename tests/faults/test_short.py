"""A few faults of each sort on a small run; `python -m tests.faults` does hundreds."""

import signal
import time

import pytest

from cr5.plan import manifest
from tests.faults import artefacts, damage, judge, tiny
from tests.faults.bench import EQUAL, NAMED, Bench
from tests.faults.judge import ENOUGH

pytestmark = pytest.mark.slow


@pytest.fixture(scope="module")
def killed(tmp_path_factory):
    """A run to the scores that was killed on its way, then resumed."""
    place = tiny.prepare(tmp_path_factory.mktemp("faults") / "run")
    process = place.start(ENOUGH)
    while not list(place.results.glob("models/*/*/*")):  # half-way
        time.sleep(0.05)
        assert process.poll() is None
    tiny.kill(process.pid, signal.SIGKILL)
    place.wait(process)
    survived = judge.resume(place, ENOUGH)
    return place, survived


@pytest.fixture(scope="module")
def bench(killed, tmp_path_factory):
    """A bench on which that run is also the other one."""
    place, _ = killed
    return Bench(tmp_path_factory.mktemp("bench"), 0, place, place, place, usual=30.0)


def test_a_killed_run_goes_on_and_leaves_no_temporary(killed, bench):
    place, survived = killed
    assert survived.errors == survived.removed == []
    assert bench.reference.differences(place, whole=False) == []


def test_one_damaged_output_of_each_kind_is_named_by_verify(bench):
    """Every file is damaged in some way; dates are as before."""
    place, chance = bench.new("kept", bench.finished), bench.random("kept")
    names = sorted(manifest.read(place.results).files)
    damaged = []
    for number, name in enumerate(names):
        way = ("truncated", "a bit flipped", "deleted")[number % 3]
        if damage.do(place.results / name, way, chance, place, bench.other, new=False):
            damaged.append(name)
    assert len(damaged) > 0.9 * len(names)
    run = place.verify()
    assert run.code == 1
    named = {line.partition(": ")[0] for line in run.text.splitlines()}
    assert named >= {f"results/tiny/{name}" for name in damaged}


@pytest.mark.parametrize("level", [("models",), ("ranks",)])
def test_damaged_outputs_are_noticed_by_what_reads_them(bench, level):
    chance = bench.random(f"new {level}")
    place = bench.new("new", bench.finished)
    done = artefacts.damage_outputs(bench, place, level, chance, ways=["truncated"])
    assert len(done) >= 3
    ended = list(artefacts.resumed(bench, place, done, artefacts.enough(bench, done)))
    assert {each.ended for each in ended} <= {EQUAL, NAMED}, ended
