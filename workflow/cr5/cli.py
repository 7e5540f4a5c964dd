"""The command `cr5`: its arguments, and what becomes of errors."""

import argparse
import os
import signal
import sys
from collections.abc import Sequence
from typing import Any

from cr5 import __version__, cli_commands
from cr5.base.errors import UserError, needed

CHOICE = "--system --setting --repetition --module"
COLUMNS = "--text --id --title"
COMMANDS = {  # their arguments: ! needed, ? the folder where one is
    "info": f"place? {CHOICE} --options --schema",
    "fit": f"file -o/--out! --system --set {COLUMNS}",
    "embed": f"place {CHOICE} --language! --target-language texts --file {COLUMNS}",
    "index": f"place out {CHOICE} --language --remove --file {COLUMNS}",
    "search": f"place {CHOICE} --from --to -k --measure --why texts --file {COLUMNS}",
    "align": f"place first second {CHOICE} --from --to! -k --measure {COLUMNS}",
    "export": f"place format out {CHOICE}",
    "explore": "place -o/--out --system --setting",
    "verify": "place",
}
ARGUMENTS: dict[str, dict[str, Any]] = {
    "place": {"help": "folder of a run or a model, or its file NAME.cr5; to search, an index too"},
    "file": {
        "nargs": "+",
        "metavar": "LANGUAGE=FILE",
        "help": "texts of a language: a table or JSON lines with `concept` for texts about the "
        "same thing; or a text a line, those of one number together",
    },
    "out": {"help": "folder to write; of a packed model the file, NAME.cr5"},
    "first": {"metavar": "A", "help": "file of texts"},
    "second": {"metavar": "B", "help": "file of texts of the other language"},
    "texts": {"nargs": "*", "metavar": "TEXT"},
    "format": {
        "choices": ["word2vec", "static", "packed"],
        "help": "word2vec: vectors that gensim reads; static: for model2vec and "
        "sentence-transformers; packed: the whole model in one small file",
    },
    "--system": {"help": "its name: of a run (that of the highest Success@1), or to be fitted"},
    "--setting": {"help": "which one of a run (likewise)"},
    "--repetition": {"type": int, "default": 1, "help": "which one of a run (1)"},
    "--module": {"help": "file of a model's class, if it is one of your own; it is run"},
    "--options": {"metavar": "NAME", "help": "the keys of a part or section: cr5, mine.py, splits"},
    "--schema": {"action": "store_true", "help": "the JSON schema of configurations"},
    "--language": {"help": "of the texts"},
    "--target-language": {"help": "of what is compared with them, where a model asks for it"},
    "--from": {"dest": "language", "required": True, "help": "language of the first texts"},
    "--to": {"help": "language of the second ones; to search several, it,da (all others)"},
    "--set": {
        "action": "append",
        "default": [],
        "metavar": "KEY=VALUE",
        "help": "an option of the system, rank=100, or a key of the configuration, "
        "bags.min_documents=2; lists as JSON, ridges=[0.1,1]",
    },
    "--remove": {"action": "append", "default": [], "help": "id of a text to be removed"},
    "--file": {
        "action": "append",
        "default": [],
        "help": "texts in CSV, TSV, Parquet or JSON lines, or a text a line; - is standard input",
    },
    "--text": {"default": "text", "help": "column of the texts (text, or text_en of English)"},
    "--id": {"help": "column of their ids (id, or concept)"},
    "--title": {"default": "title", "help": "column of their titles (title)"},
    "-k": {"type": int, "help": "how many texts are found for one (10), or considered (20)"},
    "--measure": {"help": "cosine, csls or another that the model has"},
    "--why": {"action": "store_true", "help": "show the words that did it"},
    "-o/--out": {"help": "what is written"},
}


def entry() -> None:
    """Entry point for the shell; leaves nothing half-written even if ended by SIGTERM."""
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(128 + signal.SIGTERM))
    if sys.stdout is None:
        sys.exit("cr5: standard output is closed: nothing can be printed")
    sys.stdout.reconfigure(errors="backslashreplace")  # of letters that a terminal lacks
    main()


def main(arguments: Sequence[str] | None = None) -> None:
    """Run a command; exits with 1 for a user error, 2 for an error in the arguments."""
    name, *rest = (sys.argv[1:] if arguments is None else arguments) or ["--help"]
    every, commands = parsers()
    if name not in commands:
        every.parse_args([name])
    given = commands[name].parse_intermixed_args(rest)
    try:
        with needed("workflow" if name == "explore" else "fit"):
            getattr(cli_commands, name)(given)
        sys.stdout.flush()
    except UserError as error:
        sys.exit(f"cr5 {name}: {error}")
    except BrokenPipeError:  # the reader has enough, as with `head`
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
    except KeyboardInterrupt:
        sys.exit(128 + signal.SIGINT)
    except (OSError, MemoryError) as error:
        sys.exit(f"cr5 {name}: {error or 'there is not enough memory'}")


def parsers() -> tuple[argparse.ArgumentParser, dict[str, argparse.ArgumentParser]]:
    """Return what reads the arguments of any command, and of each by its name."""
    every = argparse.ArgumentParser("cr5", description="Use what the workflow has fitted.")
    every.add_argument("--version", action="version", version=f"cr5 {__version__}")
    commands = every.add_subparsers(required=True, metavar="COMMAND")
    for name, arguments in COMMANDS.items():
        purpose = getattr(cli_commands, name).__doc__
        command = commands.add_parser(name, help=purpose, description=purpose)
        for each in arguments.split():
            argument = each.rstrip("?!")
            more = {"required": True} if each.endswith("!") else {}
            more |= {"nargs": "?", "default": "."} if each.endswith("?") else {}
            command.add_argument(*argument.split("/"), **ARGUMENTS[argument], **more)
    return every, commands.choices
