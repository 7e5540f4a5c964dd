"""The argument that says where the model is."""

import argparse

from cr5.models.formats import registry
from cr5.retrieval.embedder import Embedder
from cr5.retrieval.loading import load


def add(parser: argparse.ArgumentParser, what: str = "folder of a model, or of a run") -> None:
    """Add the place, and which model of a run is meant."""
    parser.add_argument("place", help=f"{what}, such as results/libreoffice_help")
    parser.add_argument(
        "--system", help="which system of a run; unless given, that of the highest P@1"
    )
    parser.add_argument("--setting", help="which setting of a run; likewise")
    parser.add_argument(
        "--repetition", type=int, default=1, metavar="N", help="which one of a run (1)"
    )


def add_format(parser: argparse.ArgumentParser) -> None:
    """Add the format of what is written or read."""
    parser.add_argument(
        "format",
        choices=registry.FORMATS,
        metavar="FORMAT",
        help="; ".join(f"{name}: {purpose}" for name, purpose in registry.FORMATS.items()),
    )


def model(given: argparse.Namespace) -> Embedder:
    """Load the model that was named."""
    return load(given.place, given.system, given.setting, given.repetition)
