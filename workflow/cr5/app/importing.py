"""`cr5 import`: turn a file of word vectors or an exported model into a model folder."""

import argparse
import sys
from collections.abc import Sequence

from cr5.app import output, place
from cr5.base.errors import UserError
from cr5.base.files import check_free
from cr5.base.languages import base_language
from cr5.counts.tokens import WITHOUT_SPACES, tokenise
from cr5.models import store
from cr5.models.contract import Model
from cr5.models.formats import registry

COLUMNS = ("path", "language", "words", "dimension")


def add(parser: argparse.ArgumentParser) -> None:
    """Add the arguments."""
    place.add_format(parser)
    parser.add_argument(
        "path",
        help="what `cr5 export` wrote; or vectors of other origin, NAME_LANGUAGE.vec, or a folder "
        "of such",
    )
    parser.add_argument("out", metavar="OUT", help="folder of the model to write")
    parser.add_argument(
        "--dimension",
        type=int,
        metavar="N",
        help="of the vectors, which is checked",
    )
    output.add(parser)


def run(given: argparse.Namespace) -> None:
    """Write the folder; print a row per language."""
    check_free(given.out)
    if given.dimension is not None and given.dimension < 1:
        raise UserError(f"expected a dimension of 1 or more, found {given.dimension}")
    model, about = registry.read_as(given.format, given.path, given.dimension)
    store.save(given.out, model, about)
    for language, words in model.words.items():
        if said := _never_found(words, language):
            print(said, file=sys.stderr)
    rows = [
        {
            "path": given.out,
            "language": language,
            "words": len(words),
            "dimension": _width(model, language),
        }
        for language, words in model.words.items()
    ]
    output.write(rows, given, COLUMNS)


def _never_found(words: Sequence[str], language: str) -> str | None:
    """Report how many words can never be found in texts; None if all can."""
    if base_language(language) in WITHOUT_SPACES:
        return None  # there, where a word ends depends on its context
    lost = [word for word in words if tokenise(word, language) != [word]]
    if not lost:
        return None
    return (
        f"{len(lost):,} of {len(words):,} words of {language} can never be found, such as "
        f"{lost[0]!r}: texts are lower-cased, and their words are runs of letters"
    )


def _width(model: Model, language: str) -> int | None:
    """Length of a vector; None if it depends on the other language, or there is no table."""
    table = getattr(model, "tables", {}).get(language)
    return getattr(table, "shape", (0, None))[1]
