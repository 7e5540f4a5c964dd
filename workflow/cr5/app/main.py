"""The command `cr5`: commands, options, and user errors reported in one line."""

import argparse
import os
import signal
import sys
from collections.abc import Sequence
from importlib import import_module

from cr5 import __version__
from cr5.base import extras
from cr5.base.errors import UserError
from cr5.base.refusals import is_refusal, is_refusal_to_write, refusal

COMMANDS = {
    "info": "say what a model, an index or a run holds",
    "fit": "fit a system to texts of your own",
    "embed": "turn texts into vectors",
    "index": "keep embedded texts in a folder, to be searched",
    "search": "find the nearest texts in other languages",
    "align": "pair the texts of two collections of your own, one to one",
    "export": "write a model for other programs, or in one file to share",
    "explore": "write a page on which to look through what a run found",
    "verify": "compare a run's files with what it made",
}
EXTRAS = {"explore": "workflow", "verify": "workflow"}  # what it needs; the others at most `fit`


def entry() -> None:
    """Entry point for the shell; leaves nothing half-written even if ended by SIGTERM."""
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(128 + signal.SIGTERM))
    if sys.stdout is not None:
        sys.stdout.reconfigure(errors="backslashreplace")  # of letters that a terminal lacks
    main()


def main(arguments: Sequence[str] | None = None) -> None:
    """Run a command; exits with 1 for a user error, 2 for an error in the arguments."""
    name, *rest = (sys.argv[1:] if arguments is None else arguments) or ["--help"]
    if name not in COMMANDS:
        _parser().parse_args([name, *rest])
    try:
        with extras.needed(EXTRAS.get(name, "fit")):
            _run(name, rest)
    except UserError as error:
        sys.exit(f"cr5 {name}: {error}")
    except BrokenPipeError:  # the reader has enough, as with `head`
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
    except KeyboardInterrupt:
        sys.exit(128 + signal.SIGINT)
    except (OSError, MemoryError) as error:
        if not is_refusal(error):
            raise
        if not is_refusal_to_write(error):
            sys.exit(f"cr5 {name}: {refusal(error, 'a file')}")
        place = error.filename or "what was to be written"
        sys.exit(f"cr5 {name}: {place}: {error.strerror}; make room, or choose a place of yours")


def _run(name: str, arguments: Sequence[str]) -> None:
    command = import_module(f"cr5.app.{name}")
    parser = argparse.ArgumentParser(f"cr5 {name}", description=f"{COMMANDS[name].capitalize()}.")
    command.add(parser)
    given = parser.parse_intermixed_args(arguments)
    if sys.stdout is None:
        raise UserError("standard output is closed: nothing can be printed")
    command.run(given)
    sys.stdout.flush()


def _parser() -> argparse.ArgumentParser:
    """Parser for help and unknown commands."""
    parser = argparse.ArgumentParser("cr5", description="Use what the workflow has fitted.")
    parser.add_argument("--version", action="version", version=f"cr5 {__version__}")
    commands = parser.add_subparsers(required=True, metavar="COMMAND")
    for name, purpose in COMMANDS.items():
        commands.add_parser(name, help=purpose)
    return parser
