"""The arguments of the command `cr5`: a parser for each of its commands."""

from argparse import ArgumentParser, _SubParsersAction

from cr5 import __version__

MODEL = "folder of a run or a model, or its file NAME.cr5"
RUN = "folder of a run"
TEXT_FILES = "texts in CSV, TSV, Parquet or JSON lines, or a text a line; - is standard input"


def parsers() -> tuple[ArgumentParser, dict[str, ArgumentParser]]:
    """Return what reads the arguments of any command, and of each by its name."""
    parser = ArgumentParser("cr5", description="Use what the workflow has fitted.")
    parser.add_argument("--version", action="version", version=f"cr5 {__version__}")
    commands = parser.add_subparsers(required=True, metavar="COMMAND")
    _add_info(commands)
    _add_fit(commands)
    _add_embed(commands)
    _add_index(commands)
    _add_search(commands)
    _add_align(commands)
    _add_export(commands)
    _add_explore(commands)
    _add_verify(commands)
    return parser, commands.choices


def _new_command(commands: _SubParsersAction, name: str, purpose: str) -> ArgumentParser:
    return commands.add_parser(name, help=purpose, description=purpose)


def _add_info(commands: _SubParsersAction) -> None:
    purpose = (
        "Say what a model, an index or a run holds: a row per model, per language, or per key."
    )
    command = _new_command(commands, "info", purpose)
    command.add_argument("place", nargs="?", default=".", help=f"{MODEL}; or of an index")
    _add_choice_of_model(command)
    command.add_argument(
        "--options",
        metavar="NAME",
        help="the keys of a part or section: cr5, mine.py, splits",
    )
    command.add_argument("--schema", action="store_true", help="the JSON schema of configurations")


def _add_fit(commands: _SubParsersAction) -> None:
    command = _new_command(commands, "fit", "Fit a system to texts of your own.")
    command.add_argument(
        "file",
        nargs="+",
        metavar="LANGUAGE=FILE",
        help="texts of a language: a table or JSON lines with `concept` for texts about the same "
        "thing; or a text a line, those of one number together",
    )
    command.add_argument(
        "-o", "--out", required=True, help="folder to write, or a single file, NAME.cr5"
    )
    command.add_argument("--system", help="its name, or the file of a system of your own (best)")
    command.add_argument(
        "--set",
        action="append",
        default=[],
        metavar="KEY=VALUE",
        help="an option of the system, rank=100, ridges=[0.1,1], or a section of the "
        'configuration, bags={"min_documents": 2}, as JSON',
    )
    _add_columns(command, default_id="concept, or id")


def _add_embed(commands: _SubParsersAction) -> None:
    purpose = "Turn texts into vectors: JSON lines with `id` and `vector`."
    command = _new_command(commands, "embed", purpose)
    command.add_argument("place", help=MODEL)
    _add_texts(command)
    _add_query_language(command, "language of the texts")
    command.add_argument(
        "--to",
        dest="target_language",
        metavar="LANGUAGE",
        help="language of what is compared with them, where a model asks for it",
    )
    _add_choice_of_model(command)


def _add_index(commands: _SubParsersAction) -> None:
    purpose = "Keep embedded texts in a folder, to be searched; remove some, and add others."
    command = _new_command(commands, "index", purpose)
    command.add_argument("place", help=MODEL)
    command.add_argument("out", help="folder of the index, new or there already")
    command.add_argument(
        "--to",
        dest="target_language",
        metavar="LANGUAGE",
        help="language of the texts, to which `cr5 search --to` refers",
    )
    command.add_argument(
        "--remove", action="append", default=[], metavar="ID", help="id of a text to be removed"
    )
    command.add_argument("--file", action="append", default=[], help=TEXT_FILES)
    _add_columns(command)
    _add_choice_of_model(command)


def _add_search(commands: _SubParsersAction) -> None:
    command = _new_command(commands, "search", "Find the nearest texts in other languages.")
    command.add_argument("place", help="folder of a run or an index")
    _add_texts(command)
    _add_query_language(command, "language of the texts")
    command.add_argument(
        "--to",
        dest="target_languages",
        metavar="LANGUAGES",
        help="language of what is found; several are it,da (all others)",
    )
    command.add_argument("-k", type=int, default=10, help="how many texts are found for one (10)")
    _add_measure(command)
    command.add_argument("--why", action="store_true", help="show the words that did it")
    _add_choice_of_model(command)


def _add_align(commands: _SubParsersAction) -> None:
    purpose = "Pair the texts of two collections of your own, one to one."
    command = _new_command(commands, "align", purpose)
    command.add_argument("place", help=MODEL)
    command.add_argument("first", metavar="A", help="file of texts")
    command.add_argument("second", metavar="B", help="file of texts of the other language")
    _add_query_language(command, "language of A")
    command.add_argument(
        "--to", dest="target_language", metavar="LANGUAGE", required=True, help="language of B"
    )
    command.add_argument("-k", type=int, help="how many texts of B are considered for one (20)")
    _add_measure(command)
    _add_columns(command)
    _add_choice_of_model(command)


def _add_export(commands: _SubParsersAction) -> None:
    purpose = "Write a model for other programs, or in one file to share."
    command = _new_command(commands, "export", purpose)
    command.add_argument("place", help=MODEL)
    command.add_argument(
        "format",
        choices=["word2vec", "static", "packed"],
        help="word2vec: vectors that gensim reads; static: for model2vec and "
        "sentence-transformers; packed: the whole model in one small file",
    )
    command.add_argument("out", help="folder to write; of a packed model the file, NAME.cr5")
    _add_choice_of_model(command)


def _add_explore(commands: _SubParsersAction) -> None:
    purpose = (
        "Write a page to look through what a run found, of chosen systems beside the run's own."
    )
    command = _new_command(commands, "explore", purpose)
    command.add_argument("place", help=RUN)
    command.add_argument("-o", "--out", help="folder to write (one in that of the run)")
    command.add_argument("--system", metavar="SYSTEMS", help="their names; several are cr5,bm25")
    command.add_argument("--setting", help="which one of the run")
    _add_module(command)
    command.add_argument(
        "--serve",
        action="store_true",
        help="serve the page on this machine: there it also finds words that are typed",
    )


def _add_verify(commands: _SubParsersAction) -> None:
    purpose = "Compare a run's files with what its jobs wrote and read."
    command = _new_command(commands, "verify", purpose)
    command.add_argument("place", help=RUN)


def _add_choice_of_model(command: ArgumentParser) -> None:
    """Add what chooses one of the models of a run."""
    command.add_argument("--system", help="its name, in a run (that of the highest Success@1)")
    command.add_argument("--setting", help="which one of a run (likewise)")
    command.add_argument("--repetition", type=int, default=1, help="which one of a run (1)")
    _add_module(command)


def _add_module(command: ArgumentParser) -> None:
    command.add_argument(
        "--module", help="file of a model's class, if it is one of your own; it is run"
    )


def _add_query_language(command: ArgumentParser, meaning: str) -> None:
    command.add_argument(
        "--from", dest="query_language", metavar="LANGUAGE", required=True, help=meaning
    )


def _add_measure(command: ArgumentParser) -> None:
    command.add_argument("--measure", help="cosine, csls or another that the model has")


def _add_texts(command: ArgumentParser) -> None:
    """Add texts themselves, and files of them."""
    command.add_argument("texts", nargs="*", metavar="TEXT")
    command.add_argument("--file", action="append", default=[], help=TEXT_FILES)
    _add_columns(command)


def _add_columns(command: ArgumentParser, default_id: str = "id, or concept") -> None:
    """Add the names of the columns of tables."""
    command.add_argument(
        "--text", default="text", help="column of the texts (text, or text_en of English)"
    )
    command.add_argument("--id", help=f"column of their ids ({default_id})")
    command.add_argument("--title", default="title", help="column of their titles (title)")
