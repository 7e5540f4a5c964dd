"""BM25 with queries translated word by word; see `bm25` and `word_by_word`."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from cr5.systems.bm25 import Bm25

if TYPE_CHECKING:
    from cr5.fitting.contract import Fit, TrainingSet


class Bm25Translated(Bm25):
    """BM25 with queries translated word by word; see `bm25` and `word_by_word`.

    A word of the query counts for each of its translations, by the translation's probability
    (probabilistic structured queries, Darwish and Oard 2003, without their pooled frequencies).
    """

    title = "Word by word + BM25"

    pass_on: bool = True
    """Whether a word without a translation stands for itself where the target has it."""

    @property
    def needs(self) -> tuple[str, ...]:
        """Translations of words, and counts."""
        return ("alignments", "counts")

    def fit(self, training: TrainingSet) -> Fit:
        """Use the translation tables as they are.

        The report has how many words of each language are translated, passed on, or lost.
        """
        from cr5.fitting.best import best
        from cr5.fitting.contract import Fit
        from cr5.systems.projections.translations import translations

        every = {x: np.ones(len(words)) for x, words in training.words.items()}
        tables, report = translations(training, every, self.pass_on)
        found = best(training, self.fits(training, tables))
        return Fit(found.model, found.report | {"words": report}, found.chosen)
