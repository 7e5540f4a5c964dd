"""Whether a cluster's scheduler answers, before a run waits for it in vain."""

import shutil
import subprocess

from cr5.base.errors import UserError

ASKED = {"slurm": ("sinfo", "--noheader", "--format=%P")}
"""By executor of snakemake, a command that every user may call."""
PATIENCE = 60  # seconds


def check(executor: str) -> None:
    """Refuse a scheduler that does not answer.

    Args:
        executor: of snakemake; of others than Slurm nothing is known.

    Raises:
        UserError: it says what the scheduler said, and what to do.
    """
    if (command := ASKED.get(executor)) and (reason := _silence(command)):
        raise UserError(
            f"{executor} does not answer: {reason}. Start on a machine from which jobs are "
            "submitted, see to the scheduler, or run here, without --profile"
        )


def check_programs() -> None:
    """Refuse a part of Slurm's programs, with which snakemake's plugin ends in a traceback.

    Every start of snakemake loads that plugin.

    Raises:
        UserError: it says what is missing.
    """
    if shutil.which("sinfo") and not any(map(shutil.which, ("squeue", "sacct"))):
        raise UserError(
            "sinfo of Slurm is installed, but neither squeue nor sacct. Install all of Slurm's "
            "commands (Debian, Ubuntu: slurm-client), or take sinfo off the PATH"
        )


def _silence(command: tuple[str, ...]) -> str | None:
    """Why there was no answer; None where there was."""
    try:
        done = subprocess.run(command, capture_output=True, text=True, timeout=PATIENCE)
    except FileNotFoundError:
        return f"{command[0]} is not installed"
    except subprocess.TimeoutExpired:
        return f"{command[0]} said nothing in {PATIENCE} seconds"
    if done.returncode:
        lines = done.stderr.strip().splitlines() or [f"status {done.returncode}"]
        return f"{command[0]}: {lines[-1]}"
    return None
