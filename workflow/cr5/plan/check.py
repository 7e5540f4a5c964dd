"""Checks before any job of what the configuration asks of this machine: programs and packages."""

import shutil
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from importlib.util import find_spec
from typing import Any

from cr5.base.errors import UserError
from cr5.base.languages import base_language, is_code
from cr5.corpora import eflomal
from cr5.corpora.dictionaries import FREEDICT
from cr5.corpora.help_packages import KNOWN, help_code
from cr5.counts.tokens import WITHOUT_SPACES
from cr5.plan import files
from cr5.plan.config import needs, source

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
    """Run the checks that each run begins with.

    Args:
        config: validated.
        here: whether jobs run on this machine, in this environment.
    """
    try:
        source(config).check()
    except UserError as error:
        yield Finding(ERROR, str(error))
    yield from _unknown_languages(config)
    if here:
        yield from _packages(config)
        yield from _aligner(config)
        yield from _programs(config)


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


def _packages(config: Mapping[str, Any]) -> Iterator[Finding]:
    """Optional packages that an option or a language needs."""
    bags = config["bags"]
    wanted = {
        f"systems.{name}.scripts": ("anyascii", "leave it out")
        for name, options in config["systems"].items()
        if options.get("scripts") in WRITTEN
    }
    if bags["stemmer"] == "snowball":
        wanted["bags.stemmer"] = ("snowballstemmer", "set it to none")
    if bags["tokens"] == "nltk":
        wanted["bags.tokens"] = ("nltk", "set it to words")
    for language in config["languages"]:
        if base_language(language) in WITHOUT_SPACES:
            wanted[f"words of {language!r}"] = ("icu4py", "leave the language out")
    for what, (package, otherwise) in wanted.items():
        if not find_spec(package):
            said = f"{what}: not installed: {package}; pip install {package}, or {otherwise}"
            yield Finding(ERROR, said)


def _aligner(config: Mapping[str, Any]) -> Iterator[Finding]:
    needed = any("alignments" in needs(config, name) for name in config["systems"])
    if needed and files.is_made(config) and not eflomal.program():
        yield Finding(
            ERROR,
            f"alignments.aligner: eflomal is not installed: {eflomal.REMEDY}; or give tables as "
            "alignments.path",
        )


def _programs(config: Mapping[str, Any]) -> Iterator[Finding]:
    """What comes as Debian packages, where no folder has it."""
    if shutil.which("apt-get"):
        return
    fetched, found = source(config).fetches, {}
    if fetched and not config["corpus"].get("path"):
        found[fetched] = "corpus.path"
    for name in files.pair_readers(config):
        place = files.pair_files(config, name)
        if place and place.where == FREEDICT:
            key = "dictionary" if name not in config["tasks"] else f"tasks.{name}"
            found[f"the dictionaries of {name}"] = f"{key}.dictionaries"
    for what, instead in found.items():
        yield Finding(
            ERROR,
            f"apt-get, which fetches {what}, is not here: give a folder with them as {instead}, "
            "see docs/corpora.md",
        )
