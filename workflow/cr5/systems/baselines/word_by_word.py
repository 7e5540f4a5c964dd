"""Word-by-word translation, and a latent space of the target language behind it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal

from pydantic import NonNegativeInt, PositiveInt

from cr5.base.errors import LeftOutError
from cr5.contracts.keys import Language, Some
from cr5.contracts.system import System

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    import numpy as np

    from cr5.contracts.training import Fit, TrainingSet
    from cr5.models.word_tables import WordTables
    from cr5.systems.baselines.strings import Tables


class WordByWord(System):
    """Word-by-word translation: x towards another language is x P (Platt et al. 2010, section 3.2).

    P has p(target word | source word); documents are weighted rows in their own words, translated
    into those of the candidates; a word without a translation stands for itself where the target
    has it. They are compared directly, or after a latent semantic analysis of the target language's
    training documents, x P V against y V; nothing else is fitted. The paper translates into English
    in both directions, queries or candidates: `into: en`.

    The weights are those of its projections: log2(f + 1) log2(n / d_j), without the most frequent
    and the rare words. Each language has a list of words of its own, as in CCA.
    """

    title = "Word by word"
    reference = "Platt, Toutanova and Yih, EMNLP 2010"
    cost = (0.5, 0.5)
    needs = ("alignments", "counts")

    skip_words: NonNegativeInt = 50
    """Most frequent words of each language dropped."""
    max_words: PositiveInt = 20000
    """Words kept of the others."""
    into: Language | None = None
    """Language that all texts are translated into; null: that of the candidates."""
    term_frequency: Literal["log", "raw"] = "log"
    """How counts enter: log2(1 + f), or f as it is, which finds less (docs/papers.md)."""
    via: Literal["lsa"] | None = None
    """`lsa`: both sides go through one of the target language."""
    dimensions: Some[PositiveInt] = (50, 100, 200, 500, 1000)
    """Of `lsa`; validated."""

    def fit(self, training: TrainingSet) -> Fit:
        """Use the translation tables as word tables, or as maps to a latent space."""
        from cr5.contracts.training import Fit
        from cr5.systems.algebra.columns import columns_of
        from cr5.systems.baselines.translations import translations

        weights = dict(columns_of(training, self, merged=False).weights)
        tables, report = translations(training, weights)
        if self.via == "lsa":
            return self._fit_lsa(training, tables, weights, report)
        return Fit(self._model(training, tables, weights), {"words": report})

    def _fit_lsa(
        self,
        training: TrainingSet,
        tables: Tables,
        weights: Mapping[str, np.ndarray],
        report: dict,
    ) -> Fit:
        """Translate into latent dimensions, x P V; validation chooses how many of them."""
        from cr5.contracts.training import Fit
        from cr5.fitting.choose import best
        from cr5.systems.projections.pencils import available

        n_vectors = {}
        for target in self._targets(training):
            V = self._latent(training, target, weights[target])
            n_vectors[target] = V.shape[1]
            for to_target in tables.values():
                to_target[target] = (to_target[target] @ V).astype("float32")
        rank = max(n_vectors.values())
        if not rank:
            raise LeftOutError("no word of the training documents has a weight, so no dimension")
        dimensions, warnings = available(self.dimensions, rank)
        facts = {"words": report, "latent": {"vectors": n_vectors}, "warnings": warnings}
        fits = (
            Fit(self._model(training, tables, weights, n), facts, {"dimension": n})
            for n in dimensions
        )
        return best(training, fits)

    def _latent(self, training: TrainingSet, language: str, weights: np.ndarray) -> np.ndarray:
        """Return the leading right singular vectors of a language's weighted training documents."""
        from scipy import sparse

        from cr5.counts.weighting import term_frequency
        from cr5.systems.projections.pencils import lsi, solve

        frequencies = term_frequency(training.counts[language], self.term_frequency)
        weighted = (frequencies @ sparse.diags(weights)).tocsr()
        return solve(lsi(weighted), max(self.dimensions), training.threads).vectors

    def _targets(self, training: TrainingSet) -> Sequence[str]:
        return [self.into] if self.into else training.languages

    def _model(
        self,
        training: TrainingSet,
        tables: Tables,
        weights: Mapping[str, np.ndarray],
        dimension: int | None = None,
    ) -> WordTables:
        """Return a model of the first dimensions; None for all."""
        from cr5.models.word_tables import WordTables

        word_tables = {}
        for source, to_targets in tables.items():
            if self.into:
                word_tables[source] = to_targets[self.into][:, :dimension]
            else:
                word_tables[source] = {
                    target: to_targets[target][:, :dimension] for target in training.languages
                }
        frequency = self.term_frequency
        return WordTables(training.words, word_tables, weights, term_frequency=frequency)
