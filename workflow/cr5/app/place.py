"""The argument for the place of the model."""

import argparse
import sys
from pathlib import Path

from cr5.base.modules import load_module
from cr5.models.contract import Model
from cr5.models.store import classes_in
from cr5.retrieval.embedder import Embedder
from cr5.retrieval.loading import load
from cr5.retrieval.results import Results, is_results


def add(
    parser: argparse.ArgumentParser,
    what: str = "model (its folder, or file NAME.cr5), or folder of a run",
    *,
    needed: bool = True,
) -> None:
    """Add the place, and the options that select a model of a run."""
    number = None if needed else "?"
    parser.add_argument("place", nargs=number, help=f"{what}, such as results/libreoffice_help")
    parser.add_argument(
        "--system", help="which system of a run; by default that of the highest Success@1"
    )
    parser.add_argument("--setting", help="which setting of a run; likewise")
    parser.add_argument(
        "--repetition", type=int, default=1, metavar="N", help="which one of a run (1)"
    )
    add_module(parser)


def add_module(parser: argparse.ArgumentParser) -> None:
    """Add the option that names the module of a model's own class."""
    parser.add_argument(
        "--module",
        metavar="FILE.py",
        help="module with the class of the model, if it is one of your own; it is run",
    )


def classes(given: argparse.Namespace) -> list[type[Model]]:
    """Return the classes of models in the module given in the arguments."""
    return classes_in(load_module(given.module)) if given.module else []


def model(given: argparse.Namespace) -> Embedder:
    """Load the model given in the arguments; if it is one of a run, say which."""
    found = load(given.place, given.system, given.setting, given.repetition, classes(given))
    if is_results(given.place):
        by_score = not (given.system and given.setting) and Results(Path(given.place)).best()
        say(f"{given.place}: {named(found)}{', of the highest Success@1' if by_score else ''}")
    return found


def chooses(given: argparse.Namespace) -> bool:
    """Whether the arguments choose a model among those of a run."""
    return bool(given.system or given.setting or given.repetition != 1)


def named(embedder: Embedder) -> str:
    """Name a model for people: the system that made it, or else its place."""
    made = made_by(embedder)
    return ", ".join(f"{x} {y}" for x, y in made.items() if y) or str(embedder.place)


def made_by(embedder: Embedder) -> dict[str, str | int | None]:
    """Name a model for programs; what is not known of it is None."""
    found = {x: embedder.about.get(x) for x in ("system", "setting", "repetition")}
    number = found["repetition"]
    return {**found, "repetition": number and int(number)}


def say(message: str, end: str = "\n") -> None:
    """Tell the user something that is no result."""
    print(message, end=end, file=sys.stderr, flush=True)
