"""Word-by-word translation: x towards another language is x P (Platt et al. 2010, section 3.2)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Literal

import numpy as np
from pydantic import NonNegativeInt, PositiveInt

from cr5.base.errors import LeftOutError
from cr5.base.parts import Language, Some, System

if TYPE_CHECKING:
    from collections.abc import Iterator

    from scipy import sparse

    from cr5.fitting.contract import Fit, TrainingSet
    from cr5.models.word_tables import WordTables
    from cr5.systems.projections.translations import Tables


class WordByWord(System):
    """Word-by-word translation: x towards another language is x P (Platt et al. 2010, section 3.2).

    P has p(target word | source word); documents are weighted rows in their own words, translated
    into those of the candidates. They are compared directly, or after a latent semantic analysis of
    the target language's training documents, x P V against y V; nothing else is fitted. The paper
    translates into English in both directions, queries or candidates: `into: en`.

    The paper uses the weights of its projections: log2(f + 1) log2(n / d_j), without the most
    frequent and the rare words. With counts f in place of their logarithms (`counts: raw`) it finds
    less, in the paper and on biographies (docs/papers.md). `weighting: corpus` takes all words, and
    the tf-idf of the other systems.
    """

    title = "Word by word"
    reference = "Platt, Toutanova and Yih, EMNLP 2010"
    cost = (0.5, 0.5)

    pass_on: bool = True
    """Whether a word without a translation stands for itself where the target has it."""
    weighting: Literal["paper", "corpus"] = "paper"
    """`corpus`: of all words, as the section `weighting` says."""
    counts: Literal["log", "raw"] = "log"
    """Of `paper`: how they enter, before they are translated."""
    skip_words: NonNegativeInt = 50
    """Of `paper`: most frequent words of each language dropped."""
    max_words: PositiveInt = 20000
    """Of `paper`: words kept of the others."""
    into: Language | None = None
    """Language that all texts are translated into; null: that of the candidates."""
    via: Literal["lsa"] | None = None
    """`lsa`: both sides go through one of the target language."""
    dimensions: Some[PositiveInt] = (50, 100, 200, 500, 1000)
    """Of `lsa`; validated."""

    @property
    def needs(self) -> tuple[str, ...]:
        """Translations of words; and counts, which the paper's weights are of."""
        return ("alignments", "counts") if self.weighting == "paper" else ("alignments",)

    def fit(self, training: TrainingSet) -> Fit:
        """Use the translation tables as word tables, or as maps to a latent space.

        Args:
            training: its alignments, vocabularies and counts.

        Returns:
            A model, directed unless `into` is given; and a report of how many words of each
            language are translated into each other one, passed on, or lost; with LSA also of
            `beyond_rank`, dimensions that no language has.

        Raises:
            LeftOutError: no language has a dimension.
        """
        from cr5.fitting.best import best
        from cr5.fitting.contract import Fit
        from cr5.systems.projections.translations import translations

        weighted, into = self._weighted(training), self.into
        tables, report = translations(training, weighted.weights, self.pass_on)
        if into:
            tables = {x: {into: row[into]} for x, row in tables.items()}
        if self.via is None:
            return Fit(_model(training, weighted, tables, into), {"words": report})
        dimensions = sorted(set(self.dimensions))
        targets = [into] if into else training.languages
        V = {x: _axes(weighted.rows[x], dimensions[-1], training.threads) for x in targets}
        found = {x: each.shape[1] for x, each in V.items()}
        latent = _latent(tables, V)
        there, beyond = _within(dimensions, max(found.values()))
        said = {"words": report, "latent": {"vectors": found}, **beyond}
        return best(training, _fits(training, weighted, latent, there, said, into))

    def _weighted(self, training: TrainingSet) -> _Weighted:
        from scipy import sparse

        from cr5.counts.weighting import term_frequency
        from cr5.systems.projections.columns import ColumnSettings, columns

        if self.weighting == "corpus":
            features, weights = dict(training.features), dict(training.weights)
            return _Weighted(features, weights, training.term_frequency)
        chosen = ColumnSettings(self.skip_words, self.max_words, merged=False)
        weights = dict(columns(training.words, training.counts, chosen).weights)
        rows = {
            x: (term_frequency(counts, self.counts) @ sparse.diags(weights[x])).tocsr()
            for x, counts in training.counts.items()
        }
        return _Weighted(rows, weights, self.counts)


@dataclass(frozen=True)
class _Weighted:
    """Training documents as weighted before translation.

    Attributes:
        rows: per language documents x words.
        weights: per language (words,); 0 if a word is dropped.
        term_frequency: transformation of counts.
    """

    rows: dict[str, sparse.csr_matrix]
    weights: dict[str, np.ndarray]
    term_frequency: str


def _axes(rows: sparse.csr_matrix, most: int, threads: int) -> np.ndarray:
    """Right singular vectors of documents x words, words x (at most `most`), largest first."""
    from cr5.systems.projections.documents import alone
    from cr5.systems.projections.pencils import lsi
    from cr5.systems.projections.solve import SolveSettings, solve

    return solve(lsi(alone(rows)), most, SolveSettings(threads=threads)).vectors


def _latent(tables: Tables, V: dict[str, np.ndarray]) -> Tables:
    return {
        source: {target: np.asarray(table @ V[target], np.float32) for target, table in row.items()}
        for source, row in tables.items()
    }


def _within(dimensions: list[int], rank: int) -> tuple[list[int], dict[str, Any]]:
    """The dimensions up to the rank, or the rank itself; and a report of those beyond it."""
    if not rank:
        raise LeftOutError(
            "no word of the training documents has a weight, so that there is no latent space: "
            "bring more documents, or lower skip_words"
        )
    there = [each for each in dimensions if each <= rank]
    reduced = f"dimensions {dimensions} reduced to {rank}: the data have no more"
    beyond = [each for each in dimensions if each > rank]
    return there or [rank], {"beyond_rank": beyond, "warnings": [] if there else [reduced]}


def _fits(
    training: TrainingSet,
    weighted: _Weighted,
    latent: Tables,
    dimensions: list[int],
    said: dict[str, Any],
    into: str | None,
) -> Iterator[Fit]:
    from cr5.fitting.contract import Fit

    for dimension in dimensions:
        tables = {
            source: {target: table[:, :dimension] for target, table in row.items()}
            for source, row in latent.items()
        }
        yield Fit(_model(training, weighted, tables, into), said, {"dimension": dimension})


def _model(
    training: TrainingSet, weighted: _Weighted, tables: Tables, into: str | None
) -> WordTables:
    from cr5.models.word_tables import DirectedWordTables, WordTables

    kind, found = DirectedWordTables, tables
    if into:
        kind, found = WordTables, {x: row[into] for x, row in tables.items()}
    return kind(training.words, found, weighted.weights, term_frequency=weighted.term_frequency)
