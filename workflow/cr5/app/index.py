"""`cr5 index`: store embedded texts in a folder, to search later."""

import argparse
import sys
from collections.abc import Iterable, Iterator
from itertools import tee
from pathlib import Path

from cr5.app import place, texts
from cr5.app.texts import Text
from cr5.base.errors import UserError
from cr5.retrieval.index import Index, open_index
from cr5.retrieval.index_json import is_index, model_of
from cr5.retrieval.results import Results, is_results

EVERY = 10_000  # texts between two messages


def add(parser: argparse.ArgumentParser) -> None:
    """Add the arguments."""
    place.add(parser)
    parser.add_argument("out", help="folder of the index, which is made or added to")
    parser.add_argument("--language", help="of the texts")
    parser.add_argument(
        "--remove",
        action="append",
        default=[],
        metavar="ID",
        help="remove the text of this id, in the language given or else in all",
    )
    texts.add(parser, positional=False)


def run(given: argparse.Namespace) -> None:
    """Remove and add, both or neither; report on standard error."""
    if not (given.file or is_index(given.out)) and given.remove:
        raise UserError(f"{given.out}: not an index, so nothing can be removed from it")
    index = _opened(given)
    if given.remove and not given.file and texts.has_pipe():
        # loops and schedulers leave a standard input open that is not meant for this command
        place.say("standard input is not read; to add texts from it, write --file -")
    if given.file or not given.remove:
        _add(index, given)
    else:
        _tell_removed(index.remove(given.remove, given.language))
    sizes = ", ".join(
        f"{n:,} text{'s' * (n != 1)} in {language!r}" for language, n in index.sizes.items()
    )
    place.say(f"{given.out}: {sizes or 'no text is left'}")


def _opened(given: argparse.Namespace) -> Index:
    """Open the index with its own model, if that is of the run given and no other is named."""
    own = _own_model(given.out)
    origin = own and Results.of_model(own)
    is_of_run = origin and is_results(given.place) and origin[0].folder.samefile(given.place)
    if not is_of_run or place.chooses(given):
        return Index(place.model(given), given.out)
    index = open_index(given.out, own, place.classes(given))
    place.say(f"{given.out}: {place.named(index.model)}, which made this index")
    return index


def _own_model(index: str) -> Path | None:
    """Where the model of an index is; None if that is not known."""
    try:
        return model_of(Path(index))
    except UserError:
        return None


def _add(index: Index, given: argparse.Namespace) -> None:
    if given.language is None:
        raise UserError(
            f"name the language of the texts by --language, one of "
            f"{', '.join(index.model.languages)}"
        )
    index.model.check_language(given.language)
    ids, contents, titles = tee(_counting(texts.read(given)), 3)
    added = index.add(
        (x.id for x in ids),
        (x.text for x in contents),
        given.language,
        (x.title for x in titles),
        instead_of=given.remove,
    )
    if given.remove:
        _tell_removed(len(set(given.remove)))
    if added.unknown:
        others = ", ..." if added.unknown > len(added.first) else ""
        place.say(
            f"{added.unknown:,} of {added.texts:,} texts have no word that the model knows and are "
            f"never found: {', '.join(map(str, added.first))}{others}"
        )


def _tell_removed(n: int) -> None:
    place.say(f"{n} text{'s' if n != 1 else ''} removed")


def _counting(found: Iterable[Text]) -> Iterator[Text]:
    """Report the number of texts so far: in place on a terminal, else a line now and then."""
    for number, text in enumerate(found, start=1):
        if number % (EVERY // 10 if sys.stderr.isatty() else EVERY) == 0:
            place.say(f"{number:,} texts", "\r" if sys.stderr.isatty() else "\n")
        yield text
