"""`cr5 export`: a fitted model in the formats of other programs, or in one file to share."""

import argparse
import sys
from pathlib import Path

from cr5.app import output, place
from cr5.base.errors import UserError
from cr5.base.files import check_free
from cr5.counts.tokens import tokenise
from cr5.models import export, static
from cr5.models.card import card
from cr5.models.contract import Model
from cr5.models.word_tables import WordTables

COLUMNS = ("path", "format", "bytes", "words")


def add(parser: argparse.ArgumentParser) -> None:
    """Add the arguments."""
    place.add(parser)
    text = "; ".join(f"{name}: {purpose}" for name, purpose in export.FORMATS.items())
    parser.add_argument("format", choices=export.FORMATS, metavar="FORMAT", help=text)
    parser.add_argument("out", metavar="OUT", help="folder to write; of packed the file, NAME.cr5")
    parser.add_argument("--exact", action="store_true", help="of packed: keep every number as is")
    output.add(parser)


def run(given: argparse.Namespace) -> None:
    """Write the model and its card; print its size.

    What the export leaves out, as on the card, goes to standard error.
    """
    _check(given)
    embedder = place.model(given)
    if given.format == "static" and embedder.tokens != tokenise:
        raise UserError(
            f"{given.place}: its words are not runs of letters in lower case, which a static model "
            "finds: export it in another format"
        )
    is_packed = given.format == export.PACKED
    half = is_packed and not given.exact
    model = embedder.model
    if not is_packed:  # other programs would take a zero vector for a word's
        model = export.without_zeros(model)
    lost = _lost(model, given.format, half)
    readme = card(model, embedder.about, given.format, lost)
    export.write(given.format, given.out, model, embedder.about, readme, half)
    for sentence in lost:
        print(sentence, file=sys.stderr)
    path = Path(given.out)
    files = [path] if path.is_file() else [x for x in path.rglob("*") if x.is_file()]
    row = {"path": given.out, "format": given.format, "bytes": sum(x.stat().st_size for x in files)}
    row["words"] = sum(map(len, model.words.values()))
    output.write([row], given, COLUMNS)


def _check(given: argparse.Namespace) -> None:
    if given.exact and given.format != export.PACKED:
        raise UserError(f"{given.format} is exact as it is: --exact is for packed")
    if given.format == export.PACKED and not given.out.endswith(".cr5"):
        raise UserError(f"{given.out}: let the name of a packed model end in .cr5")
    check_free(given.out)


def _lost(model: Model, kind: str, half: bool) -> list[str]:
    """Say what an export leaves out, a sentence each."""
    found = []
    if model.bank is not None and kind != export.PACKED:
        found.append("Training documents are left out, by which searches corrected hubs.")
    if model.rerank and kind != export.PACKED:
        found.append("The second stage of searches is left out.")
    if half:
        found.append("Vectors are in float16: 11 bits of each number.")
    if kind == "static" and isinstance(model, WordTables) and (lost := static.losses(model)):
        found.append(f"Opened by other programs: {'; '.join(lost)}.")
    return found
