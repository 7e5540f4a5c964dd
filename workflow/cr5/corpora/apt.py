"""apt with private folders: uses this system's sources, keys and proxies, and changes nothing.

Lists, caches and state are private and temporary, so neither root nor a home is needed.
"""

import os
import shutil
import subprocess
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from cr5.base.errors import UserError

# Read after the system's settings, so that its sources, keys and proxies apply.
# Hooks are cleared because they may tidy or index the system's folders.
CONF = """\
#clear APT::Update::Pre-Invoke;
#clear APT::Update::Post-Invoke;
#clear APT::Update::Post-Invoke-Success;
#clear DPkg::Pre-Invoke;
#clear DPkg::Post-Invoke;
Dir::State "{state}";
Dir::State::lists "{state}/lists";
Dir::State::status "{state}/status";
Dir::Cache "{state}/cache";
Dir::Cache::archives "{state}/cache/archives";
Dir::Log "{state}/log";
APT::Sandbox::User "root";
Acquire::Retries "2";
Acquire::http::Timeout "30";
Acquire::https::Timeout "30";
#clear Acquire::Languages;
"""
NO_LANGUAGES = 'Acquire::Languages "none";\n'


@dataclass(frozen=True)
class Apt:
    """Programs of apt on private lists, caches and state.

    Attributes:
        state: the folder with them, which is also the programs' working directory.
        what: is to be fetched, for messages.
        instead: what to do where that fails, for messages.
    """

    state: Path
    what: str
    instead: str

    def run(self, program: str, *arguments: str) -> subprocess.CompletedProcess:
        """Run a program of apt."""
        return subprocess.run(
            [program, "-c", f"{self.state}/apt.conf", *arguments],
            cwd=self.state,
            env=os.environ | {"LC_ALL": "C"},  # the messages are parsed
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            errors="replace",
        )

    def update(self) -> str:
        """Fetch the package lists; return what apt-get said if it failed, else nothing."""
        done = self.run("apt-get", "update")
        # it succeeds even if it could not fetch some or all lists
        is_failed = done.returncode or "Failed to fetch" in done.stderr
        return (done.stderr or f"status {done.returncode}") if is_failed else ""

    def unreachable(self, said: str, missing: str = "") -> UserError:
        """Return the error for a failed update, and what it has left missing if not all."""
        return UserError(
            f"apt-get update could not fetch {missing or self.what} ({complaints(said)}); check "
            f"the network or {self.instead}"
        )


@contextmanager
def private(folder: Path, what: str, instead: str, settings: str = NO_LANGUAGES) -> Iterator[Apt]:
    """Yield apt with a private state in a folder, which is made; the state is removed afterwards.

    Args:
        folder: absolute.
        what: is to be fetched.
        instead: what to do where that fails.
        settings: lines of apt.conf, in addition to the common ones.

    Raises:
        UserError: apt-get is missing.
    """
    if shutil.which("apt-get") is None:
        raise UserError(f"apt-get was not found, so {what} cannot be fetched here; {instead}")
    folder.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(dir=folder, prefix=".apt.") as name:
        state = Path(name)
        for part in ("lists/partial", "cache/archives/partial", "log"):
            (state / part).mkdir(parents=True)
        (state / "status").touch()
        (state / "apt.conf").write_text(CONF.format(state=state) + settings, encoding="utf-8")
        yield Apt(state, what, instead)


def complaints(stderr: str) -> str:
    """Return the errors and warnings in the output of a program of apt."""
    lines = [line for line in stderr.splitlines() if line.startswith(("E:", "W:"))]
    return " ".join(lines[:3]) or stderr.strip()[-300:] or "no message"
