"""Scores of the documents in a ranking: ranks keep only that of the true counterpart."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field

import numpy as np
import pandas as pd
from scipy import sparse

from cr5.base.errors import UserError
from cr5.base.rows import Rows
from cr5.counts.columns import columns_of, selected
from cr5.models.bank import neighbours
from cr5.models.contract import Model
from cr5.search.measures import measure
from cr5.search.nearest import mean_top_k
from cr5.search.options import SearchOptions
from cr5.search.second_stage import DEPTH
from cr5.search.similarity import pairwise
from cr5.search.word_matches import Words, matches

TOLERANCE = 1e-4  # a different block shape may change a score by 1e-6


@dataclass(frozen=True)
class Space:
    """The candidates of one language.

    Attributes:
        ids: concepts.
        counts: candidates x words.
        words: that were counted: those of the model that knows most.
        texts: reads their texts, for a model that embeds these.
    """

    ids: pd.Index
    counts: sparse.csr_matrix
    words: Sequence[str]
    texts: Callable[[], Sequence[str]] | None = None


@dataclass(frozen=True)
class Scorer:
    """Compares documents as the evaluation did.

    Attributes:
        model: the system's model.
        spaces: candidates by language.
        options: search options.
        threads: number of threads; does not change results.
    """

    model: Model
    spaces: Mapping[str, Space]
    options: SearchOptions = field(default_factory=SearchOptions)
    threads: int = 1
    _kept: dict = field(default_factory=dict, repr=False)

    def scores(
        self, key: tuple[str, str, str], ranks: pd.DataFrame, queries: pd.Series
    ) -> np.ndarray:
        """Score the nearest candidates of queries.

        Args:
            key: query language, target language, measure.
            ranks: query, nearest, and the recorded score of the true counterpart.
            queries: all queries of the direction; `ranks` may have only some of them.

        Returns:
            queries x nearest, float64.

        Raises:
            UserError: the model does not give the recorded scores.
        """
        query, target, name = key
        nearest = np.array(ranks["nearest"].tolist())
        wanted = np.column_stack([nearest, ranks["query"]])
        columns = self.spaces[target].ids.get_indexer(wanted.ravel()).reshape(wanted.shape)
        X = self._rows(query, target)[self.spaces[query].ids.get_indexer(ranks["query"])]
        Y = self._rows(target, target)
        kernel = measure(name).kernel
        scores = np.column_stack([pairwise(X, Y[column], kernel) for column in columns.T])
        if measure(name).corrects_hubs:
            near = mean_top_k(X, Y, self.options.csls_neighbours, self.threads)
            scores = 2 * scores - near[:, None] - self.hubness(query, target, queries, columns)
        if self.model.rerank:
            scores += measure(name).score(self._gain(query, target, ranks, columns), 0)
        self._check(scores[:, -1], ranks, key)
        return scores[:, :-1]

    def _gain(self, query: str, target: str, ranks: pd.DataFrame, columns: np.ndarray):
        """What the second stage adds; the true counterpart, in the last column, may be beyond."""
        rows = self.spaces[query].ids.get_indexer(ranks["query"])
        order = np.argsort(rows, kind="stable")
        pairs = np.repeat(rows[order], columns.shape[1]), columns[order].ravel()
        found = matches(self._words(query), self._words(target), *pairs, self.threads)
        gain = np.empty(columns.shape)
        gain[order] = self.model.rerank * found.reshape(columns.shape)
        gain[ranks["rank"].to_numpy() > DEPTH, -1] = 0
        return gain

    def _words(self, language: str) -> Words:
        if ("words", language) not in self._kept:
            self._kept["words", language] = self.model.matched(self._counts(language), language)
        return self._kept["words", language]

    def _counts(self, language: str) -> sparse.csr_matrix:
        """Candidates x the model's words."""
        space = self.spaces[language]
        return selected(space.counts, columns_of(self.model.words[language], space.words))

    def hubness(
        self, query: str, target: str, queries: pd.Series, candidates: np.ndarray
    ) -> np.ndarray:
        """Return the mean cosine of candidates with their nearest neighbours: r(y) of CSLS.

        Args:
            query: language of the queries.
            target: language of the candidates.
            queries: all queries of the direction.
            candidates: numbers of candidates, in any shape; all of them take long.

        Returns:
            A number for each, float32.
        """
        known = self._kept.setdefault(
            ("hubness", query, target), np.full(len(self.spaces[target].ids), np.nan, np.float32)
        )
        missing = np.unique(candidates[np.isnan(known[candidates])])
        if len(missing):
            rows = self._neighbours(query, target, queries)
            asked = self._rows(target, target)[missing]
            known[missing] = mean_top_k(asked, rows, self.options.csls_neighbours, self.threads)
        return known[candidates]

    def _neighbours(self, query: str, target: str, queries: pd.Series) -> Rows:
        if self.options.csls_neighbourhood == "training":
            return neighbours(self.model, query, target)
        rows = self._rows(query, target)
        if self.options.csls_neighbourhood == "candidates":
            return rows
        return rows[self.spaces[query].ids.get_indexer(queries)]

    def _rows(self, language: str, target_language: str) -> Rows:
        key = (language, target_language if self.model.directed else None)
        if key not in self._kept:
            space = self.spaces[language]
            given = space.texts() if self.model.reads_texts else self._counts(language)
            self._kept[key] = self.model.embed(given, *key)
        return self._kept[key]

    def _check(self, found: np.ndarray, ranks: pd.DataFrame, key: tuple[str, str, str]) -> None:
        known = ranks["score"].to_numpy(np.float64)
        off = np.abs(found - known) > TOLERANCE * np.maximum(1, np.abs(known))
        if off.any():
            row = int(np.argmax(off))
            raise UserError(
                f"{' to '.join(key[:2])}, {key[2]}: the model gives {ranks['query'].iloc[row]!r} "
                f"and its counterpart {found[row]:.4f}, the ranks say {known[row]:.4f}: they are "
                "of different runs; run the workflow again (./run)"
            )
