"""Check that a cluster's scheduler answers before a run waits for it in vain."""

import os
import re
import shutil
import subprocess
from collections.abc import Sequence
from pathlib import Path

from cr5.base.errors import UserError
from cr5.plan.arguments import value

PROGRAMS = {"slurm": ("sinfo", "sbatch", "squeue")}
"""By executor of snakemake, what must be installed; the first is asked for its partitions."""
PATIENCE = 60  # seconds
REMEDY = (
    "Start on a machine from which jobs are submitted, ask whoever runs the scheduler, or run "
    "here, without --profile"
)


def executor(arguments: Sequence[str]) -> str | None:
    """Return the executor that snakemake's arguments name, directly or by a profile."""
    if named := value(arguments, ("--executor", "-e")):
        return named
    options = ("--profile", "--workflow-profile")
    profiles = [value(arguments, (x,)) for x in options] + [os.environ.get("SNAKEMAKE_PROFILE")]
    for path in (Path(x, "config.yaml") for x in profiles if x):
        if path.is_file():
            text = path.read_text(encoding="utf-8", errors="replace")
            if found := re.search(r"^executor: *[\"']?([\w-]+)", text, re.MULTILINE):
                return found[1]
    return None


def check(executor: str | None) -> None:
    """Reject a scheduler that is not installed or does not answer.

    Args:
        executor: snakemake's executor; only Slurm is checked.

    Raises:
        UserError: it says what is missing or what the scheduler said, and the remedy.
    """
    programs = PROGRAMS.get(executor or "", ())
    if missing := [x for x in programs if not shutil.which(x)]:
        is_are = "is" if len(missing) == 1 else "are"
        raise UserError(
            f"{executor} cannot be reached: {', '.join(missing)} {is_are} not installed on this "
            f"machine. {REMEDY}"
        )
    if programs and (reason := _silence((programs[0], "--noheader", "--format=%P"))):
        raise UserError(f"{executor} cannot be reached: {reason}. {REMEDY}")


def check_programs() -> None:
    """Reject an incomplete set of Slurm's programs, which makes snakemake's plugin fail.

    Every start of snakemake loads that plugin, which would end in a traceback.

    Raises:
        UserError: it says what is missing.
    """
    if shutil.which("sinfo") and not any(map(shutil.which, ("squeue", "sacct"))):
        raise UserError(
            "sinfo of Slurm is installed, but neither squeue nor sacct. Install all of Slurm's "
            "commands (Debian, Ubuntu: slurm-client), or take sinfo off the PATH"
        )


def _silence(command: tuple[str, ...]) -> str | None:
    """Return why there was no answer; None if there was one."""
    try:
        done = subprocess.run(command, capture_output=True, text=True, timeout=PATIENCE)
    except subprocess.TimeoutExpired:
        return f"{command[0]} did not answer within {PATIENCE} seconds"
    except OSError as error:
        return f"{command[0]}: {error.strerror}"
    if done.returncode:
        lines = done.stderr.strip().splitlines() or [f"status {done.returncode}"]
        return f"{command[0]}: {lines[-1]}"
    return None
