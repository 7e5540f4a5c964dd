"""All checks, also of files that already exist: open each and read its beginning."""

from collections.abc import Iterator, Mapping
from functools import partial
from itertools import islice, product
from pathlib import Path
from typing import Any

from cr5.base.errors import UserError
from cr5.base.lines import read_lines
from cr5.base.modules import load_module
from cr5.corpora import aligned, dictionaries
from cr5.corpora.fetch.access import as_folder
from cr5.corpora.parallel import is_remote, local
from cr5.corpora.reading import Reading
from cr5.corpora.reading import files as read_files
from cr5.corpora.sources import matrix as weighted
from cr5.fitting import given_vectors
from cr5.fitting.alignments import entries
from cr5.models.bank import check_keeps
from cr5.models.kinds import check_storable, classes_in
from cr5.plan import fingerprint, outside, pair_files
from cr5.plan.catalogue import PACKAGE, constant, files_of, has_files, not_there, source_of
from cr5.plan.changes import Checksums
from cr5.plan.check import ERROR, OK, WARNING, Finding, quick, tried
from cr5.plan.check_concepts import concepts
from cr5.plan.config import keeps_documents
from cr5.plan.corpus import has_text, missing, module, own_files, same_text
from cr5.plan.matrix import matrix
from cr5.plan.options import needs_of
from cr5.plan.outside import bundles_of, missing_files, options_of, parallel_tasks, readers
from cr5.plan.words import TABLES
from cr5.tasks import ad_hoc

FIRST = 100  # lines or documents of each file


def everything(config: Mapping[str, Any]) -> Iterator[Finding]:
    """Check everything that can be checked without running jobs."""
    languages, systems = ", ".join(config["languages"]), ", ".join(config["systems"])
    yield Finding(OK, f"configuration: languages {languages}; systems {systems}")
    yield from quick(config)
    yield from files(config)


def files(config: Mapping[str, Any]) -> Iterator[Finding]:
    """Check that every file named in the configuration exists, and read its first lines."""
    yield from _corpus(config)
    for file in outside.stop_words(config):
        yield tried(f"bags.stop_words: {file}", partial(_lines, Path(file)))
    for language in config["languages"]:
        if outside.channel(config, language):
            what = f"channels: its files in {language!r}"
            yield tried(what, partial(_channel, config, language))
    yield from concepts(config)
    yield from _alignments(config)
    yield from _own_files(config)
    yield from _own_models(config)
    for task in pair_files.readers(config):
        yield from _dictionaries(config, task)
    if "path" in config["vectors"]:
        yield from _vectors(config)
    for task in readers(config):
        what = f"{TABLES}.sentences" if task == TABLES else f"tasks.{task}"
        yield tried(f"{what}: its parallel files", partial(_parallel, config, task))


def _first(items: Iterator[Any]) -> None:
    for _ in islice(items, FIRST):
        pass


def _lines(file: Path) -> None:
    if said := not_there(None, "", file):
        raise UserError(said)
    _first(read_lines(file))


def _vectors(config: Mapping[str, Any]) -> Iterator[Finding]:
    dimensions: dict[str, int] = {}

    def read(file: str) -> None:
        path = as_folder(file)
        if path is None or given_vectors.is_fasttext(path):  # to be fetched, or only readable whole
            return
        for _, row, where in islice(given_vectors.entries(path), FIRST):
            dimensions[file] = len(row)
            if len(set(dimensions.values())) > 1:
                known = ", ".join(f"{x}: {n}" for x, n in dimensions.items())
                raise UserError(f"{where}: vectors must be of one length in all languages; {known}")

    for language in config["languages"]:
        file = outside.vectors(config, language)
        yield tried(f"vectors.path: {file}", partial(read, file))


def _corpus(config: Mapping[str, Any]) -> Iterator[Finding]:
    corpus, languages = config["corpus"], config["languages"]
    if not has_text(corpus):
        yield from _weighted(config)
    elif corpus.get("path"):
        for said in (*missing(corpus, languages), *same_text(corpus, languages, Checksums().of)):
            yield Finding(ERROR, said)
        there = {x: own_files(corpus, x) for x in languages if own_files(corpus, x).exists()}
        for language, path in there.items():
            reading = Reading(path, language, sorted(languages), corpus)
            what = f"corpus.path: {path}, its first documents in {language!r}"
            yield tried(what, partial(_first_documents, module(corpus), reading))


def _first_documents(source: Path, reading: Reading) -> None:
    """Read the first documents; of a source that finds its files in a folder only look for them."""
    found = load_module(source, "records")
    there = read_files(found, reading)
    if not hasattr(found, "find"):
        _first(found.records(reading))
    for file in there if hasattr(found, "entries") else ():
        _first(found.entries(file))


def _weighted(config: Mapping[str, Any]) -> Iterator[Finding]:
    corpus, languages = config["corpus"], config["languages"]
    named = [corpus[key] for key in ("path", "codes", "originals")]
    for language in languages:
        for place in weighted.places(*named, language, languages[0]):
            what = f"corpus.path: {place.path}, its first documents"
            yield tried(what, lambda x=place: _first(weighted.documents(x)))


def _alignments(config: Mapping[str, Any]) -> Iterator[Finding]:
    needing = {x for x, y in config["systems"].items() if "alignments" in needs_of(x, y)}
    languages = {row.setting.languages for row in matrix(config) if row.system in needing}
    for file in sorted({y for x in languages for y in outside.alignments(config, x)}):
        yield tried(f"alignments.path: {file}", lambda f=file: _first(entries(Path(f))))


def _own_files(config: Mapping[str, Any]) -> Iterator[Finding]:
    """Check systems' and tasks' own files, except parallel text."""
    languages = config["languages"]
    used = {(row.system, x) for row in matrix(config) for x in row.setting.languages}
    used |= {(x, y) for x in set(config["tasks"]) - {*parallel_tasks(config)} for y in languages}
    named = [(section, name) for section in ("systems", "tasks") for name in config[section]]
    for (section, name), language in product(named, languages):
        options = config[section][name]
        source = source_of(section, name, options)
        if has_files(source) and (name, language) in used:
            what = f"{section}.{name}: its files in {language!r}"
            yield tried(what, partial(_records, section, source, options, language))


def _own_models(config: Mapping[str, Any]) -> Iterator[Finding]:
    """Check that models of classes in systems of one's own could be stored after a fit."""
    keeps = keeps_documents(config)
    for name, options in config["systems"].items():
        source = source_of("systems", name, options)
        if not source.is_relative_to(PACKAGE) and not fingerprint.missing(source):
            yield tried(f"systems.{name}: its classes of models", partial(_storable, source, keeps))


def _storable(source: Path, keeps: bool) -> None:
    for kind in classes_in(load_module(source)):
        check_storable(kind)
        if keeps:
            check_keeps(kind, getattr(kind, "measures", ()))


def _parallel(config: Mapping[str, Any], task: str) -> None:
    if absent := [*missing_files(config, task)]:
        raise UserError("; ".join(absent))
    options = options_of(config, task)
    for bundle in bundles_of(config, task, ""):
        for place in bundle.places.values():
            if not place.member and place.file and not is_remote(place.file):
                _first(read_lines(local(place.file)))
        if options["path"] and not options["address"]:
            aligned.check_lines(bundle.places, options)


def _dictionaries(config: Mapping[str, Any], task: str) -> Iterator[Finding]:
    """Check the dictionary of each directed pair that has one; those to be fetched are skipped."""
    named = task if task == pair_files.SECTION else f"tasks.{task}"
    try:
        place = pair_files.place(config, task)
    except UserError as error:
        yield Finding(ERROR, str(error))
        return
    if not place or place.is_elsewhere:
        return
    found = dictionaries.find(place.where, place.pairs)
    for (source, target), path in found.items():
        what = f"{named}: {path}, from {source!r} to {target!r}"
        yield tried(what, lambda p=path: _first(dictionaries.entries(p)))
    has = found.keys()
    if pair_files.readers(config)[task].get("invert"):
        has |= {pair[::-1] for pair in found}
    if none := ["-".join(pair) for pair in place.pairs if pair not in has]:
        said = f"no dictionary for {', '.join(none)}: "
        if task == pair_files.SECTION:
            said += "systems that are `directed` leave it out; others take the other direction's"
        else:
            said += "left out"
        said += " (`invert: true` turns the other direction's round)"
        yield Finding(WARNING, f"{named}: {said}")


def _records(section: str, source: Path, options: Mapping[str, Any], language: str) -> None:
    files = files_of(source, options, language, section)
    here = {name: as_folder(path) for name, path in files.items()}
    if None in here.values():  # to be fetched
        return
    for name, path in here.items():
        if said := not_there(source, name, path):
            raise UserError(f"{name}: {said}")
    if not constant(source, "FILES", ()):
        return
    found = load_module(source, "records")
    for records in found.records(here, options, language).values():
        _first(iter(records))
    if hasattr(found, "check"):
        found.check(here, options, language)


def _channel(config: Mapping[str, Any], language: str) -> None:
    files = outside.channel(config, language)
    for path in files.values():
        if said := not_there(None, "", Path(path)):
            raise UserError(said)
    for records in ad_hoc.records(files, config["channels"], language).values():
        _first(iter(records))
