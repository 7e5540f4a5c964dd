"""Word-by-word translation: x towards another language is x P (Platt et al. 2010, section 3.2).

P has p(target word | source word); documents are weighted rows in their own words, translated into
those of the candidates. They are compared directly, or after a latent semantic analysis of the
target language's training documents, x P V against y V; nothing else is fitted. The paper
translates into English in both directions, queries or candidates: `into: en`.

The paper uses the weights of its projections: log2(f + 1) log2(n / d_j), without the most frequent
and the rare words. With counts f in place of their logarithms (`counts: raw`) it finds less, in the
paper and on biographies (docs/papers.md). `weighting: corpus` takes all words, and the tf-idf of
the other systems.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import permutations
from typing import Any

import numpy as np
from scipy import sparse

from cr5.base.errors import LeftOutError
from cr5.counts.weighting import term_frequency
from cr5.fitting.best import best
from cr5.fitting.contract import Fit, TrainingSet
from cr5.models.word_tables import DirectedWordTables, WordTables
from cr5.systems.projections.columns import ColumnSettings, columns
from cr5.systems.projections.documents import alone
from cr5.systems.projections.pencils import lsi
from cr5.systems.projections.solve import SolveSettings, solve

TITLE = "Word by word"
REFERENCE = "Platt, Toutanova and Yih, EMNLP 2010"
COST = (0.5, 0.5)
NEEDS = ("alignments", "counts")

OPTIONS = {
    "pass_on": (
        True,
        "whether a word without a translation stands for itself where the target has it",
    ),
    "weighting": (
        "paper",
        ("paper", "corpus"),
        "`corpus`: of all words, as the section `weighting` says",
    ),
    "counts": ("log", ("log", "raw"), "of `paper`: how they enter, before they are translated"),
    "skip_words": (50, {"ge": 0}, "of `paper`: most frequent words of each language dropped"),
    "max_words": (20000, {"ge": 1}, "of `paper`: words kept of the others"),
    "into": (
        None,
        (None, "{language}"),
        "language that all texts are translated into; null: that of the candidates",
    ),
    "via": (None, (None, "lsa"), "`lsa`: both sides go through one of the target language"),
    "dimensions": ([50, 100, 200, 500, 1000], {"ge": 1}, "of `lsa`; validated"),
}

Tables = dict[str, dict[str, Any]]


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


def fit(training: TrainingSet, options: dict) -> Fit:
    """Use the translation tables as word tables, or as maps to a latent space.

    Args:
        training: its alignments, vocabularies and counts.
        options: see `OPTIONS`.

    Returns:
        A model, directed unless `into` is given; and a report of how many words of each language
        are translated into each other one, passed on, or lost; with LSA also of `beyond_rank`,
        dimensions that no language has.

    Raises:
        LeftOutError: no language has a dimension.
    """
    weighted = _weighted(training, options)
    tables, report = translations(training, weighted.weights, options["pass_on"])
    if into := options["into"]:
        tables = {x: {into: row[into]} for x, row in tables.items()}
    if options["via"] is None:
        return Fit(_model(training, weighted, tables, into), {"words": report})
    dimensions = sorted(set(options["dimensions"]))
    targets = [into] if into else training.languages
    V = {x: _axes(weighted.rows[x], dimensions[-1], training.threads) for x in targets}
    found = {x: each.shape[1] for x, each in V.items()}
    latent = _latent(tables, V)
    there, beyond = _within(dimensions, max(found.values()))
    said = {"words": report, "latent": {"vectors": found}, **beyond}
    return best(training, _fits(training, weighted, latent, there, said, into))


def _weighted(training: TrainingSet, options: dict) -> _Weighted:
    if options["weighting"] == "corpus":
        features, weights = dict(training.features), dict(training.weights)
        return _Weighted(features, weights, training.term_frequency)
    chosen = ColumnSettings(options["skip_words"], options["max_words"], merged=False)
    weights = dict(columns(training.words, training.counts, chosen).weights)
    rows = {
        x: (term_frequency(counts, options["counts"]) @ sparse.diags(weights[x])).tocsr()
        for x, counts in training.counts.items()
    }
    return _Weighted(rows, weights, options["counts"])


def translations(
    training: TrainingSet, weights: dict[str, np.ndarray], pass_on: bool
) -> tuple[Tables, dict]:
    """Per language, per target language: words x words; targets without a weight have none.

    Returns:
        The tables, and how many words of each are translated, passed on and lost.
    """
    words = training.words
    kept = {x: sparse.diags((weights[x] != 0).astype(np.float32), format="csr") for x in words}
    tables, report = {x: {x: kept[x]} for x in words}, {x: {} for x in words}
    for source, target in permutations(words, 2):
        given = training.alignments[source][target].astype(np.float32)
        same = _same(given, words[source], words[target] if pass_on else [])
        tables[source][target] = ((given + same) @ kept[target]).tocsr()
        report[source][target] = _counts(given @ kept[target], same @ kept[target])
    return tables, report


def _axes(rows: sparse.csr_matrix, most: int, threads: int) -> np.ndarray:
    """Right singular vectors of documents x words, words x (at most `most`), largest first."""
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
    training, weighted: _Weighted, latent: Tables, dimensions, said: dict, into: str | None
) -> Iterator[Fit]:
    for dimension in dimensions:
        tables = {
            source: {target: table[:, :dimension] for target, table in row.items()}
            for source, row in latent.items()
        }
        yield Fit(_model(training, weighted, tables, into), said, {"dimension": dimension})


def _model(
    training: TrainingSet, weighted: _Weighted, tables: Tables, into: str | None
) -> WordTables:
    kind, found = DirectedWordTables, tables
    if into:
        kind, found = WordTables, {x: row[into] for x, row in tables.items()}
    return kind(training.words, found, weighted.weights, term_frequency=weighted.term_frequency)


def _same(given: sparse.csr_matrix, source: list[str], target: list[str]) -> sparse.csr_matrix:
    """1 for a word without a translation that is also a word of the target."""
    numbers = {word: i for i, word in enumerate(target)}
    without = np.flatnonzero(np.diff(given.indptr) == 0)
    rows = [row for row in without if source[row] in numbers]
    columns = [numbers[source[row]] for row in rows]
    return sparse.csr_matrix((np.ones(len(rows), np.float32), (rows, columns)), given.shape)


def _counts(given: sparse.csr_matrix, same: sparse.csr_matrix) -> dict[str, int]:
    """Count words that are translated, passed on or lost, from the tables of both."""
    translated, passed_on = (int((each.getnnz(axis=1) > 0).sum()) for each in (given, same))
    lost = given.shape[0] - translated - passed_on
    return {"translated": translated, "passed_on": passed_on, "lost": lost}
