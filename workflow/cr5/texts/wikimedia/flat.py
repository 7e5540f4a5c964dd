"""Dumps that lie in one folder, as people fetch them one by one: pages-articles and page_props.

Of a wiki there may be several dates, and of a date the articles in one file or in parts by page id,
with an index of streams (multistream) or without: the same articles, of which one set is read.
"""

import re
from dataclasses import dataclass
from pathlib import Path

from cr5.base.errors import UserError

DUMP = re.compile(
    r"(?P<wiki>\w+)-(?P<date>\d{8}|latest)-"
    r"(?P<kind>page_props|pages-articles(?:-multistream)?)"
    r"(?:\.sql\.gz|\.xml\.bz2|\d+\.xml-p(?P<first>\d+)p(?P<last>\d+)\.bz2)",
    re.ASCII,
)
TABLE = "page_props"
ARTICLES = ("pages-articles", "pages-articles-multistream")  # the first that is there is read
SUMS = "{wiki}-{date}-sha1sums.txt"
NAMES = "{wiki}-YYYYMMDD-pages-articles.xml.bz2 and {wiki}-YYYYMMDD-page_props.sql.gz"


@dataclass(frozen=True)
class Dump:
    """One file of a wiki."""

    path: Path
    date: str  # YYYYMMDD or latest, as in its name
    kind: str
    first_page: int  # 0 of a file that is whole
    last_page: int

    @property
    def day(self) -> str:
        """The date as YYYY-MM-DD."""
        digits = self.date
        return f"{digits[:4]}-{digits[4:6]}-{digits[6:]}" if digits.isdecimal() else digits

    @property
    def checksum(self) -> str:
        """What the list of checksums beside it says, `sha1:` and digits; empty without a list."""
        wiki = self.path.name.partition("-")[0]
        listed = self.path.with_name(SUMS.format(wiki=wiki, date=self.date))
        if not listed.is_file():
            return ""
        for line in listed.read_text(encoding="utf-8", errors="replace").splitlines():
            digits, _, name = line.partition("  ")
            if name == self.path.name:
                return f"sha1:{digits}"
        return ""


def dumps_in(folder: Path, wiki: str) -> list[Dump]:
    """Return the dumps of a wiki that lie in a folder, in the order of their names."""
    dumps = []
    for path in sorted(folder.iterdir()) if folder.is_dir() else ():
        named = DUMP.fullmatch(path.name)
        if named and named["wiki"] == wiki:
            first = int(named["first"] or 0)
            last = int(named["last"] or 0)
            dumps.append(Dump(path, named["date"], named["kind"], first, last))
    return dumps


def articles(dumps: list[Dump], wanted: str) -> list[Dump]:
    """Return the files of the articles of a date in page order; `latest` is the newest one.

    UserError: a part is missing between two others. That the last one is missing cannot be seen.
    """
    for kind in ARTICLES:
        files = _of_date([dump for dump in dumps if dump.kind == kind], wanted)
        if files:
            whole = [dump for dump in files if not dump.first_page]
            return whole or _in_order(files)
    return []


def table(dumps: list[Dump], wanted: str) -> list[Dump]:
    """Return the table page_props of a date, if it is there; `latest` is the newest one."""
    return _of_date([dump for dump in dumps if dump.kind == TABLE], wanted)


def _of_date(dumps: list[Dump], wanted: str) -> list[Dump]:
    """Return the dumps of a date, YYYY-MM-DD, or of the newest one; files may say `latest`, too."""
    days = {dump.day for dump in dumps}
    newest = max(days, default="")  # letters stand behind digits
    day = newest if wanted == "latest" else wanted
    return [dump for dump in dumps if dump.day == day]


def _in_order(parts: list[Dump]) -> list[Dump]:
    in_order = sorted(parts, key=lambda part: part.first_page)
    next_page = 1
    for part in in_order:
        if part.first_page != next_page:
            raise UserError(
                f"{part.path}: begins with page {part.first_page}, and no part beside it has the "
                f"pages from {next_page} on: copy all parts of that date"
            )
        next_page = part.last_page + 1
    return in_order
