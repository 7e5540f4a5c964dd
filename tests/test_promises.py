"""What README and docs/reliability.md promise, on one finished run of everything small."""

import pytest

from tests.kit.promises import PROMISES, changed
from tests.kit.run import Run, everything


@pytest.mark.parametrize("name", PROMISES)
def test_a_finished_run_keeps(name, everything_finished):
    assert list(PROMISES[name](everything_finished)) == []


def test_killed_and_resumed_on_one_core_is_equal(everything_finished, tmp_path):
    """Both promises at once: nothing is lost by a kill, and cores change no byte."""
    parts = ("bags", "draws", "settings", "models", "ranks", "tables", "figures", "runs")
    again = Run(tmp_path, everything()).killed_when("models/*/*/1", "--cores", "1")
    again("--cores", "1")
    found, expected = again.checksums(*parts), everything_finished.checksums(*parts)
    assert len(expected) > 100
    assert found.keys() == expected.keys()
    assert [x for x in expected if found[x] != expected[x]] == []


@pytest.fixture
def copy(everything_finished, tmp_path):
    return everything_finished.copied(tmp_path / "run")


def test_a_comment_reruns_nothing(copy):
    changed(copy, "workflow/cr5/systems/cr5.py", "\nimport ", "\n# a comment\nimport ")
    assert copy.planned() == []


def fits(run):
    """Of which settings and systems a fit is planned."""
    return {tuple(x.split("/")[3:5]) for x in run.planned() if "/models/" in x}


def test_a_changed_system_refits_it_alone(copy):
    path = "workflow/cr5/systems/bm25_translated.py"
    changed(copy, path, "\ndef fit(", "\nCHANGED = 1\n\n\ndef fit(")
    assert fits(copy) == {("joint", "bm25_translated")}


def test_a_changed_key_refits_its_system_alone(copy):
    given = copy.configuration
    given["systems"]["toy"]["dimension"] = 5
    copy.configure(given)
    assert fits(copy) == {("joint", "toy")}
