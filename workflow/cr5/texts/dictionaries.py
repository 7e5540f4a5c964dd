"""Bilingual dictionaries: their files, and their entries, a word and one translation each.

    word translation      MUSE, Dinu et al.: separated by a tab or blank; UTF-8
    translation @ word    Hunalign's
    FreeDict's            as Debian packages them for dictd

Text files may be compressed with gzip, xz or bzip2. The form is recognised line by line; lines that
begin with `#` and a blank are comments, and a first line `source target` names the columns.

A package of FreeDict (freedict.org) has `freedict-dan-eng.index` with a line for each entry, of
key, offset and length between tabs, in base 64 (dictd(8), "Index File Format"), and the entries one
after another in `freedict-dan-eng.dict.dz`, UTF-8 in gzip. The first line of an entry has the
headword, its pronunciation and grammar; each further line is a sense, with translations separated
by commas:

    bank /ˈbanʔk/ <n>
    1. bank
    2. [penge] money box, piggy bank
       Synonym: {sparebøsse}
"""

import gzip
import logging
import re
import string
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Annotated
from urllib.parse import urlsplit

from pydantic import Field, NonNegativeInt, PositiveInt

from cr5.base.errors import UserError
from cr5.base.languages import THREE_LETTERS, base_language, names_of, path_of
from cr5.base.not_text import plain
from cr5.base.parts import Section
from cr5.base.text_files import named, read_lines, storable
from cr5.texts import debian
from cr5.texts.fetch import MissingError
from cr5.texts.fetch import fetch as fetch_file

log = logging.getLogger(__name__)

FREEDICT = "freedict"
SWAHILI = {"sw": "swh"}  # FreeDict's code for it; of other languages it has ISO 639-3's
DIGITS = f"{string.ascii_uppercase}{string.ascii_lowercase}0123456789+/"
SPOKEN = re.compile(r" [/<\[(]")  # what follows the headword
REMARK = re.compile(r"^(\s{2,}|\s*\w+:\s)")  # Note:, Synonym:, examples, continued lines
NUMBER = re.compile(r"^\s*\d+\.\s+")
ASIDE = re.compile(r"\[[^]]*\]|<[^>]*>|\([^)]*\)|\{[^}]*\}|\"[^\"]*\"")

HEADERS = {("source", "target"), ("src", "tgt"), ("src", "trg"), ("word", "translation")}

Pair = tuple[str, str]


class Dictionaries(Section):
    """Bilingual dictionaries from which word mappings are learnt."""

    dictionaries: Annotated[str, Field(min_length=1)]
    """Where they are: a path or an address with `{source}` and `{target}` in it, or `freedict`."""
    offset: NonNegativeInt = 0
    """Different words at the beginning of each that are passed over."""
    limit: PositiveInt | None = None
    """Different words behind these that are used; none for all."""
    invert: bool = False
    """Whether the dictionary of the other direction is turned round where there is none."""


def is_elsewhere(where: str) -> bool:
    """Whether dictionaries have to be fetched first; UserError if that is no place of any."""
    if not (where == FREEDICT or names_pair(where) or (where and Path(where).is_dir())):
        raise UserError(
            f"expected `{FREEDICT}`, a folder with FreeDict's packages, or a path or address with "
            f"{{source}} and {{target}} in it, such as dicts/{{source}}-{{target}}.txt; "
            f"found {where!r}"
        )
    return where == FREEDICT or urlsplit(where).scheme in ("http", "https")


def names_pair(where: str) -> bool:
    """Whether each pair of languages has a place of its own."""
    return "{source}" in where and "{target}" in where


def of_pair(where: str, pair: Pair, written: Mapping[str, str] = {}) -> str:
    """Fill in the languages of a pair; `written` has how the configuration writes their codes."""
    source, target = (names_of(language, written) for language in pair)
    return path_of(where, source=source, target=target)


def fetched(where: str, folder: str) -> str:
    """Return the place of dictionaries fetched to a folder."""
    return folder if where == FREEDICT else f"{folder}/{{source}}-{{target}}"


def fetch(where: str, pairs: Sequence[Pair], addresses: Sequence[str], folder: Path) -> None:
    """Fetch those there are of directed pairs: FreeDict's packages, or by address."""
    if where == FREEDICT:
        debian.download([package(*pair) for pair in pairs], folder, if_there=True)
        return
    for pair, address in zip(pairs, addresses, strict=True):
        try:
            fetch_file(address, of_pair(fetched(where, str(folder)), pair))
        except MissingError as error:
            log.info("there is none: %s", error)


def package(source: str, target: str) -> str:
    """Name of FreeDict's package for a pair of languages, such as `da` and `en`."""
    long = THREE_LETTERS | SWAHILI
    bases = [base_language(language) for language in (source, target)]
    return f"dict-freedict-{'-'.join(long.get(base, base) for base in bases)}"


def find(where: str, pairs: Iterable[Pair], written: Mapping[str, str] = {}) -> dict[Pair, Path]:
    """Return the files there are of directed pairs, on a path or in a folder of packages."""
    if names_pair(where):
        paths = {pair: Path(of_pair(where, pair, written)) for pair in pairs}
        return {pair: path for pair, path in paths.items() if path.is_file()}
    packages = {pair: debian.package(Path(where), package(*pair)) for pair in pairs}
    return {pair: paths[0] for pair, paths in packages.items() if paths}


def entries(path: str | Path) -> Iterator[tuple[str, str]]:
    """Yield a word and one translation, unchanged, in order; UserError with file and line."""
    path, found = Path(path), False
    for entry in _freedict(path) if path.suffix == ".deb" else _lines(path):
        found = True
        yield entry
    if not found:
        raise UserError(f"{path}: there is no entry in this dictionary")


def _lines(path: Path) -> Iterator[tuple[str, str]]:
    n_comments = 0
    is_first = True
    for where, text in plain(read_lines(path)):
        if text.startswith("# ") and " @ " not in text and "\t" not in text:
            n_comments += 1
        elif text.strip():
            found = [field.strip() for field in _fields(storable(text))]
            if is_first and tuple(map(str.lower, found)) in HEADERS:
                log.info("%s: the names of columns are no entry: %s", where, " ".join(found))
            elif len(found) != 2 or not all(found):
                raise UserError(
                    f"{where}: expected a word and its translation with a tab or a blank between, "
                    f"or `translation @ word`; found {len(found)} fields: {text[:80]!r}"
                )
            else:
                yield found[0], found[1]
            is_first = False
    if n_comments:
        log.info("%s: lines that begin with # and a blank are comments: %d", path, n_comments)


def _fields(text: str) -> list[str]:
    if "\t" in text:
        return text.split("\t")
    if " @ " in text:
        return text.split(" @ ")[::-1]
    return [field for field in text.split(" ") if field]


def _freedict(deb: Path) -> Iterator[tuple[str, str]]:
    content = {Path(name).suffix: x for name, x in debian.unpack(deb) if "/dictd/" in name}
    if not {".index", ".dz"} <= {*content}:
        raise UserError(f"{deb}: expected an index and a .dict.dz of dictd in it")
    with named(deb):
        texts = gzip.decompress(content[".dz"])
    for start, end in sorted(_places(content[".index"].decode("utf-8", "replace"), deb)):
        yield from _entry(texts[start:end].decode("utf-8", "replace"))


def _places(index: str, deb: Path) -> set[tuple[int, int]]:
    """Start and end of entries; several keys may share one, and some point to information on it."""
    places = set()
    for line in index.removesuffix("\n").split("\n"):
        key, *numbers = line.split("\t")
        if not key.startswith(("00database", "00-database")):
            try:
                start, length = (_number(digits) for digits in numbers[:2])
            except ValueError as error:
                raise UserError(f"{deb}: its index has the line {line!r:.80}") from error
            places.add((start, start + length))
    return places


def _number(digits: str) -> int:
    number = 0
    for digit in digits:
        number = 64 * number + DIGITS.index(digit)
    return number


def _entry(text: str) -> Iterator[tuple[str, str]]:
    first, *senses = text.split("\n")
    headword = SPOKEN.split(first, maxsplit=1)[0].strip()
    for sense in senses:
        if not REMARK.match(sense):
            plain = ASIDE.sub(" ", NUMBER.sub("", sense))
            translations = (" ".join(x.split()) for x in re.split("[,;]", plain))
            yield from ((headword, x) for x in translations if x)
