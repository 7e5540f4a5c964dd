"""Reads the pages of a CirrusSearch index one by one: two JSON lines per record, plain text."""

import json
import re
from collections.abc import Iterator
from typing import Any, BinaryIO

from cr5.base.compressed import TruncatedError, renewal
from cr5.base.errors import UserError
from cr5.base.lines import bounded
from cr5.corpora.wikimedia.pages import WIKITEXT, Page, after, checked_id

QID = re.compile(r"Q[1-9][0-9]*", re.ASCII)
UNSTORABLE = re.compile("[\0\ud800-\udfff]")  # possible in JSON, but not in UTF-8


def cirrus_pages(stream: BinaryIO, where: str) -> Iterator[Page]:
    """Pages of an index, which contains no redirects.

    A lone surrogate or a NUL, which cannot be stored, becomes U+FFFD.

    Args:
        stream: the index from its beginning.
        where: the file's name, for messages.

    Raises:
        TruncatedError: the last record is incomplete; all others have been yielded.
        UserError: with the line: not JSON, or not such a record.
    """
    done = 0
    title = ""
    try:
        for number, (head, record) in _records(stream, where):
            page = _cirrus_page(head, record, f"{where}, line {number}")
            yield page
            done, title = done + 1, page.title
    except TruncatedError as error:
        raise after(error, done, title) from error
    if not done:
        raise UserError(f"{where}: no record in it; expected a CirrusSearch index")


def known_qid(value: Any) -> str | None:
    """Return a Q-id as it is; None for anything else."""
    return value if isinstance(value, str) and QID.fullmatch(value) else None


def _records(stream: BinaryIO, where: str) -> Iterator[tuple[int, tuple[Any, Any]]]:
    """The number of a record's second line, and both lines."""
    head = None
    for number, line in enumerate(bounded(stream, where), start=1):
        if not line.strip():
            continue
        try:
            value = json.loads(line)
        except (ValueError, RecursionError) as error:
            if not line.endswith(b"\n"):
                raise _cut_off(where) from error
            raise UserError(
                f"{where}, line {number}: not JSON ({error}); the file is damaged: {renewal(where)}"
            ) from error
        if head is None:
            head = value
        else:
            yield number, (head, value)
            head = None
    if head is not None:
        raise _cut_off(where)


def _cut_off(where: str) -> TruncatedError:
    return TruncatedError(f"{where}: the last record is incomplete: {renewal(where)}")


def _cirrus_page(head: Any, record: Any, where: str) -> Page:
    try:
        identifier = record.get("page_id") or head["index"]["_id"]
        return Page(
            checked_id(int(identifier)),
            UNSTORABLE.sub("\ufffd", record["title"]),
            int(record["namespace"]),
            False,
            record.get("content_model") or WIKITEXT,
            UNSTORABLE.sub("\ufffd", record.get("text") or ""),
            known_qid(record.get("wikibase_item")),
        )
    except (AttributeError, LookupError, TypeError, ValueError, OverflowError) as error:
        raise UserError(
            f"{where}: not a record of a CirrusSearch index ({error!r}); expected an object with "
            "page_id, title, namespace and text, after a line with the page's id"
        ) from error
