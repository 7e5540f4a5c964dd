"""Texts without the words that begin with a capital letter: mostly names.

Names are spelled the same in many languages; without them, what other words contribute shows.
"""

from collections.abc import Iterable, Iterator

import regex

from cr5.counts.documents import Record

CAPITALISED = regex.compile(r"(?<![\p{L}\p{M}])[\p{Lu}\p{Lt}][\p{L}\p{M}]*")


def without(records: Iterable[Record]) -> Iterator[Record]:
    """Yield the documents with these words of their texts blanked; titles are kept."""
    for concept, title, text in records:
        yield concept, title, CAPITALISED.sub(" ", text)
