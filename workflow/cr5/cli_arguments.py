"""The arguments of the command `cr5`: a parser for each of its commands."""

from argparse import Action, ArgumentError, ArgumentParser, ArgumentTypeError, Namespace
from collections.abc import Callable, Mapping
from typing import Any

from cr5 import __version__

MODEL = "folder of a run or a model, or its file NAME.cr5"
RUN = "folder of a run"
MODULE = "file of a model's class, if it is one of your own; it is run"
MEASURE = "cosine, csls or another that `cr5 info` names"
TEXT_FILES = (
    "texts in CSV, TSV, Parquet or JSON lines, or a text a line; or a folder of pages, such as "
    "Markdown and HTML; - is standard input"
)


def parsers(
    functions: Mapping[str, Callable[[Namespace], None]],
) -> tuple[ArgumentParser, dict[str, ArgumentParser]]:
    """Return what reads the arguments of any command, and of each by its name.

    What a command is for is said by the docstring of its function.
    """
    parser = ArgumentParser("cr5", description="Use what the workflow has fitted.")
    parser.add_argument("--version", action="version", version=f"cr5 {__version__}")
    commands = parser.add_subparsers(required=True, metavar="COMMAND")
    for name, function in functions.items():
        purpose = function.__doc__
        command = commands.add_parser(name, help=purpose, description=purpose)
        command.register("action", None, _Once)
        ARGUMENTS[name](command)
    return parser, commands.choices


def _path(written: str) -> str:
    if not written:
        raise ArgumentTypeError("expected a path, found an empty text")
    return written


class _Once(Action):
    """The action of arguments that name none: keeps a value, and refuses another one.

    Argparse itself would keep the last without a word.
    """

    _is_given = False

    def __call__(
        self, parser: ArgumentParser, namespace: Namespace, values: Any, option: str | None = None
    ) -> None:
        """Keep it; ArgumentError if there is one."""
        if option and self._is_given:
            raise ArgumentError(self, "given twice; give it once")
        if values == "":  # as of a variable of the shell that is not set
            raise ArgumentError(self, "expected a value, found an empty text")
        self._is_given = True
        setattr(namespace, self.dest, values)


def _add_info(command: ArgumentParser) -> None:
    add = command.add_argument
    add("place", nargs="?", default=".", help=f"{MODEL}; or of an index")
    _add_choice_of_model(command)
    add("--options", metavar="NAME", help="the keys of a part or section: cr5, mine.py, splits")
    add("--schema", action="store_true", help="the JSON schema of configurations")


def _add_fit(command: ArgumentParser) -> None:
    add = command.add_argument
    texts = (
        "texts of a language: a table or JSON lines with `concept` for texts about the same thing; "
        "or a text a line, those of one number together; or a folder of pages, those of one path "
        "together"
    )
    option = (
        "an option of the system, rank=100, ridges=[0.1,1], or a section of the configuration, "
        'bags={"min_documents": 2}, as JSON'
    )
    add("file", nargs="+", metavar="LANGUAGE=FILE", help=texts)
    add("-o", "--out", required=True, help="folder to write, or a single file, NAME.cr5")
    add("--system", help="its name, or the file of a system of your own (best)")
    add("--encoder", help="that best learns from, too: e5_small, use_multilingual, or a folder")
    add("--set", action="append", default=[], metavar="KEY=VALUE", help=option)
    _add_columns(command, default_id="concept, or id")


def _add_embed(command: ArgumentParser) -> None:
    add = command.add_argument
    add("place", help=MODEL)
    _add_texts(command)
    other = "language of what is compared with them, where a model asks for it"
    add("--to", dest="target_language", metavar="LANGUAGE", help=other)
    add("--dense", action="store_true", help="leave out columns of strings, which best has")
    _add_choice_of_model(command)


def _add_index(command: ArgumentParser) -> None:
    add = command.add_argument
    add("place", help=MODEL)
    add("out", help="folder of the index, new or there already")
    meaning = "language of the texts, to which `cr5 search --to` refers"
    add("--to", dest="target_language", metavar="LANGUAGE", help=meaning)
    removed = "id of a text to be removed, from the language of --to, or without it from all"
    add("--remove", action="append", default=[], metavar="ID", help=removed)
    add("--file", action="append", type=_path, default=[], help=TEXT_FILES)
    _add_columns(command)
    _add_choice_of_model(command)


def _add_search(command: ArgumentParser) -> None:
    add = command.add_argument
    add("place", help="folder of a run or an index")
    _add_texts(command)
    meaning = "language of what is found; several are it,da (all others)"
    add("--to", dest="target_languages", metavar="LANGUAGES", help=meaning)
    add("-k", type=int, default=10, help="how many texts are found for one (10)")
    add("--measure", help=MEASURE)
    add("--why", action="store_true", help="show the words that did it")
    _add_choice_of_model(command)


def _add_align(command: ArgumentParser) -> None:
    add = command.add_argument
    add("place", help=MODEL)
    add("first", metavar="A", help="file of texts, or a folder of pages")
    add("second", metavar="B", help="file of texts of the other language")
    add("--from", dest="query_language", metavar="LANGUAGE", required=True, help="language of A")
    add("--to", dest="target_language", metavar="LANGUAGE", required=True, help="language of B")
    add("-k", type=int, default=20, help="how many texts of B are considered for one (20)")
    add("--measure", help=MEASURE)
    _add_columns(command)
    _add_choice_of_model(command)


def _add_export(command: ArgumentParser) -> None:
    add = command.add_argument
    formats = (
        "word2vec: vectors that gensim reads; static: for model2vec and sentence-transformers; "
        "packed: the whole model in one small file"
    )
    add("place", help=MODEL)
    add("format", choices=["word2vec", "static", "packed"], help=formats)
    add("out", help="folder to write; of a packed model the file, NAME.cr5")
    _add_choice_of_model(command)


def _add_explore(command: ArgumentParser) -> None:
    add = command.add_argument
    add("place", help=RUN)
    add("-o", "--out", help="folder to write (one in that of the run)")
    add("--system", metavar="SYSTEMS", help="their names; several are cr5,bm25")
    add("--setting", help="which one of the run")
    add("--module", help=MODULE)
    served = "serve the page on this machine: there it also finds words that are typed"
    add("--serve", action="store_true", help=served)


def _add_verify(command: ArgumentParser) -> None:
    command.add_argument("place", help=f"{RUN} or an index")


def _add_choice_of_model(command: ArgumentParser) -> None:
    add = command.add_argument
    add("--system", help="its name, in a run (that of the highest Success@1)")
    add("--setting", help="which one of a run (likewise)")
    add("--repetition", type=int, default=1, help="which one of a run (1)")
    add("--module", help=MODULE)


def _add_texts(command: ArgumentParser) -> None:
    add = command.add_argument
    add("texts", nargs="*", metavar="TEXT")
    meaning = "language of the texts"
    add("--from", dest="query_language", metavar="LANGUAGE", required=True, help=meaning)
    add("--file", action="append", type=_path, default=[], help=TEXT_FILES)
    _add_columns(command)


def _add_columns(command: ArgumentParser, default_id: str = "id, or concept") -> None:
    add = command.add_argument
    add("--text", default="text", help="column of the texts (text, or text_en of English)")
    add("--id", help=f"column of their ids ({default_id})")
    add("--title", default="title", help="column of their titles (title)")
    add("--encoding", default="utf-8", help="of the files, such as latin-1 (utf-8)")


ARGUMENTS = {
    "info": _add_info,
    "fit": _add_fit,
    "embed": _add_embed,
    "index": _add_index,
    "search": _add_search,
    "align": _add_align,
    "export": _add_export,
    "explore": _add_explore,
    "verify": _add_verify,
}
