"""An index: texts in one or several languages, embedded once and searched many times."""

from collections.abc import Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from threading import Lock
from typing import Any, NamedTuple

import numpy as np
from scipy import sparse

from cr5.base.artefacts import Artefact, making, working
from cr5.base.errors import UserError
from cr5.models import store
from cr5.models.contract import Model
from cr5.retrieval import texts as files
from cr5.retrieval.embedder import Embedder
from cr5.retrieval.given import identity, several, strings, whole
from cr5.retrieval.loading import Results, load
from cr5.retrieval.texts import NEIGHBOURS, Texts, cores, embedded, joined
from cr5.search.best import NONE, Best, best
from cr5.search.measures import Measure
from cr5.search.measures import measure as measure_of
from cr5.search.nearest import mean_top_k
from cr5.search.second_stage import DEPTH, best_reranked
from cr5.search.word_matches import Words, matches

INDEXES, EMBEDDED = "indexes", "embedded documents"
SHOWN = 5  # ids of unknown texts shown
UNIT = 1.001  # no row of norm one is longer


class Hit(NamedTuple):
    """A text that was found.

    Attributes:
        id: of the text, as it was given.
        language: of the text.
        title: of the text, empty if none was given.
        score: higher is nearer.
        text: the text.
    """

    id: str | int
    language: str
    title: str
    score: float
    text: str


@dataclass(frozen=True)
class Added:
    """What `Index.add` did.

    Attributes:
        texts: how many were added.
        unknown: how many of them have no word with a vector; they are never found.
        first: ids of the first of these.
    """

    texts: int
    unknown: int
    first: list[str | int]


class Index:
    """Texts embedded by one model, to which others can be added, and which can be searched.

    Any number of threads may use one index: additions and removals wait for each other, searches
    for nothing. Searches are exact: scores are computed in float64 from the two embeddings alone;
    in ties the text added first comes first. On disk it is a folder with the model and a Feather
    file for each language (`cr5.retrieval.texts`).

    Attributes:
        model: embeds texts and queries.
    """

    def __init__(self, model: Embedder, texts: Mapping[str, Texts] | None = None) -> None:
        """Make an index.

        Args:
            model: from `cr5.load`.
            texts: embedded by it, by language.
        """
        if not isinstance(model, Embedder):
            raise UserError(
                f"model: expected what cr5.load or cr5.fit returns, found {model!r:.60}"
            )
        self.model = model
        # never changed in place, so that a search keeps those that it began with
        self._texts: Mapping[str, Texts] = dict(texts or {})
        self._hubs: dict[tuple[Texts, Texts], np.ndarray] = {}
        self._lock = Lock()

    def __repr__(self) -> str:
        """Name the contents."""
        sizes = ", ".join(f"{n} {language}" for language, n in self.sizes.items())
        return f"<cr5 index: {sizes or 'empty'}>"

    def __len__(self) -> int:
        """Number of texts in all languages."""
        return sum(self.sizes.values())

    @property
    def sizes(self) -> dict[str, int]:
        """Number of texts in each language."""
        return {language: len(texts) for language, texts in sorted(self._texts.items())}

    def summary(self) -> list[dict[str, Any]]:
        """Describe the contents.

        Returns:
            Per language: `language`; `texts`; `unknown`, how many of these have no word with a
            vector.
        """
        return [
            {"language": language, "texts": len(texts), "unknown": int(np.sum(~texts.known))}
            for language, texts in sorted(self._texts.items())
        ]

    def add(
        self,
        ids: Iterable[str | int],
        texts: Iterable[str],
        language: str,
        titles: Iterable[str] | None = None,
        instead_of: Iterable[str | int] = (),
    ) -> Added:
        """Add texts: all of them, or none if there is an error.

        Args:
            ids: one per text; unique within a language, where 2 is the same as "2".
            texts: any number. A text that is empty or has no word with a vector is added, but never
                found.
            language: of the texts.
            titles: shown with hits.
            instead_of: ids of texts of that language to remove in the same step.

        Raises:
            UserError: an id exists already, or one to be removed does not; the model does not know
                the language; an id, text or title is invalid.
        """
        self.model.check_language(language)
        own, contents = [*map(identity, several("ids", ids))], strings(texts)
        named = [""] * len(own) if titles is None else strings(titles, "title")
        if not len(own) == len(contents) == len(named):
            raise UserError(
                f"{len(own)} ids, {len(contents)} texts, {len(named)} titles: expected as many"
            )
        new = embedded(self.model, own, contents, named, language)
        with self._lock:
            kept = self._without(instead_of, language) if instead_of else dict(self._texts)
            there = set(kept[language].about["id"].to_pylist()) if language in kept else set()
            for each in map(str, own):
                if each in there:
                    raise UserError(
                        f"language {language!r}: the text {each!r} exists already or is given "
                        "twice; remove it first, or give the new one another id"
                    )
                there.add(each)
            kept[language] = joined([kept[language], new] if language in kept else [new])
            self._texts, self._hubs = kept, {}
        unknown = [own[n] for n in np.flatnonzero(~new.known)]
        return Added(len(own), len(unknown), unknown[:SHOWN])

    def remove(self, ids: Iterable[str | int], language: str | None = None) -> int:
        """Remove texts and return how many were removed.

        Args:
            ids: of the texts.
            language: of the texts; all languages if not given.

        Raises:
            UserError: an id does not exist; nothing is removed.
        """
        with self._lock:
            before, self._texts = len(self), self._without(ids, language)
            self._hubs = {}
            return before - len(self)

    def _without(self, ids: Iterable[str | int], language: str | None) -> dict[str, Texts]:
        wanted = {str(x) for x in several("ids", ids)}
        found, kept = set(), dict(self._texts)
        for each in self._texts if language is None else {language} & self._texts.keys():
            names = self._texts[each].about["id"].to_pylist()
            mask = np.array([x not in wanted for x in names], bool)
            found |= wanted.intersection(names)
            kept[each] = self._texts[each].kept(mask)
        if missing := wanted - found:
            where = f"in {language!r}" if language else "in any language"
            raise UserError(f"the index has no text {min(missing)!r} {where}")
        return {x: texts for x, texts in kept.items() if len(texts)}

    def save(self, path: str | Path) -> None:
        """Write the index with its model to a folder, in place of an earlier one; or nothing.

        Args:
            path: of the folder, for `open_index`.

        Raises:
            UserError: there is something else; or models of that class cannot be stored.
        """
        path, texts = Path(path), self._texts
        if path.exists() and not is_index(path):
            raise UserError(f"{path} is there already, and no index: name another place")
        with making(path, INDEXES, languages=sorted(texts)) as folder:
            store.save(folder / "model", self.model.model, self.model.about)
            for language, each in texts.items():
                files.write(each, folder / f"{language}.arrow")

    def search(
        self,
        texts: str | Sequence[str],
        language: str,
        k: int = 10,
        measure: str | None = None,
        to: str | Sequence[str] | None = None,
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

        Returns:
            The hits of each query, best first; fewer than k if there are no more, none if the model
            knows no word of the query.

        Raises:
            UserError: a query is no string; the model does not know the language or lacks the
                measure; the index has no text in a language; k is not a whole number above 0.
        """
        given, k = strings(texts), whole("k", k)
        contents = self._texts
        targets = self._targets(contents, language, to)
        if measure is not None and measure not in self.model.measures:
            raise UserError(
                f"texts of {self.model.place} are not compared by {measure!r}; its measures are "
                f"{', '.join(self.model.measures)}"
            )
        counts = self.model.count(given, language).counts
        how = measure_of(measure or self.model.measure)
        k = min(k, sum(len(contents[x]) for x in targets))
        one = _Search(self, contents, counts, language, how)
        found = [one.best(target, k) for target in targets]
        scores = np.hstack([x.scores for x in found])
        columns = np.hstack([x.columns for x in found])
        # in ties the earlier language comes first
        order = np.argsort(-scores, axis=1, kind="stable")[:, :k]
        hits = [
            [(targets[n // k], columns[query, n], scores[query, n]) for n in of_query]
            for query, of_query in enumerate(order)
        ]
        return [
            [_hit(contents[x], x, int(n), score) for x, n, score in each if n != NONE]
            for each in hits
        ]

    def _targets(
        self, contents: Mapping[str, Texts], language: str, to: str | Sequence[str] | None
    ) -> list[str]:
        """Languages to search."""
        if not contents:
            raise UserError("the index is empty: add texts first")
        if to is None:
            return [x for x in sorted(contents) if x != language] or sorted(contents)
        targets = list(several("to", [to] if isinstance(to, str) else to))
        unknown = [x for x in targets if x not in list(contents)]
        if unknown or not targets:
            there = ", ".join(sorted(contents))
            raise UserError(f"to: found {unknown}, expected languages of the index: {there}")
        return list(dict.fromkeys(targets))


@dataclass(frozen=True)
class _Search:
    """One search: among these texts, whatever other threads add meanwhile."""

    index: Index
    contents: Mapping[str, Texts]
    counts: sparse.csr_matrix
    language: str
    how: Measure

    def best(self, target: str, k: int) -> Best:
        """The k best texts of one language; none for queries that cannot be compared."""
        model, texts = self.index.model, self.contents[target]
        towards = model.towards(target)
        if self.how.corrects_hubs and towards:
            raise UserError(
                f"{model.place} embeds texts anew towards each language, so an index of it "
                "cannot be searched by csls; search by cosine"
            )
        queries = model.embed_counts(self.counts, self.language, towards)
        found = self._scored(queries, texts, max(k, DEPTH) if model.model.rerank else k)
        if model.model.rerank:
            found = best_reranked(found, self._gain(texts, target), self.how, k)
        known = model.knows(self.counts, self.language, towards)
        found.scores[~known], found.columns[~known] = -np.inf, NONE
        return found

    def _scored(self, queries, texts: Texts, k: int) -> Best:
        barred = np.where(texts.known, 0, np.inf).astype(np.float32)
        largest = UNIT if self.how.unit else texts.largest
        if not self.how.corrects_hubs:
            return best(queries, texts.rows, k, barred, self.how.kernel, largest)
        found = best(queries, texts.rows, k, barred + self._hubness(texts) / 2)
        near = best(queries, texts.rows, NEIGHBOURS, barred).scores
        there = np.isfinite(near)
        own = np.where(there, near, 0).sum(axis=1) / np.maximum(there.sum(axis=1), 1)
        return Best(self.how.score(found.scores, own[:, None]), found.columns)

    def _hubness(self, texts: Texts) -> np.ndarray:
        """r(y) of CSLS by the training documents, or else by texts in the queries' language."""
        known = texts.hubness(self.language)
        if known is not None:
            return known
        others = self.contents.get(self.language)
        if others is None or not others.known.any():
            raise UserError(
                f"csls corrects for texts that are near to all texts of the queries' language: add "
                f"texts in {self.language!r} to the index, or search by cosine"
            )
        hubs, key = self.index._hubs, (texts, others)
        if key not in hubs:
            hubs[key] = mean_top_k(texts.rows, others.rows[others.known], NEIGHBOURS, cores())
        return hubs[key]

    def _gain(self, texts: Texts, target: str):
        """What the matches of words add to the scores of queries and texts."""
        model = self.index.model.model
        queries = model.matched(self.counts, self.language)
        none = sparse.csr_matrix((0, len(model.words[target])), dtype=self.counts.dtype)
        candidates = Words(texts.words, model.matched(none, target).vectors)
        return lambda x, y: model.rerank * matches(queries, candidates, x, y, cores())


def _hit(texts: Texts, language: str, number: int, score: float) -> Hit:
    title, text = (texts.about[name][number].as_py() for name in ("title", "text"))
    return Hit(texts.identity(number), language, title, float(score), text)


def is_index(path: str | Path) -> bool:
    """Whether this is the folder of an index."""
    with suppress(UserError):
        return Artefact(path, INDEXES).path.is_dir()
    return False


def open_index(path: str | Path, classes: Iterable[type[Model]] = ()) -> Index:
    """Open the index in a folder.

    Args:
        path: of the folder.
        classes: of models of one's own, see `load`.

    Raises:
        UserError: there is no index; or it is damaged or of another version.
    """
    found = Artefact(path, INDEXES)
    model = load(found.path / "model", classes=classes)
    languages = found.about["subject"]["languages"]
    return Index(model, {x: files.read(found.file(f"{x}.arrow")) for x in languages})


def of_run(results: Results, model: Embedder, languages: Iterable[str]) -> Index:
    """Embed a run's documents, or read what an earlier search has kept of them.

    Args:
        results: of the run.
        model: one of the run's.
        languages: of the documents.

    Raises:
        UserError: the run has no such documents.
    """
    return Index(model, {x: _of_language(results, model, x) for x in dict.fromkeys(languages)})


def _of_language(results: Results, model: Embedder, language: str) -> Texts:
    path = results.folder / "embedded" / Path(*model.place.parts[-3:]) / language
    read = model.place, results.bags_folder(language), results.documents_folder(language)
    with working(results.folder, {}, dict.fromkeys(read)):
        with suppress(UserError, OSError):
            kept = Artefact(path, EMBEDDED, language=language)
            if kept.is_up_to_date:
                return files.read(kept.file("texts.arrow"))
        ids, titles, texts = results.texts(language)
        found = embedded(model, ids, texts, titles, language)
        # the results may be read-only, or another process writes the same
        with suppress(UserError, OSError), making(path, EMBEDDED, language=language) as folder:
            files.write(found, folder / "texts.arrow")
    return found
