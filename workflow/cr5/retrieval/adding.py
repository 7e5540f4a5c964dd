"""From texts to the chunks of an index; memory holds one chunk, not the collection."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from itertools import chain, islice, zip_longest

import numpy as np
from scipy import sparse

from cr5.base.errors import UserError
from cr5.base.rows import check_norm, stacked
from cr5.retrieval import chunks
from cr5.retrieval.chunks import Chunk
from cr5.retrieval.embedder import Embedder
from cr5.retrieval.given import check_kind, identity, several
from cr5.retrieval.hubs import hubness
from cr5.search.measures import measure

BATCH = 1024  # texts embedded at a time
MISSING = object()  # stands for an id, text or title beyond the last

Batch = tuple[Sequence[str | int], sparse.csr_matrix, Sequence[str]]  # ids, counts, titles


def counted(
    model: Embedder,
    ids: Iterable[str | int],
    texts: Iterable[str],
    titles: Iterable[str] | None,
    language: str,
) -> Iterator[Batch]:
    """Count the words of texts.

    Raises:
        UserError: their numbers differ; an id, text or title is invalid.
    """
    documents = _together(ids, texts, titles)
    while batch := list(islice(documents, BATCH)):
        texts = (check_kind(text, f"text {own!r}") for own, text, _ in batch)
        counts = model.count(texts, language).counts
        yield [x[0] for x in batch], counts, [x[2] for x in batch]


def chunks_of(model: Embedder, batches: Iterable[Batch], language: str) -> Iterator[Chunk]:
    """Embed texts and collect them in chunks.

    Raises:
        UserError: the rows do not have the norm that the model's measures need.
    """
    norm = measure(model.measures[0]).unit or "none"
    target_language = language if model.model.directed else None
    gathered: list[tuple] = []
    for ids, counts, titles in batches:
        rows = model.embed_counts(counts, language, target_language)
        check_norm(rows, norm, str(model.place))
        if gathered and sum(len(x[1]) for x in gathered) + len(ids) > chunks.SIZE:
            yield _chunk(model, gathered)
            gathered = []
        known = model.knows(counts, language, target_language)
        gathered.append((rows, ids, titles, known, model.words_of(counts, language)))
    if gathered:
        yield _chunk(model, gathered)


def check_new(chunk: Chunk, others: Iterable[Chunk], where: str) -> None:
    """Refuse an id that exists already.

    Raises:
        UserError: with the id.
    """
    seen: set[str] = set()
    for each in chunk.ids.to_pylist():
        if each in seen:
            raise UserError(f"{where}: the id {each!r} is given twice; give each text its own")
        seen.add(each)
    for other in others:
        if len(twice := other.numbers_of(chunk.ids)):
            raise UserError(
                f"{where}: the text {other.ids[int(twice[0])].as_py()!r} exists already; remove it "
                "first, or give the new one another id"
            )


def _together(ids, texts, titles) -> Iterator[tuple[str | int, str, str]]:
    given = {"ids": ids, "texts": texts} | ({} if titles is None else {"titles": titles})
    columns = [several(what, values) for what, values in given.items()]
    for number, row in enumerate(zip_longest(*columns, fillvalue=MISSING)):
        if any(x is MISSING for x in row):
            raise UserError(
                f"there are not as many ids as texts and titles: some end after {number}"
            )
        each, text, *titled = row
        own = identity(each)
        yield own, text, check_kind(titled[0], f"title of {own!r}") if titled else ""


def _chunk(model: Embedder, gathered: list[tuple]) -> Chunk:
    parts, ids, titles, known, words = zip(*gathered, strict=True)
    texts, rows = (list(chain.from_iterable(x)) for x in (ids, titles)), stacked(parts)
    matched = None if words[0] is None else stacked(words)
    made = Chunk.of(rows, *texts, np.concatenate(known), matched)
    return replace(made, hubness=hubness(model, rows))
