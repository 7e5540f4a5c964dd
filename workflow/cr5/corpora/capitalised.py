"""Texts without the words that begin with a capital letter: mostly names.

Names are spelled the same in many languages; without them what is learnt of other words shows.
"""

from collections.abc import Iterable, Iterator

import regex

from cr5.counts.documents import Record

CAPITALISED = regex.compile(r"(?<![\p{L}\p{M}])[\p{Lu}\p{Lt}][\p{L}\p{M}]*")


def without(records: Iterable[Record]) -> Iterator[Record]:
    """Give the documents with a blank for each such word of their texts; titles stay."""
    for concept, title, text in records:
        yield concept, title, CAPITALISED.sub(" ", text)
