"""`cr5 import`: word vectors of a file, or an exported model, as the folder of a model."""

import argparse
from pathlib import Path

from cr5.app import output
from cr5.base.errors import UserError
from cr5.models import store
from cr5.models.formats import registry
from cr5.models.formats.vector_files import DIMENSION

COLUMNS = ("path", "language", "words", "dimension")


def add(parser: argparse.ArgumentParser) -> None:
    """Add the arguments."""
    parser.add_argument(
        "format", choices=registry.FORMATS, metavar="FORMAT", help=", ".join(registry.FORMATS)
    )
    parser.add_argument(
        "path",
        help="what `cr5 export` wrote; or vectors of other origin, NAME_LANGUAGE.vec, .bin, "
        ".kv or .txt.gz, or a folder of such",
    )
    parser.add_argument("out", metavar="OUT", help="folder of the model to write")
    parser.add_argument(
        "--dimension",
        type=int,
        default=DIMENSION,
        help="of vectors released without a header (%(default)s)",
    )
    output.add(parser)


def run(given: argparse.Namespace) -> None:
    """Write the folder; print a row per language."""
    if Path(given.out).exists():
        raise UserError(f"{given.out} is there already: remove it, or name another place")
    if given.dimension < 1:
        raise UserError(f"expected a dimension of 1 or more, found {given.dimension}")
    model, about = registry.read_as(given.format, given.path, given.dimension)
    store.save(given.out, model, about)
    rows = [
        {
            "path": given.out,
            "language": language,
            "words": len(words),
            "dimension": _width(model.tables[language]),
        }
        for language, words in model.words.items()
    ]
    output.write(rows, given, COLUMNS)


def _width(table) -> int | None:
    """Numbers of a vector; None where they differ by the other language."""
    return None if isinstance(table, dict) else table.shape[1]
