"""The manifest of a run, against sha256sum and files written by hand."""

import hashlib
import json
import os
from pathlib import Path

import pytest

from cr5.base import provenance
from cr5.base.errors import UserError
from cr5.base.parts import PACKAGE
from cr5.plan import manifest


def sha256(text):
    return hashlib.sha256(text.encode()).hexdigest()


@pytest.fixture
def results(tmp_path, monkeypatch):
    """Text in data/, counted, fitted (a folder) and put into a table; all from tmp_path."""
    monkeypatch.chdir(tmp_path)
    for path, text in {
        "data/da.txt": "hund",
        "results/x/bags/da": "1",
        "results/x/models/a/m.npy": "2",
        "results/x/models/a/fit.json": "3",
        "results/x/models/b/m.npy": "4",
        "results/x/table.csv": "5",
    }.items():
        (tmp_path / path).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / path).write_text(text)
    write()
    return tmp_path / "results" / "x"


def job(rule, name, inputs, outputs):
    wildcards = {"name": name} if name else {}
    outputs = [f"results/x/{path}" for path in outputs]
    given = {"rule": rule, "wildcards": wildcards}
    return {**given, "inputs": inputs, "outputs": outputs}


JOBS = [
    job("bags", "da", ["data/da.txt"], ["bags/da"]),
    job("fit", "a", ["results/x/bags/da"], ["models/a"]),
    job("fit", "b", ["results/x/bags/da"], ["models/b"]),
    job("table", "", ["results/x/models/a", "results/x/models/b"], ["table.csv"]),
    job("all", "", ["results/x/table.csv"], []),
]


def write(jobs=JOBS):
    return manifest.write("results/x", jobs, {"seed": 1, "corpus": {"name": "x"}})


def found(results):
    return manifest.differences(results, manifest.read(results))


def test_every_file_with_size_and_checksum(results):
    written = json.loads((results / manifest.NAME).read_text())
    assert written["files"] == {
        "bags/da": [1, sha256("1")],
        "models/a/fit.json": [1, sha256("3")],
        "models/a/m.npy": [1, sha256("2")],
        "models/b/m.npy": [1, sha256("4")],
        "table.csv": [1, sha256("5")],
    }
    assert written["seed"] == 1
    assert written["versions"]["numpy"]
    bags, *_, table = written["jobs"]
    assert bags["inputs"] == {"../../data/da.txt": sha256("hund")}
    assert (table["rule"], list(table["inputs"])) == ("table", ["models/a", "models/b"])


MADE_OF_BAGS = ("models/a", "models/b", "table.csv")


@pytest.mark.parametrize(
    ("path", "text", "what", "affected"),
    [
        ("models/a/m.npy", "x", manifest.CHANGED, ("table.csv",)),
        ("models/a/more.npy", "9", manifest.ADDED, ("table.csv",)),
        ("bags/da", None, manifest.MISSING, MADE_OF_BAGS),
    ],
)
def test_a_file_that_differs_and_all_that_was_made_from_it(results, path, text, what, affected):
    (results / "models/a" / provenance.TIMESTAMP).touch()  # snakemake's own
    assert found(results) == []
    (results / path).write_text(text) if text else (results / path).unlink()
    assert found(results) == [manifest.Difference(path, what, affected)]


def test_input_from_outside(results):
    path = results.parents[1] / "data/da.txt"
    path.write_text("kat")
    [changed] = found(results)
    assert (changed.path, changed.what) == ("../../data/da.txt", manifest.CHANGED)
    assert changed.affected == ("bags/da", *MADE_OF_BAGS)
    path.unlink()
    assert [each.what for each in found(results)] == [manifest.ABSENT]


SYSTEM = '"""A system."""\n\n\ndef fit():\n    return 1\n'


@pytest.mark.parametrize(
    ("edited", "differs"),
    [
        (SYSTEM + "# a comment\n", False),
        (SYSTEM.replace("A system", "Another"), False),
        (SYSTEM.replace("1", "2"), True),
    ],
)
def test_a_module_is_compared_as_runs_compare_it(results, edited, differs):
    """Otherwise `verify` would send to a run that has nothing to do."""
    Path("own.py").write_text(SYSTEM)
    write([*JOBS[:1], job("fit", "a", ["own.py", "results/x/bags/da"], ["models/a"]), *JOBS[2:]])
    Path("own.py").write_text(edited)
    assert bool(found(results)) == differs


def test_a_module_of_the_package_is_compared_wherever_the_package_is_now(results):
    source = PACKAGE / "systems" / "cr5" / "models.py"
    write([job("fit", "a", [str(source)], ["models/a"])])
    name = os.path.relpath(source, results)
    moved = (
        (results / manifest.NAME)
        .read_text()
        .replace(name, "../gone/workflow/cr5/systems/cr5/models.py")
    )
    (results / manifest.NAME).write_text(moved)
    assert found(results) == []
    (results / manifest.NAME).write_text(moved.replace("cr5/models.py", "cr5/gone.py"))
    assert [each.what for each in found(results)] == [manifest.ABSENT]


@pytest.mark.parametrize("link", ["results", "results/x"])
def test_inputs_are_found_from_results_behind_a_link(results, tmp_path, link):
    there = tmp_path / "another" / "disk" / "of ours"
    there.parent.mkdir(parents=True)
    (tmp_path / link).rename(there)
    (tmp_path / link).symlink_to(there)
    write()
    assert manifest.read("results/x").jobs[0].inputs == {"../../data/da.txt": sha256("hund")}
    assert [found(place) for place in ("results/x", tmp_path / "results/x")] == [[], []]
    (tmp_path / "data/da.txt").write_text("kat")
    assert [each.what for each in found("results/x")] == [manifest.CHANGED]


def test_a_later_run_of_a_part_keeps_the_rest(results):
    """What was not made anew is then made from another."""
    (results / "models/a/m.npy").write_text("new")
    write([JOBS[0], JOBS[1]])
    assert len(manifest.read(results).jobs) == 4
    [other] = found(results)
    assert (other.path, other.what) == ("table.csv", f"{manifest.OTHER} models/a")


def test_what_is_gone_with_its_configuration_is_left_out(results):
    (results / "models/b/m.npy").unlink()
    (results / "models/b").rmdir()
    write([*JOBS[:2], job("table", "", ["results/x/models/a"], ["table.csv"])])
    assert [str(each) for each in manifest.read(results).jobs] == ["bags da", "fit a", "table"]
    assert found(results) == []


def test_no_manifest_and_a_damaged_one(results):
    with pytest.raises(UserError, match=r"models/manifest\.json: "):
        manifest.read(results / "models")
    made = json.loads((results / manifest.NAME).read_text())
    (results / manifest.NAME).write_text(json.dumps(made | {"format": 2}))
    with pytest.raises(UserError, match="another version"):
        manifest.read(results)
    (results / manifest.NAME).write_text('{"format": 1, "jobs": 3}')
    refused = r"manifest\.json: cannot be read .*; remove .*manifest\.json and run again, which"
    for read in (manifest.read, manifest.check, lambda x: manifest.forget(x, ["results/x/a"])):
        with pytest.raises(UserError, match=refused):
            read(results)


def test_a_run_whose_manifest_was_lost_is_ended_again(results):
    (results / "run.json").write_text("{}")
    manifest.end_again(results)
    assert (results / "run.json").exists()
    (results / manifest.NAME).unlink()
    manifest.end_again(results)
    assert not (results / "run.json").exists()
    manifest.end_again(results)
    manifest.end_again(results / "nowhere")


@pytest.mark.parametrize(
    ("done", "changed", "recorded"), [(["table"], ["models/a"], "2"), (["fit", "table"], [], "x")]
)
def test_only_what_was_made_anew_has_a_new_checksum(results, done, changed, recorded):
    (results / "models/a/m.npy").write_text("x")
    assert write([{**job, "done": job["rule"] in done} for job in JOBS]) == changed
    assert manifest.read(results).files["models/a/m.npy"] == (1, sha256(recorded))
    assert ("models/a/m.npy" in [each.path for each in found(results)]) == bool(changed)


def test_a_run_without_these_jobs_does_not_take_their_damage_for_results(results):
    (results / "models/b/m.npy").write_text("x")
    assert write([{**JOBS[0], "done": False}]) == ["models/b"]
    assert manifest.read(results).files["models/b/m.npy"] == (1, sha256("4"))


def test_what_will_be_made_anew_is_forgotten_lest_an_interrupted_run_is_blamed(results):
    before = (results / manifest.NAME).read_bytes()
    manifest.forget("results/x", ["results/x/else"])
    assert (results / manifest.NAME).read_bytes() == before
    manifest.forget("results/none", ["results/none/bags/da"])
    assert not (results.parent / "none").exists()
    manifest.forget("results/x", ["results/x/models/a", "results/x/table.csv"])
    after = manifest.read("results/x")
    assert [str(job) for job in after.jobs] == ["bags da", "fit b"]
    assert sorted(after.files) == ["bags/da", "models/b/m.npy"]
    (results / "models/a/m.npy").write_text("another fit")
    assert write([{**job, "done": job["rule"] == "table"} for job in JOBS]) == []


def test_a_file_of_another_size_or_lost_from_its_folder_is_named_without_reading(results):
    for fine in ("results/x", "results", "nowhere"):  # the others have no manifest
        manifest.check(fine)
    (results / "bags/da").write_text("12")
    (results / "models/a/m.npy").unlink()
    (results / "models/b/m.npy").write_text("x")  # of the same size
    (results / "table.csv").unlink()  # all of an output: it will be made anew
    with pytest.raises(UserError) as raised:
        manifest.check("results/x")
    bags, model = str(raised.value).splitlines()
    assert bags.startswith("Error: results/x/bags/da: modified since its job created it")
    assert bags.endswith("remove results/x/bags/da and run again")
    assert model.endswith("remove results/x/models/a and run again")
