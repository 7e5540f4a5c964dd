"""An index: texts in one or several languages, embedded once, and searched again and again."""

from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
from scipy import sparse

from cr5.base.errors import UserError
from cr5.retrieval.embedder import Embedder
from cr5.retrieval.given import check_texts, several
from cr5.retrieval.indexes import approximate as graphs
from cr5.retrieval.indexes.adding import Added, Batch, check_new, counted, given_counts, segments_of
from cr5.retrieval.indexes.asked import check_k, measure_of, targets_of, threads_of
from cr5.retrieval.indexes.file import is_index, model_of
from cr5.retrieval.indexes.folder import Folder
from cr5.retrieval.indexes.memory import Contents, Memory
from cr5.retrieval.indexes.merging import settle
from cr5.retrieval.indexes.removing import without
from cr5.retrieval.indexes.searching import Hit, Searching
from cr5.retrieval.indexes.segments import Segment
from cr5.retrieval.loading import load


class Index:
    """Texts that can be searched, of one model.

    Searches are exact. Scores are computed in float64 from the two embeddings alone; of equal ones
    the text that was added first comes first.

    Attributes:
        model: embeds.
        path: of its folder; None in memory.
    """

    def __init__(self, model: Embedder, path: str | Path | None = None) -> None:
        """Make an index, or open the one that is in a folder.

        Args:
            model: of `cr5.load`.
            path: of a folder. What is added or removed is written there at once; whoever is
                killed leaves the index as it was before.

        Raises:
            UserError: the folder has a damaged index, or one of another model or version.
        """
        self.model, self.path = model, None if path is None else Path(path)
        self._store, self._contents = Memory(), {}
        if self.path is not None:
            self._store = Folder(self.path, model.place)
            if is_index(self.path):
                model_of(self.path, model.place)
                self._contents = self._store.read()

    def __repr__(self) -> str:
        """Name the place and what is in it."""
        sizes = ", ".join(f"{n} {language}" for language, n in self.sizes.items())
        return f"<cr5 index {self.path or 'in memory'}: {sizes or 'empty'}>"

    @property
    def sizes(self) -> dict[str, int]:
        """How many texts of each language there are, removed ones not counted."""
        sizes = {
            language: sum(x.n - len(x.removed) for x in segments)
            for language, segments in sorted(self._contents.items())
        }
        return {language: n for language, n in sizes.items() if n}

    @property
    def languages(self) -> tuple[str, ...]:
        """Those of its texts."""
        return tuple(self.sizes)

    def told(self) -> list[dict[str, Any]]:
        """Say what is in it.

        Returns:
            Per language: `language`; `texts`, removed ones not counted; of how many of these the
            model knows no word (`unknown`); in how many `segments` they lie; how many of these have
            `graphs` for approximate search.
        """
        return [
            {
                "language": language,
                "texts": n,
                "unknown": sum(len(np.setdiff1d(x.unknown, x.removed)) for x in segments),
                "segments": len(segments),
                "graphs": sum(self._store.has_graph(x.name) for x in segments),
            }
            for language, n in self.sizes.items()
            for segments in [self._contents[language]]
        ]

    def check(self) -> None:
        """Raise `UserError` where a file on disk is not what was written; reads all of them."""
        self._store.check(self._contents)

    def __len__(self) -> int:
        """How many texts there are in all languages."""
        return sum(self.sizes.values())

    def add(
        self,
        ids: Iterable[str],
        texts: Iterable[str],
        language: str,
        titles: Iterable[str] | None = None,
        instead_of: Iterable[str] = (),
    ) -> Added:
        """Add texts, all of them or, if there is an error, none.

        Args:
            ids: one for each text; none twice in a language.
            texts: any number of them; memory holds some ten thousand vectors at a time. One that
                is empty or has no known word is added, but never found.
            language: of the texts.
            titles: shown with what is found.
            instead_of: ids of texts of that language, which are removed in the same step.

        Raises:
            UserError: an id is there already, or one to be removed is not; the model does not know
                the language; an id, text or title is none; another process writes.
        """
        self.model.check_language(language)
        batches = counted(self.model, ids, texts, titles, language)
        return self._add(batches, language, instead_of)

    def add_counts(
        self,
        ids: Sequence[str],
        counts: sparse.csr_matrix,
        language: str,
        titles: Sequence[str] | None = None,
    ) -> Added:
        """Add texts of which `Embedder.count` has counted the words; else as `add`."""
        self.model.check_language(language)
        return self._add(given_counts(ids, counts, titles), language)

    def remove(self, ids: Iterable[str], language: str | None = None) -> int:
        """Remove texts, and say how many.

        Args:
            ids: of the texts.
            language: in which they are; in all if not given.

        Raises:
            UserError: an id is not there, and nothing is removed; or another process writes.
        """
        with self._store.writing(self._contents) as contents:
            changed, n = without(contents, ids, language, self.name)
            self._commit(settle(self._store, contents, changed))
        return n

    def search(
        self,
        texts: str | Sequence[str],
        language: str,
        k: int = 10,
        measure: str | None = None,
        to: str | Sequence[str] | None = None,
        threads: int | None = None,
        approximate: bool = False,
    ) -> list[list[Hit]]:
        """Find the nearest texts of each query.

        Args:
            texts: queries, or one.
            language: of the queries.
            k: how many to find.
            measure: one of the model's; its first, which is the cosine of most, if not given.
                `csls` corrects for texts that are near to all others: it needs texts in the
                language of the queries in the index, as many as there are.
            to: languages of what is to be found, or one; if not given, all of the index but that of
                the queries, which is searched only if the index has no other.
            threads: all cores if not given; changes no result.
            approximate: search the graphs of `build_approximate`, which may miss some; of dense
                rows by cosine only. Scores are exact.

        Returns:
            Per query its hits, best first; fewer than k where there are no more.

        Raises:
            UserError: as of `Embedder.embed`; or the index has no text in a language, the model
                no such measure; or k or threads is no whole number above 0.
        """
        texts = [texts] if isinstance(texts, str) else list(several("texts", texts))
        known = self.model.count(check_texts(texts), language)
        self.model.check_known(known, language)
        options = (k, measure, to, threads, approximate)
        return self.search_counts(known.counts, language, *options)

    def search_counts(
        self, counts, language, k=10, measure=None, to=None, threads=None, approximate=False
    ) -> list[list[Hit]]:
        """As `search`, of queries of which `Embedder.count` has counted the words."""
        k, threads = check_k(k), threads_of(threads)
        targets = targets_of(self, language, to)
        how = measure_of(self.model, measure)
        searching = Searching(self.model, self._store, self._contents, how, threads, approximate)
        k = min(k, sum(self.sizes[x] for x in targets))
        return searching.hits(counts, language, targets, k)

    def build_approximate(self) -> None:
        """Build graphs for approximate search, of all texts that have none yet; takes minutes.

        Texts that are added later are searched exactly until it is called again.

        Raises:
            UserError: usearch is not installed; the model's rows are not dense, or not compared
                by cosine; another process writes.
        """
        with self._store.writing(self._contents) as contents:
            graphs.build(self.model, self._store, contents)

    def save(self, path: str | Path) -> "Index":
        """Write an index to a folder that has none, and open it there.

        Raises:
            UserError: an index is there already, or the model is on no disk.
        """
        if is_index(path):
            raise UserError(f"{path}: an index is there already; remove it or choose another place")
        saved = Index(self.model, path)
        with saved._store.writing({}):
            contents = {}
            for language, segments in self._contents.items():
                contents[language] = tuple(saved._put(segment) for segment in segments)
            saved._commit(contents)
        return saved

    @property
    def name(self) -> str:
        """What messages call it."""
        return str(self.path or "the index")

    def _put(self, segment: Segment) -> Segment:
        put = self._store.put(segment)
        if len(put.removed):
            self._store.remove(put)
        return put

    def _add(self, batches: Iterable[Batch], language: str, old: Iterable[str] = ()) -> Added:
        with self._store.writing(self._contents) as contents:
            changed, gone = without(contents, old, language, self.name)
            before, new, unknown = changed.get(language, ()), [], []
            for segment in segments_of(self.model, batches, language):
                check_new(segment, (*before, *new), f"{self.name}, language {language!r}")
                unknown += segment.ids.take(pa.array(segment.unknown)).to_pylist()
                new.append(self._store.put(segment))
            if new or gone:
                after = {**changed, language: (*before, *new)}
                self._commit(settle(self._store, contents, after))
        return Added(sum(x.n for x in new), len(unknown), unknown[: Added.FIRST])

    def _commit(self, contents: Contents) -> None:
        self._store.commit(contents)
        self._contents = contents


def open_index(path: str | Path, model: Embedder | str | Path | None = None) -> Index:
    """Open the index in a folder.

    Args:
        path: of the folder.
        model: of the index, or its folder; if not given, it is looked for where it was.

    Raises:
        UserError: there is no index; it is damaged or of another version; its model is not there,
            or another one.
    """
    place = model.place if isinstance(model, Embedder) else None if model is None else Path(model)
    place = model_of(Path(path), place)
    return Index(model if isinstance(model, Embedder) else load(place), path)
