"""Your own documents in columns: one file per language, tab-separated, one document per line.

    index_id	category	text
    548	sports	Due to the change of distance ...

The first line names the columns. One has the concept, shared by documents of different languages
about the same thing, one has the text; all others are ignored. UTF-8, plain or compressed (gzip,
xz, bzip2).
"""

from collections.abc import Iterator
from pathlib import Path

from cr5.base import json_lines
from cr5.base.columns import read_columns
from cr5.base.errors import UserError
from cr5.counts.documents import Record


def records(path: str | Path, language: str, concept: str, text: str) -> Iterator[Record]:
    """Read the documents of one language, line by line.

    Args:
        path: of the file.
        language: for messages only.
        concept: name of the column with the concepts.
        text: name of the column with the texts.

    Yields:
        (concept, title, text) per document, the concept stripped and in NFC; it is also the title.

    Raises:
        UserError: with file and line: unreadable, of another layout, no such column, no concept, a
            repeated concept, no documents.
    """
    if not Path(path).is_file():
        raise UserError(
            f"{path}: no such file; it should hold the documents of language {language!r}: "
            "correct `corpus.path` or `corpus.codes`, or add the file"
        )
    first_line: dict[str, str] = {}
    for where, (found, content) in read_columns(path, [concept, text]):
        name = json_lines.name(concept, found, where)
        if name in first_line:
            raise UserError(
                f"{where}: the {concept} {name!r} was already on {first_line[name]}; give each "
                "document its own"
            )
        first_line[name] = where.rpartition(", ")[2]
        yield name, name, json_lines.text(text, content, where)
    if not first_line:
        raise UserError(f"{path}: no document for language {language!r}; expected a line for each")
