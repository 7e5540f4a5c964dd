"""A copy of `./run` with stand-ins for Python and .venv: nothing is installed."""

import shutil
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
TOOLS = ["basename", "cat", "dirname", "kill", "mkdir", "readlink", "rm", "sh", "sleep", "cp"]

# The interpreter of .venv: writes down what pip would install, prints any other call.
INNER = """#!/bin/sh
if [ "$2" = pip ]; then
    echo "pip $*" >>log
    eval "${DURING_INSTALL:-:}"
    exit
fi
printf '%s\\n' "$PWD" "${XDG_CACHE_HOME:-}" "$@"
exit "${INNER_EXIT:-0}"
"""

# An interpreter of the machine: real, except that .venv is a copy of INNER.
OUTER = """#!/bin/sh
if [ "$2" = venv ]; then
    echo "venv by $0" >>log
    mkdir -p "$3/bin"
    exec cp inner "$3/bin/python"
fi
exec "{python}" -c "import sys; sys._base_executable = '{base}'; {prelude}$2"
"""
UV = """#!/bin/sh
[ "$1" = --version ] || echo "uv $*" >>log
[ "$1" != venv ] || {{ mkdir -p .venv/bin; cp inner .venv/bin/python; }}
exit {exit}
"""


def write_program(path: Path, text: str) -> Path:
    path.write_text(text)
    path.chmod(0o755)
    return path


class Project:
    """A copy of `run` in a folder with a space, and a PATH that holds only what we put there."""

    def __init__(self, folder: Path):
        self.root = folder / "some dir"
        self.bin = folder / "bin"
        self.home = folder / "home"
        for new in (self.root / "envs", self.bin, self.home):
            new.mkdir(parents=True)
        for tool in TOOLS:
            if place := shutil.which(tool):
                (self.bin / tool).symlink_to(place)
        shutil.copy(ROOT / "run", self.root)
        write_program(self.root / "inner", INNER)
        (self.root / "envs/requirements.lock").write_text("numpy==2.4.6\n")
        (self.root / "envs/tests.lock").write_text("pytest==9.2.0\n")
        (self.root / "envs/docs.lock").write_text("sphinx==9.0.4\n")
        (self.root / "pyproject.toml").write_text("[project]\n")

    def add_python(self, name: str = "python3", prelude: str = "", base: str = "$0") -> Path:
        """Prelude: statements that make it look older, or poorer, than it is."""
        text = OUTER.format(python=sys.executable, prelude=prelude, base=base)
        return write_program(self.bin / name, text)

    def add_uv(self, status: int) -> None:
        write_program(self.bin / "uv", UV.format(exit=status))

    def start(
        self, *arguments: str, program: Path | str = "", cwd: Path | None = None, **variables
    ):
        given = {"PATH": str(self.bin), "HOME": str(self.home), **variables}
        return subprocess.Popen(
            [program or self.root / "run", *arguments],
            cwd=cwd,
            env={name: value for name, value in given.items() if value is not None},
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        )

    def run(self, *arguments: str, **how):
        started = self.start(*arguments, **how)
        said = started.communicate(timeout=30)
        return subprocess.CompletedProcess(arguments, started.returncode, *said)

    def log(self) -> list[str]:
        file = self.root / "log"
        return file.read_text().splitlines() if file.exists() else []


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
