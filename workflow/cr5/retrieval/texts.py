"""Embedded texts of one language."""

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from functools import cached_property

import numpy as np
import pyarrow as pa
from scipy import sparse

from cr5.base.rows import Rows, gathered, stacked

HUBNESS = "hubness "  # begins the names of columns
STRINGS = ("id", "title", "text")


@dataclass(frozen=True, eq=False)
class TextData:
    """What is kept of n texts.

    Attributes:
        table: a row for each: id, title, text; known, whether the model has learned a word of it,
            as others are never found; of models that keep training documents `hubness LANGUAGE`,
            r(y) of CSLS by these.
        rows: the embedded texts, n x r, float32.
        words: weights of words for a second stage (`search.word_matches`), n x vocabulary; None of
            models without one.
    """

    table: pa.Table
    rows: Rows
    words: sparse.csr_matrix | None = None

    def __len__(self) -> int:
        """Return the number of texts."""
        return self.table.num_rows

    @property
    def ids(self) -> list[str]:
        """The id of each."""
        return self.table["id"].to_pylist()

    @cached_property
    def known(self) -> np.ndarray:
        """Which can be found, (n,) bool."""
        return numbers(self.table["known"].cast(pa.uint8())).astype(bool)

    @property
    def unknown_ids(self) -> list[str]:
        """The ids of texts that are never found."""
        return self.table["id"].filter(pa.array(~self.known)).to_pylist()

    @cached_property
    def barred(self) -> np.ndarray | None:
        """The penalty that excludes texts from a search, (n,) float32; None if all are known."""
        if self.known.all():
            return None
        return np.where(self.known, 0, np.inf).astype(np.float32)

    def hubness(self, language: str) -> np.ndarray | None:
        """Return r(y) of each text for queries of a language, (n,) float32; None if not known."""
        name = HUBNESS + language
        if name not in self.table.column_names:
            return None
        return numbers(self.table[name])

    def of(self, is_wanted: np.ndarray) -> "TextData":
        """Return some of the texts, by an (n,) bool."""
        table = self.table.filter(pa.array(is_wanted)).combine_chunks()
        words = None
        if self.words is not None:
            words = self.words[is_wanted]
        return TextData(table, self.rows[is_wanted], words)


def _no_check() -> None:
    """Check nothing, of texts that no file has."""


@dataclass(frozen=True, eq=False)
class Texts:
    """Texts in the order in which they were added; what is kept of them is read when first used.

    Attributes:
        read: returns what is kept.
        check: raises UserError if the files that have it are not as they were written, of which a
            search compares the sizes only, as reading them takes longer than it.
    """

    read: Callable[[], TextData]
    check: Callable[[], None] = _no_check

    def __len__(self) -> int:
        """Return the number of texts."""
        return len(self.data)

    @cached_property
    def data(self) -> TextData:
        """All that is kept."""
        return self.read()

    @cached_property
    def checked(self) -> TextData:
        """The same, for a copy: UserError if its files are not as they were written."""
        self.check()
        return self.data

    def without(self, ids: Iterable[str]) -> "Texts":
        """Return all but those with these ids; UserError if their files are damaged."""
        removed = set(ids)
        is_left = np.array([text_id not in removed for text_id in self.checked.ids], bool)
        return held(self.checked.of(is_left))


def held(data: TextData) -> Texts:
    """Return texts that are in memory."""
    return Texts(lambda: data)


def numbers(column: pa.ChunkedArray) -> np.ndarray:
    """Return numbers of a table; its `to_numpy` would import pandas, where that is installed."""
    chunks = [np.from_dlpack(chunk) for chunk in column.chunks]
    return np.concatenate(chunks)


def joined(parts: list[TextData]) -> TextData:
    """Return all texts of the parts in one piece, and empty the list.

    A part is let go when its rows are copied: those of a million texts alone take a gigabyte.
    """
    if len(parts) == 1:
        return parts.pop()
    table = pa.concat_tables([part.table for part in parts]).combine_chunks()
    words = None
    if parts[0].words is not None:
        words = stacked([part.words for part in parts])
    rows = gathered(_rows_taken_from(parts), len(table))
    return TextData(table, rows, words)


def _rows_taken_from(parts: list[TextData]) -> Iterator[Rows]:
    while parts:
        yield parts.pop(0).rows
