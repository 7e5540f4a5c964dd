"""Your own documents: one file per language, one JSON object per line.

    {"concept": "Q64", "title": "Berlin", "text": "Berlin is the capital of Germany ..."}

Documents of different languages about the same thing have the same `concept`, compared without
surrounding white space and in Unicode NFC. `title` is optional; other keys are ignored. UTF-8,
plain or compressed (gzip, xz, bzip2).
"""

import logging
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from cr5.base import json_lines
from cr5.base.compressed import TruncatedError, open_stream
from cr5.base.errors import UserError
from cr5.base.lines import bounded
from cr5.counts.documents import Record

log = logging.getLogger(__name__)

KEYS = ("concept", "text")
PROGRESS = 100_000  # documents


def records(path: str | Path, language: str) -> Iterator[Record]:
    """Read the documents of one language, line by line.

    In titles and texts a lone surrogate or a NUL becomes U+FFFD, which no tokeniser treats as a
    letter; in a concept it is an error.

    Args:
        path: of the file; compression is detected from its content.
        language: for messages only.

    Yields:
        (concept, title, text) per document, the concept stripped and in NFC; the title defaults to
        the concept.

    Raises:
        UserError: with file and line: unreadable, not UTF-8, not JSON, a key missing or of the
            wrong type, a repeated concept, no documents.
    """
    path = Path(path)
    if not path.is_file():
        raise UserError(
            f"{path}: no such file; it should hold the documents of language {language!r}: "
            "correct `corpus.path` or add the file"
        )
    first_line: dict[str, int] = {}
    for number, line in _lines(path, language):
        where = f"{path}, line {number}"
        concept, title, text = _record(json_lines.parse(line, where, KEYS), where)
        if concept in first_line:
            raise UserError(
                f"{where}: the concept {concept!r} was already on line {first_line[concept]}; "
                "a language may have one document per concept: join them or remove one"
            )
        first_line[concept] = number
        yield concept, title, text
        if len(first_line) % PROGRESS == 0:
            log.info("%s: %d documents", path, len(first_line))
    if not first_line:
        raise UserError(
            f"{path}: no document for language {language!r}; expected one JSON object a line "
            'with "concept" and "text"'
        )
    log.info("%s: %d documents in all", path, len(first_line))


def _lines(path: Path, language: str) -> Iterator[tuple[int, bytes]]:
    """Non-blank lines, with their numbers from 1."""
    number = 0
    try:
        with open_stream(path) as file:
            for number, line in enumerate(bounded(file, str(path)), start=1):
                if line.strip():
                    yield number, line
    except TruncatedError as error:
        said = f"{error} (language {language!r}; good up to line {number})"
        raise TruncatedError(said) from error


def _record(entry: dict[str, Any], where: str) -> Record:
    for key in KEYS:
        if key not in entry:
            raise UserError(
                f'{where}: the key "{key}" is missing; this object has '
                f"{', '.join(map(repr, entry)) or 'no key'}: add or rename it"
            )
    concept = json_lines.name("concept", entry["concept"], where)
    title = entry.get("title")
    title = "" if title is None else json_lines.text("title", title, where)
    text = json_lines.text("text", entry["text"], where)
    return concept, title if title.strip() else concept, text
