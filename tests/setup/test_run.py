"""`./run` in a copy with stand-ins for Python and .venv: how it sets up, what it starts.

Nothing is installed.
"""

import shutil
import subprocess
import sys

import pytest

from tests.kit.run import PROFILE, ROOT
from tests.kit.stand_ins import LONGEST, Project, write_program


@pytest.fixture
def bare(tmp_path) -> Project:
    return Project(tmp_path.resolve())


@pytest.fixture
def project(bare) -> Project:
    """A project that has been set up."""
    bare.add_python()
    assert bare.run().returncode == 0
    (bare.root / "log").unlink()
    return bare


VERSION_3_9 = "sys.version_info = (3, 9, 18); "
VERSION_3_12 = "sys.version_info = (3, 12, 0); "


UV_TWICE = ["uv", "uv"]
SET_UP = 4  # calls: an environment, uv by pip, what is locked, the package


@pytest.mark.parametrize(
    ("uv", "programs"),
    [(None, ["venv", "pip", *UV_TWICE]), (0, ["uv", *UV_TWICE]), (127, ["venv", "pip", *UV_TWICE])],
    ids=["without uv", "uv", "a broken uv"],
)
def test_what_is_locked_is_installed_then_the_package_and_both_once(bare, uv, programs):
    bare.add_python()
    if uv is not None:
        bare.add_uv(uv)
    assert bare.run().returncode == 0
    calls = bare.log()
    assert [call.split()[0] for call in calls] == programs
    assert calls[-2].endswith("--require-hashes -r envs/requirements.lock")
    assert calls[-1].endswith("--no-deps --no-build-isolation -e .")
    assert bare.run("-n").stderr == ""
    assert len(bare.log()) == len(programs)


def test_a_machine_without_uv_gets_one_by_its_hash_and_nothing_is_compiled(bare):
    bare.add_python()
    assert bare.run().returncode == 0
    options = "--only-binary :all: --target .venv/uv --require-hashes -r envs/installer.lock"
    assert bare.log()[1].endswith(options)


@pytest.mark.parametrize(
    ("failing", "programs", "told"),
    [
        ({"WITHOUT_UV": "yes"}, ["pip", "pip", "pip"], ["no uv to be had"]),
        ({"DURING_UV": "exit 1"}, ["pip", "uv", "pip", "uv", "pip"], ["uv cannot install"] * 2),
    ],
    ids=["none to be had", "it fails"],
)
def test_pip_installs_where_uv_does_not_and_one_line_says_so(bare, failing, programs, told):
    bare.add_python()
    done = bare.run(**failing)
    assert done.returncode == 0
    assert [line.split()[0] for line in bare.log()] == ["venv", *programs]
    assert bare.log()[-1].endswith("--no-deps --no-build-isolation -e .")
    lines = done.stderr.splitlines()[1:]  # after that it sets up
    assert len(lines) == len(told)
    for line, expected in zip(lines, told, strict=True):
        assert expected in line and ".venv/uv.log" in line


def test_changed_requirements_are_installed(project):
    for number, file in enumerate(("envs/requirements.lock", "pyproject.toml"), start=1):
        with (project.root / file).open("a") as stream:
            stream.write("\n# changed\n")
        for _ in range(2):
            project.run()
            assert len(project.log()) == SET_UP * number


@pytest.mark.parametrize(
    ("word", "lock", "option"),
    [
        ("test", "tests.lock", ""),
        ("docs", "docs.lock", ""),
        ("encoders", "encoders.lock", " --only-binary :all:"),  # nothing is compiled
        ("cluster", "cluster.lock", ""),
    ],
)
def test_what_only_one_word_needs_is_added_once_and_again_where_that_failed(
    project, word, lock, option
):
    assert project.run(word, DURING_INSTALL="exit 1").returncode == 1
    for _ in range(2):
        assert project.run(word).returncode == 0
    installed = [line for line in project.log() if not line.startswith("venv")]
    failed, pip_failed, added = installed
    assert failed == added and pip_failed.startswith("pip")
    assert added.endswith(f"--require-hashes{option} -r envs/{lock}")


def test_what_cannot_be_used_any_more_is_set_up_again(project):
    python = project.root / ".venv/bin/python"
    python.unlink()
    python.symlink_to(project.home / "gone")
    assert project.run().returncode == 0
    project.root = project.root.rename(project.home / "elsewhere")
    assert project.run().returncode == 0
    assert len(project.log()) == 2 * SET_UP


@pytest.mark.parametrize(
    ("how", "status", "last"), [("exit 4", 4, "pip"), ("kill -9 $PPID", -9, "uv")]
)
def test_a_set_up_that_failed_or_was_killed_is_repaired(bare, how, status, last):
    bare.add_python()
    failed = bare.run(DURING_INSTALL=how)
    assert failed.returncode == status
    assert failed.stdout == ""
    until_then = bare.log()
    assert until_then[-1].startswith(last)
    assert bare.run().returncode == 0
    assert len(bare.log()) == len(until_then) + SET_UP


def test_two_calls_at_once_set_up_once(bare):
    bare.add_python()
    started = [bare.start(DURING_INSTALL="sleep 0.5") for _ in range(2)]
    for call in started:
        printed, _ = call.communicate(timeout=LONGEST)
        assert printed.splitlines()[2:5] == STARTED
    assert len(bare.log()) == SET_UP


def test_the_first_interpreter_that_is_new_enough_is_taken_or_the_one_that_is_named(bare):
    assert "no Python 3.11 or newer found" in bare.run().stderr
    old = bare.add_python("python3", VERSION_3_9)
    refused = bare.run(PYTHON=str(old))
    assert refused.stderr == f"run: PYTHON={old} is not Python 3.11 or newer.\n"
    new = bare.add_python("python3.12", VERSION_3_12)
    bare.run()
    other_python = bare.add_python("other")
    bare.run(PYTHON=str(other_python))
    venvs = [line for line in bare.log() if line.startswith("venv")]
    assert venvs == [f"venv by {new}", f"venv by {other_python}"]


def test_an_activated_environment_is_not_built_from_itself(project):
    base = project.bin / "python3"
    inner = project.add_python("../some dir/.venv/bin/python3", base=str(base))
    (project.root / ".venv/stamp").unlink()
    assert project.run(PATH=f"{inner.parent}:{project.bin}").returncode == 0
    assert project.log()[0] == f"venv by {base}"


def test_an_interpreter_without_venv_is_refused(bare):
    bare.add_python(prelude="sys.modules['ensurepip'] = None; ")
    result = bare.run()
    assert result.returncode == 1
    assert "has no venv module: install it" in result.stderr
    assert bare.log() == []


STARTED = ["-P", "-m", "cr5.plan.start"]
CORES = ["--cores", "all"]
DEFAULT_PROFILE = list(PROFILE)
TERMINAL = ["--logger=cr5"]
ADDED = CORES + DEFAULT_PROFILE + TERMINAL


def arguments_of(result: subprocess.CompletedProcess) -> list[str]:
    assert result.returncode == 0, result.stderr
    return result.stdout.splitlines()[2:]


def test_arguments_reach_snakemake_unchanged(project):
    arguments = ["a b", "--config", "x='1 2'", ""]
    result = project.run(*arguments)
    assert arguments_of(result) == STARTED + ADDED + arguments
    assert result.stderr == ""


@pytest.mark.parametrize(
    ("arguments", "added"),
    [
        (["-c1"], ADDED),  # the later one wins
        (["-j4"], DEFAULT_PROFILE + TERMINAL),
        (["--jobs", "4"], DEFAULT_PROFILE + TERMINAL),
        (["--jobscript", "x"], ADDED),
        (["--profile", "x"], TERMINAL),
        (["--profile=x"], TERMINAL),
        (["-n", "--quiet", "host"], CORES + DEFAULT_PROFILE),
        (["--delete-all-output"], CORES + DEFAULT_PROFILE),
    ],
)
def test_what_the_user_chose_is_not_added(project, arguments, added):
    result = project.run(*arguments)
    assert arguments_of(result) == STARTED + added + arguments


def test_words_of_ours_are_not_passed_on(project):
    """A check is a plan; snakemake's text has no logger of ours."""
    checked = project.run("a", "--check", "b c")
    assert arguments_of(checked) == STARTED + ADDED + ["a", "-n", "b c"]
    verbose = project.run("--verbose", "a")
    assert arguments_of(verbose) == STARTED + CORES + DEFAULT_PROFILE + ["a"]


def test_what_lies_in_the_callers_folder_is_never_imported(project):
    for word in ("cr5", "verify"):
        result = project.run(word, "x")
        assert "-P" in result.stdout.splitlines()


def test_help_is_one_screen_of_ours_and_needs_no_set_up(bare):
    (bare.root / "workflow").mkdir()
    shutil.copy(ROOT / "workflow/help.txt", bare.root / "workflow")
    result = bare.run("help")
    assert result.returncode == 0
    for word in ("--help", "-h"):
        same = bare.run(word)
        assert same.returncode == 0
        assert same.stdout == result.stdout
    assert bare.log() == []
    lines = result.stdout.splitlines()
    assert len(lines) <= 32
    for line in lines:
        assert len(line) <= 80
    for command in ("quick", "-n", "--check", "test", "cr5"):
        assert f"./run {command}" in result.stdout
    assert "snakemake --help" in result.stdout


def test_the_exit_status_is_passed_on(project):
    assert project.run(INNER_EXIT="7").returncode == 7
    assert project.run("test", INNER_EXIT="5").returncode == 5


def test_it_starts_in_its_own_folder_wherever_it_is_called_from(project):
    first = project.home / "first"
    second = project.bin / "second"
    first.symlink_to("../bin/second")
    second.symlink_to("../some dir/run")
    with_links = f"{project.home}:{project.bin}"
    calls = [
        {"cwd": project.home},
        {"program": first},
        {"program": "first", "cwd": project.home, "PATH": with_links},
        {"program": "./run", "cwd": project.root, "CDPATH": str(project.home)},
    ]
    for call in calls:
        result = project.run(**call)
        assert result.stdout.splitlines()[0] == str(project.root)
    assert project.log() == []


def test_the_start_and_verify_know_where_it_is_called_from(project):
    (project.home / "results").mkdir()
    for folder, place, expected in (
        (project.home, "results", str(project.home / "results")),
        (project.home, "elsewhere", "elsewhere"),
        (project.root, "envs", "envs"),
    ):
        result = project.run("verify", place, cwd=folder)
        assert arguments_of(result) == ["-P", "-m", "cr5", "verify", expected]
    python = project.root / ".venv/bin/python"
    write_program(python, '#!/bin/sh\nprintf "%s\\n" "$CR5_CALLED_FROM"\n')
    planned = project.run("-n", cwd=project.home)
    assert planned.stdout == f"{project.home}\n"


def test_caches_stay_here_only_where_home_cannot_be_written(project):
    here = str(project.root / ".snakemake/cache")
    elsewhere = str(project.bin)
    for variables, expected in (
        ({"HOME": None}, here),
        ({"HOME": ""}, here),
        ({"HOME": "/dev/null"}, here),
        ({}, ""),
        ({"XDG_CACHE_HOME": elsewhere}, elsewhere),
    ):
        result = project.run(**variables)
        assert result.stdout.splitlines()[1] == expected


def test_paths_may_hold_any_letter_whatever_the_locale(project):
    """Python 3.11 reads .venv's list of folders in the locale's letters, even in UTF-8 mode."""
    show = "import locale, sys; print(locale.getencoding(), sys.flags.utf8_mode)"
    text = f"#!/bin/sh\nexec '{sys.executable}' -c '{show}'\n"
    write_program(project.root / ".venv/bin/python", text)
    for locale in ({"LC_ALL": "C"}, {"LC_ALL": "POSIX"}, {"LC_CTYPE": "C"}, {}):
        result = project.run(**locale)
        assert result.stdout.split() == ["UTF-8", "1"]
    of_utf_8 = project.run(LC_ALL="C.UTF-8")
    assert of_utf_8.stdout.split()[0] == "UTF-8"
