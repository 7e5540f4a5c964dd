"""What a task yields: searches, and the texts that these are about."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from itertools import permutations
from typing import Any

import numpy as np
import pandas as pd
from scipy import sparse

from cr5.base.errors import LeftOutError, UserError
from cr5.contracts.model import Model
from cr5.counts.bags import Bags
from cr5.counts.columns import selected
from cr5.counts.weighting import inverse_document_frequency, muse_idf
from cr5.search.ranking import no_answers
from cr5.splits.draw import Draw
from cr5.splits.options import Pair


@dataclass(frozen=True, eq=False)
class Texts:
    """Texts of one language.

    Attributes:
        about: a row for each: its unique `id` and, if they are needed, the `concept` of the
            document that contains it, its `label`, `n_words`, different ones, known or not.
        counts: texts x words of the language's vocabulary.
        whole: the texts of which these are some; they are embedded together, once.
        weights: of the words, replacing the model's own; None keeps those.
        read: reads the texts by their ids; None where only their counts are kept.
    """

    about: pd.DataFrame
    counts: sparse.csr_matrix
    whole: Texts | None = None
    weights: np.ndarray | None = None
    read: Callable[[pd.Index], list[str]] | None = None

    @classmethod
    def of_bags(cls, bags: Bags, concepts: pd.Index) -> Texts:
        """Select documents of a corpus by their concepts."""
        rows = bags.rows(concepts)
        documents = bags.documents.iloc[rows]
        documents = documents.rename(columns={"concept": "id"})
        return cls(documents, bags.counts[rows], read=bags.texts)

    @cached_property
    def ids(self) -> pd.Index:
        """The ids of the texts."""
        return pd.Index(self.about["id"])

    def select(self, chosen: pd.Index | np.ndarray) -> Texts:
        """Select texts by ids, in that order, or by a mask; KeyError for an unknown one."""
        ids = chosen
        if not isinstance(chosen, pd.Index):
            ids = self.ids[chosen]
        rows = self.ids.get_indexer(ids)
        is_unknown = rows < 0
        if is_unknown.any():
            some_ids = list(ids[is_unknown][:5])
            raise KeyError(some_ids)
        return replace(self, about=self.about.iloc[rows], counts=self.counts[rows], whole=self)

    def weighed(self, reference: sparse.csr_matrix, idf: str) -> Texts:
        """Weigh words by other texts than the model's, N x words, as published evaluations do.

        `own`, as MUSE: a word counts once in a text, with `muse_idf`; or `own_tfidf`, as Cr5: with
        ln(N / df) + 1, and as often as the model has it.
        """
        if idf == "own_tfidf":
            return replace(self, weights=inverse_document_frequency(reference))
        is_in_text = self.counts.copy()
        is_in_text.data[:] = 1
        return replace(self, counts=is_in_text, weights=muse_idf(reference))

    def known(self, columns: sparse.csr_matrix) -> Texts:
        """Keep the words of a model; see `counts.columns.columns_of`."""
        return replace(self, counts=selected(self.counts, columns), whole=None)

    @property
    def texts(self) -> list[str]:
        """The texts themselves, read on each call; LeftOutError if only counts are kept."""
        if self.read is None:
            raise LeftOutError(
                "it embeds texts, and this task has only words: such systems are compared in tasks "
                "of texts"
            )
        return self.read(self.ids)


NamedTexts = Mapping[str, Mapping[str, Texts]]
"""By language, and by a name that the task chooses."""


@dataclass(frozen=True, eq=False)
class Search:
    """Queries of one language, candidates of another, and which candidates are answers.

    Attributes:
        query_language, target_language: of the queries, of the candidates.
        queries, candidates: the texts.
        relevance: queries x candidates; the grade, above 0, if a candidate is an answer.
        neighbours: texts of the query language to correct hubness by; the queries if None.
        depth: answers beyond this rank count as not found; None for no bound.
        collection: whether the candidates are a given collection, whose statistics a system may
            use (`Model.searching`), and not test text of which nothing is known.
        absent: answers that are in no collection, which count as not found: query and candidate
            (ids), grade.
        told: what the report is to say of the task's files.
    """

    query_language: str
    target_language: str
    queries: Texts
    candidates: Texts
    relevance: sparse.csr_matrix
    neighbours: Texts | None = None
    depth: int | None = None
    collection: bool = False
    absent: pd.DataFrame = field(default_factory=no_answers)
    told: Sequence[str] = ()

    def __post_init__(self) -> None:
        """Refuse what the definition of ranks does not cover."""
        where = f"{self.query_language}-{self.target_language}"
        grades = self.relevance
        if not sparse.issparse(grades):
            raise UserError(
                f"{where}: the relevance should be a sparse matrix, scipy.sparse.csr_matrix(...), "
                f"found {type(grades).__name__}"
            )
        shape = (len(self.queries.ids), len(self.candidates.ids))
        if not min(shape):
            raise UserError(f"{where}: expected queries and candidates, found {shape} of them")
        if grades.shape != shape:
            raise UserError(
                f"{where}: expected a relevance of queries x candidates, {shape}, found one of "
                f"{grades.shape}"
            )
        is_grade = (grades.data > 0) & np.isfinite(grades.data)
        if not is_grade.all():
            wrong = grades.data[~is_grade]
            raise UserError(f"{where}: expected finite grades above 0, found {wrong[0]}")
        _check_ids(self.queries.ids, f"{where}, queries")
        _check_ids(self.candidates.ids, f"{where}, candidates")
        asked = self.absent["query"]
        unknown = asked[~asked.isin(self.queries.ids)]
        if len(unknown):
            raise UserError(
                f"{where}: there are absent answers of {unknown.iloc[0]!r}, which is none of the "
                "queries; leave them out"
            )
        if self.depth is not None and self.depth < 1:
            raise UserError(f"{where}: expected a depth of 1 or more, found {self.depth}")


def _check_ids(ids: pd.Index, whose: str) -> None:
    """Refuse ids that are no texts, or by which texts cannot be told apart."""
    if ids.hasnans or ids.inferred_type != "string":  # a category may be of texts
        no_texts = [text_id for text_id in ids if not isinstance(text_id, str)]
        if no_texts:
            raise UserError(
                f"{whose}: expected ids that are texts, found {no_texts[0]!r}; convert them by "
                ".astype(str), and leave out what has none"
            )
    if not ids.is_unique:
        repeated = ids[ids.duplicated()]
        raise UserError(f"{whose}: the id {repeated[0]!r} is there twice; rename one")


@dataclass(frozen=True)
class Data:
    """What tasks build searches from.

    Attributes:
        bags: by language.
        drawn: queries and candidates among the documents of the corpus.
        texts: contents of the task's own files.
        tables: made by the task from files of language pairs, by a name the task chooses.
        pairs: of languages, unordered, that the setting searches; None for all.
        elsewhere: ids of the task's own texts in languages that the setting lacks, by the names of
            `texts`.
        seed: for what the task itself draws; differs between repetitions that draw anew.
    """

    bags: Mapping[str, Bags]
    drawn: Draw
    texts: NamedTexts = field(default_factory=dict)
    tables: Mapping[str, pd.DataFrame] = field(default_factory=dict)
    pairs: Collection[Pair] | None = None
    elsewhere: Mapping[str, Collection[str]] = field(default_factory=dict)
    seed: int = 0

    @classmethod
    def of_model(
        cls, model: Model, bags: Iterable[tuple[str, Bags]], texts: NamedTexts, **fields: Any
    ) -> Data:
        """Keep the words of a model, in texts and in bags, which are read one after the other."""
        known_bags = {}
        known_texts = {}
        for language, all_bags in bags:
            vocabulary = model.vocabulary(language)
            known_bags[language] = all_bags.select(vocabulary)
            columns = all_bags.columns_of(vocabulary)
            known_texts[language] = {
                name: named.known(columns) for name, named in texts.get(language, {}).items()
            }
        return cls(known_bags, texts=known_texts, **fields)

    def directions(self, languages: Sequence[str]) -> list[Pair]:
        """Return query and target language of each search, in a fixed order."""
        directions = list(permutations(languages, 2))
        if self.pairs is None:
            return directions
        searched = {frozenset(pair) for pair in self.pairs}
        return [direction for direction in directions if frozenset(direction) in searched]

    def targets(self, query_language: str, languages: Sequence[str]) -> list[str]:
        """Return the languages that queries of one language search."""
        directions = self.directions(languages)
        return [target for language, target in directions if language == query_language]


@dataclass(frozen=True)
class AnswerIds:
    """Pairs of a query and one of its answers, by the ids of texts."""

    queries: pd.Index
    candidates: pd.Index


def same_ids(ids: pd.Index) -> AnswerIds:
    """Return that each text is answered by the one of the same id."""
    return AnswerIds(ids, ids)


def searches_of(spaces: Mapping[str, Texts], answers: Mapping[Pair, AnswerIds]) -> Iterator[Search]:
    """Yield a search of each direction that has answers, among all texts of the target language.

    What is asked and found by answers that are not in the spaces is left out.
    """
    for (query_language, target_language), answer_ids in answers.items():
        space = spaces[query_language]
        candidates = spaces[target_language]
        is_query_known = answer_ids.queries.isin(space.ids)
        is_answer_known = answer_ids.candidates.isin(candidates.ids)
        ids = answer_ids.queries[is_query_known & is_answer_known].unique()
        if not len(ids):
            continue
        queries = space.select(ids)
        relevance = relevance_of(ids, candidates.ids, answer_ids.queries, answer_ids.candidates)
        yield Search(
            query_language,
            target_language,
            queries,
            candidates,
            relevance,
            neighbours=space,
        )


def relevance_of(
    query_ids: pd.Index,
    candidate_ids: pd.Index,
    asked: pd.Index | pd.Series,
    answers: pd.Index | pd.Series,
    grades: np.ndarray | float = 1.0,
) -> sparse.csr_matrix:
    """Return queries x candidates: the grade of each answer to what is asked, both by their ids.

    What is asked or answered by unknown ids is left out.
    """
    rows = query_ids.get_indexer(asked)
    columns = candidate_ids.get_indexer(answers)
    known = (rows >= 0) & (columns >= 0)
    known_grades = np.broadcast_to(grades, known.shape)[known]
    shape = (len(query_ids), len(candidate_ids))
    return sparse.csr_matrix((known_grades, (rows[known], columns[known])), shape)
