"""Which files the parallel text of tasks and of the aligner is read from."""

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from cr5.base.errors import UserError
from cr5.corpora.parallel import ALL, Bundle, Place, bundles, is_remote, local
from cr5.plan.catalogue import is_parallel, module_source
from cr5.plan.corpus import literal
from cr5.plan.words import TABLES


def parallel_tasks(config: Mapping[str, Any]) -> list[str]:
    """Return the names of the tasks with parallel text."""
    return [
        name
        for name, options in config["tasks"].items()
        if is_parallel(module_source("tasks", name, options.get("module")))
    ]


def readers(config: Mapping[str, Any]) -> list[str]:
    """Return the same, with `TABLES` as if it were a task if it has parallel files."""
    aligned = is_made(config) and not is_of_corpus(options_of(config, TABLES))
    return [*parallel_tasks(config), *([TABLES] if aligned else [])]


def is_made(config: Mapping[str, Any]) -> bool:
    """Return whether word translation tables are made from parallel text."""
    return "aligner" in config.get(TABLES, {})


def options_of(config: Mapping[str, Any], task: str) -> dict[str, Any]:
    """Return the options of one of the `readers`, under the names that tasks use."""
    if task != TABLES:
        return config["tasks"][task]
    own = config[TABLES]["sentences"]
    return {**own, "min_words": 1, "candidates": own["most"], "idf": "corpus", "idf_lines": 1}


def is_of_corpus(options: Mapping[str, Any]) -> bool:
    """Return whether a task uses the corpus's own paragraphs."""
    return not (options["path"] or options["address"])


def bundles_of(config: Mapping[str, Any], task: str, paragraphs: str) -> list[Bundle]:
    """Return where the sentences of a task, or of `TABLES`, are.

    Args:
        config: validated.
        task: its name.
        paragraphs: path of the corpus's paragraphs, with {language}.

    Raises:
        UserError: the options are unusable, or the corpus has no parallel paragraphs.
    """
    options = options_of(config, task)
    place = f"{TABLES}.sentences" if task == TABLES else f"tasks.{task}"
    if not is_of_corpus(options):
        return bundles(options, config["languages"], place)
    if not literal(config["corpus"], "PARALLEL"):
        raise UserError(
            f"{place}: a corpus of the source {config['corpus']['source']} has no parallel "
            "paragraphs; give the `path` or `address` of parallel files, see docs/tasks.md"
        )
    if options["idf"] == "own":
        raise UserError(
            f"{place}: `idf: own` is made of sentences that are not searched; the corpus's "
            "own paragraphs have none: give a `path` or `address`, or take `idf: corpus`"
        )
    languages = config["languages"]
    return [Bundle(ALL, {x: Place(paragraphs.replace("{language}", x)) for x in languages})]


def missing_files(config: Mapping[str, Any], task: str) -> Iterator[str]:
    """Report missing files of one of the `readers`, except those to be fetched.

    Raises:
        UserError: as for `bundles_of`.
    """
    key = f"{TABLES}.sentences" if task == TABLES else f"tasks.{task}"
    found = bundles_of(config, task, "")
    files = (place.file for bundle in found for place in bundle.places.values())
    for file in dict.fromkeys(filter(None, files)):
        if not is_remote(file) and not Path(local(file)).is_file():
            yield f"{key}: there is no file {file}"


def bundle_of(found: Mapping[str, Mapping[str, Any]], pair: tuple[str, str]) -> str:
    """Return the name of the bundle that has both languages of a pair.

    Args:
        found: places by bundle, then by language.
        pair: two languages.

    Raises:
        UserError: no bundle has both.
    """
    for name, places in found.items():
        if set(pair) <= set(places):
            return name
    raise UserError(
        f"{TABLES}.sentences: no parallel files of {' and '.join(pair)}, which train together; "
        f"there are those of {', '.join(found)}. Add them, or leave these languages out"
    )
