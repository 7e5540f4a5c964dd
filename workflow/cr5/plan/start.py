"""The start of `./run`: read the configuration files strictly, then run snakemake."""

import io
import re
import sys
from collections.abc import Iterator, Sequence
from contextlib import redirect_stderr

from cr5.base.errors import UserError
from cr5.plan import config_files

FILES = ("--configfile", "--configfiles")


def main(arguments: Sequence[str]) -> None:
    """Run snakemake in this process, unless a configuration file is wrong."""
    try:
        for path in named_files(arguments):
            config_files.read(path)
        sys.exit(not snakemake(arguments))
    except UserError as error:
        sys.exit(f"run: {error}")
    except KeyboardInterrupt:  # later, snakemake handles it
        sys.exit("Interrupted while the run was being planned: no job was started.")


def snakemake(arguments: Sequence[str]) -> bool:
    """Run snakemake as its own command does; of wrong arguments, tell what is wrong alone."""
    from snakemake import cli, exceptions  # takes half a second

    sys.argv = ["snakemake", *arguments]
    said = io.StringIO()  # the profile that it uses; or all of its options, then what is wrong
    try:
        with redirect_stderr(said):
            parser, parsed = cli.parse_args(arguments)
    except SystemExit as ended:
        sys.exit(ended.code and f"run: {re.split('[Ee]rror: ', said.getvalue())[-1].strip()}")
    try:
        return cli.args_to_api(parsed, parser)
    except Exception as error:
        exceptions.print_exception(error)
        return False


def named_files(arguments: Sequence[str]) -> Iterator[str]:
    """Yield the configuration files that the arguments name, in order."""
    is_file = False
    for word in arguments:
        if word == "--":
            return
        option, joined, value = word.partition("=")
        if option in FILES and joined:
            yield value
        elif word.startswith("-"):
            is_file = option in FILES
        elif is_file:
            yield word


if __name__ == "__main__":
    main(sys.argv[1:])
