"""BM25 on words that are translated one by one."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from cr5.systems.baselines.bm25 import Bm25

if TYPE_CHECKING:
    from cr5.contracts.training import Fit, TrainingSet


class Bm25Translated(Bm25):
    """BM25 with queries translated word by word; see `bm25` and `word_by_word`.

    A word of the query counts for each of its translations, by the translation's probability
    (probabilistic structured queries, Darwish and Oard 2003, without their pooled frequencies).
    """

    title = "Word by word + BM25"
    needs = ("alignments", "counts")

    def fit(self, training: TrainingSet) -> Fit:
        """Use the translation tables as they are; the report counts what has a translation."""
        from cr5.systems.baselines.translations import translations

        of_every_word = {language: [1] * len(words) for language, words in training.words.items()}
        tables, report = translations(training, of_every_word)
        fitted = self.with_tables(training, tables)
        return replace(fitted, report=fitted.report | {"words": report})
