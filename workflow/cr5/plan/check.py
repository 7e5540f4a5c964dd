"""Checks before any job: report in a second what would stop a run hours later.

The configuration itself is checked as it is read (`config`); that files are there in `outside`.
"""

import shutil
from collections.abc import Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass
from typing import Any

from cr5.base.errors import UserError
from cr5.base.languages import base_language, is_code
from cr5.corpora import eflomal
from cr5.corpora.dictionaries import FREEDICT
from cr5.corpora.fetch.access import as_folder
from cr5.corpora.help_packages import KNOWN, help_code
from cr5.corpora.wikimedia.settings import Settings
from cr5.counts.tokens import WITHOUT_SPACES
from cr5.plan import fingerprint, outside, pair_files
from cr5.plan.catalogue import PACKAGE, known, source_of
from cr5.plan.corpus import literal, module
from cr5.plan.options import needs_of

OK, WARNING, ERROR = "ok", "warning", "error"
WRITTEN = ("latin", "sounds", "consonants")  # by an optional package; for `auto` the words decide


@dataclass(frozen=True)
class Finding:
    """What one check found.

    Attributes:
        level: `ok`, `warning` or `error`.
        said: what was checked, and the remedy.
    """

    level: str
    said: str

    def __str__(self) -> str:
        """Return a line for the terminal."""
        return f"{self.level:<8} {self.said}"


def quick(config: Mapping[str, Any], here: bool = True) -> Iterator[Finding]:
    """Run the quick checks that each run begins with.

    Args:
        config: validated.
        here: whether jobs run on this machine, in this environment.
    """
    yield from _contact(config)
    yield from _unknown_languages(config)
    yield from _channels(config)
    yield from _repetitions(config)
    if here:
        yield from _packages(config)
        yield from _aligner(config)
        yield from _programs(config)


def trains_vectors(config: Mapping[str, Any]) -> bool:
    """Return whether a system starts from word vectors and none are given."""
    given = "path" in config["vectors"]
    return not given and any("vectors" in needs_of(*each) for each in config["systems"].items())


def _contact(config: Mapping[str, Any]) -> Iterator[Finding]:
    corpus = config["corpus"]
    if corpus["source"] != "wikipedia":
        return
    settings = Settings.from_config(corpus)
    try:
        if as_folder(settings.root) is None:
            settings.checked_contact()
        yield Finding(OK, "corpus.contact")
    except UserError as error:
        yield Finding(ERROR, str(error))


def _unknown_languages(config: Mapping[str, Any]) -> Iterator[Finding]:
    """Warn of names in place of codes, and of languages without help pages.

    Codes themselves may be anybody's; and another release of Debian may have such pages.
    """
    corpus = config["corpus"]
    for name in config["languages"]:
        if not is_code(name):
            yield Finding(
                WARNING,
                f"languages: words are cut and stemmed by ISO 639-1 codes, such as en; {name!r} is "
                "none",
            )
    if corpus["source"] != "libreoffice_help" or corpus["path"]:
        return
    unknown = [x for x in config["languages"] if help_code(x) not in KNOWN.split()]
    if unknown:
        yield Finding(
            WARNING,
            f"languages: no help pages in {', '.join(unknown)} are known; there are those in "
            f"{', '.join(KNOWN.split())}",
        )


def _channels(config: Mapping[str, Any]) -> Iterator[Finding]:
    if "channels" not in config:
        return
    trains = outside.vectors_read_channels(config) and trains_vectors(config)
    if not (trains or any("channels" in needs_of(*each) for each in config["systems"].items())):
        able = [x for x in known("systems") if "channels" in needs_of(x, {})]
        yield Finding(
            WARNING,
            f"channels: nothing in this run learns from them; {', '.join(able)} do, and word "
            "vectors with `train_vectors: true`",
        )


def _repetitions(config: Mapping[str, Any]) -> Iterator[Finding]:
    """Warn of repetitions: systems without vectors draw next to nothing at random."""
    same = [name for name, x in config["systems"].items() if "vectors" not in needs_of(name, x)]
    if config["repetitions"] > 1 and not config["splits"]["redraw"] and same:
        yield Finding(
            WARNING,
            f"splits.redraw: false: all {config['repetitions']} repetitions test the same queries; "
            "a system without a random start gives the same figures each time, so "
            f"{', '.join(same)} may as well be run once",
        )


def _packages(config: Mapping[str, Any]) -> Iterator[Finding]:
    trained = trains_vectors(config)
    lacking = fingerprint.missing(module(config["corpus"]))
    yield _there("corpus.source: its packages", lacking, "take another source")
    for section in ("systems", "tasks"):
        for name, options in config[section].items():
            files = [source_of(section, name, options)]
            if section == "systems" and "vectors" in needs_of(name, options) and trained:
                files.append(PACKAGE / "fitting" / "vectors.py")
            lacking = {x for file in files for x in fingerprint.missing(file)}
            if options.get("scripts") in WRITTEN and not fingerprint.is_there("anyascii"):
                lacking.add("anyascii")
            yield _there(f"{section}.{name}: its packages", sorted(lacking), "leave it out")
    for key, asked, package, other in (
        ("stemmer", "snowball", "snowballstemmer", "none"),
        ("tokens", "nltk", "nltk", "words"),
    ):
        if config["bags"][key] == asked:
            lacking = [] if fingerprint.is_there(package) else [package]
            yield _there(f"bags.{key}", lacking, f"set it to {other}")
    for language in config["languages"]:
        if base_language(language) in WITHOUT_SPACES:
            lacking = [] if fingerprint.is_there("icu4py") else ["icu4py"]
            yield _there(f"words of {language!r}", lacking, "leave the language out")


def _aligner(config: Mapping[str, Any]) -> Iterator[Finding]:
    needed = any("alignments" in needs_of(*each) for each in config["systems"].items())
    if not (needed and outside.is_made(config)):
        return
    named = config["alignments"]["aligner"]
    if eflomal.program():
        yield Finding(OK, f"alignments.aligner: {named}")
    else:
        said = f"not installed: {eflomal.REMEDY}; or give tables as alignments.path"
        yield Finding(ERROR, f"alignments.aligner: {named} is {said}")


def _there(what: str, lacking: list[str], otherwise: str) -> Finding:
    if not lacking:
        return Finding(OK, what)
    named = " ".join(lacking)
    return Finding(ERROR, f"{what}: not installed: {named}; pip install {named}, or {otherwise}")


def _programs(config: Mapping[str, Any]) -> Iterator[Finding]:
    for what, instead in _packaged(config):
        if shutil.which("apt-get"):
            yield Finding(OK, f"apt-get, which fetches {what}")
        else:
            yield Finding(
                ERROR,
                f"apt-get, which fetches {what}, is not here: give a folder with them as "
                f"{instead}, see docs/corpora.md",
            )


def _packaged(config: Mapping[str, Any]) -> Iterator[tuple[str, str]]:
    """Yield what comes as Debian packages, and the key of a folder that may have it instead."""
    fetched = literal(config["corpus"], "FETCHES")
    if fetched and not config["corpus"].get("path"):
        yield fetched, "corpus.path"
    for name in config["tasks"]:
        with suppress(UserError):  # of missing files, which are reported where they are read
            found = pair_files.place(config, name)
            if found and found.where == FREEDICT:
                yield f"the dictionaries of {name}", f"tasks.{name}.dictionaries"
