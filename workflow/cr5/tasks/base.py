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
from cr5.counts.bags import Bags
from cr5.counts.columns import selected
from cr5.counts.weighting import inverse_document_frequency, muse_idf
from cr5.models.contract import Model
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
        about = bags.documents.iloc[rows].rename(columns={"concept": "id"})
        return cls(about, bags.counts[rows], read=bags.texts)

    @cached_property
    def ids(self) -> pd.Index:
        """The ids of the texts."""
        return pd.Index(self.about["id"])

    def select(self, chosen: pd.Index | np.ndarray) -> Texts:
        """Select texts by ids, in that order, or by a mask; KeyError for an unknown one."""
        ids = chosen if isinstance(chosen, pd.Index) else self.ids[chosen]
        rows = self.ids.get_indexer(ids)
        if (rows < 0).any():
            raise KeyError(list(ids[rows < 0][:5]))
        return replace(self, about=self.about.iloc[rows], counts=self.counts[rows], whole=self)

    def weighed(self, others: sparse.csr_matrix, idf: str) -> Texts:
        """Weigh words by other texts than the model's, N x words, as published evaluations do.

        `own`, as MUSE: a word counts once in a text, with `muse_idf`; or `own_tfidf`, as Cr5: with
        ln(N / df) + 1, and as often as the model has it.
        """
        if idf == "own_tfidf":
            return replace(self, weights=inverse_document_frequency(others))
        counts = self.counts.copy()
        counts.data[:] = 1
        return replace(self, counts=counts, weights=muse_idf(others))

    def known(self, columns: sparse.csr_matrix) -> Texts:
        """Keep the words of a model; see `counts.columns.columns_of`."""
        return replace(self, counts=selected(self.counts, columns), whole=None)

    @property
    def texts(self) -> list[str]:
        """The texts themselves, read on each call; LeftOutError if only counts are kept."""
        if self.read is None:
            raise LeftOutError(
                "it embeds texts, and this task keeps only their counts: such systems are compared "
                "in the task `documents`"
            )
        return self.read(self.ids)


Named = Mapping[str, Mapping[str, Texts]]
"""By language, and by a name that the task chooses."""


@dataclass(frozen=True, eq=False)
class Search:
    """Queries of one language, candidates of another, and which candidates are answers.

    Attributes:
        query, target: their languages.
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

    query: str
    target: str
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
        where = f"{self.query}-{self.target}"
        if not sparse.issparse(self.relevance):
            raise UserError(
                f"{where}: the relevance should be a sparse matrix, scipy.sparse.csr_matrix(...), "
                f"found {type(self.relevance).__name__}"
            )
        shape = len(self.queries.ids), len(self.candidates.ids)
        grades = self.relevance
        if not min(shape):
            raise UserError(f"{where}: expected queries and candidates, found {shape} of them")
        if grades.shape != shape:
            raise UserError(
                f"{where}: expected a relevance of queries x candidates, {shape}, found one of "
                f"{grades.shape}"
            )
        if not (grades.data > 0).all():
            raise UserError(f"{where}: expected grades above 0, found {grades.data.min()}")
        if self.depth is not None and self.depth < 1:
            raise UserError(f"{where}: expected a depth of 1 or more, found {self.depth}")


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
    texts: Named = field(default_factory=dict)
    tables: Mapping[str, pd.DataFrame] = field(default_factory=dict)
    pairs: Collection[Pair] | None = None
    elsewhere: Mapping[str, Collection[str]] = field(default_factory=dict)
    seed: int = 0

    @classmethod
    def of_model(
        cls, model: Model, bags: Iterable[tuple[str, Bags]], texts: Named, **others: Any
    ) -> Data:
        """Keep the words of a model, in texts and in bags, which are read one after the other."""
        known, own = {}, {}
        for x, every in bags:
            vocabulary = model.vocabulary(x)
            known[x] = every.select(vocabulary)
            columns = every.columns_of(vocabulary)
            own[x] = {name: each.known(columns) for name, each in texts.get(x, {}).items()}
        return cls(known, texts=own, **others)

    def directions(self, languages: Sequence[str]) -> list[Pair]:
        """Query and candidate language of each search, in a fixed order."""
        searched = None if self.pairs is None else set(map(frozenset, self.pairs))
        every = permutations(languages, 2)
        return [x for x in every if searched is None or frozenset(x) in searched]


def searches_of(
    spaces: Mapping[str, Texts], answers: Mapping[Pair, tuple[pd.Index, pd.Index]]
) -> Iterator[Search]:
    """Yield a search among all texts of a language for those asked of another one, by ids.

    `answers` has what is asked and found of a direction; what is not in the spaces is left out.
    """
    for (query, target), (asked, found) in answers.items():
        queries, candidates = spaces[query], spaces[target]
        ids = asked[asked.isin(queries.ids) & found.isin(candidates.ids)].unique()
        if len(ids):
            relevance = relevance_of(ids, candidates.ids, asked, found)
            yield Search(query, target, queries.select(ids), candidates, relevance, queries)


def relevance_of(
    queries: pd.Index,
    candidates: pd.Index,
    asked: pd.Index | pd.Series,
    found: pd.Index | pd.Series,
    grade: np.ndarray | float = 1.0,
) -> sparse.csr_matrix:
    """Queries x candidates: grades of what was asked and found, by ids; without unknown ones."""
    rows, columns = queries.get_indexer(asked), candidates.get_indexer(found)
    known = (rows >= 0) & (columns >= 0)
    grades, shape = np.broadcast_to(grade, known.shape)[known], (len(queries), len(candidates))
    return sparse.csr_matrix((grades, (rows[known], columns[known])), shape)
