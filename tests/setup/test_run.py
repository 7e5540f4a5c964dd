"""`./run` once it is set up: arguments, folders, caches, exit status."""

import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from tests.setup.conftest import write_program

ROOT = Path(__file__).parents[2]
STARTED = ["-P", "-m", "cr5.plan.start"]
CORES, TERMINAL = ["--cores", "all"], ["--logger=cr5"]
PROFILE = ["--workflow-profile", "workflow/profiles/default"]
ADDED = [*CORES, *PROFILE, *TERMINAL]


def arguments_of(result: subprocess.CompletedProcess) -> list[str]:
    assert result.returncode == 0, result.stderr
    return result.stdout.splitlines()[2:]


def test_arguments_reach_snakemake_unchanged(project):
    result = project.run("a b", "--config", "x='1 2'", "")
    assert arguments_of(result) == [*STARTED, *ADDED, "a b", "--config", "x='1 2'", ""]
    assert result.stderr == ""


@pytest.mark.parametrize(
    ("arguments", "added"),
    [
        (["-c1"], ADDED),  # the later one wins
        (["-j4"], [*PROFILE, *TERMINAL]),
        (["--jobs", "4"], [*PROFILE, *TERMINAL]),
        (["--jobscript", "x"], ADDED),
        (["--profile", "x"], TERMINAL),
        (["--profile=x"], TERMINAL),
        (["-n", "--quiet", "host"], [*CORES, *PROFILE]),
        (["--delete-all-output"], [*CORES, *PROFILE]),
    ],
)
def test_what_the_user_chose_is_not_added(project, arguments, added):
    assert arguments_of(project.run(*arguments)) == [*STARTED, *added, *arguments]


def test_words_of_ours_are_not_passed_on(project):
    """A check is a plan; snakemake's text has no logger of ours."""
    given = ["a", "--check", "b c"]
    assert arguments_of(project.run(*given)) == [*STARTED, *ADDED, "a", "-n", "b c"]
    given = ["--verbose", "a"]
    assert arguments_of(project.run(*given)) == [*STARTED, *CORES, *PROFILE, "a"]

    for word in ("cr5", "verify"):  # what lies in the caller's folder is imported by none of ours
        assert "-P" in project.run(word, "x").stdout.splitlines()


def test_help_is_one_screen_of_ours_and_needs_no_set_up(bare):
    (bare.root / "workflow").mkdir()
    shutil.copy(ROOT / "workflow/help.txt", bare.root / "workflow")
    [result] = {bare.run(word).stdout: bare.run(word) for word in ("help", "--help", "-h")}.values()
    lines = result.stdout.splitlines()
    assert result.returncode == 0 and bare.log() == []
    assert len(lines) <= 32 and max(map(len, lines)) <= 80
    assert all(f"./run {x}" in result.stdout for x in ("quick", "-n", "--check", "test", "cr5"))
    assert "snakemake --help" in result.stdout


def test_the_exit_status_is_passed_on(project):
    assert project.run(INNER_EXIT="7").returncode == 7
    assert project.run("test", INNER_EXIT="5").returncode == 5


def test_it_starts_in_its_own_folder_wherever_it_is_called_from(project):
    first, second = project.home / "first", project.bin / "second"
    first.symlink_to("../bin/second")
    second.symlink_to("../some dir/run")
    calls = [{"cwd": project.home}, {"program": first}, {"program": "first", "cwd": project.home}]
    calls.append({"program": "./run", "cwd": project.root, "CDPATH": str(project.home)})
    for call in calls:
        if call.get("program") == "first":  # found on the PATH
            call["PATH"] = f"{project.home}:{project.bin}"
        assert project.run(**call).stdout.splitlines()[0] == str(project.root)
    assert project.log() == []


def test_caches_stay_here_only_where_home_cannot_be_written(project):
    here, elsewhere = str(project.root / ".snakemake/cache"), str(project.bin)
    for home in (None, "", "/dev/null"):
        assert project.run(HOME=home).stdout.splitlines()[1] == here
    assert project.run().stdout.splitlines()[1] == ""
    assert project.run(XDG_CACHE_HOME=elsewhere).stdout.splitlines()[1] == elsewhere


def test_paths_may_hold_any_letter_whatever_the_locale(project):
    """Python 3.11 reads .venv's list of folders in the locale's letters, even in UTF-8 mode."""
    show = "import locale, sys; print(locale.getencoding(), sys.flags.utf8_mode)"
    text = f"#!/bin/sh\nexec '{sys.executable}' -c '{show}'\n"
    write_program(project.root / ".venv/bin/python", text)
    for locale in ({"LC_ALL": "C"}, {"LC_ALL": "POSIX"}, {"LC_CTYPE": "C"}, {}):
        assert project.run(**locale).stdout.split() == ["UTF-8", "1"]
    assert project.run(LC_ALL="C.UTF-8").stdout.split()[0] == "UTF-8"
