"""Models of strings in common and of translated words: nothing is learnt but what is validated."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import permutations, product
from typing import TYPE_CHECKING, Any

import numpy as np
import pandas as pd
from scipy import sparse

from cr5.base.errors import LeftOutError
from cr5.counts.weighting import term_frequency
from cr5.fitting.choose import best
from cr5.fitting.contract import Fit, TrainingSet
from cr5.models.word_tables import Bm25Tables, WordTables, statistics
from cr5.systems.algebra.incidence import incidence
from cr5.systems.projections.columns import Columns, columns_of
from cr5.systems.projections.pencils import lsi, solve

if TYPE_CHECKING:
    from cr5.systems.baselines.models import Bm25, LexicalOverlap, WordByWord

Tables = dict[str, dict[str, Any]]  # by source and target language, words x words or dimensions


def lexical_overlap(training: TrainingSet, system: LexicalOverlap) -> Fit:
    """Give every string its own dimension; UserError if no word is left."""
    if system.paper_weights:
        found = columns_of(training, system, weighted=not system.counts)
    else:
        found = all_strings(training)
    tables = {x: found.selections[x] for x in training.languages}
    if system.paper_weights:
        how = found.term_frequency
        model = WordTables(training.words, tables, found.weights, term_frequency=how)
    else:
        model = training.model(tables)
    in_languages = sum(np.diff(table.tocsc().indptr) > 0 for table in tables.values())
    return Fit(model, {"strings": found.n, "shared": int((in_languages > 1).sum())})


def all_strings(training: TrainingSet) -> Columns:
    """A column for every string, in alphabetical order."""
    strings = pd.Index(sorted(set().union(*training.words.values())))
    n, words = len(strings), training.words
    selections = {x: incidence(strings.get_indexer(words[x]), n) for x in words}
    return Columns(selections, np.ones(n))


def same_strings(training: TrainingSet) -> Tables:
    """Words x words, a one for the same string."""
    strings = all_strings(training)
    own = {x: strings.selections[x] for x in training.languages}
    return {x: {y: (own[x] @ own[y].T).tocsr() for y in own} for x in own}


def bm25(training: TrainingSet, system: Bm25, tables: Tables) -> Fit:
    """Validate k1 and b, with tables of what words of queries count for those of candidates."""
    of = {x: statistics(rows) for x, rows in training.counts.items()}
    weights, lengths = ({x: each[i] for x, each in of.items()} for i in range(2))
    given = training.words, tables, weights
    chosen = ({"k1": k1, "b": b} for k1, b in product(system.k1, system.b))
    models = ((Bm25Tables(*given, lengths=lengths, **each), each) for each in chosen)
    return best(training, (Fit(model, {"lengths": lengths}, each) for model, each in models))


def translations(
    training: TrainingSet, weights: Mapping[str, Sequence[float]]
) -> tuple[Tables, dict]:
    """Per language, per target language: words x words; targets without a weight have none.

    A word without a translation stands for itself, where the target has it. And how many words of
    each are translated, passed on and lost.
    """
    words, strings = training.words, same_strings(training)
    kept = {
        x: sparse.diags((np.asarray(weights[x]) != 0).astype(np.float32), format="csr")
        for x in words
    }
    tables, report = {x: {x: kept[x]} for x in words}, {x: {} for x in words}
    for source, target in permutations(words, 2):
        given = training.alignments[source][target].astype(np.float32)
        is_unknown = (np.diff(given.indptr) == 0).astype(np.float32)
        same = sparse.diags(is_unknown) @ strings[source][target]
        tables[source][target] = ((given + same) @ kept[target]).tocsr()
        translated, passed_on = (
            int(((each @ kept[target]).getnnz(axis=1) > 0).sum()) for each in (given, same)
        )
        lost = given.shape[0] - translated - passed_on
        report[source][target] = {"translated": translated, "passed_on": passed_on, "lost": lost}
    return tables, report


def word_by_word(training: TrainingSet, system: WordByWord) -> Fit:
    """Use the translation tables as word tables, or as maps to a latent space; see the class.

    Each language has a list of words of its own, as in CCA.
    """
    weights = dict(columns_of(training, system, merged=False).weights)
    tables, report = translations(training, weights)
    targets = [system.into] if system.into else training.languages

    def model(n: int | None = None) -> WordTables:
        found = {x: {y: row[y][:, :n] for y in targets} for x, row in tables.items()}
        if system.into:
            found = {x: row[system.into] for x, row in found.items()}
        how = system.term_frequency
        return WordTables(training.words, found, weights, term_frequency=how)

    if system.via is None:
        return Fit(model(), {"words": report})
    vectors = {}
    for y in targets:
        counts = term_frequency(training.counts[y], system.term_frequency)
        weighted = counts @ sparse.diags(weights[y])
        V = solve(lsi(weighted.tocsr()), max(system.dimensions), training.threads).vectors
        vectors[y] = V.shape[1]
        for row in tables.values():
            row[y] = np.asarray(row[y] @ V, np.float32)
    asked, rank = sorted(set(system.dimensions)), max(vectors.values())
    if not rank:
        raise LeftOutError("no word of the training documents has a weight, so no dimension")
    there = [n for n in asked if n <= rank]
    few = [] if there else [f"dimensions {asked} reduced to {rank}: the data have no more"]
    said = {"words": report, "latent": {"vectors": vectors}, "warnings": few}
    return best(training, (Fit(model(n), said, {"dimension": n}) for n in there or [rank]))
