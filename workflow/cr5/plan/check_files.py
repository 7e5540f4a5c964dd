"""Checks of files that are there already: each is opened, and its beginning read."""

from collections.abc import Callable, Iterator, Mapping
from itertools import islice
from pathlib import Path
from typing import Any

from cr5.base.errors import UserError
from cr5.base.lines import read_lines
from cr5.base.modules import load_module
from cr5.corpora import jsonl, libreoffice_help
from cr5.corpora.fetch.pins import read_pins
from cr5.corpora.parallel import is_remote, local
from cr5.fitting.alignments import entries
from cr5.plan.catalogue import files_of, has_files, module_source
from cr5.plan.check import ERROR, OK, Finding
from cr5.plan.matrix import matrix
from cr5.plan.options import needs_of
from cr5.plan.parallel_tasks import bundles_of, missing_files, parallel_tasks

FIRST = 100  # lines or documents of each file


def files(config: Mapping[str, Any]) -> Iterator[Finding]:
    """Check every file that the configuration names: it is there, and its first lines are read."""
    yield from _corpus(config)
    yield from _alignments(config)
    yield from _tasks(config)


def _finding(what: str, read: Callable[[], Any]) -> Finding:
    try:
        read()
    except UserError as error:
        return Finding(ERROR, f"{what}: {error}")
    except OSError as error:
        return Finding(ERROR, f"{what}: {error.filename}: {error.strerror}")
    return Finding(OK, what)


def _first(items: Iterator[Any]) -> None:
    for _ in islice(items, FIRST):
        pass


def _corpus(config: Mapping[str, Any]) -> Iterator[Finding]:
    corpus = config["corpus"]
    path = corpus.get("path")
    for language in config["languages"] if path else ():
        if corpus["source"] == "jsonl":
            file = path.replace("{language}", language)
            what = f"corpus.path: {file}, its first documents"
            yield _finding(what, lambda f=file, x=language: _first(jsonl.records(f, x)))
        else:
            what = f"corpus.path: help pages in {language!r}"
            yield _finding(what, lambda x=language: libreoffice_help.find(path, x))
    if "pins" in corpus:
        yield _finding(f"corpus.pins: {corpus['pins']}", lambda: read_pins(corpus["pins"]))


def _alignments(config: Mapping[str, Any]) -> Iterator[Finding]:
    needing = {x for x, y in config["systems"].items() if "alignments" in needs_of(x, y)}
    pairs = {
        pair
        for row in matrix(config)
        if row.system in needing
        for pair in (*row.setting.pairs, *(x[::-1] for x in row.setting.pairs))
    }
    for source, target in sorted(pairs):
        path = config["alignments"]["path"]
        file = Path(path.replace("{source}", source).replace("{target}", target))
        yield _finding(f"alignments.path: {file}", lambda f=file: _first(entries(f)))


def _tasks(config: Mapping[str, Any]) -> Iterator[Finding]:
    parallel = parallel_tasks(config)
    for name in parallel:
        yield _finding(f"tasks.{name}: its parallel files", lambda n=name: _parallel(config, n))
    for name, options in config["tasks"].items():
        if name in parallel:
            continue
        source = module_source("tasks", name, options.get("module"))
        for language in config["languages"] if has_files(source) else ():
            what = f"tasks.{name}: its files in {language!r}"
            yield _finding(what, lambda s=source, o=options, x=language: _task(s, o, x))


def _parallel(config: Mapping[str, Any], task: str) -> None:
    for missing in missing_files(config, task):
        raise UserError(missing)
    for bundle in bundles_of(config, task, ""):
        for place in bundle.places.values():
            if not place.member and place.file and not is_remote(place.file):
                _first(read_lines(local(place.file)))


def _task(source: Path, options: Mapping[str, Any], language: str) -> None:
    found = files_of(source, options, language)
    for name, path in found.items():
        if not Path(path).is_file():
            raise UserError(f"{name}: there is no file {path}")
    for records in load_module(source, "records").records(found, options, language).values():
        _first(iter(records))
