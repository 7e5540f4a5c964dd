"""The files that Wikimedia publishes for a wiki: its text, and the table page_props.

The text is that of Content File Exports, monthly, in parts by page id; a date is complete if it has
SHA256SUMS, which is written last. page_props comes from another tree, complete if `dumpstatus.json`
says so. Wikimedia keeps only the last few dates.
"""

import html
import json
import re
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import NamedTuple
from urllib.parse import unquote

from cr5.base.errors import UserError
from cr5.base.files import atomic_file
from cr5.texts import fetch

LATEST = "latest"
TEXT, PAGE_PROPS = "text", "page_props"  # roles
CONTENT = "other/mediawiki_content_current"
TABLE = "pagepropstable"  # the job that makes it
DATE = re.compile(r"(\d{4})-?(\d\d)-?(\d\d)/", re.ASCII)
LINK = re.compile(r'<a\s[^<>]*?\bhref="(?:\./)?([^"/?]+/?)"', re.IGNORECASE)
# Wikipedias not named after the language code (Wikimedia's own list of deprecated codes).
NAMES = {
    "be-tarask": "be_x_old",
    "gsw": "als",
    "lzh": "zh_classical",
    "nan": "zh_min_nan",
    "nb": "no",
    "rup": "roa_rup",
    "sgs": "bat_smg",
    "vro": "fiu_vro",
    "yue": "zh_yue",
}


class Published(NamedTuple):
    """One published file.

    Attributes:
        wiki: as in the dumps, such as dawiki.
        date: of the dump, YYYY-MM-DD.
        role: `TEXT` or `PAGE_PROPS`.
        name: of the file, without folders.
        address: of the file, or its path.
        checksum: `sha256:` or `sha1:` and digits; empty if none is published.
    """

    wiki: str
    date: str
    role: str
    name: str
    address: str
    checksum: str


class Place(NamedTuple):
    """Wikimedia, a mirror of it, or a folder laid out like one.

    Attributes:
        base: address or folder.
        contact: of the user, for the server's owners.
    """

    base: str
    contact: str

    def address(self, path: str) -> str:
        """Return the address of a file or folder."""
        return f"{self.base.rstrip('/')}/{path}"

    def text(self, path: str) -> str:
        """Return the content of a small file, empty if there is none."""
        return fetch.text(self.address(path), self.contact) or ""

    def dates(self, path: str) -> list[str]:
        """Return the folders of a folder that are named by date, as YYYY-MM-DD, newest first."""
        local = fetch.as_folder(self.address(path))
        if local is None:
            names = [unquote(html.unescape(x)) for x in LINK.findall(self.text(f"{path}/"))]
        else:
            names = [f"{x.name}/" for x in local.iterdir()] if local.is_dir() else []
        found = {"-".join(x.groups()) for x in map(DATE.fullmatch, names) if x}
        return sorted(found, reverse=True)


def wiki_name(language: str) -> str:
    """Return the name of a language's Wikipedia in the dumps: `da` is `dawiki`."""
    return NAMES.get(language.replace("_", "-"), language).replace("-", "_") + "wiki"


def find(place: Place, language: str, date: str, sql_date: str) -> list[Published]:
    """Find the files of a language: its text in page order, then page_props.

    Args:
        place: where to look.
        language: of the Wikipedia.
        date: of the text, YYYY-MM-DD, or `LATEST` for the newest complete one.
        sql_date: likewise of page_props.

    Raises:
        UserError: there is no complete date, or the server does not answer.
    """
    wiki = wiki_name(language)
    return [
        *_chosen(place, f"{CONTENT}/{wiki}", date, lambda x: _content(place, wiki, x)),
        *_chosen(place, wiki, sql_date, lambda x: _page_props(place, wiki, x)),
    ]


def write(path: str | Path, files: Iterable[Published]) -> None:
    """Write which files were found."""
    with atomic_file(path) as temporary:
        temporary.write_text(json.dumps([x._asdict() for x in files], indent=1) + "\n", "utf-8")


def read(path: str | Path) -> list[Published]:
    """Read what `write` wrote.

    Raises:
        UserError: it has been changed to something else.
    """
    try:
        return [Published(**x) for x in json.loads(Path(path).read_text("utf-8"))]
    except (ValueError, TypeError) as error:
        raise UserError(f"{path}: {error}; remove it, and the next run looks anew") from error


def _chosen(
    place: Place, folder: str, wanted: str, find_in: Callable[[str], list[Published]]
) -> list[Published]:
    dates = place.dates(folder)
    for date in dates if wanted == LATEST else [wanted]:
        if found := find_in(date):
            return found
    raise UserError(
        f"{place.address(folder)}: nothing complete of {wanted}, of the dates "
        f"{', '.join(dates) or '(none)'}; dumps are kept for some weeks or months: choose another "
        "date (`corpus.date`, `corpus.sql_date`), or correct `languages` or `corpus.base`"
    )


def _content(place: Place, wiki: str, date: str) -> list[Published]:
    folder = f"{CONTENT}/{wiki}/{date}/xml/bzip2"
    part = re.compile(
        rf"^([0-9a-f]{{64}}) [ *](?:\S*/)?({wiki}-{date}-p(\d+)p\d+\.xml\.bz2)$", re.MULTILINE
    )
    found = part.findall(place.text(f"{folder}/SHA256SUMS"))
    return [
        Published(wiki, date, TEXT, name, place.address(f"{folder}/{name}"), f"sha256:{digits}")
        for digits, name, _ in sorted(found, key=lambda each: int(each[2]))
    ]


def _page_props(place: Place, wiki: str, date: str) -> list[Published]:
    day = date.replace("-", "")
    folder, name = f"{wiki}/{day}", f"{wiki}-{day}-page_props.sql.gz"
    status = place.text(f"{folder}/dumpstatus.json")
    try:
        job = json.loads(status)["jobs"][TABLE] if status else {"status": "not there"}
        if job["status"] != "done":
            return []
        sha1 = job["files"][name].get("sha1")  # some mirrors leave it out
    except (ValueError, LookupError, TypeError, AttributeError) as error:
        raise UserError(
            f"{place.address(folder)}/dumpstatus.json: expected jobs.{TABLE} ({error!r:.200})"
        ) from error
    address = place.address(f"{folder}/{name}")
    return [Published(wiki, date, PAGE_PROPS, name, address, f"sha1:{sha1}" if sha1 else "")]
