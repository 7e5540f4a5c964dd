"""Bilingual dictionaries: their files, and their entries, a word and one translation each.

    word translation      MUSE, Dinu et al.: separated by a tab or blank; UTF-8
    translation @ word    Hunalign's
    FreeDict's            as Debian packages them for dictd

Text files may be compressed with gzip, xz, bzip2, zstd or zip. The form is recognised line by line;
lines that begin with `#` and a blank are comments, and a first line `source target` names the
columns.

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
from cr5.base.not_text import refusing_markup
from cr5.base.text_files import naming_file, read_lines, storable
from cr5.contracts.keys import Section
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
    source, target = pair
    return path_of(where, source=names_of(source, written), target=names_of(target, written))


def fetched(where: str, folder: str) -> str:
    """Return the place of dictionaries fetched to a folder."""
    if where == FREEDICT:
        return folder
    return f"{folder}/{{source}}-{{target}}"


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
    paths = {}
    for pair in pairs:
        files = _files(where, pair, written)
        if files:
            paths[pair] = files[0]
    return paths


def _files(where: str, pair: Pair, written: Mapping[str, str]) -> list[Path]:
    """Return the file of a pair, if it is there."""
    if not names_pair(where):
        return debian.package(Path(where), package(*pair))
    path = Path(of_pair(where, pair, written))
    return [path] if path.is_file() else []


def entries(path: str | Path) -> Iterator[tuple[str, str]]:
    """Yield a word and one translation, unchanged, in order; UserError with file and line."""
    path = Path(path)
    is_empty = True
    read_entries = _lines
    if path.suffix == ".deb":
        read_entries = _freedict
    for entry in read_entries(path):
        is_empty = False
        yield entry
    if is_empty:
        raise UserError(f"{path}: there is no entry in this dictionary")


def _lines(path: Path) -> Iterator[tuple[str, str]]:
    n_comments = 0
    is_first = True
    for place, line in refusing_markup(read_lines(path)):
        if line.startswith("# ") and " @ " not in line and "\t" not in line:
            n_comments += 1
        elif line.strip():
            fields = [field.strip() for field in _fields(storable(line))]
            if is_first and tuple(field.lower() for field in fields) in HEADERS:
                log.info("%s: the names of columns are no entry: %s", place, " ".join(fields))
            elif len(fields) != 2 or not all(fields):
                raise UserError(
                    f"{place}: expected a word and its translation with a tab or a blank between, "
                    f"or `translation @ word`; found {len(fields)} fields: {line[:80]!r}"
                )
            else:
                word, translation = fields
                yield word, translation
            is_first = False
    if n_comments:
        log.info("%s: lines that begin with # and a blank are comments: %d", path, n_comments)


def _fields(line: str) -> list[str]:
    if "\t" in line:
        return line.split("\t")
    if " @ " in line:
        return line.split(" @ ")[::-1]
    return [field for field in line.split(" ") if field]


def _freedict(deb: Path) -> Iterator[tuple[str, str]]:
    contents = {}
    for name, content in debian.unpack(deb):
        if "/dictd/" in name:
            contents[Path(name).suffix] = content
    if ".index" not in contents or ".dz" not in contents:
        raise UserError(f"{deb}: expected an index and a .dict.dz of dictd in it")
    with naming_file(deb):
        texts = gzip.decompress(contents[".dz"])
    index = contents[".index"].decode("utf-8", "replace")
    for start, end in sorted(_places(index, deb)):
        entry = texts[start:end].decode("utf-8", "replace")
        yield from _entry(entry)


def _places(index: str, deb: Path) -> set[tuple[int, int]]:
    """Return start and end of each entry, which several keys may share.

    Some keys point to what there is to know of the dictionary itself.
    """
    places = set()
    for line in index.removesuffix("\n").split("\n"):
        key, *numbers = line.split("\t")
        if not key.startswith(("00database", "00-database")):
            try:
                offset, length = numbers[:2]
                start = _number(offset)
                places.add((start, start + _number(length)))
            except ValueError as error:
                raise UserError(f"{deb}: its index has the line {line!r:.80}") from error
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
        if REMARK.match(sense):
            continue
        without_asides = ASIDE.sub(" ", NUMBER.sub("", sense))
        for part in re.split("[,;]", without_asides):
            translation = " ".join(part.split())
            if translation:
                yield headword, translation
