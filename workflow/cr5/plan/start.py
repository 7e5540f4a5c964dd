"""The start of `./run`: read its arguments and configuration files, then run snakemake."""

import io
import os
import re
import runpy
import shutil
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

from cr5.base.errors import UserError
from cr5.plan import config_files
from cr5.plan.arguments import (
    VERBOSE,
    check_cores,
    is_dry,
    is_run,
    named_files,
    targets_first,
    value,
)
from cr5.plan.changes import WATCH, answer

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


def check_scheduler(executor: str | None) -> None:
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


TERMINAL = "--logger=cr5"  # the package snakemake_logger_plugin_cr5


class Held(io.StringIO):
    """Replaces stderr while snakemake reads its arguments, until our terminal takes over.

    Snakemake names its profile there, or prints all of its options before the error.
    """

    def __init__(self) -> None:
        super().__init__()
        self.stderr, sys.stderr = sys.stderr, self

    def release(self) -> None:
        """Give stderr back."""
        sys.stderr = self.stderr


def main(arguments: Sequence[str]) -> None:
    """Run snakemake in this process, unless the arguments or a configuration file are wrong."""
    try:
        arguments = prepared(arguments)
    except UserError as error:
        sys.exit(f"run: {error}")
    if (lines := answer(arguments)) is not None:
        print("\n".join(["Nothing to do: every result is there and up to date.", *lines]))
        return
    sys.argv = ["snakemake", *arguments]
    held = Held() if TERMINAL in arguments else None
    try:
        runpy.run_module("snakemake", run_name="__main__", alter_sys=True)
    except SystemExit as end:
        if not end.code:
            WATCH.keep(arguments)
        raise
    except KeyboardInterrupt:  # later, snakemake handles it
        sys.exit("Interrupted while the run was being planned: no job was started.")
    finally:
        if held and sys.stderr is held:  # our terminal did not start
            held.release()
            said = held.getvalue().rpartition(" error: ")[2].strip()
            if said := said.removeprefix("Error: ").rstrip("."):
                print(f"run: {said}. See ./run help.", file=sys.stderr)


def prepared(arguments: Sequence[str]) -> list[str]:
    """Check what can be checked without snakemake, and return the arguments for it.

    Raises:
        UserError: an argument or a configuration file is wrong, or jobs cannot be submitted.
    """
    check_cores(arguments)
    prepared = targets_first([x for x in arguments if x != VERBOSE])
    for path in named_files(prepared):
        config_files.read(path)
    check_programs()
    if not is_dry(prepared):
        check_scheduler(executor(prepared))
    return [TERMINAL, *prepared] if VERBOSE not in arguments and is_run(prepared) else prepared


if __name__ == "__main__":
    main(sys.argv[1:])
