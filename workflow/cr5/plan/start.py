"""The start of `./run`: read its arguments and the configuration files, then run snakemake."""

import io
import os
import signal
import sys
from argparse import ArgumentParser, Namespace
from collections.abc import Iterator, Sequence
from contextlib import redirect_stderr
from pathlib import Path

from snakemake import cli, exceptions

from cr5.base.errors import UserError
from cr5.plan import config_files
from cr5.plan.replaced import MAY_REPLACE

CALLED_FROM = "CR5_CALLED_FROM"  # the folder that the user stands in; ./run starts in its own
DIRECTORY = ("--directory", "-d")
PROFILE = ("--profile",)
CONFIGFILE = ("--configfile", "--configfiles")  # which take several values
ENDED = "run: ended by a signal. Call the same command again to go on from there."


def main(arguments: Sequence[str]) -> None:
    """Run snakemake in this process, unless a configuration file is wrong."""
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(ENDED))  # until jobs start
    try:
        parser, parsed = _parsed([*understood(arguments, called_from())])
        for path in parsed.configfile or ():
            config_files.read(path)  # of a mistake snakemake tells no line
        sys.exit(not cli.args_to_api(parsed, parser))
    except UserError as error:
        sys.exit(f"run: {error}")
    except Exception as error:  # as snakemake's own command does
        exceptions.print_exception(error)
        sys.exit(1)


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
    if option not in (*DIRECTORY, *PROFILE, *CONFIGFILE) or folder == Path.cwd():
        return value
    place = folder / value
    is_here = option not in DIRECTORY and not place.exists() and Path(value).exists()
    is_name = option in PROFILE and not place.exists()
    return value if is_here or is_name else str(place)


def _parsed(arguments: Sequence[str]) -> tuple[ArgumentParser, Namespace]:
    """Parse arguments; snakemake names the profile of every call, which only its own text needs."""
    said = io.StringIO()
    try:
        with redirect_stderr(said):
            return cli.parse_args(arguments)
    finally:
        is_ours = "--logger=cr5" in arguments
        lines = said.getvalue().splitlines(keepends=True)
        told = [x for x in lines if not (is_ours and x.startswith("Using "))]
        sys.stderr.write("".join(told))


if __name__ == "__main__":
    main(sys.argv[1:])
