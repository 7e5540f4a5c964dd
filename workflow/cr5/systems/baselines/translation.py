"""Words translated one by one, by tables of the probabilities of their translations."""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar, Literal

from pydantic import NonNegativeInt, PositiveInt

from cr5.base.parts import Language, Some, System
from cr5.systems.baselines.overlap import Bm25

if TYPE_CHECKING:
    from cr5.fitting.contract import Fit, TrainingSet


class WordByWord(System):
    """Word-by-word translation: x towards another language is x P (Platt et al. 2010, section 3.2).

    P has p(target word | source word); documents are weighted rows in their own words, translated
    into those of the candidates; a word without a translation stands for itself where the target
    has it. They are compared directly, or after a latent semantic analysis of the target language's
    training documents, x P V against y V; nothing else is fitted. The paper translates into English
    in both directions, queries or candidates: `into: en`.

    The weights are those of its projections: log2(f + 1) log2(n / d_j), without the most frequent
    and the rare words; with counts f in place of their logarithms it finds less (docs/papers.md).
    """

    title = "Word by word"
    reference = "Platt, Toutanova and Yih, EMNLP 2010"
    cost = (0.5, 0.5)
    needs: ClassVar = ("alignments", "counts")

    skip_words: NonNegativeInt = 50
    """Most frequent words of each language dropped."""
    max_words: PositiveInt = 20000
    """Words kept of the others."""
    into: Language | None = None
    """Language that all texts are translated into; null: that of the candidates."""
    via: Literal["lsa"] | None = None
    """`lsa`: both sides go through one of the target language."""
    dimensions: Some[PositiveInt] = (50, 100, 200, 500, 1000)
    """Of `lsa`; validated."""

    def fit(self, training: TrainingSet) -> Fit:
        """Use the translation tables as they are, or as maps to a latent space."""
        from cr5.systems.baselines.fits import word_by_word

        return word_by_word(training, self)


class Bm25Translated(Bm25):
    """BM25 with queries translated word by word; see `bm25` and `word_by_word`.

    A word of the query counts for each of its translations, by the translation's probability
    (probabilistic structured queries, Darwish and Oard 2003, without their pooled frequencies).
    """

    title = "Word by word + BM25"
    needs: ClassVar = ("alignments", "counts")

    def fit(self, training: TrainingSet) -> Fit:
        """Use the translation tables as they are.

        The report has how many words of each language are translated, passed on, or lost.
        """
        from dataclasses import replace

        from cr5.systems.baselines.fits import bm25, translations

        every = {x: [1] * len(words) for x, words in training.words.items()}
        tables, report = translations(training, every)
        found = bm25(training, self, tables)
        return replace(found, report=found.report | {"words": report})
