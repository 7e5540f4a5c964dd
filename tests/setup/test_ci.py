"""`.ci/run`: its order, and that it stops at the first failure. Stand-ins do its steps."""

import shutil
import subprocess
from pathlib import Path

import pytest
import yaml

from tests.setup.conftest import write_program

ROOT = Path(__file__).parents[2]
LINTERS = ["ruff check", "ruff format", "snakefmt --check", "snakemake --lint", "run docs"]
APT = ["apt-get update", "apt-get install"]
REST = "run test --all -m slow"
STAND_IN = """#!/bin/sh
name=${0##*/}
echo "$name${*:+ $*}" >>"$LOG"
[ "$name${*:+ $*}" != "$FAILING" ]
"""
EXTRAS = ("sbatch", "munged", "qemu-x86_64")


@pytest.fixture
def checks(tmp_path):
    """Call a copy on a machine that has only these programs: exit status and steps taken."""
    programs = tmp_path / "bin"
    (tmp_path / ".ci").mkdir()
    programs.mkdir()
    shutil.copy(ROOT / ".ci/run", tmp_path / ".ci")
    write_program(tmp_path / "run", STAND_IN)
    for name in ("bash", "sh", "dirname"):
        (programs / name).symlink_to(shutil.which(name))
    write_program(programs / "timeout", '#!/bin/sh\nshift\nexec "$@"\n')
    for name in ("ruff", "snakefmt", "snakemake"):
        write_program(programs / name, STAND_IN)

    def call(*there, user=0, failing=""):
        write_program(programs / "id", f"#!/bin/sh\necho {user}\n")
        for name in there:
            write_program(programs / name, STAND_IN)
        log = tmp_path / "log"
        log.write_text("")
        environment = {"PATH": str(programs), "LOG": str(log), "FAILING": failing}
        done = subprocess.run([tmp_path / ".ci/run"], env=environment, capture_output=True)
        return done.returncode, log.read_text().splitlines()

    return call


def same(steps, expected):
    return len(steps) == len(expected) and all(map(str.startswith, steps, expected))


def test_the_tests_of_the_readme_run_before_anything_is_installed(checks):
    status, steps = checks("apt-get")
    assert status == 0
    assert steps[0] == "run test"
    assert steps[-1] == REST
    assert same(steps, ["run test", *LINTERS, *APT, REST])


@pytest.mark.parametrize(
    ("there", "user"), [([], 0), (["apt-get"], 1000), (["apt-get", *EXTRAS], 0)]
)
def test_nothing_is_installed_where_it_cannot_be_or_is_there(checks, there, user):
    status, steps = checks(*there, user=user)
    assert status == 0
    assert same(steps, ["run test", *LINTERS, REST])


def test_what_cannot_be_installed_stops_nothing(checks):
    installed = "slurm-wlm munge qemu-user"
    failing = f"apt-get install -y -qq --no-install-recommends {installed}"
    status, steps = checks("apt-get", failing=failing)
    assert failing in steps
    assert (status, steps[-1]) == (0, REST)


@pytest.mark.parametrize("failing", ["", "pip install -q --no-compile torch==2.13.0+cpu"])
def test_what_needs_torch_is_tested_where_it_can_be_had(checks, tmp_path, failing):
    for name in ("pip", "python"):
        (tmp_path / "made/torch/bin").mkdir(parents=True, exist_ok=True)
        write_program(tmp_path / "made/torch/bin" / name, STAND_IN)
    status, steps = checks("python", failing=failing)
    tried = ["python -m venv made/torch", "pip install -q --no-compile torch"]
    tested = ["pip install -q --no-compile -r envs/torch.txt", "python -m pytest -n 0 tests/"]
    assert status == 0
    assert same(steps, ["run test", *LINTERS, *tried, *([] if failing else tested), REST])


@pytest.mark.parametrize("number", range(len(LINTERS) + 2))
def test_the_checks_stop_at_the_first_failure(checks, number):
    _, all_steps = checks()
    status, steps = checks(failing=all_steps[number])
    assert status != 0
    assert steps == all_steps[: number + 1]


def test_the_public_checks_are_these():
    checks = yaml.safe_load((ROOT / ".github/workflows/checks.yml").read_text())
    steps = [x.get("run") for job in checks["jobs"].values() for x in job["steps"]]
    assert ".ci/run" in steps
    assert ".venv/bin/snakemake --cores 2 --directory .test" in steps
