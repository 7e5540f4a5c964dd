"""`cr5 info`: show what a model, an index or a run contains; or the keys of a configuration."""

import argparse
import json
from pathlib import Path
from typing import Any

from cr5.app import output, place
from cr5.base.errors import UserError
from cr5.models import store
from cr5.retrieval.embedder import Embedder
from cr5.retrieval.index import Index, open_index
from cr5.retrieval.index_json import is_index
from cr5.retrieval.loading import check_unchosen
from cr5.retrieval.results import Results, is_results

MODEL = ("language", "words", "measures")
INDEX = ("language", "texts", "unknown", "measures", "model")
RUN = ("setting", "system", "repetition", "languages", "path")


def add(parser: argparse.ArgumentParser) -> None:
    """Add the arguments."""
    what = "model (its folder, or file NAME.cr5), or folder of an index or run"
    place.add(parser, what, needed=False)
    parser.add_argument("--model", help="where the model of an index is, if it was moved")
    parser.add_argument(
        "--options",
        metavar="NAME",
        help="the keys of a system, task or source, such as cr5, or of one of your own "
        "(path/to/mine.py); or of a section of the configuration, such as splits",
    )
    parser.add_argument(
        "--schema", action="store_true", help="the JSON schema of the configuration, for editors"
    )
    output.add(parser)


def run(given: argparse.Namespace) -> None:
    """Print a row per model of a run, or per language of a model or an index; or per key.

    All files of an index are read and compared with what was written.
    """
    if given.schema:
        _write_schema()
    elif given.options:
        _write_options(given)
    elif not given.place:
        raise UserError("say of what: the place of a model, an index or a run, or --options NAME")
    elif is_index(given.place):
        chosen = (given.system, given.setting, given.repetition)
        check_unchosen(given.place, "an index, of one model", *chosen)
        index = open_index(given.place, given.model)
        index.check()
        output.write(_of_index(index), given, INDEX)
    elif given.model:
        raise UserError(f"--model: {given.place} is not an index, whose model it would name")
    elif is_results(given.place) and not (given.system or given.setting):
        if given.repetition != 1:
            raise UserError(
                f"{given.place}: all models of a run are listed; --repetition {given.repetition} "
                "is for use with --system or --setting"
            )
        output.write(_of_run(Results(Path(given.place))), given, RUN)
    else:
        output.write(_of_model(place.model(given)), given, MODEL)


def _write_schema() -> None:
    from cr5.app.schema import schema  # it needs pydantic, which models do not

    print(json.dumps(schema(), indent=1))


def _write_options(given: argparse.Namespace) -> None:
    from cr5.app.keys import Row, rows

    output.write([row._asdict() for row in rows(given.options)], given, Row._fields)


def _of_index(index: Index) -> list[dict[str, Any]]:
    measures, model = ", ".join(index.model.measures), str(index.model.place)
    return [row | {"measures": measures, "model": model} for row in index.summary()]


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
