"""`./run` sets up .venv: with pip or uv, once, and again when something changed."""

import pytest

from tests.setup.test_run import STARTED

OLD = "sys.version_info = (3, 9, 18); "


@pytest.mark.parametrize(
    ("uv", "programs"),
    [(None, ["venv", "pip", "pip"]), (0, ["uv", "uv", "uv"]), (127, ["venv", "pip", "pip"])],
    ids=["without uv", "uv", "a broken uv"],
)
def test_what_is_locked_is_installed_then_the_package_and_both_once(bare, uv, programs):
    bare.add_python()
    if uv is not None:
        bare.add_uv(uv)
    assert bare.run().returncode == 0
    assert [line.split()[0] for line in bare.log()] == programs
    assert bare.log()[1].endswith("--require-hashes -r envs/requirements.lock")
    assert bare.log()[2].endswith("--no-deps --no-build-isolation -e .")
    assert bare.run("-n").stderr == ""
    assert len(bare.log()) == 3


def test_changed_requirements_are_installed(project):
    for n, file in enumerate(("envs/requirements.lock", "pyproject.toml"), start=1):
        with (project.root / file).open("a") as stream:
            stream.write("\n# changed\n")
        for _ in range(2):
            project.run()
            assert len(project.log()) == 3 * n


@pytest.mark.parametrize(("word", "lock"), [("test", "tests.lock"), ("docs", "docs.lock")])
def test_what_only_one_word_needs_is_added_once_and_again_where_that_failed(project, word, lock):
    assert project.run(word, DURING_INSTALL="exit 1").returncode == 1
    for _ in range(2):
        assert project.run(word).returncode == 0
    failed, added = [line for line in project.log() if line.startswith("pip")]
    assert failed == added
    assert added.endswith(f"--require-hashes -r envs/{lock}")


def test_what_cannot_be_used_any_more_is_set_up_again(project):
    python = project.root / ".venv/bin/python"
    python.unlink()
    python.symlink_to(project.home / "gone")
    assert project.run().returncode == 0
    project.root = project.root.rename(project.home / "elsewhere")
    assert project.run().returncode == 0
    assert len(project.log()) == 2 * 3


@pytest.mark.parametrize(("how", "status"), [("exit 4", 4), ("kill -9 $PPID", -9)])
def test_a_set_up_that_failed_or_was_killed_is_repaired(bare, how, status):
    bare.add_python()
    failed = bare.run(DURING_INSTALL=how)
    assert (failed.returncode, failed.stdout, len(bare.log())) == (status, "", 2)
    assert bare.run().returncode == 0
    assert len(bare.log()) == 2 + 3


def test_two_calls_at_once_set_up_once(bare):
    bare.add_python()
    started = [bare.start(DURING_INSTALL="sleep 0.5") for _ in range(2)]
    printed = [call.communicate(timeout=30)[0].splitlines() for call in started]
    assert [lines[2:5] for lines in printed] == [STARTED] * 2
    assert len(bare.log()) == 3


def test_the_first_interpreter_that_is_new_enough_is_taken_or_the_one_that_is_named(bare):
    assert "no Python 3.11 or newer found" in bare.run().stderr
    old = bare.add_python("python3", OLD)
    assert bare.run(PYTHON=str(old)).stderr == f"run: PYTHON={old} is not Python 3.11 or newer.\n"
    new = bare.add_python("python3.12", "sys.version_info = (3, 12, 0); ")
    bare.run()
    other = bare.add_python("other")
    bare.run(PYTHON=str(other))
    made = [line for line in bare.log() if line.startswith("venv")]
    assert made == [f"venv by {new}", f"venv by {other}"]


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
