"""The files that Wikimedia publishes for a wiki: its text, and the table page_props.

The text is that of Content File Exports, monthly, in parts by page id. SHA256SUMS is written last,
so a date is complete if it names parts and all of them are listed. `_SUCCESS` is not required: the
exports of 2026-10-01 were complete without one. page_props comes from another tree, complete if
`dumpstatus.json` says so. Wikimedia keeps only the last few dates.
"""

import json
import logging
import re
from collections.abc import Callable, Iterable
from dataclasses import replace
from difflib import get_close_matches

from cr5.base.errors import UserError
from cr5.corpora.fetch.pins import DIGITS as LENGTHS
from cr5.corpora.fetch.pins import PAGE_PROPS, TEXT, Pin, read_pins, write_pins
from cr5.corpora.fetch.remote import Place, place
from cr5.corpora.wikimedia.settings import LATEST, Settings, wiki_name

__all__ = ["Pin", "Settings", "location", "pins", "read_pins", "wiki_name", "write_pins"]

log = logging.getLogger(__name__)

CONTENT = "other/mediawiki_content_current"
TABLE = "pagepropstable"  # the job that makes it
DATE = re.compile(r"(\d{4})-?(\d\d)-?(\d\d)/", re.ASCII)
LAYOUT = "the layout may have changed: look at it, and say so to the authors of this workflow"
NUMBER = r"([0-9]{1,18})"


class IncompleteError(Exception):
    """A date cannot be used, for the reason given."""


def pins(wiki: str, settings: Settings) -> list[Pin]:
    """Find the files of a wiki: its text in page order, then page_props.

    Args:
        wiki: as in the dumps, such as dawiki (see `wiki_name`).
        settings: dates, base address.

    Raises:
        UserError: no such wiki, no complete date, an unknown layout, an unreadable listing, a
            server that does not answer.
    """
    with place(settings) as where:
        text = _chosen(where, f"{CONTENT}/{wiki}", wiki, settings.date, _content)
        table = _chosen(where, wiki, wiki, settings.sql_date, _page_props)
    for files in (text, table):
        log.info("%s: %s of %s, %d files", wiki, files[0].role, files[0].date, len(files))
    return [replace(pin, url=where.address(location(pin))) for pin in text + table]


def location(pin: Pin) -> str:
    """Return the path of a file below the base address, as on Wikimedia and its mirrors."""
    if pin.role == TEXT:
        return f"{CONTENT}/{pin.wiki}/{pin.date}/xml/bzip2/{pin.name}"
    return f"{pin.wiki}/{pin.date.replace('-', '')}/{pin.name}"


def _chosen(
    where: Place,
    folder: str,
    wiki: str,
    date: str,
    find: Callable[[Place, str, str], list[Pin]],
) -> list[Pin]:
    """The files of the newest complete date, or of the requested date."""
    dates = _dates(where, folder, wiki)
    if date not in (LATEST, *dates):
        raise UserError(
            f"{where.address(folder)}: there is nothing of {date}, only of {', '.join(dates)}; "
            "dumps are kept for some weeks or months: choose one of these dates (`corpus.date`, "
            "`corpus.sql_date`) or `latest`"
        )
    reasons = []
    for candidate in dates if date == LATEST else [date]:
        try:
            return find(where, wiki, candidate)
        except IncompleteError as reason:
            log.warning("%s of %s cannot be used: %s", wiki, candidate, reason)
            reasons.append(f"{candidate} ({reason})")
    raise UserError(
        f"{where.address(folder)}: no complete date for {wiki}: {', '.join(reasons)}; wait until "
        "one is finished, or choose another date"
    )


def _dates(where: Place, folder: str, wiki: str) -> list[str]:
    """Dates in a folder, as YYYY-MM-DD, newest first."""
    names = where.listing(folder)
    if names is None:
        raise _no_folder(where, folder, wiki)
    found = {"-".join(match.groups()) for name in names if (match := DATE.fullmatch(name))}
    if not found:
        raise UserError(
            f"{where.address(folder)}: expected folders named by date, found "
            f"{_some(names)}; {LAYOUT}"
        )
    return sorted(found, reverse=True)


def _no_folder(where: Place, folder: str, wiki: str) -> UserError:
    """Return an error that names the wikis that exist instead, if any."""
    try:
        names = where.listing(folder.rpartition("/")[0]) or {}
    except UserError:  # Wikimedia's front page is not a listing
        names = {}
    return UserError(
        f"{where.address(folder)}: there is no such folder; beside it is "
        f"{_others(names, wiki) or _some(names)}. Correct `languages` or `corpus.base`; if they "
        f"are right, {LAYOUT}"
    )


def _others(names: Iterable[str], wiki: str) -> str | None:
    """Wikis that exist instead of the one requested; None if there are none."""
    pattern = re.compile(r"(\w+wiki)/")
    known = sorted(match[1] for name in names if (match := pattern.fullmatch(name)))
    if not known:
        return None
    near = get_close_matches(wiki, known)
    return f"no {wiki} among {len(known)} wikis, such as {', '.join(near or known[:5])}"


def _content(where: Place, wiki: str, date: str) -> list[Pin]:
    folder = f"{CONTENT}/{wiki}/{date}/xml/bzip2"
    names, sums = where.listing(folder), where.text(f"{folder}/SHA256SUMS")
    if names is None or sums is None:
        raise IncompleteError("no SHA256SUMS, which is written last")
    if "_SUCCESS" not in names:
        log.info("%s of %s has no _SUCCESS; SHA256SUMS and the parts are there", wiki, date)
    part = re.compile(rf"([0-9a-f]{{64}}) [ *](?:\S*/)?({wiki}-{date}-p{NUMBER}p\d+\.xml\.bz2)")
    found = [match.groups() for line in sums.splitlines() if (match := part.fullmatch(line))]
    if not found:
        raise UserError(
            f"{where.address(folder)}/SHA256SUMS: expected lines like {'0' * 8}...  "
            f"{wiki}-{date}-p1p99.xml.bz2, found {sums[:200]!r}; {LAYOUT}"
        )
    if absent := [name for _, name, _ in found if name not in names]:
        raise IncompleteError(f"{_some(absent)} in SHA256SUMS but not in the listing")
    return [
        Pin(wiki, date, TEXT, name, "", names[name], "sha256", digits)
        for digits, name, _ in sorted(found, key=lambda entry: int(entry[2]))
    ]


def _page_props(where: Place, wiki: str, date: str) -> list[Pin]:
    compact = date.replace("-", "")
    folder, name = f"{wiki}/{compact}", f"{wiki}-{compact}-page_props.sql.gz"
    files = _published(where, f"{folder}/dumpstatus.json", TABLE)
    if name not in files:
        raise UserError(
            f"{where.address(folder)}/dumpstatus.json: job {TABLE} has no file {name}, only "
            f"{_some(files)}; {LAYOUT}"
        )
    entry, sums = files[name], {}
    if not entry["sha1"]:  # as on some mirrors
        text = where.text(f"{folder}/{wiki}-{compact}-sha1sums.txt") or ""
        sums = {name: digits for digits, _, name in (x.partition("  ") for x in text.split("\n"))}
    return [Pin(wiki, date, PAGE_PROPS, name, "", entry["size"], *_checksum(entry, sums, name))]


def _published(where: Place, path: str, job: str) -> dict[str, dict]:
    """Read the files that a job has made, with size, sha1 and md5.

    Raises:
        IncompleteError: the job is not done.
        UserError: the status has another layout.
    """
    text = where.text(path)
    if text is None:
        raise IncompleteError("no dumpstatus.json")
    try:
        jobs = dict(json.loads(text)["jobs"])
        entry = jobs.get(job, {"status": f"not among {_some(jobs)}"})
        status, files = entry["status"], entry.get("files", {})
        files = {str(name): _of_file(about) for name, about in files.items()}
    except (ValueError, LookupError, TypeError, AttributeError, RecursionError) as error:
        raise UserError(
            f"{where.address(path)}: expected JSON with jobs.{job}.status, "
            f"got {text[:200]!r} ({type(error).__name__}: {error}); {LAYOUT}"
        ) from error
    if status != "done":
        raise IncompleteError(f"{job} is {status!r}")
    return files


def _of_file(about: dict) -> dict:
    """Size and checksums of a file, without its other properties."""
    size, sums = about.get("size"), {kind: about.get(kind) or "" for kind in ("sha1", "md5")}
    if size is not None and not (type(size) is int and size >= 0):
        raise ValueError(f"the size {size!r:.40}")
    for kind, found in sums.items():
        if found and not re.fullmatch(f"[0-9a-f]{{{LENGTHS[kind]}}}", found):
            raise ValueError(f"the {kind} {found!r:.60}")
    return {"size": size, **sums}


def _checksum(entry: dict, sums: dict[str, str], name: str) -> tuple[str, str]:
    """Return kind and digits of a file's best checksum, from its entry or a list of sha1."""
    if checksum := entry.get("sha1") or sums.get(name):
        return "sha1", checksum
    return ("md5", entry["md5"]) if entry.get("md5") else ("", "")


def _some(names: Iterable[str]) -> str:
    """Name the first few, for messages."""
    names = list(names)
    return (
        ", ".join(names[:5]) + (f" and {len(names) - 5} more" if len(names) > 5 else "")
        or "nothing"
    )
