"""Bilingual dictionaries: their files, and their entries, a word and one translation each.

    word translation      MUSE, Dinu et al.: separated by a tab or blank; UTF-8
    translation @ word    Hunalign's
    FreeDict's            as Debian packages them for dictd

Text files may be compressed with gzip, xz, bzip2, zstd or zip. The form is recognised line by line;
lines that begin with `#` and a blank are comments, and a first line `source target`, or with the
codes of the two languages, names the columns.

A package of FreeDict (freedict.org) has `freedict-dan-eng.index` with a line for each key, of
key, offset and length between tabs, in base 64 (dictd(8), "Index File Format"), and the articles
one after another in `freedict-dan-eng.dict.dz`, UTF-8 in gzip. An article has in its first line
the headword, its pronunciation and grammar; each further line is a sense, with translations
separated by commas:

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
from cr5.base.languages import THREE_LETTERS, base_language, is_code, names_of, path_of
from cr5.base.not_text import refusing_markup
from cr5.base.text_files import naming_file, read_lines, storable
from cr5.contracts.keys import A_PATH, Section
from cr5.texts import debian
from cr5.texts.delimited import QUOTED
from cr5.texts.fetch import MissingError
from cr5.texts.fetch import fetch as fetch_file

log = logging.getLogger(__name__)

FREEDICT = "freedict"
SWAHILI = {"sw": "swh"}  # FreeDict's code for it; of other languages it has ISO 639-3's
BASE64_DIGITS = f"{string.ascii_uppercase}{string.ascii_lowercase}0123456789+/"
AFTER_HEADWORD = re.compile(r" [/<\[(]")  # begins its pronunciation or grammar
REMARK = re.compile(r"^(\s{2,}|\s*\w+:\s)")  # Note:, Synonym:, examples, continued lines
SENSE_NUMBER = re.compile(r"^\s*\d+\.\s+")
ASIDE = re.compile(r"\[[^]]*\]|<[^>]*>|\([^)]*\)|\{[^}]*\}|\"[^\"]*\"")

DirectedPair = tuple[str, str]  # the language of the words, that of their translations

HEADERS = {("source", "target"), ("src", "tgt"), ("src", "trg"), ("word", "translation")}
ANY_PAIR: DirectedPair = ("", "")


class Dictionaries(Section):
    """Bilingual dictionaries from which word mappings are learnt."""

    dictionaries: Annotated[str, Field(min_length=1), A_PATH]
    """Where they are: a path or an address with `{source}` and `{target}` in it, or `freedict`."""
    offset: NonNegativeInt = 0
    """Different words at the beginning of each that are passed over."""
    limit: PositiveInt | None = None
    """Different words behind these that are used; none for all."""
    invert: bool = False
    """Whether the dictionary of the other direction is turned round where there is none."""


def is_elsewhere(where: str) -> bool:
    """Return whether dictionaries have to be fetched; UserError if `where` is no place of any."""
    if not (where == FREEDICT or has_file_per_pair(where) or (where and Path(where).is_dir())):
        raise UserError(
            f"expected `{FREEDICT}`, a folder with FreeDict's packages, or a path or address with "
            f"{{source}} and {{target}} in it, such as dicts/{{source}}-{{target}}.txt; "
            f"found {where!r}"
        )
    return where == FREEDICT or urlsplit(where).scheme in ("http", "https")


def has_file_per_pair(where: str) -> bool:
    """Return whether a path or an address names a file of its own for each pair of languages."""
    return "{source}" in where and "{target}" in where


def place_of_pair(where: str, pair: DirectedPair, written: Mapping[str, str] = {}) -> str:
    """Return the path or address of a pair's dictionary.

    `written` has by language how the configuration writes its code.
    """
    source, target = pair
    return path_of(where, source=names_of(source, written), target=names_of(target, written))


def place_of_fetched(where: str, folder: str) -> str:
    """Return where dictionaries are once `fetch` has put them into a folder."""
    if where == FREEDICT:
        return folder
    return f"{folder}/{{source}}-{{target}}"


def fetch(
    where: str, pairs: Sequence[DirectedPair], addresses: Sequence[str], folder: Path
) -> None:
    """Fetch the dictionary of each pair into a folder: FreeDict's package, or a file by address.

    Pairs that have none are passed over.
    """
    if where == FREEDICT:
        packages = [package_name(*pair) for pair in pairs]
        debian.download(packages, folder, if_there=True)
        return
    fetched = place_of_fetched(where, str(folder))
    for pair, address in zip(pairs, addresses, strict=True):
        try:
            fetch_file(address, place_of_pair(fetched, pair))
        except MissingError as error:
            log.info("there is none: %s", error)


def package_name(source: str, target: str) -> str:
    """Return what FreeDict's package for two languages is called: for da and en, ...-dan-eng."""
    three_letters = THREE_LETTERS | SWAHILI
    bases = [base_language(language) for language in (source, target)]
    codes = [three_letters.get(base, base) for base in bases]
    return f"dict-freedict-{'-'.join(codes)}"


def find(
    where: str, pairs: Iterable[DirectedPair], written: Mapping[str, str] = {}
) -> dict[DirectedPair, Path]:
    """Return the file of each pair that has one on this machine, by itself or as a package."""
    paths = {}
    for pair in pairs:
        path = _file_of_pair(where, pair, written)
        if path is not None:
            paths[pair] = path
    return paths


def _file_of_pair(where: str, pair: DirectedPair, written: Mapping[str, str]) -> Path | None:
    """Return the file or package of a pair; None if it is not there."""
    if not has_file_per_pair(where):
        packages = debian.package(Path(where), package_name(*pair))
        return next(iter(packages), None)
    path = Path(place_of_pair(where, pair, written))
    if path.is_file():
        return path
    return None


def entries(path: str | Path, pair: DirectedPair = ANY_PAIR) -> Iterator[tuple[str, str]]:
    """Yield each word with one translation, as they stand in the file, in its order.

    `pair` are the languages of these, whose codes in the first line are no entry. UserError: a line
    is not an entry, or the file has none.
    """
    path = Path(path)
    is_empty = True
    all_entries = _text_entries(path, pair)
    if path.suffix == ".deb":
        all_entries = _freedict_entries(path)
    for entry in all_entries:
        is_empty = False
        yield entry
    if is_empty:
        raise UserError(f"{path}: there is no entry in this dictionary")


def _text_entries(path: Path, pair: DirectedPair) -> Iterator[tuple[str, str]]:
    """Yield the entries of a text file, of which each line may have a form of its own."""
    n_comments = 0
    is_first = True
    for place, line in refusing_markup(read_lines(path)):
        if line.startswith("# ") and " @ " not in line and "\t" not in line:
            n_comments += 1
        elif line.strip():
            fields = [field.strip() for field in _fields_of_line(storable(line))]
            if is_first and _is_header(fields, pair):
                log.info("%s: the names of columns are no entry: %s", place, " ".join(fields))
            else:
                _check_entry(fields, line, place)
                word, translation = fields
                yield word, translation
            is_first = False
    if n_comments:
        log.info("%s: lines that begin with # and a blank are comments: %d", path, n_comments)


def _is_header(fields: Sequence[str], pair: DirectedPair) -> bool:
    """Return whether a line names columns: by what they hold, or by the two languages."""
    names = tuple(field.lower() for field in fields)
    if names in HEADERS:
        return True
    languages = [base_language(name) for name in names if is_code(name)]
    return languages == [base_language(code) for code in pair]


def _check_entry(fields: Sequence[str], line: str, place: str) -> None:
    """Raise `UserError` if the fields of a line are not a word and its translation."""
    expected = "expected a word and its translation with a tab or a blank between"
    if any(QUOTED.fullmatch(field) for field in fields):
        raise UserError(
            f"{place}: {expected}, without quotes, which no word has; take them away: {line:.80}"
        )
    if len(fields) != 2 or not all(fields):
        raise UserError(
            f"{place}: {expected}, or `translation @ word`; found {len(fields)} fields: "
            f"{line[:80]!r}"
        )


def _fields_of_line(line: str) -> list[str]:
    """Split a line, the word first; `translation @ word` has it last."""
    if "\t" in line:
        return line.split("\t")
    if " @ " in line:
        fields = line.split(" @ ")
        return fields[::-1]
    return [field for field in line.split(" ") if field]


def _freedict_entries(deb: Path) -> Iterator[tuple[str, str]]:
    """Yield the entries of a package, in the order of dictd's file."""
    contents = {}
    for name, content in debian.unpack(deb):
        if "/dictd/" in name:
            contents[Path(name).suffix] = content
    if ".index" not in contents or ".dz" not in contents:
        raise UserError(f"{deb}: expected an index and a .dict.dz of dictd in it")
    with naming_file(deb):
        texts = gzip.decompress(contents[".dz"])
    index = contents[".index"].decode("utf-8", "replace")
    for start, end in sorted(_spans(index, deb)):
        article = texts[start:end].decode("utf-8", "replace")
        yield from _entries_of_article(article)


def _spans(index: str, deb: Path) -> set[tuple[int, int]]:
    """Return where each article starts and ends, once even if several keys point to it.

    Keys that begin with 00database are left out: they point to notes on the dictionary itself.
    """
    spans = set()
    for line in index.removesuffix("\n").split("\n"):
        key, *numbers = line.split("\t")
        if not key.startswith(("00database", "00-database")):
            try:
                offset, length = numbers[:2]
                start = _base64_number(offset)
                end = start + _base64_number(length)
                spans.add((start, end))
            except ValueError as error:
                raise UserError(f"{deb}: its index has the line {line!r:.80}") from error
    return spans


def _base64_number(digits: str) -> int:
    """Return the number that is written in base 64; ValueError for another character."""
    number = 0
    for digit in digits:
        number = 64 * number + BASE64_DIGITS.index(digit)
    return number


def _entries_of_article(article: str) -> Iterator[tuple[str, str]]:
    """Yield the headword of an article with each translation of each sense."""
    first_line, *senses = article.split("\n")
    headword = AFTER_HEADWORD.split(first_line, maxsplit=1)[0].strip()
    for sense in senses:
        if REMARK.match(sense):
            continue
        without_number = SENSE_NUMBER.sub("", sense)
        without_asides = ASIDE.sub(" ", without_number)
        for part in re.split("[,;]", without_asides):
            translation = " ".join(part.split())
            if translation:
                yield headword, translation
