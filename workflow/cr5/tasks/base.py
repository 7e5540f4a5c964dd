"""What a task yields, and its ranking: embed once, search every pair of languages."""

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import permutations
from weakref import WeakKeyDictionary

import numpy as np
import pandas as pd
from scipy import sparse

from cr5.base.errors import LeftOutError, UserError
from cr5.base.rows import Rows
from cr5.counts.bags import Bags
from cr5.models.bank import neighbours
from cr5.models.contract import Model
from cr5.search.measures import Measure, measure
from cr5.search.options import SearchOptions
from cr5.search.ranking import Found, Ranking
from cr5.search.reranking import two_stages
from cr5.search.second_stage import Gain
from cr5.search.word_matches import matches
from cr5.splits.draw import Draw
from cr5.splits.options import Pair


@dataclass(frozen=True, eq=False)
class Texts:
    """Texts of one language.

    Attributes:
        ids: of the texts; unique.
        given: their counts; None if the texts are a subset of `whole`.
        whole: the texts that these are a subset of; they are embedded together, once.
        rows: of these in `whole`.
        concepts: of the documents that contain the texts, if the task needs them.
        labels: of the texts, if they have any.
        weights: of the words, replacing the model's own; None keeps those.
        read: reads the texts by their ids; None where only their counts are kept.
    """

    ids: pd.Index
    given: sparse.csr_matrix | None
    whole: "Texts | None" = None
    rows: np.ndarray | None = None
    concepts: pd.Index | None = None
    weights: np.ndarray | None = None
    labels: pd.Index | None = None
    read: Callable[[pd.Index], list[str]] | None = None

    @classmethod
    def of_bags(cls, bags: Bags, concepts: pd.Index) -> "Texts":
        """Select documents of a corpus by their concepts."""
        return cls(concepts, bags.counts[bags.rows(concepts)], read=bags.texts)

    def select(self, ids: pd.Index) -> "Texts":
        """Select texts, in the order given; KeyError for an unknown one."""
        rows = self.ids.get_indexer(ids)
        if (rows < 0).any():
            raise KeyError(list(ids[rows < 0][:5]))
        return Texts(ids, None, self, rows)

    @property
    def counts(self) -> sparse.csr_matrix:
        """Texts x words of the language's vocabulary; subsets are sliced on each call."""
        return self.given if self.whole is None else self.whole.counts[self.rows]

    @property
    def texts(self) -> list[str]:
        """The texts themselves, read on each call.

        Raises:
            LeftOutError: only their counts are kept.
        """
        if self.whole is not None:
            every = self.whole.texts
            return [every[row] for row in self.rows]
        if self.read is None:
            raise LeftOutError(
                "it embeds texts, and this task keeps only their counts: such systems are compared "
                "in the task `documents`"
            )
        return self.read(self.ids)


@dataclass(frozen=True, eq=False)
class Search:
    """Queries of one language, candidates of another, and which candidates are answers.

    Attributes:
        query, target: their languages.
        queries, candidates: the texts.
        relevance: queries x candidates; the grade if a candidate is an answer.
        neighbours: texts of the query language to correct hubness by; the queries if None.
        depth: answers beyond this rank count as not found; None for no bound.
        judged: queries x candidates, an entry where somebody said whether the candidate is an
            answer; None if candidates were not judged one by one.
    """

    query: str
    target: str
    queries: Texts
    candidates: Texts
    relevance: sparse.csr_matrix
    neighbours: Texts | None = None
    depth: int | None = None
    judged: sparse.csr_matrix | None = None

    def __post_init__(self) -> None:
        """Refuse empty searches, and what the definition of ranks does not cover."""
        shape = (len(self.queries.ids), len(self.candidates.ids))
        if self.relevance.shape != shape or not min(shape):
            raise UserError(
                f"{self.query}-{self.target}: a search needs queries, candidates and their "
                f"relevance; found {shape[0]} queries, {shape[1]} candidates and relevance of "
                f"shape {self.relevance.shape}"
            )
        if not (self.relevance.data > 0).all() or (self.depth is not None and self.depth < 1):
            raise UserError(
                f"{self.query}-{self.target}: grades must be above 0, a depth 1 or more; found the "
                f"lowest grade {self.relevance.data.min(initial=1)} and depth {self.depth}"
            )


@dataclass(frozen=True)
class Data:
    """What tasks build searches from.

    Attributes:
        bags: by language.
        drawn: queries and candidates among the documents of the corpus.
        texts: contents of the task's own files, by language and a name the task chooses.
        tables: made by the task from files of language pairs, by a name the task chooses.
        pairs: of languages, unordered, that the setting searches; None for all.
        seed: for what the task itself draws; differs between repetitions that draw anew.
    """

    bags: Mapping[str, Bags]
    drawn: Draw
    texts: Mapping[str, Mapping[str, Texts]] = field(default_factory=dict)
    tables: Mapping[str, pd.DataFrame] = field(default_factory=dict)
    pairs: Collection[Pair] | None = None
    seed: int = 0

    def directions(self, languages: Sequence[str]) -> list[Pair]:
        """Query and candidate language of each search, in a fixed order."""
        searched = None if self.pairs is None else set(map(frozenset, self.pairs))
        every = permutations(languages, 2)
        return [x for x in every if searched is None or frozenset(x) in searched]


def one_answer_each(queries: pd.Index, candidates: pd.Index) -> sparse.csr_matrix:
    """Relevance where the answer has the id of the query; KeyError if a query has none."""
    columns = candidates.get_indexer(queries)
    if (columns < 0).any():
        raise KeyError(list(queries[columns < 0][:5]))
    indptr = np.arange(len(queries) + 1)
    grades = np.ones(len(queries), np.int8)
    return sparse.csr_matrix((grades, columns, indptr), (len(queries), len(candidates)))


def rank_all(
    searches: Iterable[Search],
    model: Model,
    measures: Sequence[str] | None = None,
    csls_neighbours: int = SearchOptions.csls_neighbours,
    csls_neighbourhood: str = SearchOptions.csls_neighbourhood,
    inverse_temperature: float = SearchOptions.inverse_temperature,
    run_depth: int = SearchOptions.run_depth,
    threads: int = 1,
) -> Iterator[Found]:
    """Rank the answers of every search.

    Args:
        searches: of a task.
        model: embeds.
        measures: names; those that fit the model are used, or all of the model's own if none does.
        csls_neighbours: k of CSLS.
        csls_neighbourhood: `candidates` takes a candidate's neighbours among the search's
            `neighbours`, `queries` among the queries only, as the authors' code does, `training`
            among the training documents that the model keeps.
        inverse_temperature: of the inverted softmax.
        run_depth: candidates of each query to keep, best first; 0 for none.
        threads: does not affect the result.

    Yields:
        The results of each search and measure.

    Raises:
        UserError: the measures cannot compare the model's rows, or it keeps no training documents.
    """
    fitting = [name for name in measures or () if measure(name).fits(model.measures)]
    chosen = [measure(name) for name in fitting or model.measures]
    corrects_hubs = any(each.corrects_hubs for each in chosen)
    neighbourhood = csls_neighbourhood if corrects_hubs else "queries"
    embedded = _Embedded(model)
    for search in searches:
        gain = embedded.gain(search, threads)
        options = run_depth, csls_neighbours, threads, inverse_temperature
        found = _ranked(search, embedded.of(search, neighbourhood), chosen, gain, *options)
        yield from (_found(search, ranking) for ranking in found)


class _Embedded:
    """Embeds each `whole` once, as long as the task keeps it, and takes rows for its subsets."""

    def __init__(self, model: Model):
        self._model = model
        self._known: WeakKeyDictionary[Texts, dict[str, Rows]] = WeakKeyDictionary()

    def of(self, search: Search, neighbourhood: str) -> tuple[Rows, Rows, Rows]:
        """Queries, candidates and neighbours, see `rank_all`; the queries if a search has none."""
        queries = self.rows(search.queries, search.query, search.target)
        candidates = self.rows(search.candidates, search.target, search.target)
        if neighbourhood == "training":
            return queries, candidates, neighbours(self._model, search.query, search.target)
        if neighbourhood == "queries" or not search.neighbours:
            return queries, candidates, queries
        return queries, candidates, self.rows(search.neighbours, search.query, search.target)

    def rows(self, texts: Texts, language: str, target: str) -> Rows:
        if self._model.directed and language != target:  # depends on the target: not cached
            return self._embed(texts, language, target)
        if texts.whole is not None:
            return self.rows(texts.whole, language, target)[texts.rows]
        known = self._known.setdefault(texts, {})
        if language not in known:
            target_language = target if self._model.directed else None
            known[language] = self._embed(texts, language, target_language)
        return known[language]

    def gain(self, search: Search, threads: int) -> Gain | None:
        """What the second stage adds to scores; None if the model has no second stage."""
        weight = self._model.rerank
        if not weight:
            return None
        queries, candidates = (
            self._weighing(texts, language).matched(texts.counts, language)
            for texts, language in (
                (search.queries, search.query),
                (search.candidates, search.target),
            )
        )
        return lambda *pairs: weight * matches(queries, candidates, *pairs, threads)

    def _embed(self, texts: Texts, language: str, target_language: str | None) -> Rows:
        model = self._weighing(texts, language)
        given = texts.texts if model.reads_texts else texts.counts
        return model.embed(given, language, target_language)

    def _weighing(self, texts: Texts, language: str) -> Model:
        """The model, with the texts' own weights of words if they have any."""
        weights = (texts.whole or texts).weights
        return self._model if weights is None else self._model.reweighted(language, weights)


def _ranked(
    search: Search, rows: tuple[Rows, Rows, Rows], measures: Sequence[Measure], gain, *options
) -> list[Ranking]:
    queries, candidates, neighbours = rows
    given = search.relevance, measures, neighbours, gain, search.depth
    try:
        return two_stages(queries, candidates, *given, *options)
    except UserError as error:
        raise UserError(f"{search.query}-{search.target}: {error}") from error


def _found(search: Search, ranking: Ranking) -> Found:
    queries, candidates = search.queries.ids, search.candidates.ids
    answers = pd.DataFrame(
        {
            "query": queries[ranking.answers.query],
            "candidate": candidates[ranking.answers.candidate],
            "grade": ranking.answers.grade,
            "rank": ranking.rank,
            "score": ranking.score,
        }
    )
    names = candidates.to_numpy()
    about = pd.DataFrame(
        {
            "query": queries,
            "n_relevant": np.diff(search.relevance.tocsr().indptr),
            "n_candidates": len(candidates),
            "depth": pd.array([search.depth] * len(queries), "Int64"),
            "nearest": [names[row].tolist() for row in ranking.nearest],
        }
    )
    if search.judged is not None:
        about["judged"] = _judged(search.judged, ranking.nearest)
    run = _run(search, ranking) if ranking.others.shape[1] else None
    return Found(search.query, search.target, ranking.measure, answers, about, run)


def _run(search: Search, ranking: Ranking) -> pd.DataFrame:
    query, candidate, rank, score = ranking.run()
    names = search.queries.ids[query], search.candidates.ids[candidate]
    columns = ("query", "candidate", "rank", "score")
    return pd.DataFrame(dict(zip(columns, (*names, rank, score), strict=True)))


def _judged(judged: sparse.csr_matrix, nearest: np.ndarray) -> list[list[bool]]:
    """Which of the nearest candidates of each query were judged."""
    ends = zip(judged.indptr[:-1], judged.indptr[1:], strict=True)
    columns = (judged.indices[start:end] for start, end in ends)
    return [np.isin(row, known).tolist() for row, known in zip(nearest, columns, strict=True)]
