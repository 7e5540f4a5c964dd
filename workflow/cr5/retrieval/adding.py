"""Texts that come one after the other are checked, and embedded some at a time."""

from collections.abc import Iterable, Iterator, Sequence, Sized
from dataclasses import dataclass, field
from itertools import repeat

import numpy as np
import pyarrow as pa

from cr5.base.errors import UserError
from cr5.base.rows import Rows, check_norm
from cr5.base.text_files import checked_name
from cr5.models.bank import neighbours
from cr5.retrieval.arguments import BATCH, bar, each_string, several, threads_of, whole_number
from cr5.retrieval.base_embedder import BaseEmbedder
from cr5.retrieval.texts import HUBNESS, STRINGS, TextData
from cr5.search.measures import measure_named
from cr5.search.nearest import mean_top_k

PART = 1 << 16  # texts embedded at a time: vectors of words are converted once for all of them
CHARACTERS = 1 << 24  # that texts which are embedded at a time may have together


@dataclass(frozen=True)
class Part:
    """Some texts, checked: as many of each."""

    ids: list[str] = field(default_factory=list)
    titles: list[str] = field(default_factory=list)
    contents: list[str] = field(default_factory=list)

    def __len__(self) -> int:
        """Return how many there are."""
        return len(self.ids)


@dataclass(frozen=True)
class NewTexts:
    """Texts of one language that are to be embedded, as a caller gives them: all as many."""

    language: str
    ids: Iterable[str | int]
    contents: Iterable[str]
    titles: Iterable[str] | None = None  # empty ones by default

    def n(self) -> int | None:
        """Return how many there are, None if that is not known; UserError if not as many of all."""
        sizes = {"ids": _size(self.ids), "texts": _size(self.contents)}
        if self.titles is not None:
            sizes["titles"] = _size(self.titles)
        if None in sizes.values():
            return None
        if len(set(sizes.values())) > 1:
            told = ", ".join(f"{size} {role}" for role, size in sizes.items())
            raise UserError(f"{told}: expected as many of each")
        return sizes["texts"]

    def parts(self, size: int) -> Iterator[Part]:
        """Yield them at most so many at a time, fewer if they are long."""
        part = Part()
        n_characters = 0
        for text_id, title, content in self._rows():
            part.ids.append(text_id)
            part.titles.append(title)
            part.contents.append(content)
            n_characters += len(content)
            if len(part) == size or n_characters >= CHARACTERS:
                yield part
                part = Part()
                n_characters = 0
        if part:
            yield part

    def _rows(self) -> Iterator[tuple[str, str, str]]:
        contents = each_string(self.contents)
        titles: Iterator[str] = repeat("")
        if self.titles is not None:
            titles = each_string(self.titles, "title")
        for text_id in several("ids", self.ids):
            name = checked_name("id", text_id, "texts to add")
            content = next(contents, None)
            title = next(titles, None)
            if content is None or title is None:
                raise UserError("there are more ids than texts or titles: expected as many")
            yield name, title, content
        if next(contents, None) is not None or next(titles, "") != "":
            raise UserError("there are fewer ids than texts or titles: expected as many")


def _size(values: Iterable) -> int | None:
    """Return how many strings there are, one if it is one; None if nobody knows before the end."""
    if isinstance(values, str):
        return 1
    if isinstance(values, Sized):
        return len(values)
    return None


def embedded(
    model: BaseEmbedder,
    new: NewTexts,
    batch_size: int | None = None,
    threads: int | None = None,
    show_progress_bar: bool = False,
) -> Iterator[TextData]:
    """Yield texts, embedded some at a time; UserError if there are none.

    By default as many as a `PART`, or where an encoder takes most of the time as a `BATCH`.
    """
    if batch_size is None:
        has_encoder = model.model.reads_texts or model.model.reads_both
        batch_size = BATCH if has_encoder else PART
    size = whole_number("batch_size", batch_size)
    n_threads = threads_of(threads)
    n_texts = new.n()
    parts = new.parts(size)
    if show_progress_bar:
        parts = _shown(parts, n_texts, new.language)
    n_embedded = 0
    for part in parts:
        n_embedded += len(part)
        yield _embedded(model, new.language, part, n_threads)
    if not n_embedded:
        raise UserError("no text is given; give one")


def _shown(parts: Iterable[Part], n: int | None, language: str) -> Iterator[Part]:
    with bar(n, language) as shown:
        for part in parts:
            yield part
            shown.update(len(part))


def _embedded(model: BaseEmbedder, language: str, texts: Part, threads: int) -> TextData:
    """Embed some texts; UserError if rows are not of the norm needed."""
    counts = model.count(texts.contents, language)
    rows = model.model.embed(counts, language, language).astype(np.float32, copy=False)
    check_norm(rows, measure_named(model.model.measures[0]).norm or "none", str(model.place))
    columns = {}
    for name, values in zip(STRINGS, (texts.ids, texts.titles, texts.contents), strict=True):
        columns[name] = pa.array(values, pa.large_string())
    columns["known"] = pa.array(model.knows(counts, rows, language, language))
    columns |= _hubness(model, rows, threads)
    words = None
    if model.model.rerank:
        words = model.model.matched(counts, language).weights
    return TextData(pa.table(columns), rows, words)


def _hubness(model: BaseEmbedder, rows: Rows, threads: int) -> dict[str, pa.Array]:
    """Return r(y) of CSLS, by the training documents of each language, as columns."""
    columns = {}
    for query_language in model.trained_languages:
        near = neighbours(model.model, query_language)
        hubness = mean_top_k(rows, near, model.n_neighbours, threads)
        columns[HUBNESS + query_language] = pa.array(hubness)
    return columns


def add_new(ids: Sequence[str], known_ids: set[str], language: str, n_before: int = 0) -> None:
    """Add ids to those that there are; UserError if one is there already, or twice.

    The error says which text it is, counting the texts of earlier parts.
    """
    new_ids = set(ids)
    if len(new_ids) == len(ids) and known_ids.isdisjoint(new_ids):
        known_ids |= new_ids
        return
    seen = set(known_ids)
    for number, text_id in enumerate(ids, start=n_before + 1):
        if text_id in seen:
            raise UserError(
                f"language {language!r}, text {number}: {text_id!r} exists already or is given "
                "twice; remove it first, or give the new one another id (the command takes "
                "ids from the column that --id names, or from before a tab in each line)"
            )
        seen.add(text_id)
