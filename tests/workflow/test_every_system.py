"""Every system: its index, and the same bytes on another processor, not by accident."""

import json
import platform
import subprocess
from pathlib import Path

import pytest

from benchmarks import another_processor
from cr5.base import processor
from cr5.base.modules import load_module
from cr5.plan import catalogue
from tests.workflow import every_system

CORES = ["--cores", "2"]
TABLES = ("systems", "table1", "by_accuracy/documents")
# Sums are in no fit of these: they take numbers as they are given, or count.
WITHOUT_SUMS = {"encoder", "pretrained", "prefix_overlap", "lexical_overlap", "word_by_word"}
# One embeds no counts (test_pretrained.py searches by it), others embed anew towards each language.
WITHOUT_INDEX = {"encoder", "bm25", "bm25_translated", "word_by_word", "word_by_word_lsa"}
ROUNDED = {
    "bm25",
    "bm25_translated",
    "bwesg",
    "cl_esa",
    "pltm",
    "word_by_word_lsa",
}  # to float32, or draws: of so few words it may hide the rest
OLDER = {"NUMBA_CPU_NAME": "nehalem", "NUMBA_CPU_FEATURES": "+sse4.2,+popcnt"}
found_again = load_module(Path(__file__).with_name("found_again.py"), "differences")
AGAIN = """
import sys
from pathlib import Path
from cr5.plan import again, manifest

results, place, *groups = sys.argv[1:]
made = manifest.read(Path(results))
for number, group in enumerate(groups):
    folder = Path(place) / str(number) / Path(results).name
    jobs = [job for job in made.jobs if job.rule in group.split(",")]
    if group == "rank":
        jobs = [job for job in jobs if job.wildcards["system"] == "cr5"]
    again.copy(Path(results), folder)
    again.do(Path(results), folder, jobs, 2)
    print("done again:", *(each.rule for each in jobs))
    for each in again.differences(folder, jobs, made):
        print("differs:", each.path)
"""
FITTED = "vectors,fit"


def is_common():
    simd = processor.simd()
    return processor.COMMON_FEATURES & {*simd["baseline"], *simd["found"]}


@pytest.fixture(scope="module")
def run(new_run_in, tmp_path_factory):
    """All systems, on this processor."""
    if not is_common():
        pytest.skip(f"{platform.machine()} without AVX2: its results are its own")
    made = new_run_in(tmp_path_factory.mktemp("every"), **every_system.CHANGES)
    every_system.give(made.folder)
    targets = [f"results/tiny/tables/{name}.csv" for name in TABLES] + ["results/tiny/config.yaml"]
    profile = ["--workflow-profile", "workflow/profiles/default", "--configfile", "tiny.yaml"]
    named = ["--snakefile", "workflow/Snakefile", *profile]
    done = started(made, "-m", "snakemake", *targets, *CORES, *named)
    assert done.returncode == 0, done.stdout[-6000:]
    return made


def started(run, *arguments, **how):
    # Where qemu computes, NumPy has no loops for AVX2; so it has none here.
    with another_processor.started(run.workflow, older_loops=True, **how) as (python, environment):
        return subprocess.run(
            [*python, *arguments],
            cwd=run.folder,
            env=environment,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
        )


def test_no_system_is_left_out():
    modules = Path(catalogue.PACKAGE / "systems").glob("[!_]*.py")
    fitted = {each.get("module", name) for name, each in every_system.SYSTEMS.items()}
    assert fitted == {path.stem for path in modules}
    assert set(every_system.SYSTEMS) == {x for y in every_system.SETTINGS.values() for x in y}


@pytest.mark.slow
@pytest.mark.parametrize("setting", every_system.SETTINGS)
def test_an_index_finds_what_the_evaluation_found(run, setting):
    systems = [x for x in every_system.SETTINGS[setting] if x not in WITHOUT_INDEX]
    for system, found in found_again.differences(run.results, systems, setting=setting):
        assert found.compared > 10, system
        assert found.unexplained == 0, system


@pytest.mark.slow
def test_without_the_limit_bytes_are_those_of_the_processor(run, tmp_path, monkeypatch):
    """So that the other test would see it if nothing were limited."""
    folder = tmp_path / "0" / "tiny"
    for name, value in OLDER.items():
        monkeypatch.setenv(name, value)
    done = started(run, "-c", AGAIN, "results/tiny", str(tmp_path), FITTED, kernels="Nehalem")
    assert done.returncode == 0, done.stdout[-6000:]
    found = told(folder, "cr5")["processor"]["kernels"]
    if found != ["Nehalem"]:
        pytest.skip(f"OpenBLAS computes as {found}, not as it was told")
    differ = [line.split() for line in done.stdout.splitlines() if line.startswith("differs: ")]
    paths = [Path(path) for _, path in differ]
    assert {path.parts[1] for path in paths if path.parts[0] == "vectors"} == {"aa", "bb"}
    tables = {
        path.parts[2] for path in paths if path.parts[0] == "models" and "tables" in path.parts
    }
    every = {*every_system.SYSTEMS}
    reports = {x for x in every if told(folder, x)["fit"] != told(run.results, x)["fit"]}
    assert WITHOUT_SUMS <= every - tables - reports <= WITHOUT_SUMS | ROUNDED


def told(results, system):
    [path] = results.glob(f"models/*/{system}/1/fit.json")
    return json.loads(path.read_text())
