"""Tasks whose sentences are parallel text: which files they are read from."""

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from cr5.base.errors import UserError
from cr5.corpora.parallel import ALL, Bundle, Place, bundles, is_remote, local
from cr5.plan.catalogue import is_parallel, module_source

PARAGRAPHS = ("libreoffice_help",)  # sources that have theirs in parallel


def parallel_tasks(config: Mapping[str, Any]) -> list[str]:
    """Return the names of the tasks that have parallel text."""
    return [
        name
        for name, options in config["tasks"].items()
        if is_parallel(module_source("tasks", name, options.get("module")))
    ]


def is_of_corpus(options: Mapping[str, Any]) -> bool:
    """Say whether a task takes the corpus's own paragraphs."""
    return not (options["path"] or options["address"])


def bundles_of(config: Mapping[str, Any], task: str, paragraphs: str) -> list[Bundle]:
    """Return where a task's sentences are.

    Args:
        config: validated.
        task: its name.
        paragraphs: where those of the corpus are, with {language}.

    Raises:
        UserError: the options are not usable, or the corpus has no parallel paragraphs.
    """
    options, source = config["tasks"][task], config["corpus"]["source"]
    if not is_of_corpus(options):
        return bundles(options, config["languages"])
    if source not in PARAGRAPHS:
        raise UserError(
            f"tasks.{task}: a corpus of the source {source} has no parallel paragraphs; give the "
            "`path` or `address` of parallel files, see config/README.md"
        )
    if options["idf"] == "own":
        raise UserError(
            f"tasks.{task}: `idf: own` is made of sentences that are not searched; the corpus's "
            "own paragraphs have none: give a `path` or `address`, or take `idf: corpus`"
        )
    languages = config["languages"]
    return [Bundle(ALL, {x: Place(paragraphs.replace("{language}", x)) for x in languages})]


def missing_files(config: Mapping[str, Any], task: str) -> Iterator[str]:
    """Say which files of a parallel task are not there, of those that need not be fetched.

    Raises:
        UserError: as `bundles_of`.
    """
    found = bundles_of(config, task, "")
    files = (place.file for bundle in found for place in bundle.places.values())
    for file in dict.fromkeys(filter(None, files)):
        if not is_remote(file) and not Path(local(file)).is_file():
            yield f"tasks.{task}: there is no file {file}"
