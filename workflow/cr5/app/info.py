"""`cr5 info`: what a model or a run holds."""

import argparse
from pathlib import Path
from typing import Any

from cr5.app import output, place
from cr5.models import store
from cr5.retrieval.embedder import Embedder
from cr5.retrieval.results import Results, is_results

MODEL = ("language", "words", "measures")
RUN = ("setting", "system", "repetition", "languages", "path")


def add(parser: argparse.ArgumentParser) -> None:
    """Add the arguments."""
    place.add(parser)
    output.add(parser)


def run(given: argparse.Namespace) -> None:
    """Print a row per model of a run, or per language of a model."""
    if is_results(given.place) and not (given.system or given.setting):
        output.write(_of_run(Results(Path(given.place))), given, RUN)
    else:
        output.write(_of_model(place.model(given)), given, MODEL)


def _of_run(results: Results) -> list[dict[str, Any]]:
    return [
        {
            "setting": each.setting,
            "system": each.system,
            "repetition": each.repetition,
            "languages": ", ".join(store.about(each.folder)["languages"]),
            "path": str(each.folder),
        }
        for each in results.models()
    ]


def _of_model(embedder: Embedder) -> list[dict[str, Any]]:
    return [
        {
            "language": language,
            "words": len(words),
            "measures": ", ".join(embedder.measures),
        }
        for language, words in embedder.model.words.items()
    ]
