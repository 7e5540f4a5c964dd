"""`cr5 export`: a fitted model in the formats of other programs, or in one file to share."""

import argparse
import sys
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from cr5.app import output, place
from cr5.app.loss import precision
from cr5.base import extras
from cr5.base.errors import UserError
from cr5.base.files import check_free
from cr5.counts.tokens import tokenise
from cr5.models.contract import Model
from cr5.models.formats import registry, static
from cr5.models.formats.card import card
from cr5.models.joined_tables import JoinedTables
from cr5.models.pruned import pruned, without_zeros
from cr5.models.word_tables import WordTables
from cr5.retrieval.embedder import Embedder
from cr5.retrieval.results import Fitted, Results

COLUMNS = ("path", "format", "bytes", "measure", "Success@1 before", "Success@1 after", "words")


@dataclass(frozen=True)
class Loss:
    """What an export leaves out.

    Attributes:
        sentences: describing it.
        measured: per measure, Success@1 of the test queries before and after.
    """

    sentences: list[str]
    measured: dict[str, tuple[float, float]]


def add(parser: argparse.ArgumentParser) -> None:
    """Add the arguments."""
    place.add(parser)
    place.add_format(parser)
    parser.add_argument("out", metavar="OUT", help="folder to write; of packed the file, NAME.cr5")
    parser.add_argument(
        "--words", type=int, metavar="N", help="keep the N words of each language that say most"
    )
    numbers = parser.add_mutually_exclusive_group()
    numbers.add_argument(
        "--float16", action="store_true", help="of safetensors: halve the size (packed does so)"
    )
    numbers.add_argument("--exact", action="store_true", help="of packed: keep every number as is")
    output.add(parser)


def run(given: argparse.Namespace) -> None:
    """Write the model and its card; print its size and losses, by measure.

    The same as sentences, as on the card, goes to standard error.
    """
    _check(given)
    embedder = place.model(given)
    if given.format == "static" and embedder.tokens != tokenise:
        raise UserError(
            f"{given.place}: its words are not runs of letters in lower case, which a static model "
            "finds: export it in another format"
        )
    half = given.float16 or (given.format == registry.PACKED and not given.exact)
    full = embedder.model
    if given.format in registry.VECTORS:  # other programs would take a zero vector for a word's
        full = without_zeros(full)
    model = full if given.words is None else pruned(full, given.words)
    origin = Results.of_model(embedder.place)
    loss = _loss(full, model, given, half, origin)
    about = _about(embedder, given, half, loss)
    scores = _scores(*origin) if origin else []
    readme = card(model, about, given.format, scores, loss.sentences)
    registry.write(given.format, given.out, model, about, readme, half)
    for sentence in loss.sentences:
        print(sentence, file=sys.stderr)
    output.write(_rows(given, loss, model), given, COLUMNS)


def _scores(results: Results, fitted: Fitted) -> list[dict[str, str]]:
    return results.scores(setting=fitted.setting, system=fitted.system)


def _check(given: argparse.Namespace) -> None:
    if given.float16 and given.format not in registry.HALF:
        raise UserError(f"{given.format} is written in float32: --float16 is for safetensors")
    if given.exact and given.format != registry.PACKED:
        raise UserError(f"{given.format} is exact as it is: --exact is for packed")
    if given.format == registry.PACKED and not given.out.endswith(".cr5"):
        raise UserError(f"{given.out}: let the name of a packed model end in .cr5")
    check_free(given.out)


def _loss(
    full: Model,
    model: Model,
    given: argparse.Namespace,
    half: bool,
    origin: tuple[Results, Fitted] | None,
) -> Loss:
    """Describe what is lost, and measure it if the model's run has the documents."""
    sentences, after = _changes(full, model, given, half)
    if not sentences:
        return Loss([], {})
    unknown = "What this costs was not measured:"
    try:
        with extras.needed("fit"):
            found = precision(*origin, [full, after]) if origin else []
    except extras.MissingError as error:
        return Loss([*sentences, f"{unknown} that {error}."], {})
    if not found:
        return Loss([*sentences, f"{unknown} the model was not exported from a run."], {})
    before, now = found
    measured = {name: (before[name], now[name]) for name in before if name in now}
    told = [
        f"Success@1 of the test queries by {name}: {x:.4f} before, {y:.4f} after."
        for name, (x, y) in measured.items()
    ]
    return Loss(sentences + told, measured)


def _changes(
    full: Model, model: Model, given: argparse.Namespace, half: bool
) -> tuple[list[str], Model]:
    """Sentences about what is lost, and the model after the loss."""
    found = []
    if model is not full:
        kept = ", ".join(f"{len(w)} of {len(full.words[x])} {x}" for x, w in model.words.items())
        found.append(f"Words are left out; there are {kept}.")
    if model.bank is not None and given.format in registry.VECTORS:
        found.append("Training documents are left out, by which searches corrected hubs.")
        model = replace(model, bank=None)
    if model.rerank and given.format in registry.VECTORS:
        found.append("The second stage of searches is left out.")
        model = replace(model, rerank=0.0)
    if half:
        found.append("Vectors are in float16: 11 bits of each number.")
        model = registry.halved(model)
    if given.format == "static" and isinstance(model, WordTables):
        static.check(model, given.format)
        if lost := static.losses(model):
            found.append(f"Opened by other programs than cr5: {'; '.join(lost)}.")
            model = static.approximation(model)
    return found, model


def _about(embedder: Embedder, given: argparse.Namespace, half: bool, loss: Loss) -> dict[str, Any]:
    """How the model was made, and what cr5 cannot read back from the export, if anything."""
    without = given.format == "static" and isinstance(embedder.model, JoinedTables)
    if given.words is None and not (half or without):
        return dict(embedder.about)
    measured = {name: list(values) for name, values in loss.measured.items()}
    done = {"format": given.format, "words": given.words, "float16": half}
    done["Success@1 before and after"] = measured
    return {**embedder.about, "exported": done}


def _rows(given: argparse.Namespace, loss: Loss, model: Model) -> list[dict[str, Any]]:
    path = Path(given.out)
    files = [path] if path.is_file() else [x for x in path.rglob("*") if x.is_file()]
    row = {"path": given.out, "format": given.format, "bytes": sum(x.stat().st_size for x in files)}
    row["words"] = sum(map(len, model.words.values()))
    measured = [
        {"measure": name, "Success@1 before": before, "Success@1 after": after}
        for name, (before, after) in loss.measured.items()
    ]
    return [row | each for each in measured or [{}]]
