"""`./run` sets up .venv: with pip or uv, once, and again when something changed."""

import subprocess

import pytest

from tests.setup.test_run import STARTED, arguments_of


def test_pip_installs_with_hashes_then_the_package(bare):
    python = bare.add_python()
    result = bare.run()
    assert result.stderr == f"run: setting up .venv with {python}: once, in one to two minutes\n"
    venv, pinned, package = bare.log()
    assert venv == f"venv by {python}"
    assert pinned.endswith("--require-hashes -r envs/requirements.lock")
    assert package.endswith("--no-deps --no-build-isolation -e .")
    again = bare.run("-n")
    assert again.stderr == ""
    assert len(bare.log()) == 3


def test_uv_is_used_where_it_works(bare):
    python = bare.add_python(prelude="sys.modules['ensurepip'] = None; ")
    bare.add_uv(0)
    bare.run()
    venv, pinned, package = bare.log()
    assert venv == f"uv venv --quiet --no-project --python {python} .venv"
    assert pinned.endswith("--python .venv/bin/python --require-hashes -r envs/requirements.lock")
    assert package.endswith("--no-deps --no-build-isolation -e .")


def test_a_broken_uv_is_passed_over(bare):
    bare.add_python()
    bare.add_uv(127)
    assert bare.run().returncode == 0
    assert [line.split()[0] for line in bare.log()] == ["venv", "pip", "pip"]


@pytest.mark.parametrize("file", ["envs/requirements.lock", "pyproject.toml"])
def test_changed_requirements_are_installed(project, file):
    with (project.root / file).open("a") as stream:
        stream.write("\n# changed\n")
    project.run()
    assert len(project.log()) == 3
    project.run()
    assert len(project.log()) == 3


def test_the_tests_add_what_they_need_once_and_again_where_that_failed(project):
    assert project.run("test", DURING_INSTALL="exit 1").returncode == 1
    for _ in range(2):
        assert arguments_of(project.run("test", "-k", "a or b")) == ["-m", "pytest", "-k", "a or b"]
    [failed, added] = project.log()
    assert failed == added
    assert added.endswith("--require-hashes -r envs/tests.lock")


def vanished(project):
    python = project.root / ".venv/bin/python"
    python.unlink()
    python.symlink_to(project.home / "gone")


def moved(project):
    project.root = project.root.rename(project.home / "elsewhere")


@pytest.mark.parametrize("change", [vanished, moved])
def test_what_cannot_be_used_any_more_is_set_up_again(project, change):
    change(project)
    assert project.run().returncode == 0
    assert len(project.log()) == 3


def test_another_interpreter_can_be_chosen(project):
    other = str(project.add_python("other"))
    project.run(PYTHON=other)
    assert project.log()[0] == f"venv by {other}"
    project.run(PYTHON=other)
    project.run()
    assert len(project.log()) == 3


@pytest.mark.parametrize(("how", "status"), [("exit 4", 4), ("kill -9 $PPID", -9)])
def test_a_set_up_that_failed_or_was_killed_is_repaired(bare, how, status):
    bare.add_python()
    failed = bare.run(DURING_INSTALL=how)
    assert failed.returncode == status
    assert failed.stdout == ""
    assert len(bare.log()) == 2
    assert bare.run().returncode == 0
    assert len(bare.log()) == 2 + 3


OFFLINE = [
    # pip 26.1, uv 0.9
    "WARNING: Retrying after connection broken by 'NewConnectionError(...)': /simple/numpy/",
    "ERROR: Failed to resolve 'pypi.org' ([Errno -3] Temporary failure in name resolution)",
    "error: Failed to fetch ... Caused by: error sending request for url (...)",
]


@pytest.mark.parametrize("said", OFFLINE)
def test_what_pip_says_without_a_network_is_explained_after_it(bare, said):
    bare.add_python()
    failed = bare.run(DURING_INSTALL='echo "$SAID" >&2; exit 1', SAID=said)
    assert failed.returncode == 1
    _, printed, explained = failed.stderr.splitlines()
    assert printed == said
    assert explained.startswith("run: the package index could not be reached, see above: check ")


def test_a_checkout_of_another_user_is_not_set_up(bare):
    bare.add_python()
    result = bare.run_where_not_writable()
    assert result.returncode == 1
    assert result.stderr == (
        f"run: You may not write to {bare.root}, where .venv is to be set up (here .). Copy the "
        "checkout, without .venv and .snakemake, to a folder of yours and call its ./run.\n"
    )
    assert bare.log() == []


def test_two_calls_at_once_set_up_once(bare):
    bare.add_python()
    calls = [
        subprocess.Popen(
            [bare.root / "run"],
            env=bare.environment(DURING_INSTALL="sleep 0.5"),
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            text=True,
        )
        for _ in range(2)
    ]
    printed = [call.communicate(timeout=30)[0].splitlines() for call in calls]
    assert [lines[2:5] for lines in printed] == [STARTED] * 2
    assert len(bare.log()) == 3


def test_an_old_interpreter_is_refused_in_one_sentence(bare):
    old = bare.add_python("old", "sys.version_info = (3, 9, 18); ")
    result = bare.run(PYTHON=str(old))
    assert result.returncode == 1
    assert result.stderr == f"run: PYTHON={old} is not Python 3.11 or newer.\n"


def test_the_first_interpreter_that_is_new_enough_is_taken(bare):
    bare.add_python("python3", "sys.version_info = (3, 9, 18); ")
    new = bare.add_python("python3.12", "sys.version_info = (3, 12, 0); ")
    assert bare.run().returncode == 0
    assert bare.log()[0] == f"venv by {new}"


def test_an_activated_environment_is_not_built_from_itself(project):
    base = project.bin / "python3"
    inner = project.add_python("../some dir/.venv/bin/python3", base=str(base))
    (project.root / ".venv/stamp").unlink()
    assert project.run(PATH=f"{inner.parent}:{project.bin}").returncode == 0
    assert project.log()[0] == f"venv by {base}"


def test_no_interpreter_at_all(bare):
    result = bare.run()
    assert result.returncode == 1
    assert result.stderr == (
        "run: no Python 3.11 or newer found: install one, or name it: "
        "PYTHON=/path/to/python ./run\n"
    )


@pytest.mark.parametrize("module", ["venv", "ensurepip"])
def test_an_interpreter_without_venv_is_refused(bare, module):
    python = bare.add_python(prelude=f"sys.modules['{module}'] = None; ")
    result = bare.run()
    assert result.returncode == 1
    assert result.stderr.splitlines()[-1] == (
        f"run: {python} has no venv module: install it (Debian, Ubuntu: apt install python3-venv)."
    )
    assert bare.log() == []
