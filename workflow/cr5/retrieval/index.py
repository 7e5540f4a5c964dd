"""An index: texts in one or several languages, embedded once and searched many times; aligned."""

import os
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from contextlib import suppress
from copy import copy
from functools import partial
from heapq import nlargest
from numbers import Integral
from pathlib import Path
from threading import Lock
from typing import Any, NamedTuple

import numpy as np
import pyarrow as pa
from scipy import sparse

from cr5.base.artefacts import NO_JOB, Artefact, Job, is_made
from cr5.base.errors import UnfitError, UserError
from cr5.base.languages import folded_code
from cr5.base.text_files import name
from cr5.models import store
from cr5.models.encoders.kept import ENCODED
from cr5.retrieval.embedder import Embedder, several, strings
from cr5.retrieval.loading import is_results, load
from cr5.retrieval.texts import CORES, STRINGS, Texts, embedded, joined, read
from cr5.search.measures import MEASURES, Measure
from cr5.search.nearest import best, mean_top_k
from cr5.search.word_matches import DEPTH, Gain, Words, matches

CANDIDATES = 20  # of a text in an alignment
INDEXES, EMBEDDED, MODEL = "search index", "embedded documents", "model"
_embedding = Lock()


class Hit(NamedTuple):
    """A text that was found; the higher its score, the nearer. Its title may be empty."""

    id: str
    language: str
    title: str
    score: float
    text: str


class Index:
    """Texts embedded by one model, to which others can be added, and which can be searched.

    Any number of threads may use one index: additions and removals wait for each other, searches
    for nothing. Searches are exact: scores are computed in float64 from the two embeddings alone;
    in ties the text added first comes first.
    """

    def __init__(self, model: Embedder, texts: Mapping[str, Texts] | None = None) -> None:
        """Take a model from `cr5.load` or `cr5.fit`, and texts embedded by it, by language."""
        if not isinstance(model, Embedder):
            raise UserError(
                f"model: expected what cr5.load or cr5.fit returns, found {model!r:.60}"
            )
        self.model = model
        self._texts = dict(texts or {})  # never changed in place, for searches that have begun
        self._hubs: dict[tuple[Texts, Texts], np.ndarray] = {}
        self._lock = Lock()

    def __len__(self) -> int:
        """Number of texts in all languages."""
        return sum(self.sizes.values())

    @property
    def sizes(self) -> dict[str, int]:
        """Number of texts in each language."""
        return {language: len(texts) for language, texts in sorted(self._texts.items())}

    def add(
        self,
        ids: Iterable[str | int],
        texts: Iterable[str],
        language: str,
        titles: Iterable[str] | None = None,
    ) -> list[str]:
        """Add texts: all of them, or none if there is an error.

        Args:
            ids: one per text; unique within a language, where 2 is the same as "2".
            texts: as many.
            language: of the texts.
            titles: shown with hits; empty by default.

        Returns:
            The ids of texts that are empty or have no word with a vector, which are never found.

        Raises:
            UserError: an id exists already; the model does not know the language; an id, text or
                title is invalid.
        """
        language = self.model.known_language(language)
        own, contents = [name("id", x, "texts to add") for x in several("ids", ids)], strings(texts)
        named = [""] * len(own) if titles is None else strings(titles, "title")
        if not len(own) == len(contents) == len(named):
            raise UserError(
                f"{len(own)} ids, {len(contents)} texts, {len(named)} titles: expected as many"
            )
        new = embedded(self.model, language, [own, named, contents])
        with self._lock:
            earlier = [self._texts[language]] if language in self._texts else []
            every = joined([x.table for x in (*earlier, new)])
            if twice := [x for x, n in Counter(every.ids).items() if n > 1]:
                raise UserError(
                    f"language {language!r}: the text {twice[0]!r} exists already or is given "
                    "twice; remove it first, or give the new one another id (the command takes "
                    "ids from the column that --id names, or from before a tab in each line)"
                )
            self._texts, self._hubs = {**self._texts, language: every}, {}
        return [own[n] for n in np.flatnonzero(~new.known)]

    def remove(self, ids: Iterable[str | int], language: str | None = None) -> None:
        """Remove texts, of one language or of all.

        UserError: an id does not exist; nothing is removed.
        """
        if language is not None:
            language = self.model.known_language(language)
        wanted = {name("id", x, "texts to remove") for x in several("ids", ids, have_order=False)}
        with self._lock:
            some = {x: texts for x, texts in self._texts.items() if language in (None, x)}
            if missing := wanted.difference(*(texts.ids for texts in some.values())):
                where = f"in {language!r}" if language else "in any language"
                raise UserError(f"the index has no text {min(missing)!r} {where}")
            left = self._texts | {x: texts.without(wanted) for x, texts in some.items()}
            self._texts, self._hubs = {x: texts for x, texts in left.items() if len(texts)}, {}

    def save(self, path: str | Path) -> None:
        """Write the index with its model to a folder, in place of an earlier one; or nothing.

        UserError: there is something else; or models of that class cannot be stored.
        """
        path, texts = Path(path), self._texts
        if path.exists() and not is_made(path, INDEXES):
            raise UserError(f"{path} is there already, and no index: name another place")
        with NO_JOB.making(path, INDEXES, languages=sorted(texts)) as folder:
            store.save(folder / MODEL, self.model.model, self.model.about)
            for language, each in texts.items():
                each.write(folder / f"{language}.arrow")

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
                the model keeps training documents. Without such, `csls` needs texts in the language
                of the queries in the index, the more the better.
            to: languages to search, or one; defaults to all of the index except that of the
                queries, which is searched only if the index has no other.

        Returns:
            The hits of each query, best first; fewer than k if there are no more, none if the model
            knows no word of the query.

        Raises:
            UserError: a query is no string; the model does not know the language or lacks the
                measure; the index has no text in a language; k is not a whole number above 0.
        """
        given, now = strings(texts), copy(self)  # which additions leave as it is
        if isinstance(k, bool) or not isinstance(k, Integral) or k < 1:
            raise UserError(f"k is {k!r}: expected a whole number, 1 or more")
        language = self.model.known_language(language)
        targets = now._targets(language, to)
        if measure is not None and measure not in self.model.measures:
            raise UserError(
                f"texts of {self.model.place} are not compared by {measure!r}; its measures are "
                f"{', '.join(self.model.measures)}"
            )
        how = MEASURES[measure or self.model.measure]
        counts, found = self.model.count(given, language), [[] for _ in given]
        for target in targets:  # in ties the earlier language comes first
            scores, numbers = now._best(counts, language, target, how, k)
            for hits, own, places in zip(found, scores.tolist(), numbers.tolist(), strict=True):
                pairs = zip(own, places, strict=True)
                hits.extend((score, target, n) for score, n in pairs if score > -np.inf)
        best_of = (nlargest(k, hits, key=lambda hit: hit[0]) for hits in found)
        return [[now._hit(*each) for each in hits] for hits in best_of]

    def _targets(self, language: str, to: str | Sequence[str] | None) -> list[str]:
        if not self._texts:
            raise UserError("the index is empty: add texts first")
        if to is None:
            return [x for x in sorted(self._texts) if x != language] or sorted(self._texts)
        targets = list(dict.fromkeys(map(folded_code, strings(to, "language"))))
        if unknown := [x for x in targets if x not in self._texts]:
            there = ", ".join(sorted(self._texts))
            raise UserError(f"to: found {unknown}, expected languages of the index: {there}")
        return targets

    def _best(
        self, counts: sparse.csr_matrix, language: str, target: str, how: Measure, k: int
    ) -> tuple[np.ndarray, np.ndarray]:
        """Scores and numbers of the k best texts of a language, or of some more; -inf for none."""
        model, texts = self.model, self._texts[target]
        queries = model.model.embed(counts, language, target)
        k = max(k, DEPTH) if model.model.rerank else k
        barred = np.where(texts.known, 0, np.inf).astype(np.float32)
        hubness = self._hubness(texts, language) if how.corrects_hubs else np.float32(0)
        scores, numbers = best(queries, texts.rows, k, barred + hubness / 2, how.kernel)
        if how.corrects_hubs:
            near, _ = best(queries, texts.rows, model.neighbours, barred)
            own = np.ma.masked_invalid(near).mean(axis=1).filled(0)
            scores = how.score(scores, own[:, None])
        if model.model.rerank:
            query, place = np.nonzero(np.isfinite(scores[:, :DEPTH]))
            gain = self._gain(counts, language, texts, target)
            scores[query, place] += how.score(gain(query, numbers[query, place]), 0)
        scores[~model.knows(counts, language, target)] = -np.inf
        return scores, numbers

    def _hubness(self, texts: Texts, language: str) -> np.ndarray:
        """r(y) of CSLS by the training documents, or else by texts in the queries' language."""
        known = texts.hubness(language)
        if known is not None:
            return known
        others = self._texts.get(language)
        if others is None or not others.known.any():
            raise UserError(
                f"csls corrects for texts that are near to all texts of the queries' language: add "
                f"texts in {language!r} to the index, or search by cosine"
            )
        hubs, key = self._hubs, (texts, others)
        if key not in hubs:
            near = others.rows[others.known]
            hubs[key] = mean_top_k(texts.rows, near, self.model.neighbours, CORES)
        return hubs[key]

    def _gain(self, counts: sparse.csr_matrix, language: str, texts: Texts, target: str) -> Gain:
        """What the matches of words add to the scores of queries and texts."""
        model = self.model.model
        queries = model.matched(counts, language)
        dtype = queries.weights.dtype
        none = sparse.csr_matrix((0, len(model.words[target])), dtype=dtype)
        candidates = Words(texts.words, model.matched(none, target).vectors)
        return lambda x, y: model.rerank * matches(queries, candidates, x, y, CORES)

    def _hit(self, score: float, language: str, number: int) -> Hit:
        table = self._texts[language].table
        own, title, text = (table[x][number].as_py() for x in STRINGS)
        return Hit(own, language, title, score, text)


def is_index(path: str | Path) -> bool:
    """Whether this is the folder of an index, or what is left of one."""
    return is_made(path, INDEXES) or Path(path, MODEL).is_dir()


def open_index(path: str | Path, **choice: Any) -> Index:
    """Open the index in a folder, or one of a run's documents by a model chosen as by `load`.

    A run's documents are embedded when a search first needs their language, and kept in its folder
    `embedded`, if that can be written. UserError: there is neither; and as of `load`.
    """
    path = Path(path)
    if is_results(path):
        model = load(path, **choice)
        return Index(model, {x: Texts(partial(_of_run, path, model, x)) for x in model.languages})
    if store.is_model(path):
        raise UserError(
            f"{path}: a model, which has no texts to be searched; embed yours with it by "
            f"`cr5 index {path} FOLDER --language CODE --file FILE`, and name that folder here"
        )
    if not is_index(path):
        raise UserError(f"{path}: not there, or neither an index (`cr5 index`) nor a run")
    try:
        found = Artefact(path, INDEXES)
        missing = [x for x in found.files if not (path / x).is_file()]
        if missing:
            raise found.refused("not there", missing[0])
        languages = found.about["subject"]["languages"]
        texts = {x: read(found.file(f"{x}.arrow")) for x in languages}
        return Index(load(path / MODEL, **choice), texts)
    except UnfitError as error:  # of the index, or of the model in it
        remedy = f"remove {path}, the whole index, and make it again by `cr5 index`"
        raise UserError(f"{error.what}; {remedy}") from error


def _of_run(run: Path, model: Embedder, language: str) -> pa.Table:
    """Embed the documents of a language, or read what an earlier search has kept."""
    from cr5.counts import bags, documents

    path = run / "embedded" / Path(*model.place.parts[-3:]) / language
    counted_at, texts_at = (run / x / language for x in ("bags", "documents"))
    with _embedding:
        job = Job.reading(run, {}, dict.fromkeys([model.place, counted_at, texts_at]))
        with suppress(UserError, OSError):
            kept = Artefact(path, EMBEDDED, language=language)
            if job.has_made(kept):
                return read(kept.file("texts.arrow")).table
        counted = bags.read_documents(counted_at, language, ["concept", "title"])
        concepts, titles = (counted[x].tolist() for x in counted)
        texts = documents.texts(texts_at, concepts)
        found = embedded(_with_kept_rows(model, run), language, [concepts, titles, texts])
        # the results may be read-only, or another process writes the same
        with suppress(UserError, OSError), job.making(path, EMBEDDED, language=language) as folder:
            found.write(folder / "texts.arrow")
    return found.table


def _with_kept_rows(model: Embedder, run: Path) -> Embedder:
    """Return the model with the rows of its encoder that the run has kept, if it has any."""
    folder = run.parent / ENCODED
    if not os.access(folder, os.W_OK):
        return model
    return Embedder(model.model.keeping_rows(folder), model.about, model.place)


class Pair(NamedTuple):
    """Two texts that belong together, by their numbers in the two collections, from 0."""

    first: int
    second: int
    score: float


def align(
    model: Embedder,
    texts: Sequence[str],
    language: str,
    others: Sequence[str],
    other_language: str,
    k: int = CANDIDATES,
    measure: str | None = None,
) -> list[Pair]:
    """Align two collections of texts one to one.

    Each text of the first collection is searched among the second; of the pairs found, those are
    kept that have the largest sum of scores while no text is in two (Jonker and Volgenant 1987, on
    a sparse graph). So a pair depends on all other texts: a reading of both collections together
    (transductive), which a search of one query cannot have.

    Args:
        model: from `cr5.load` or `cr5.fit`.
        texts: the first collection.
        language: of these.
        others: the second collection.
        other_language: of these.
        k: how many texts of the second collection may belong to one of the first.
        measure: one of the model's; defaults to `csls` if the model has it.

    Returns the pairs, in the order of the first collection. A text without a word that the model
    knows has none, nor one whose candidates belong better to others.
    """
    if not (len(texts) and len(others)):
        return []
    index = Index(model)
    language, other_language = map(model.known_language, (language, other_language))
    for each, of in ((others, other_language), (texts, language)):  # the latter for `csls`
        if of not in index.sizes and len(index.add(range(len(each)), each, of)) == len(each):
            return []
    if measure is None and "csls" in model.measures:
        measure = "csls"
    hits = index.search(texts, language, k, measure, other_language)
    found = [(row, int(hit.id), hit.score) for row, each in enumerate(hits) for hit in each]
    return one_to_one(*map(np.array, zip(*found, strict=True))) if found else []


def one_to_one(first: np.ndarray, second: np.ndarray, scores: np.ndarray) -> list[Pair]:
    """Choose among scored pairs, sorted and each once, those of the largest sum, no number in two.

    A number stays without partner where that makes the sum larger, counted as the lowest score.
    """
    from scipy.sparse.csgraph import min_weight_full_bipartite_matching  # slow to import

    found, row = np.unique(first, return_inverse=True)
    costs = scores.max() - scores + 1  # entries of zero would be no entries
    # a column for each row, in case that it stays alone
    alone = sparse.identity(len(found)) * costs.max()
    graph = sparse.hstack([sparse.csr_matrix((costs, (row, second))), alone]).tocsr()
    kept = min_weight_full_bipartite_matching(graph)[1][row] == second
    return list(map(Pair, first[kept].tolist(), second[kept].tolist(), scores[kept].tolist()))
