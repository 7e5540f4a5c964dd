"""The nearest texts of each query, in one or several languages."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import islice
from numbers import Integral
from typing import Any, NamedTuple

import numpy as np
import pyarrow as pa
from scipy import sparse

from cr5.base.errors import UserError
from cr5.base.rows import Rows
from cr5.retrieval.chunks import Chunk, check_sound
from cr5.retrieval.embedder import Embedder
from cr5.retrieval.given import check_texts, several
from cr5.retrieval.hubs import BATCH, NEIGHBOURS, cores, mean
from cr5.retrieval.matching import second_stage
from cr5.retrieval.stores import Contents, Memory, penalties_key
from cr5.search.best import NONE, Best, best
from cr5.search.measures import Measure
from cr5.search.measures import measure as measure_of
from cr5.search.second_stage import DEPTH, best_reranked


class Hit(NamedTuple):
    """A text that was found.

    Attributes:
        id: of the text, as it was given.
        language: of the text.
        title: of the text, empty if none was given.
        score: higher is nearer.
    """

    id: str | int
    language: str
    title: str
    score: float


class Collection:
    """Texts embedded by one model, which can be searched, from many threads at a time.

    Searches are exact. Scores are computed in float64 from the two embeddings alone; in ties the
    text added first comes first.

    Attributes:
        model: embeds queries.
        name: for messages.
    """

    def __init__(self, model: Embedder, name: str, store: Memory) -> None:
        self.model, self.name, self._store = model, name, store

    @property
    def chunks(self) -> Contents:
        """The texts, by language, as they are now."""
        return self._store.contents()

    @property
    def sizes(self) -> dict[str, int]:
        """Number of texts in each language."""
        return _sizes(self.chunks)

    @property
    def languages(self) -> tuple[str, ...]:
        """The languages of its texts."""
        return tuple(self.sizes)

    def __len__(self) -> int:
        """Number of texts in all languages."""
        return sum(self.sizes.values())

    def search(
        self,
        texts: str | Sequence[str],
        language: str,
        k: int = 10,
        measure: str | None = None,
        to: str | Sequence[str] | None = None,
        threads: int | None = None,
    ) -> list[list[Hit]]:
        """Find the nearest texts of each query.

        Args:
            texts: queries, or one.
            language: of the queries.
            k: how many to find.
            measure: one of the model's; defaults to its first, usually the cosine, or to `csls` if
                the model keeps training documents. `csls` corrects for texts that are near to all
                others: without such documents it needs texts in the language of the queries in the
                index, the more the better.
            to: languages to search, or one; defaults to all of the index except that of the
                queries, which is searched only if the index has no other.
            threads: defaults to all cores; does not affect the result.

        Returns:
            The hits of each query, best first; fewer than k if there are no more.

        Raises:
            UserError: as of `Embedder.embed`; or the index has no text in a language, the model
                lacks the measure, or k or threads is not a whole number above 0.
        """
        texts = [texts] if isinstance(texts, str) else list(several("texts", texts))
        counts = self.model.count_known(check_texts(texts), language)
        return self.search_counts(counts, language, k, measure, to, threads)

    def search_counts(
        self, counts, language, k=10, measure=None, to=None, threads=None
    ) -> list[list[Hit]]:
        """As `search`, for queries counted by `Embedder.count`."""
        k, threads, chunks = check_k(k), _threads(threads), self.chunks
        targets = self._targets(_sizes(chunks), language, to)
        if measure is not None and measure not in self.model.measures:
            raise UserError(
                f"texts of {self.model.place} are not compared by {measure!r}; its measures are "
                f"{', '.join(self.model.measures)}"
            )
        how = measure_of(measure or self.model.measure)
        search = _Search(self.model, self._store, chunks, language, how, threads)
        k = min(k, sum(_sizes(chunks)[x] for x in targets))
        found = [search.best(counts, target, k) for target in targets]
        return search.hits(targets, found, k)

    def _targets(
        self, sizes: dict[str, int], language: str, to: str | Sequence[str] | None
    ) -> list[str]:
        """Languages to search."""
        if not sizes:
            raise UserError(f"{self.name}: the index is empty: add texts first")
        if to is None:
            return [x for x in sizes if x != language] or list(sizes)
        targets = list(several("to", [to] if isinstance(to, str) else to))
        if not targets:
            raise UserError(
                f"to names no language to search; name one of {', '.join(sizes)}, or leave it out"
            )
        for each in targets:
            if each not in list(sizes):  # it may be no string at all
                self.model.check_language(str(each))
                raise UserError(
                    f"{self.name}: no texts in {each!r}; there are "
                    + ", ".join(f"{n} in {x!r}" for x, n in sizes.items())
                )
        return list(dict.fromkeys(targets))


@dataclass(frozen=True)
class _Search:
    """One search: among these chunks, whatever other threads add meanwhile."""

    model: Embedder
    store: Memory
    chunks: Contents
    language: str
    how: Measure
    threads: int

    def best(self, counts: sparse.csr_matrix, target: str, k: int) -> Best:
        """The k best texts of one language."""
        directed, every = self.model.model.directed, self.chunks[target]
        if self.how.corrects_hubs and directed:
            raise UserError(
                f"{self.model.place} embeds texts anew towards each language, so an index of it "
                "cannot be searched by csls; search by cosine"
            )
        target_language = target if directed else None
        check_sound(every, target)
        queries = self.model.embed_counts(counts, self.language, target_language)
        if self.model.model.rerank:
            found = self._scored(queries, every, max(k, DEPTH))
            texts = every, target, self.threads
            gain = second_stage(self.model.model, counts, self.language, *texts)
            found = best_reranked(found, gain, self.how, k)
        else:
            found = self._scored(queries, every, k)
        return _only(found, self.model.knows(counts, self.language, target_language))

    def _scored(self, queries: Rows, every: Sequence[Chunk], k: int) -> Best:
        plain = [x.penalties for x in every]
        if not self.how.corrects_hubs:
            return self._nearest(queries, every, k, plain)
        penalties = [
            self._csls(chunk) + (barred if len(barred) else 0)
            for chunk, barred in zip(every, plain, strict=True)
        ]
        found = self._nearest(queries, every, k, penalties)
        own = mean(self._nearest(queries, every, NEIGHBOURS, plain).scores)
        return Best(self.how.score(found.scores, own[:, None]), found.columns)

    def _nearest(self, queries, every: Sequence[Chunk], k: int, penalties) -> Best:
        largest, rows = max(x.largest for x in every), [x.rows for x in every]
        return best(queries, rows, k, penalties, self.how.kernel, largest, self.threads)

    def _csls(self, chunk: Chunk) -> np.ndarray:
        """CSLS penalty of each text's cosine: half of r(y), Conneau et al. (2018), Eq. 3.

        Neighbours are the training documents that the model keeps, or else the texts in the
        language of the queries; then the result is cached.
        """
        if self.language in chunk.hubness:
            return chunk.hubness[self.language] / 2
        neighbours = self.chunks.get(self.language, ())
        if not any(x.known.any() for x in neighbours):
            raise UserError(
                f"csls corrects for texts that are near to all texts of the queries' language: add "
                f"texts in {self.language!r} to the index, or search by cosine"
            )
        key = penalties_key(chunk, neighbours)
        known = self.store.penalties(key)
        if known is None or len(known) != chunk.n:
            check_sound(neighbours, self.language)
            plain = [x.penalties for x in neighbours]
            parts = (chunk.rows[start : start + BATCH] for start in range(0, chunk.n, BATCH))
            found = (self._nearest(x, neighbours, NEIGHBOURS, plain) for x in parts)
            known = (np.concatenate([mean(x.scores) for x in found]) / 2).astype(np.float32)
            self.store.keep(key, known)
        return known

    def hits(self, targets: list[str], found: list[Best], k: int) -> list[list[Hit]]:
        """The best over all languages; in ties the earlier language comes first."""
        scores = np.hstack([x.scores for x in found])
        order = np.argsort(-scores, axis=1, kind="stable")[:, :k]
        scores = np.take_along_axis(scores, order, axis=1)
        columns = np.take_along_axis(np.hstack([x.columns for x in found]), order, axis=1)
        there = columns != NONE
        hits = self._each(targets, (order // k)[there], columns[there], scores[there])
        return [list(islice(hits, n)) for n in there.sum(axis=1)]

    def _each(self, targets: list[str], which, columns, scores) -> Iterator[Hit]:
        """Hits of all queries, one query after the other; `which` indexes `targets`."""
        ids, titles = np.empty((2, len(columns)), object)
        for number, target in enumerate(targets):
            first = 0
            for chunk in self.chunks[target]:
                here = (which == number) & (columns >= first) & (columns < first + chunk.n)
                at = columns[here] - first
                ids[here] = chunk.ids_at(at)
                titles[here] = chunk.titles.take(pa.array(at)).to_pylist()
                first += chunk.n
        return map(Hit, ids, np.array(targets, object)[which], titles, scores.tolist())


def check_k(k: int) -> int:
    """Return k as an integer.

    Raises:
        UserError: it is not a whole number, or below 1.
    """
    return _whole("k", k)


def _sizes(contents: Contents) -> dict[str, int]:
    sizes = {x: sum(chunk.n for chunk in every) for x, every in sorted(contents.items())}
    return {language: n for language, n in sizes.items() if n}


def _only(found: Best, known: np.ndarray) -> Best:
    """What was found for the queries that can be compared; nothing for the others."""
    scores = np.where(known[:, None], found.scores, -np.inf)
    return Best(scores, np.where(known[:, None], found.columns, NONE))


def _threads(threads: int | None) -> int:
    return cores() if threads is None else _whole("threads", threads)


def _whole(name: str, value: Any) -> int:
    if isinstance(value, bool) or not isinstance(value, Integral) or value < 1:
        raise UserError(f"{name} is {value!r}: expected a whole number, 1 or more")
    return int(value)
