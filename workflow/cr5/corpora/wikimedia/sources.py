"""The files that Wikimedia publishes for a wiki: three layouts, and the table page_props.

- `content`: Content File Exports, monthly, in parts by page id. SHA256SUMS is written last, so a
  date is complete if it names parts and all of them are listed. `_SUCCESS` is not required: the
  exports of 2026-10-01 were complete without one.
- `cirrus`: the search index, weekly, in numbered shards, complete with `_SUCCESS`; no checksums.
- `legacy`: pages-articles, complete if `dumpstatus.json` says so.
- `parquet`: text that others have cleaned, in files of yours.

page_props always comes from the legacy tree. Wikimedia keeps only the last few dates.
"""

import json
import logging
import re
from collections.abc import Callable, Iterable
from dataclasses import replace
from difflib import get_close_matches

from cr5.base.errors import UserError
from cr5.base.limits import DIGITS
from cr5.corpora.fetch.pins import DIGITS as LENGTHS
from cr5.corpora.fetch.pins import Pin, read_pins, write_pins
from cr5.corpora.fetch.remote import Place, place
from cr5.corpora.wikimedia.parquet import PARQUET, parquet_pins
from cr5.corpora.wikimedia.settings import LATEST, Settings, wiki_name

__all__ = ["Pin", "Settings", "location", "pins", "read_pins", "wiki_name", "write_pins"]

log = logging.getLogger(__name__)

CONTENT = "other/mediawiki_content_current"
CIRRUS = "other/cirrus_search_index"
DATE = re.compile(r"(\d{4})-?(\d\d)-?(\d\d)/", re.ASCII)
LAYOUT = "the layout may have changed: look at it, and say so to the authors of this workflow"
NUMBER = rf"([0-9]{{1,{DIGITS}}})"


class IncompleteError(Exception):
    """A date cannot be used, for the reason given."""


def pins(wiki: str, settings: Settings) -> list[Pin]:
    """Find the files of a wiki: its text in page order, then page_props.

    Args:
        wiki: as in the dumps, such as dawiki (see `wiki_name`).
        settings: product, dates, base address; with `pins`, that table is read instead of looking
            files up, and its files are taken from `base` if given.

    Raises:
        UserError: no such wiki, no complete date, an unknown layout, an unreadable listing, a
            server that does not answer.
    """
    if settings.pins:
        return _pinned(wiki, settings)
    layouts = {
        "content": (f"{CONTENT}/{wiki}", _content),
        "cirrus": (CIRRUS, _cirrus),
        "legacy": (wiki, _articles),
    }
    with place(settings) as where:
        if settings.product == PARQUET:
            text = parquet_pins(wiki, settings.texts)
        else:
            folder, find = layouts[settings.product]
            text = _chosen(where, folder, wiki, settings.date, find)
        table = _chosen(where, wiki, wiki, settings.sql_date, _page_props)
    for files in (text, table):
        log.info("%s: %s of %s, %d files", wiki, files[0].role, files[0].date, len(files))
    return _at(where, text + table)


def _at(where: Place, found: Iterable[Pin]) -> list[Pin]:
    """Files at an address; cleaned text stays where it is."""
    return [
        pin if pin.product == PARQUET else replace(pin, url=where.address(location(pin)))
        for pin in found
    ]


def location(pin: Pin) -> str:
    """Return the path of a file below the base address, as on Wikimedia and its mirrors."""
    compact = pin.date.replace("-", "")
    if pin.product == "content":
        return f"{CONTENT}/{pin.wiki}/{pin.date}/xml/bzip2/{pin.name}"
    if pin.product == "cirrus":
        return f"{CIRRUS}/{compact}/index_name={pin.wiki}_content/{pin.name}"
    return f"{pin.wiki}/{compact}/{pin.name}"


def _pinned(wiki: str, settings: Settings) -> list[Pin]:
    table = read_pins(settings.pins)
    found = [pin for pin in table if pin.wiki == wiki]
    if {pin.role for pin in found} != {"text", "page_props"}:
        raise UserError(
            f"{settings.pins}: expected files with role text and page_props for {wiki}, found "
            f"{len(found)} files; the table is about {', '.join(sorted({p.wiki for p in table}))}: "
            "use another table, or leave out `corpus.pins`"
        )
    if not settings.base:
        return found
    with place(settings) as where:
        return _at(where, found)


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
        "one is finished, choose another date, or another `corpus.product`"
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
    pattern = re.compile(r"(?:index_name=)?(\w+wiki)(?:_content)?/")
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
        Pin(wiki, "content", date, "text", name, "", names[name], "sha256", digits)
        for digits, name, _ in sorted(found, key=lambda entry: int(entry[2]))
    ]


def _cirrus(where: Place, wiki: str, date: str) -> list[Pin]:
    parent = f"{CIRRUS}/{date.replace('-', '')}"
    folder = f"{parent}/index_name={wiki}_content"
    names = where.listing(folder)
    if names is None:
        others = where.listing(parent) or {}
        raise IncompleteError(_others(others, wiki) or f"no wiki at all, only {_some(others)}")
    if "_SUCCESS" not in names:
        raise IncompleteError("no _SUCCESS")
    shard = re.compile(rf"{wiki}_content-{date.replace('-', '')}-{NUMBER}\.json\.(?:bz2|gz)")
    found = sorted((int(m[1]), name) for name in names if (m := shard.fullmatch(name)))
    if not found:
        raise UserError(
            f"{where.address(folder)}: expected shards like {wiki}_content-"
            f"{date.replace('-', '')}-00000.json.bz2, found {_some(names)}; {LAYOUT}"
        )
    if [number for number, _ in found] != list(range(len(found))):
        raise IncompleteError(f"{len(found)} shards, but not numbered 0 to {len(found) - 1}")
    return [Pin(wiki, "cirrus", date, "text", name, "", names[name]) for _, name in found]


def _articles(where: Place, wiki: str, date: str) -> list[Pin]:
    pattern = rf"{wiki}-\d+-pages-articles\d*\.xml(?:-p{NUMBER}p\d+)?\.bz2"
    return _job(where, wiki, date, "articlesdump", "text", pattern)


def _page_props(where: Place, wiki: str, date: str) -> list[Pin]:
    return _job(
        where, wiki, date, "pagepropstable", "page_props", rf"{wiki}-\d+-page_props\.sql\.gz()"
    )


def _job(where: Place, wiki: str, date: str, job: str, role: str, pattern: str) -> list[Pin]:
    """The files of one job of the legacy dumps, ordered by first page."""
    folder = f"{wiki}/{date.replace('-', '')}"
    files = _published(where, f"{folder}/dumpstatus.json", job)
    found = [(m, entry) for name, entry in files.items() if (m := re.fullmatch(pattern, name))]
    if not found:
        raise UserError(
            f"{where.address(folder)}/dumpstatus.json: job {job} has no file like {pattern}, "
            f"only {_some(files)}; {LAYOUT}"
        )
    sums: dict[str, str] = {}
    if not all(entry.get("sha1") for _, entry in found):  # as on some mirrors
        text = where.text(f"{folder}/{wiki}-{date.replace('-', '')}-sha1sums.txt") or ""
        sums = {name: digits for digits, _, name in (x.partition("  ") for x in text.split("\n"))}
    found.sort(key=lambda item: int(item[0][1] or 0))
    about = wiki, "legacy", date, role
    return [
        Pin(*about, m[0], "", entry.get("size"), *_checksum(entry, sums, m[0]))
        for m, entry in found
    ]


def _published(where: Place, path: str, job: str) -> dict[str, dict]:
    """Read the files that a job of the legacy dumps has made, with size, sha1 and md5.

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
