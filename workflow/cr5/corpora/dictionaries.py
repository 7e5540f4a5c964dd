"""Bilingual dictionaries: their files, and their entries, a word and one translation each.

    word translation      MUSE, Dinu et al.: separated by a tab or blank; UTF-8
    translation @ word    Hunalign's
    FreeDict's            see `freedict`

Text files may be compressed with gzip, xz or bzip2. The form is recognised line by line.
"""

import logging
from collections.abc import Iterable, Iterator
from pathlib import Path
from urllib.parse import urlsplit

from cr5.base import json_lines
from cr5.base.errors import UserError
from cr5.base.lines import read_lines
from cr5.corpora import debian, freedict
from cr5.corpora.fetch import MissingError
from cr5.corpora.fetch import fetch as fetch_file

log = logging.getLogger(__name__)

FREEDICT = "freedict"
Pair = tuple[str, str]


def is_elsewhere(where: str) -> bool:
    """Whether dictionaries have to be fetched first.

    Raises:
        UserError: it is neither `freedict`, nor an address, nor a folder, nor a path for each pair.
    """
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


def of_pair(where: str, pair: Pair) -> str:
    """Fill in the languages of a pair."""
    return where.replace("{source}", pair[0]).replace("{target}", pair[1])


def fetched(where: str, folder: str) -> str:
    """Return the place of dictionaries fetched to a folder."""
    return folder if where == FREEDICT else f"{folder}/{{source}}-{{target}}"


def fetch(where: str, pairs: Iterable[Pair], folder: Path) -> None:
    """Fetch dictionaries: FreeDict's as packages of this system's release, others by address.

    Args:
        where: `freedict`, or an address with `{source}` and `{target}` in it.
        pairs: directed; those without a dictionary are skipped.
        folder: for the files.

    Raises:
        UserError: the network is missing, or the server or apt-get refuses.
    """
    if where == FREEDICT:
        names = [freedict.package(*pair) for pair in pairs]
        debian.download(names, folder, if_there=True)
        return
    for pair in pairs:
        try:
            fetch_file(of_pair(where, pair), of_pair(fetched(where, str(folder)), pair))
        except MissingError as error:
            log.info("there is none: %s", error)


def find(where: str, pairs: Iterable[Pair]) -> dict[Pair, Path]:
    """Find dictionaries on this machine.

    Args:
        where: a path with `{source}` and `{target}` in it, or a folder of FreeDict's packages.
        pairs: directed.

    Returns:
        Files by directed pair; pairs without a dictionary are missing.
    """
    if not names_pair(where):
        return freedict.find(where, pairs)
    paths = {pair: Path(of_pair(where, pair)) for pair in pairs}
    return {pair: path for pair, path in paths.items() if path.is_file()}


def entries(path: str | Path) -> Iterator[tuple[str, str]]:
    """Read a dictionary: pairs of a word and one translation, unchanged, in order.

    Raises:
        UserError: with file and line: not UTF-8, or a line is not an entry; or there is no entry.
    """
    path = Path(path)
    if path.suffix in (".deb", ".index"):
        yield from freedict.entries(path)
        return
    found = False
    for where, text in read_lines(path):
        if text.strip():
            found = True
            yield _entry(json_lines.storable(text), where)
    if not found:
        raise UserError(f"{path}: there is no entry in this dictionary, only blank lines")


def _entry(text: str, where: str) -> tuple[str, str]:
    found = [field.strip() for field in _fields(text)]
    if len(found) != 2 or not all(found):
        raise UserError(
            f"{where}: expected a word and its translation with a tab or a blank between, or "
            f"`translation @ word`; found {len(found)} fields: {text[:80]!r}"
        )
    return found[0], found[1]


def _fields(text: str) -> list[str]:
    if "\t" in text:
        return text.split("\t")
    if " @ " in text:
        return text.split(" @ ")[::-1]
    return [field for field in text.split(" ") if field]
