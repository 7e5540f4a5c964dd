"""The start of `./run`: read its arguments and the configuration files, then run snakemake."""

import io
import logging
import os
import signal
import sys
from argparse import ArgumentParser, Namespace
from collections.abc import Iterator, Sequence
from contextlib import redirect_stderr
from pathlib import Path
from types import FrameType

from snakemake import cli, exceptions
from snakemake.logging import logger

from cr5.base.errors import UserError
from cr5.plan import config_files
from cr5.plan.replaced import MAY_REPLACE

CALLED_FROM = "CR5_CALLED_FROM"  # the folder that the user stands in; ./run starts in its own
MADE = ("--directory", "-d", "--report")  # a folder to run in, a page
PROFILE = ("--profile",)
CONFIGFILE = ("--configfile", "--configfiles")  # which take several values
OF_PATHS = MADE + PROFILE + CONFIGFILE
# Of these, given twice, snakemake takes the values of the last alone.
OF_SEVERAL = (
    ("--config", "-C"),
    CONFIGFILE,
    ("--until", "-U"),
    ("--omit-from", "-O"),
    ("--forcerun", "-R"),
    ("--prioritize", "-P"),
    ("--resources", "--res"),
    ("--default-resources", "--default-res"),
    ("--set-resources",),
    ("--set-threads",),
)
NO_EXECUTOR = "argument --executor/-e: invalid choice"
INSTALLS = "run: ./run cluster installs what workflow/profiles/slurm and cluster submit jobs by.\n"
REFUSES = "refuses"  # marks a message of a plan that says why a run would not start
ENDED = "run: ended by a signal. Call the same command again to go on from there."


def main(arguments: Sequence[str]) -> None:
    """Run snakemake in this process, unless a configuration file is wrong."""
    signal.signal(signal.SIGTERM, _end)  # until jobs start
    try:
        _check_repeated(arguments)
        parser, parsed = _parsed(list(understood(arguments, called_from())))
        _check_keys(parsed.config or ())
        for path in parsed.configfile or ():
            config_files.read(path)  # of a mistake snakemake tells no line
        refusals = Refusals()
        logger.addFilter(refusals)
        is_done = cli.args_to_api(parsed, parser)
        sys.exit(not is_done or refusals.are_told)
    except UserError as error:
        sys.exit(f"run: {error}")
    except Exception as error:  # as snakemake's own command does
        exceptions.print_exception(error)
        sys.exit(1)


class Refusals(logging.Filter):
    """Notices whether a plan says that a run would not start; snakemake's plans always succeed."""

    are_told = False

    def filter(self, record: logging.LogRecord) -> bool:
        """Let every message pass."""
        self.are_told = self.are_told or hasattr(record, REFUSES)
        return True


def _end(number: int, frame: FrameType | None) -> None:
    sys.exit(ENDED)


def called_from() -> Path:
    """Return the folder that the user stands in."""
    return Path(os.environ.get(CALLED_FROM) or Path.cwd())


def understood(arguments: Sequence[str], folder: Path) -> Iterator[str]:
    """Yield arguments for snakemake: without ours, and with paths that count from a folder."""
    option = ""  # the one that the next argument is a value of
    for argument in arguments:
        if argument == "--replace":
            os.environ[MAY_REPLACE] = "yes"
            continue
        if argument.startswith("-"):
            option, equals, value = argument.partition("=")
            if equals:
                argument = f"{option}={_place(option, value, folder)}"
                option = ""
        else:
            argument = _place(option, argument, folder)
            if option not in CONFIGFILE:
                option = ""  # what follows is a target
        yield argument


def _place(option: str, value: str, folder: Path) -> str:
    """Return the value of an option, as a path that this process finds.

    What is here only, such as a file of `config/`, is read here. A profile may also be a name.
    """
    if option not in OF_PATHS or folder == Path.cwd():
        return value
    place = folder / value
    if place.exists() or option in MADE:
        return str(place)
    is_here = Path(value).exists()
    is_name = option in PROFILE
    if is_here or is_name:
        return value
    return str(place)


def _check_repeated(arguments: Sequence[str]) -> None:
    """Refuse an option of several values that is given twice."""
    options = [_option(argument) for argument in arguments]
    for names in OF_SEVERAL:
        same_options = [option for option in options if option in names]
        if len(same_options) > 1:
            option = same_options[0]
            raise UserError(
                f"{option}: given twice; give all its values at one place, {option} A B"
            )


def _option(argument: str) -> str:
    """Return the option of an argument that may hold its value, too, as -Cseed=7 does."""
    if argument.startswith("--"):
        return argument.partition("=")[0]
    return argument[:2]


def _check_keys(entries: Sequence[str]) -> None:
    """Refuse an entry of --config that is no key with a value, or a key that is there twice.

    Of the first snakemake would show its own code, of the second it would take the last value.
    """
    keys = set()
    for entry in entries:
        key, equals, _ = entry.partition("=")
        if not (equals and key.isidentifier()):
            raise UserError(
                f"--config {entry}: expected a key with a value, such as seed=7, or of a key "
                "below another 'splits={test: 100}'"
            )
        if key in keys:
            raise UserError(f"--config {key}: given twice; give it once")
        keys.add(key)


def _parsed(arguments: Sequence[str]) -> tuple[ArgumentParser, Namespace]:
    """Parse arguments; snakemake names the profile of every call, which only its own text needs.

    Of a profile whose executor is not installed, say what installs it.
    """
    messages = io.StringIO()
    try:
        with redirect_stderr(messages):
            return cli.parse_args(arguments)
    finally:
        is_ours = "--logger=cr5" in arguments
        for line in messages.getvalue().splitlines(keepends=True):
            names_profile = line.startswith("Using ")
            if not (is_ours and names_profile):
                sys.stderr.write(line)
        if NO_EXECUTOR in messages.getvalue():
            sys.stderr.write(INSTALLS)


if __name__ == "__main__":
    main(sys.argv[1:])
