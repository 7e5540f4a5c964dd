"""`cr5 align`: which text of one collection belongs to which of another."""

import argparse

from cr5.app import output, place, texts
from cr5.app.texts import Text
from cr5.base.errors import UserError
from cr5.retrieval.alignment import CANDIDATES, align
from cr5.retrieval.searching import check_k

COLUMNS = ("first", "second", "score", "confidence")


def add(parser: argparse.ArgumentParser) -> None:
    """Add the arguments."""
    place.add(parser)
    parser.add_argument("first", metavar="A", help="file of texts, as for --file of `cr5 search`")
    parser.add_argument("second", metavar="B", help="file of texts of the other language")
    parser.add_argument("--from", dest="language", required=True, help="language of A")
    parser.add_argument("--to", required=True, help="language of B")
    parser.add_argument(
        "-k",
        type=int,
        default=CANDIDATES,
        help=f"how many texts of B may belong to one of A ({CANDIDATES})",
    )
    parser.add_argument("--measure", help="of the model's; csls, if it has it")
    parser.add_argument(
        "--least", type=float, default=0.0, metavar="X", help="only pairs of this confidence (0)"
    )
    output.add(parser)


def run(given: argparse.Namespace) -> None:
    """Print a row for each pair, in the order of A."""
    check_k(given.k)
    if not 0 <= given.least <= 1:
        raise UserError(f"--least {given.least:g}: a confidence is between 0 and 1")
    model = place.model(given)
    first = _texts(given.first, given.language)
    second = _texts(given.second, given.to)
    contents = [x.text for x in first], given.language, [x.text for x in second], given.to
    pairs = align(model, *contents, given.k, given.measure)
    if first and second and not pairs:
        place.say(
            f"no text of {given.first}, or none of {given.second}, has a word that the model "
            "knows: are --from and --to their languages?"
        )
    kept = [pair for pair in pairs if pair.confidence >= given.least]
    place.say(
        f"{len(kept):,} pairs of {len(first):,} texts and {len(second):,}, each in one pair at "
        "most; a pair depends on all texts (transductive): not to be compared with ranks of "
        "single queries"
    )
    rows = (
        {
            "first": first[pair.first].id,
            "second": second[pair.second].id,
            "score": round(pair.score, 7),
            "confidence": round(pair.confidence, 7),
        }
        for pair in kept
    )
    output.write(rows, given, COLUMNS)


def _texts(name: str, language: str) -> list[Text]:
    return list(texts.read(argparse.Namespace(file=[name], language=language)))
