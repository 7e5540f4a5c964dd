"""The files that the configuration names: those of systems and tasks, vectors, tables of words."""

from collections.abc import Iterable, Iterator, Mapping
from itertools import permutations
from pathlib import Path
from typing import Any

from cr5.corpora.fetch.access import as_folder
from cr5.plan.catalogue import files_of, has_files, is_parallel, module_source, not_there
from cr5.plan.matrix import matrix
from cr5.plan.options import needs_of
from cr5.plan.parallel_tasks import is_made, missing_files, readers

Config = Mapping[str, Any]


def of_system(config: Config, system: str, languages: Iterable[str]) -> dict[tuple[str, str], str]:
    """Return a system's own files, or their addresses, by language and option.

    Raises:
        UserError: one of them is not given.
    """
    options = config["systems"][system]
    source = module_source("systems", system, options.get("module"))
    return {
        (language, option): path
        for language in (languages if has_files(source) else [])
        for option, path in files_of(source, options, language, "systems").items()
    }


def of_task(config: Config, task: str, language: str) -> dict[str, str]:
    """Return a task's own files for one language by option; parallel text has none of these.

    Raises:
        UserError: one of them is not given.
    """
    options = config["tasks"][task]
    source = module_source("tasks", task, options.get("module"))
    return {} if is_parallel(source) else files_of(source, options, language)


def vectors(config: Config, language: str) -> str | None:
    """Return the path or address of a language's given word vectors, None if they are trained."""
    path = config["vectors"].get("path")
    return path and path.replace("{language}", language)


def alignments(config: Config, languages: Iterable[str]) -> list[str]:
    """Return the given word translation tables of each directed pair; none if they are made."""
    if is_made(config):
        return []
    path = config["alignments"]["path"]
    return [
        path.replace("{source}", a).replace("{target}", b) for a, b in permutations(languages, 2)
    ]


def missing(config: Config) -> Iterator[str]:
    """Report files that do not exist, a sentence each; those to be fetched are skipped.

    Args:
        config: validated.

    Raises:
        UserError: a file is not given.
    """
    for said in sorted(set(_missing(config))):
        yield f"{said}. Relative paths start at {Path.cwd()}."
    for task in readers(config):
        for said in missing_files(config, task):
            yield f"{said}. Relative paths start at {Path.cwd()}."


def elsewhere(config: Config) -> Iterator[tuple[str, str]]:
    """Yield the keys and addresses of files that have to be fetched."""
    return ((key, address) for key, address, *_ in _named(config) if as_folder(address) is None)


def _missing(config: Config) -> Iterator[str]:
    """Report each file that does not exist, with the key that names it."""
    for key, address, source, option in _named(config):
        path = as_folder(address)
        if path is not None and (said := not_there(source, option, path)):
            yield f"{key}: {said}"


def _named(config: Config) -> Iterator[tuple[str, str, Path | None, str]]:
    """Yield the key that names a file, its path or address, and whose option it is, if any's."""
    for language in config["languages"]:
        if path := vectors(config, language):
            yield "vectors.path", path, None, ""
        for task in config["tasks"]:
            for option, path in of_task(config, task, language).items():
                yield f"tasks.{task}.{option}", path, None, ""
    for row in matrix(config):
        languages, options = row.setting.languages, config["systems"][row.system]
        source = module_source("systems", row.system, options.get("module"))
        for (_, option), path in of_system(config, row.system, languages).items():
            yield f"systems.{row.system}.{option}", path, source, option
        if "alignments" in needs_of(row.system, options):
            yield from (("alignments.path", x, None, "") for x in alignments(config, languages))
