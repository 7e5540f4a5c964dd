"""Bilingual dictionaries: their files, and their entries, a word and one translation each.

    word translation      MUSE, Dinu et al.: separated by a tab or blank; UTF-8
    translation @ word    Hunalign's
    FreeDict's            see `freedict`

Text files may be compressed with gzip, xz or bzip2. The form is recognised line by line.
"""

import logging
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path

from cr5.base import json_lines
from cr5.base.errors import UserError
from cr5.base.lines import read_lines
from cr5.corpora import debian, freedict
from cr5.corpora.dictionary_places import FREEDICT, Pair, fetched, files, names_pair, of_pair
from cr5.corpora.fetch import download
from cr5.corpora.fetch.access import Access
from cr5.corpora.fetch.pins import Pin
from cr5.corpora.fetch.remote import MissingError, new_session

log = logging.getLogger(__name__)


@dataclass(frozen=True)
class Anybody(Access):
    """Servers that do not ask for a contact."""

    def checked_contact(self) -> str:
        """Return the contact, or what is sent instead."""
        return self.contact or "dictionaries"


def find(where: str, pairs: Iterable[Pair]) -> dict[Pair, Path]:
    """Find dictionaries on this machine.

    Args:
        where: a path with `{source}` and `{target}` in it, or a folder of FreeDict's packages.
        pairs: directed.

    Returns:
        Files by directed pair; pairs without a dictionary are missing.
    """
    return files(where, pairs) if names_pair(where) else freedict.find(where, pairs)


def fetch(where: str, pairs: Iterable[Pair], folder: Path, access: Access | None = None) -> None:
    """Fetch dictionaries: FreeDict's as packages of this system's release, others by address.

    Args:
        where: `freedict`, or an address with `{source}` and `{target}` in it.
        pairs: directed; those without a dictionary are skipped.
        folder: for the files.
        access: retries and timeouts.

    Raises:
        UserError: the network is missing, or the server or apt-get refuses.
    """
    if where == FREEDICT:
        names = [freedict.package(*pair) for pair in pairs]
        debian.download(names, folder, if_there=True)
        return
    access = access or Anybody()
    with new_session(access) as session:
        for pair in pairs:
            url, file = of_pair(where, pair), Path(of_pair(fetched(where, str(folder)), pair))
            try:
                download.fetch(Pin("", "", "", "text", file.name, url), file, access, session)
            except UserError as error:
                if not isinstance(error.__cause__, MissingError):
                    raise
                log.info("%s: there is none", url)


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
