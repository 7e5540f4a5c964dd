"""The argument that says where the model is."""

import argparse

from cr5.retrieval.embedder import Embedder
from cr5.retrieval.loading import load


def add(parser: argparse.ArgumentParser, what: str = "folder of a model, or of a run") -> None:
    """Add the place, and which model of a run is meant."""
    parser.add_argument("place", help=f"{what}, such as results/libreoffice_help")
    parser.add_argument("--system", help="which system of a run; cr5 unless given")
    parser.add_argument("--setting", help="which setting of a run; joint unless given")


def model(given: argparse.Namespace) -> Embedder:
    """Load the model that was named."""
    return load(given.place, given.system, given.setting)
