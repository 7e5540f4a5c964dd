"""From texts to the segments of an index; memory holds one segment, not the collection."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import chain, islice
from typing import ClassVar

import numpy as np
from scipy import sparse

from cr5.base.errors import UserError
from cr5.base.rows import check_norm, stacked
from cr5.retrieval.embedder import Embedder
from cr5.retrieval.given import check_kind, identity, several, title
from cr5.retrieval.indexes.segments import Segment
from cr5.search.measures import measure

BATCH = 1024  # texts that are embedded at a time
SEGMENT = 1 << 16  # texts that are held in memory before they are written

Batch = tuple[Sequence[str], sparse.csr_matrix, Sequence[str]]  # ids, counts, titles


@dataclass(frozen=True)
class Added:
    """What `Index.add` did.

    Attributes:
        texts: how many were added.
        unknown: of how many of them the model knows no word: they are never found.
        first: ids of the first of these.
    """

    FIRST: ClassVar[int] = 5

    texts: int
    unknown: int
    first: list[str]


def counted(
    model: Embedder,
    ids: Iterable[str],
    texts: Iterable[str],
    titles: Iterable[str] | None,
    language: str,
) -> Iterator[Batch]:
    """Count the words of texts.

    Raises:
        UserError: there are not as many of each; an id, text or title is none.
    """
    documents = _together(ids, texts, titles)
    while batch := list(islice(documents, BATCH)):
        texts = (check_kind(text, f"text {own!r}") for own, text, _ in batch)
        counts = model.count(texts, language).counts
        yield [x[0] for x in batch], counts, [x[2] for x in batch]


def given_counts(
    ids: Sequence[str], counts: sparse.csr_matrix, titles: Sequence[str] | None
) -> Iterator[Batch]:
    """Cut counts into batches.

    Raises:
        UserError: there are not as many of each; an id or title is none.
    """
    ids = [identity(x) for x in several("ids", ids)]
    titles = [""] * len(ids) if titles is None else list(several("titles", titles))
    if not len(ids) == len(titles) == counts.shape[0]:
        raise UserError(f"{len(ids)} ids, {len(titles)} titles, {counts.shape[0]} texts: not equal")
    for start in range(0, len(ids), BATCH):
        part = slice(start, start + BATCH)
        named = zip(titles[part], ids[part], strict=True)
        yield ids[part], counts[part], [title(*x) for x in named]


def segments_of(model: Embedder, batches: Iterable[Batch], language: str) -> Iterator[Segment]:
    """Embed texts, and gather what one segment takes.

    Raises:
        UserError: the model embeds otherwise than its measures want.
    """
    norm = measure(model.measures[0]).unit or "none"
    gathered: list[tuple] = []
    for ids, counts, titles in batches:
        rows = model.embed_counts(counts, language, language if model.model.directed else None)
        check_norm(rows, norm, str(model.place))
        gathered.append((rows, ids, titles, np.diff(counts.indptr) == 0))
        if sum(len(x[1]) for x in gathered) >= SEGMENT:
            yield _segment(gathered)
            gathered = []
    if gathered:
        yield _segment(gathered)


def check_new(segment: Segment, others: Iterable[Segment], where: str) -> None:
    """Refuse an id that is there already.

    Raises:
        UserError: with the id.
    """
    seen: set[str] = set()
    for each in segment.ids.to_pylist():
        if each in seen:
            raise UserError(f"{where}: the id {each!r} is given twice; give each text its own")
        seen.add(each)
    for other in others:
        twice = other.numbers_of(segment.ids)
        if len(twice):
            raise UserError(
                f"{where}: there is a text {other.ids[int(twice[0])].as_py()!r} already; remove "
                "it first, or give the new one another id"
            )


def _together(ids, texts, titles) -> Iterator[tuple[str, str, str]]:
    given = {"ids": ids, "texts": texts} | ({} if titles is None else {"titles": titles})
    columns = [several(what, values) for what, values in given.items()]
    try:
        for each, text, *titled in zip(*columns, strict=True):
            own = identity(each)
            yield own, text, title(titled[0], own) if titled else ""
    except ValueError as error:
        if "zip()" not in str(error):
            raise
        raise UserError(f"there are not as many ids as texts and titles ({error})") from error


def _segment(gathered: list[tuple]) -> Segment:
    rows, ids, titles, unknown = zip(*gathered, strict=True)
    texts = (list(chain.from_iterable(x)) for x in (ids, titles))
    return Segment.of(stacked(rows), *texts, np.flatnonzero(np.concatenate(unknown)))
