"""One search of an index: language by language, then the best of all."""

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import islice
from typing import NamedTuple

import numpy as np
import pyarrow as pa
from scipy import sparse

from cr5.base.errors import UserError
from cr5.base.rows import ROUNDING
from cr5.retrieval.embedder import Embedder
from cr5.retrieval.indexes import approximate as graphs
from cr5.retrieval.indexes.hubness import NEIGHBOURS, mean, penalties
from cr5.retrieval.indexes.memory import Contents, Memory
from cr5.retrieval.indexes.segments import Segment, check_finite, no_model_made
from cr5.search.best import NONE, Best, Piece, Wanted, best
from cr5.search.measures import measure

LARGEST = (1 + ROUNDING) ** 2  # cosine of rows that `check_norm` lets pass


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


@dataclass(frozen=True)
class Searching:
    """What is searched, and how.

    Attributes:
        model: embeds the queries.
        store: keeps penalties.
        contents: of the index.
        measure: its name.
        threads: changes no result.
        approximate: whether graphs are searched where there are some.
    """

    model: Embedder
    store: Memory
    contents: Contents
    measure: str
    threads: int
    approximate: bool = False

    def hits(
        self, counts: sparse.csr_matrix, language: str, targets: list[str], k: int
    ) -> list[list[Hit]]:
        """Search texts of several languages; of equal scores the earlier language comes first."""
        found = [self._of(counts, language, target, k) for target in targets]
        scores = np.hstack([x[0] for x in found])
        order = np.argsort(-scores, axis=1, kind="stable")[:, :k]
        scores = np.take_along_axis(scores, order, axis=1)
        columns = np.take_along_axis(np.hstack([x[1] for x in found]), order, axis=1)
        hits = self._hits(targets, order // k, columns, scores)
        return [list(islice(hits, n)) for n in (columns != NONE).sum(axis=1)]

    def _hits(self, targets: list[str], which, columns, scores) -> Iterator[Hit]:
        """Of all queries, one after the other; `which` are numbers of `targets`."""
        there = columns != NONE
        which, columns = which[there], columns[there]
        ids, titles = np.empty((2, len(columns)), object)
        for number, target in enumerate(targets):
            mine = np.flatnonzero(which == number)
            ids[mine], titles[mine] = _texts(self.contents[target], columns[mine])
        languages = np.array(targets, object)[which]
        return map(Hit._make, zip(ids, languages, titles, scores[there].tolist(), strict=True))

    def _of(self, counts, language: str, target: str, k: int) -> tuple[np.ndarray, np.ndarray]:
        """Scores and numbers of the k best texts of a language; -inf and `NONE` where fewer."""
        segments = self.contents[target]
        how = measure(self.measure)
        if how.corrects_hubs and self.model.model.directed:
            raise UserError(
                f"{self.model.place} embeds texts anew towards each language, so an index of it "
                "cannot be searched by csls; search by cosine"
            )
        towards = target if self.model.model.directed else None
        queries = self.model.embed_counts(counts, language, towards)
        self._check_rows(target)
        pieces = [Piece(x.rows, x.largest) for x in segments]
        plain = [x.barred() for x in segments]
        wanted = [Wanted(k, plain)]
        if how.corrects_hubs:
            hubs = penalties(self.store, self.contents, target, language, self.threads)
            wanted = [Wanted(k, hubs), Wanted(NEIGHBOURS, plain)]
        if self.approximate:
            arguments = (self.model, self.measure, self.store, segments, queries, k, self.threads)
            first, *others = [graphs.best(*arguments)]
        else:
            first, *others = best(queries, pieces, wanted, how.kernel, self.threads)
        self._check_scores(target, first)
        own = mean(others[0].scores)[:, None] if others else 0.0
        return how.score(first.scores, own), first.columns

    def _check_rows(self, target: str) -> None:
        """Refuse nan, which is never found; approximate search is not to read all rows."""
        if measure(self.measure).unit and not self.approximate:
            check_finite(self.contents[target], target)

    def _check_scores(self, target: str, found: Best) -> None:
        """Refuse what is no cosine."""
        scores = found.scores[found.columns != NONE]
        if self.measure == "cosine" and not (np.abs(scores) <= LARGEST).all():
            raise no_model_made(target)


def _texts(segments: tuple[Segment, ...], columns: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Ids and titles."""
    ids, titles = (np.empty(len(columns), object) for _ in range(2))
    first = 0
    for segment in segments:
        mine = np.flatnonzero((columns >= first) & (columns < first + segment.n))
        at = pa.array(columns[mine] - first)
        ids[mine], titles[mine] = (x.take(at).to_pylist() for x in (segment.ids, segment.titles))
        first += segment.n
    return ids, titles
