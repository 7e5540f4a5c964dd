"""The status of the legacy dumps, `dumpstatus.json`."""

import json
import re
from collections.abc import Iterable

from cr5.base.errors import UserError
from cr5.corpora.fetch.pins import DIGITS
from cr5.corpora.fetch.remote import Place

LAYOUT = "the layout may have changed: look at it, and say so to the authors of this workflow"


class IncompleteError(Exception):
    """A date cannot be used, for the reason given."""


def published(where: Place, path: str, job: str) -> dict[str, dict]:
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
        entry = jobs.get(job, {"status": f"not among {some(jobs)}"})
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
        if found and not re.fullmatch(f"[0-9a-f]{{{DIGITS[kind]}}}", found):
            raise ValueError(f"the {kind} {found!r:.60}")
    return {"size": size, **sums}


def checksum(entry: dict, sums: dict[str, str], name: str) -> tuple[str, str]:
    """Return kind and digits of a file's best checksum, from its entry or a list of sha1."""
    if checksum := entry.get("sha1") or sums.get(name):
        return "sha1", checksum
    return ("md5", entry["md5"]) if entry.get("md5") else ("", "")


def some(names: Iterable[str]) -> str:
    """Name the first few, for messages."""
    names = list(names)
    return (
        ", ".join(names[:5]) + (f" and {len(names) - 5} more" if len(names) > 5 else "")
        or "nothing"
    )
