"""apt with private folders: uses this system's sources, keys and proxies, and changes nothing.

Lists, caches and state are private and temporary, so neither root nor a home is needed.
"""

import os
import shutil
import subprocess
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
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


def check_there(what: str, instead: str) -> None:
    """Refuse to fetch without apt-get.

    Args:
        what: what is to be fetched.
        instead: what to do without apt-get.

    Raises:
        UserError: apt-get is missing.
    """
    if shutil.which("apt-get") is None:
        raise UserError(f"apt-get was not found, so {what} cannot be fetched here; {instead}")


@contextmanager
def private_state(folder: Path, settings: str = NO_LANGUAGES) -> Iterator[Path]:
    """Yield a folder with private apt state; it is removed afterwards.

    Args:
        folder: absolute; the state lies in it.
        settings: lines of apt.conf, in addition to the common ones.
    """
    with tempfile.TemporaryDirectory(dir=folder, prefix=".apt.") as name:
        state = Path(name)
        for part in ("lists/partial", "cache/archives/partial", "log"):
            (state / part).mkdir(parents=True)
        (state / "status").touch()
        (state / "apt.conf").write_text(CONF.format(state=state) + settings, encoding="utf-8")
        yield state


def run(*command: str, state: Path) -> subprocess.CompletedProcess:
    """Run a program of apt on a private state folder, which is also its working directory."""
    program, *arguments = command
    return subprocess.run(
        [program, "-c", f"{state}/apt.conf", *arguments],
        cwd=state,
        env=os.environ | {"LC_ALL": "C"},  # the messages are parsed
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        errors="replace",
    )


def is_failed(update: subprocess.CompletedProcess) -> bool:
    """Whether an update failed; apt-get succeeds even if it could not fetch some or all lists."""
    return bool(update.returncode) or "Failed to fetch" in update.stderr


def complaints(stderr: str) -> str:
    """Return the errors and warnings in the output of a program of apt."""
    lines = [line for line in stderr.splitlines() if line.startswith(("E:", "W:"))]
    return " ".join(lines[:3]) or stderr.strip()[-300:] or "no message"
