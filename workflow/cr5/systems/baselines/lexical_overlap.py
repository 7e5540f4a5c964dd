"""Lexical overlap: words in common, nothing else."""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar

from pydantic import NonNegativeInt, PositiveInt

from cr5.contracts.system import System

if TYPE_CHECKING:
    from cr5.contracts.training import Fit, TrainingSet


class LexicalOverlap(System):
    """No translation at all: tf-idf cosine on strings that languages share.

    Names, numbers written as words and loans are spelled the same in many languages. This baseline
    finds documents without any model. Every distinct string is one dimension, so the word table is
    a sparse selection matrix.
    """

    title = "Lexical overlap"
    reference = "Platt, Toutanova and Yih, EMNLP 2010"
    cost = (0.5, 0.5)
    colour = "#7B4FA3"
    without_counts: ClassVar = {"paper_weights": False}

    # log2(1 + f) log2(n / d_j), for n documents of all languages, d_j of which have the string
    paper_weights: bool = False
    """Whether words are weighed and chosen as by Platt, Toutanova, Yih 2010."""
    skip_words: NonNegativeInt = 50
    """Of `paper_weights`: most frequent strings that are dropped."""
    max_words: PositiveInt = 20000
    """Of `paper_weights`: strings kept of the others."""
    counts: bool = False
    """Of `paper_weights`: whether words so chosen count as often as they occur, without weights."""

    @property
    def needs(self) -> tuple[str, ...]:
        """Counts, which the paper's weights are of."""
        return ("counts",) if self.paper_weights else ()

    def fit(self, training: TrainingSet) -> Fit:
        """Give every string its own dimension; UserError if no word is left."""
        import numpy as np

        from cr5.contracts.training import Fit
        from cr5.models.word_tables import WordTables
        from cr5.systems.algebra.columns import columns_of
        from cr5.systems.baselines.strings import all_strings

        if self.paper_weights:
            columns = columns_of(training, self, weighted=not self.counts)
            tables = dict(columns.selections)
            frequency = columns.term_frequency
            model = WordTables(training.words, tables, columns.weights, term_frequency=frequency)
        else:
            columns = all_strings(training)
            tables = dict(columns.selections)
            model = WordTables.of(training, tables)
        words_per_string = [np.diff(table.tocsc().indptr) for table in tables.values()]
        n_languages = sum(n_words > 0 for n_words in words_per_string)
        n_shared = int((n_languages > 1).sum())
        return Fit(model, {"strings": columns.n, "shared": n_shared})
