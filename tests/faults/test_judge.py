"""The judge of faults, which must let pass what survived and nothing else."""

from types import SimpleNamespace

import pytest

from cr5.plan import manifest
from tests.faults import artefacts, judge
from tests.faults.bench import FAILED, Outcome
from tests.faults.judge import NotSurvivedError, Reference
from tests.faults.tiny import Done, Place


@pytest.fixture
def place(tmp_path, monkeypatch):
    """Results of two jobs, a corpus, and their manifest; made by hand."""
    monkeypatch.chdir(tmp_path)
    for name, text in {
        "corpus/aa.jsonl": "hello",
        "results/tiny/bags/aa/counts.npz": "1 2 3",
        "results/tiny/bags/aa/.snakemake_timestamp": "",
        "results/tiny/tables/scores.csv": "4",
        "results/tiny/logs/bags.log": "began",
        "results/tiny/run.json": "{}",
        "results/tiny/report.html": "<html></html>",
    }.items():
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text(text)
    common = {"wildcards": {}, "network": False}
    scores = "results/tiny/tables/scores.csv"
    bags = {"rule": "bags", "inputs": ["corpus/aa.jsonl"], "outputs": ["results/tiny/bags/aa"]}
    collect = {"rule": "collect", "inputs": ["results/tiny/bags/aa"], "outputs": [scores]}
    manifest.write("results/tiny", [bags | common, collect | common], {"corpus": {"name": "x"}})
    return Place(tmp_path)


@pytest.fixture
def reference(place):
    return Reference.of(place)


def test_the_undisturbed_run_is_equal_to_itself(place, reference):
    (place.results / "logs" / "bags.log").write_text("began again")
    assert reference.differences(place) == []


@pytest.mark.parametrize(
    ("name", "said"),
    [
        ("results/tiny/bags/aa/counts.npz", "bags/aa/counts.npz: silently different"),
        ("results/tiny/bags/aa/more", "bags/aa/more: not of the undisturbed run"),
        ("results/tiny/bags/.aa.part-x/aa", "results/tiny/bags/.aa.part-x: a temporary that"),
        ("corpus/aa.jsonl", "input corpus/aa.jsonl: silently different"),
        ("results/tiny/report.html", "report.html: not whole"),
    ],
)
def test_what_was_written_unasked_is_seen(place, reference, name, said):
    (place.folder / name).parent.mkdir(exist_ok=True)
    (place.folder / name).write_text("x")
    assert any(each.startswith(said) for each in reference.differences(place))


@pytest.mark.parametrize("name", ["results/tiny/tables/scores.csv", "corpus/aa.jsonl"])
def test_what_was_lost_is_seen(place, reference, name):
    (place.folder / name).unlink()
    assert any(each.endswith(": lost") for each in reference.differences(place))


def test_of_a_part_what_comes_later_may_be_missing_but_not_different(place, reference):
    (place.results / "report.html").unlink()
    assert reference.differences(place, whole=False) == []
    (place.results / "tables" / "scores.csv").write_text("5")
    assert "tables/scores.csv: silently different" in reference.differences(place, whole=False)


def test_a_manifest_that_says_otherwise_is_seen(place, reference):
    text = (place.results / "manifest.json").read_text()
    (place.results / "manifest.json").write_text(text.replace('"bags/aa/counts.npz"', '"bags/z"'))
    assert "bags/z: missing, says the manifest" in reference.differences(place)


CLEAR = "[fit] Error: results/tiny/bags/aa/counts.npz: not whole; remove it and run again\n"
MIXED = "[rank x] Error: results/tiny/a and results/tiny/b c do not belong together: so. Remove "
MIXED += "the one that is of another run, or both, and run again.\n"
FOLDER = "[x] Error: results/tiny/a: cannot be read (x); remove the folder and fit the model again"
PLAIN = "cr5 verify: results/tiny is not so. Remove results/tiny/a, results/tiny/b and run again\n"


def test_paths_that_an_error_tells_to_remove(place):
    [error] = judge.errors_of(Done(1, CLEAR))
    assert judge.to_remove(place, error) == [place.results / "bags/aa/counts.npz"]
    [error] = judge.errors_of(Done(1, PLAIN))
    assert judge.to_remove(place, error) == [place.results / "a", place.results / "b"]
    [error] = judge.errors_of(Done(1, MIXED))
    assert judge.to_remove(place, error) == [place.results / "a", place.results / "b c"]
    [error] = judge.errors_of(Done(1, FOLDER))
    assert judge.to_remove(place, error) == [place.results / "a"]
    [first, second] = judge.errors_of(Done(1, "WorkflowError in file x, line 1:\n" + 2 * PLAIN))
    assert judge.to_remove(place, first) == judge.to_remove(place, second)


@pytest.mark.parametrize(
    "said",
    [
        "Traceback (most recent call last)\nError: a: b; remove it and run again\n",
        "the job did not end well\n",
        "",
    ],
)
def test_no_word_and_tracebacks_are_not_survived(said):
    with pytest.raises(NotSurvivedError):
        judge.errors_of(Done(1, said))


@pytest.mark.parametrize("named", ["corpus/aa.jsonl", "results/tiny/../../corpus", "/etc/passwd"])
def test_advice_to_remove_what_is_no_result_is_not_survived(place, named):
    with pytest.raises(NotSurvivedError, match="what is no result"):
        judge.to_remove(place, f"{named}: damaged; remove it and run again")


class Told(Place):
    """A place whose runs say and do what a list has."""

    def run(self, *arguments, **environment):
        code, text, act = TURNS.pop(0)
        act(self)
        return Done(code, text)


TURNS = []


def nothing(place):
    pass


def test_resuming_follows_errors(place):
    told = Told(place.folder)
    TURNS[:] = [(1, CLEAR, nothing), (0, "", nothing)]
    survived = judge.resume(told)
    assert survived.removed == ["bags/aa/counts.npz"]
    assert not (place.results / "bags/aa/counts.npz").exists()


@pytest.mark.parametrize(
    ("turns", "match"),
    [
        ([(1, "[x] Error: a: is odd\n", nothing)], "no word on what to remove"),
        ([(1, CLEAR, nothing), (1, CLEAR, nothing)], "not there"),
        ([(1, "KeyError", nothing)], "without an error"),
    ],
)
def test_resuming_gives_up_where_advice_is_none(place, turns, match):
    TURNS[:] = turns
    with pytest.raises(NotSurvivedError, match=match):
        judge.resume(Told(place.folder))


def test_a_fault_after_which_a_file_is_silently_different_is_not_survived(place, reference):
    """A table that was forged, with the manifest to it; the run has nothing to do."""
    (place.results / "tables" / "scores.csv").write_text("5")
    (place.results / "manifest.json").unlink()
    TURNS[:] = [(0, "", nothing)]
    bench, forged = SimpleNamespace(reference=reference), Outcome("forged", "scores")
    [outcome] = artefacts.resumed(
        bench, Told(place.folder), {"tables/scores.csv": forged}, [judge.ENOUGH]
    )
    assert outcome.ended == FAILED
    assert "silently different" in outcome.said
