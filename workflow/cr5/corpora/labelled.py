"""Labelled documents with an id, a label and a text, in any format of `formats.rows`.

{"concept": "Q64", "category": "geography", "text": "Berlin is the capital of ..."}

index_id	category	text
548	sports	Due to the change of distance ...
"""

from collections.abc import Iterator
from pathlib import Path

from cr5.base.errors import UserError
from cr5.corpora.formats.rows import named, rows


def records(
    path: str | Path, identity: str, label: str, text: str | None = None
) -> Iterator[tuple[str, str, str]]:
    """Read the documents of a file.

    Args:
        path: of the file.
        identity: name of the column or key with the ids.
        label: likewise for the labels.
        text: likewise for the texts; None if only the labels are wanted.

    Yields:
        (id, text, label) per document, id and label stripped and in NFC.

    Raises:
        UserError: with file and line: unreadable, in no known format, a missing column or key, no
            id or label, a repeated id, or no documents.
    """
    found = rows(path, [identity, label, *([text] if text else [])])
    remedy = "a document has one label: remove one of them"
    is_empty = True
    for name, row in named(found, identity, remedy):
        is_empty = False
        yield name, row.text(text) if text else "", row.name(label)
    if is_empty:
        raise UserError(f"{path}: no document; expected a row for each")
