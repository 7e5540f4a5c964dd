"""Wikimedia's dumps: which files there are of a wiki, and from where; see `texts.wikimedia`.

The text is that of Content File Exports, monthly, in parts by page id; a date is complete if it has
SHA256SUMS, which is written last. page_props comes from another tree, complete if `dumpstatus.json`
says so. Wikimedia keeps only the last few dates. Dumps called pages-articles are read
where they lie in one folder with page_props.
"""

import datetime
import html
import json
import re
from collections.abc import Callable, Iterable
from functools import partial
from operator import itemgetter
from pathlib import Path
from typing import Annotated, Any, NamedTuple
from urllib.parse import unquote

from pydantic import BeforeValidator

from cr5.base.errors import UserError
from cr5.base.files import atomic_file, write_json
from cr5.base.languages import SHORT
from cr5.base.text_files import check_beginning
from cr5.contracts.keys import PathText
from cr5.contracts.source import Source
from cr5.texts import fetch
from cr5.texts.fetch import MissingError
from cr5.texts.wikimedia import flat

OFFICIAL = "https://dumps.wikimedia.org"
LATEST = "latest"
DAY = re.compile(r"(\d{4})-?(\d\d)-?(\d\d)", re.ASCII)
TEXT = "text"  # a role, as the next
PAGE_PROPS = "page_props"
CONTENT = "other/mediawiki_content_current"
TABLE = "pagepropstable"  # the job that makes it
# below the folder of a wiki, for messages
CONTENT_FILES = "YYYY-MM-DD/xml/bzip2/ with SHA256SUMS and {wiki}-YYYY-MM-DD-p1p9.xml.bz2 and so on"
TABLE_FILES = "YYYYMMDD/ with dumpstatus.json and {wiki}-YYYYMMDD-page_props.sql.gz"
SHOWN = 5  # names of files in a message
LINK = re.compile(r'<a\s[^<>]*?\bhref="(?:\./)?([^"/?]+)/?"', re.IGNORECASE)
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
    """One published file."""

    wiki: str  # as in the dumps, such as dawiki
    date: str  # YYYY-MM-DD
    role: str  # TEXT or PAGE_PROPS
    name: str  # without folders
    address: str  # or its path
    checksum: str  # sha256: or sha1: and digits; empty if none is published


def _day(value: Any) -> str:
    """Return `latest` or YYYY-MM-DD, from text, a number or a date: YAML yields all of these."""
    text = str(value)
    if text == LATEST:
        return text
    digits = DAY.fullmatch(text)
    if not digits:
        raise ValueError("Input should be latest, YYYY-MM-DD or YYYYMMDD")
    return datetime.date(int(digits[1]), int(digits[2]), int(digits[3])).isoformat()


Day = Annotated[str, BeforeValidator(_day)]


class Wikipedia(Source):
    """Wikimedia's dumps: which files, and from where; see `texts.wikimedia`."""

    name = "Wikipedia"
    own_rules = "wikipedia.smk"
    licence = (
        "cc-by-sa-4.0",
        "The texts are articles of Wikipedia, under the Creative Commons Attribution-ShareAlike "
        "4.0 licence (https://creativecommons.org/licenses/by-sa/4.0/): name Wikipedia's authors, "
        "and give what you make of it under the same licence.",
    )

    date: Day = LATEST
    """Of the text: `latest` or YYYY-MM-DD."""
    sql_date: Day = LATEST
    """Of the table page_props: `latest` or YYYY-MM-DD."""
    base: PathText = ""
    """Address of a mirror, or a folder laid out like one; or a folder in which dumps called
    pages-articles and page_props lie side by side; empty: the publisher itself."""
    contact: str = ""
    """An address or page of yours for the server's owners, who ask for it; needed unless `base` is
    a folder."""

    def check(self) -> None:
        """Refuse to ask a server without a contact that can be sent."""
        contact = self.contact.strip()
        is_sent = fetch.local_path(self._address("")) is None
        if is_sent and not (contact and contact.isascii() and contact.isprintable()):
            raise UserError(
                "corpus.contact: Wikimedia asks for a User-Agent by which it can reach you; "
                f"expected an e-mail address or the address of a page, in ASCII, got {contact!r}"
            )

    def check_texts(self, path: Path | None, language: str) -> None:
        """Refuse a folder of dumps that lacks those of a language, or has damaged ones.

        Nothing is asked of a server, and of each file only the beginning is read.
        """
        if fetch.local_path(self._address("")) is None:
            return
        addresses = [file.address for file in self.published(language)]
        missing = [address for address in addresses if not fetch.local_path(address).is_file()]
        if missing:
            raise UserError(
                f"{missing[0]}: listed beside it, but not there; {len(missing)} of "
                f"{len(addresses)} files are missing: copy the whole folder"
            )
        for address in addresses:
            check_beginning(fetch.local_path(address))

    def published(self, language: str) -> list[Published]:
        """Find the files of a language: its text in page order, then page_props.

        UserError says all that is missing.
        """
        wiki = wiki_name(language)
        published = self._side_by_side(wiki)
        if published:
            return published
        missing = []
        for folder, wanted, find_in, files in (
            (f"{CONTENT}/{wiki}", self.date, self._content, CONTENT_FILES),
            (wiki, self.sql_date, self._page_props, TABLE_FILES),
        ):
            try:
                published += self._chosen(folder, wanted, partial(find_in, wiki))
            except MissingError as error:
                missing.append(f"{error}; expected {files.format(wiki=wiki)}")
        if missing:
            missing.append(self._what_is_there(wiki))
            raise UserError(". ".join(missing))
        return published

    def _side_by_side(self, wiki: str) -> list[Published]:
        """Return the files of a wiki whose articles lie in a folder without others; or none."""
        folder = fetch.local_path(self._address(""))
        dumps = flat.dumps_in(folder, wiki) if folder else []
        articles = flat.articles(dumps, self.date)
        table = flat.table(dumps, self.sql_date)
        if not (articles and table):
            return []
        published = []
        for dump in [*articles, *table]:
            role = PAGE_PROPS if dump.kind == flat.TABLE else TEXT
            place = dump.path
            file = Published(wiki, dump.day, role, place.name, str(place), dump.checksum)
            published.append(file)
        return published

    def _address(self, path: str) -> str:
        return f"{(self.base or OFFICIAL).rstrip('/')}/{path}"

    def _read(self, path: str) -> str:
        """Return the content of a small file, empty if there is none."""
        return fetch.text(self._address(path), self.contact.strip()) or ""

    def _dates(self, path: str) -> list[str]:
        """Return the folders of a folder that are named by date, as YYYY-MM-DD, newest first."""
        local = fetch.local_path(self._address(path))
        names: list[str] = []
        if local is None:
            links = LINK.findall(self._read(f"{path}/"))
            names = [unquote(html.unescape(link)) for link in links]
        elif local.is_dir():
            names = [folder.name for folder in local.iterdir()]
        dates = set()
        for name in names:
            day = DAY.fullmatch(name)
            if day:
                dates.add("-".join(day.groups()))
        return sorted(dates, reverse=True)

    def _chosen(
        self, folder: str, wanted: str, find_in: Callable[[str], list[Published]]
    ) -> list[Published]:
        """Return the files of the newest date that is complete, or of that which is wanted."""
        dates = self._dates(folder)
        candidates = dates if wanted == LATEST else [wanted]
        for date in candidates:
            files = find_in(date)
            if files:
                return files
        raise MissingError(
            f"{self._address(folder)}: nothing complete of {wanted}, of the dates "
            f"{', '.join(dates) or '(none)'}"
        )

    def _what_is_there(self, wiki: str) -> str:
        """Return what to do, and what a folder of dumps holds."""
        folder = fetch.local_path(self._address(""))
        if folder is None:
            return (
                "Dumps are kept for some weeks or months: choose another date (`corpus.date`, "
                "`corpus.sql_date`), or correct `languages` or `corpus.base`"
            )
        names = sorted(path.name for path in folder.iterdir()) if folder.is_dir() else []
        shown = ", ".join(names[:SHOWN]) or "nothing"
        if len(names) > SHOWN:
            shown += f" and {len(names) - SHOWN} more"
        return (
            f"In {folder} there is: {shown}. Lay it out as {OFFICIAL} is, or put "
            f"{flat.NAMES.format(wiki=wiki)} into it, or correct `corpus.base`, the dates or "
            "`languages`"
        )

    def _content(self, wiki: str, date: str) -> list[Published]:
        folder = f"{CONTENT}/{wiki}/{date}/xml/bzip2"
        part = re.compile(
            rf"^([0-9a-f]{{64}}) [ *](?:\S*/)?({wiki}-{date}-p(\d+)p\d+\.xml\.bz2)$", re.MULTILINE
        )
        files = []
        for digits, name, first_page in part.findall(self._read(f"{folder}/SHA256SUMS")):
            address = self._address(f"{folder}/{name}")
            file = Published(wiki, date, TEXT, name, address, f"sha256:{digits}")
            files.append((int(first_page), file))
        files.sort(key=itemgetter(0))
        return [file for _, file in files]

    def _page_props(self, wiki: str, date: str) -> list[Published]:
        day = date.replace("-", "")
        folder = f"{wiki}/{day}"
        name = f"{wiki}-{day}-page_props.sql.gz"
        status = self._read(f"{folder}/dumpstatus.json")
        try:
            job = json.loads(status)["jobs"][TABLE] if status else {"status": "not there"}
            if job["status"] != "done":
                return []
            sha1 = job["files"][name].get("sha1")  # some mirrors leave it out
        except (ValueError, LookupError, TypeError, AttributeError) as error:
            raise UserError(
                f"{self._address(folder)}/dumpstatus.json: expected jobs.{TABLE} ({error!r:.200})"
            ) from error
        address = self._address(f"{folder}/{name}")
        checksum = f"sha1:{sha1}" if sha1 else ""
        return [Published(wiki, date, PAGE_PROPS, name, address, checksum)]


def wiki_name(language: str) -> str:
    """Return the name of a language's Wikipedia in the dumps: `dawiki` for da and dan."""
    code = SHORT.get(language, language.replace("_", "-"))
    return NAMES.get(code, code).replace("-", "_") + "wiki"


def write(path: str | Path, files: Iterable[Published]) -> None:
    """Write which files were found."""
    with atomic_file(path) as temporary:
        write_json(temporary, [file._asdict() for file in files])


def read(path: str | Path) -> list[Published]:
    """Read what `write` wrote; UserError if it has been changed to something else."""
    try:
        return [Published(**fields) for fields in json.loads(Path(path).read_text("utf-8"))]
    except (ValueError, TypeError) as error:
        raise UserError(f"{path}: {error}; remove it, and the next run looks anew") from error
