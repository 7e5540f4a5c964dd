"""The nearest texts of each query, in one or several languages."""

import hashlib
import json
import os
from collections.abc import Iterator, Mapping, Sequence
from itertools import islice
from numbers import Integral
from typing import Any, NamedTuple

import numpy as np
import pyarrow as pa
from scipy import sparse

from cr5.base.errors import UserError
from cr5.retrieval.chunks import Chunk, check_sound
from cr5.retrieval.embedder import Embedder
from cr5.retrieval.given import check_texts, several
from cr5.search.best import NONE, Best, best
from cr5.search.measures import Measure
from cr5.search.measures import measure as measure_of

NEIGHBOURS = 10  # k of CSLS, as in the evaluation
BATCH = 4096  # texts whose neighbours are searched at a time


class Hit(NamedTuple):
    """A text that was found.

    Attributes:
        id: of the text.
        language: of the text.
        title: of the text, empty if none was given.
        score: higher is nearer.
    """

    id: str
    language: str
    title: str
    score: float


class Collection:
    """Texts embedded by one model, which can be searched.

    Searches are exact. Scores are computed in float64 from the two embeddings alone; in ties the
    text added first comes first.

    Attributes:
        model: embeds queries.
        name: for messages.
        chunks: by language.
    """

    def __init__(
        self, model: Embedder, name: str, chunks: Mapping[str, Sequence[Chunk]] | None = None
    ) -> None:
        self.model, self.name = model, name
        self.chunks = {language: tuple(every) for language, every in (chunks or {}).items()}
        self._penalties: dict[str, np.ndarray] = {}

    @property
    def sizes(self) -> dict[str, int]:
        """Number of texts in each language."""
        sizes = {x: sum(chunk.n for chunk in every) for x, every in sorted(self.chunks.items())}
        return {language: n for language, n in sizes.items() if n}

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
            measure: one of the model's; defaults to its first, usually the cosine. `csls` corrects
                for texts that are near to all others: it needs texts in the language of the queries
                in the index, the more the better.
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
        known = self.model.count(check_texts(texts), language)
        self.model.check_known(known, language)
        return self.search_counts(known.counts, language, k, measure, to, threads)

    def search_counts(
        self, counts, language, k=10, measure=None, to=None, threads=None
    ) -> list[list[Hit]]:
        """As `search`, for queries counted by `Embedder.count`."""
        k, threads = check_k(k), _threads(threads)
        targets = self._targets(language, to)
        if measure is not None and measure not in self.model.measures:
            raise UserError(
                f"texts of {self.model.place} are not compared by {measure!r}; its measures are "
                f"{', '.join(self.model.measures)}"
            )
        how = measure_of(measure or self.model.measures[0])
        k = min(k, sum(self.sizes[x] for x in targets))
        found = [self._best(counts, language, target, k, how, threads) for target in targets]
        return self._hits(targets, found, k)

    def _targets(self, language: str, to: str | Sequence[str] | None) -> list[str]:
        """Languages to search."""
        if not self.languages:
            raise UserError(f"{self.name}: the index is empty: add texts first")
        if to is None:
            return [x for x in self.languages if x != language] or list(self.languages)
        targets = list(several("to", [to] if isinstance(to, str) else to))
        if not targets:
            raise UserError(
                "to names no language to search; name one of "
                f"{', '.join(self.languages)}, or leave it out"
            )
        for each in targets:
            if each not in self.languages:
                self.model.check_language(str(each))
                raise UserError(
                    f"{self.name}: no texts in {each!r}; there are "
                    + ", ".join(f"{n} in {x!r}" for x, n in self.sizes.items())
                )
        return list(dict.fromkeys(targets))

    def _best(
        self, counts: sparse.csr_matrix, language: str, target: str, k: int, how: Measure, threads
    ) -> Best:
        """The k best texts of one language."""
        directed, every = self.model.model.directed, self.chunks[target]
        if how.corrects_hubs and directed:
            raise UserError(
                f"{self.model.place} embeds texts anew towards each language, so an index of it "
                "cannot be searched by csls; search by cosine"
            )
        queries = self.model.embed_counts(counts, language, target if directed else None)
        check_sound(every, target)
        plain = [x.penalties for x in every]
        if not how.corrects_hubs:
            return _search(queries, every, k, plain, how.kernel, threads)
        penalties = [
            self._csls(chunk, language, threads) + (barred if len(barred) else 0)
            for chunk, barred in zip(every, plain, strict=True)
        ]
        found = _search(queries, every, k, penalties, how.kernel, threads)
        own = _mean(_search(queries, every, NEIGHBOURS, plain, how.kernel, threads).scores)
        return Best(how.score(found.scores, own[:, None]), found.columns)

    def _csls(self, chunk: Chunk, language: str, threads: int) -> np.ndarray:
        """CSLS penalty of each text's cosine: half of r(y), Conneau et al. (2018), Eq. 3.

        Neighbours are the texts in the language of the queries. The result is cached.
        """
        neighbours = self.chunks.get(language, ())
        if not any(x.known.any() for x in neighbours):
            raise UserError(
                f"csls corrects for texts that are near to all texts of the queries' language: add "
                f"texts in {language!r} to the index, or search by cosine"
            )
        key = penalties_key(chunk, neighbours)
        known = self._kept(key)
        if known is None or len(known) != chunk.n:
            check_sound(neighbours, language)
            plain = [x.penalties for x in neighbours]
            parts = (chunk.rows[start : start + BATCH] for start in range(0, chunk.n, BATCH))
            kernel = "product"
            found = (_search(x, neighbours, NEIGHBOURS, plain, kernel, threads) for x in parts)
            known = (np.concatenate([_mean(x.scores) for x in found]) / 2).astype(np.float32)
            self._keep(key, known)
        return known

    def _kept(self, key: str) -> np.ndarray | None:
        """Cached CSLS penalties."""
        return self._penalties.get(key)

    def _keep(self, key: str, penalties: np.ndarray) -> None:
        self._penalties[key] = penalties

    def _hits(self, targets: list[str], found: list[Best], k: int) -> list[list[Hit]]:
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
                at = pa.array(columns[here] - first)
                ids[here], titles[here] = (
                    x.take(at).to_pylist() for x in (chunk.ids, chunk.titles)
                )
                first += chunk.n
        return map(Hit, ids, np.array(targets, object)[which], titles, scores.tolist())


def check_k(k: int) -> int:
    """Return k as an integer.

    Raises:
        UserError: it is not a whole number, or below 1.
    """
    return _whole("k", k)


def penalties_key(chunk: Chunk, neighbours: Sequence[Chunk]) -> str:
    """Key of the CSLS penalties of a chunk; different texts give a different key."""
    names = [chunk.name, *(x.name for x in neighbours)]
    return hashlib.sha256(json.dumps(names).encode()).hexdigest()[:16]


def _search(queries, every: Sequence[Chunk], k, penalties, kernel: str, threads: int) -> Best:
    largest = max(x.largest for x in every)
    return best(queries, [x.rows for x in every], k, penalties, kernel, largest, threads)


def _mean(scores: np.ndarray) -> np.ndarray:
    """Mean of the finite scores of each row, (n,) float64."""
    there = np.isfinite(scores)
    return np.where(there, scores, 0).sum(axis=1) / np.maximum(there.sum(axis=1), 1)


def _threads(threads: int | None) -> int:
    if threads is not None:
        return _whole("threads", threads)
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


def _whole(name: str, value: Any) -> int:
    if isinstance(value, bool) or not isinstance(value, Integral) or value < 1:
        raise UserError(f"{name} is {value!r}: expected a whole number, 1 or more")
    return int(value)
