"""Reads the pages of cleaned Wikipedias in Parquet one by one: plain text, already without markup.

Known are the columns of FineWiki (`page_id`, `title`, `text`, `wikidata_id`) and of Hugging Face's
`wikimedia/wikipedia` (`id`, `title`, `text`). Both have articles only.
"""

import os
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path
from typing import BinaryIO

from cr5.base.errors import UserError
from cr5.corpora.fetch.pins import Pin
from cr5.corpora.formats import arrow
from cr5.corpora.formats.rows import Row
from cr5.corpora.wikimedia.pages import WIKITEXT, Page, checked_id
from cr5.corpora.wikimedia.search_index import known_qid

PARQUET = "parquet"
COLUMNS = ("page_id", "id", "title", "text", "wikidata_id")


def parquet_pages(stream: BinaryIO, where: str) -> Iterator[Page]:
    """Pages of a file; memory holds a group of its rows.

    Args:
        stream: the file.
        where: its name, for messages.

    Raises:
        UserError: not a whole Parquet file, or a row is no such page.
    """
    for place, fields in arrow.parquet(Path(where), COLUMNS, stream):
        row = Row(place, fields)
        number = row.name("page_id" if "page_id" in fields else "id")
        try:
            page_id = checked_id(int(number))
        except ValueError as error:
            raise UserError(
                f"{place}: the page id {number!r:.40}; expected an integer in `page_id` or `id`"
            ) from error
        qid = known_qid(fields.get("wikidata_id"))
        yield Page(page_id, row.text("title"), 0, False, WIKITEXT, row.text("text"), qid)


def parquet_pins(wiki: str, pattern: str) -> list[Pin]:
    """Find the files of a wiki, dated by when they were written.

    Args:
        wiki: such as dawiki.
        pattern: path with {wiki} in it, and * for any part of a name.

    Raises:
        UserError: there is no such file, or no pattern.
    """
    path = Path(pattern.replace("{wiki}", wiki)).absolute()
    paths = sorted(Path(path.anchor).glob(str(path.relative_to(path.anchor))))
    if "{wiki}" not in pattern or not paths:
        raise UserError(
            f"corpus.texts: {pattern!r} names no file of {wiki}; expected the path of its cleaned "
            "text, such as finewiki/data/{wiki}/*.parquet"
        )
    return [_pin(wiki, path, path.stat()) for path in paths]


def _pin(wiki: str, path: Path, about: os.stat_result) -> Pin:
    date = datetime.fromtimestamp(about.st_mtime, UTC).date().isoformat()
    return Pin(wiki, PARQUET, date, "text", path.name, str(path), about.st_size)
