"""Cr5 with a prior over spellings: words that are spelt alike get similar vectors."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
from pydantic import NonNegativeFloat, PositiveFloat, PositiveInt

from cr5.base.parts import Some
from cr5.systems.cr5.cr5 import listed
from cr5.systems.cr5.family import Scripts, Solved, TermFrequency

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping
    from typing import Any

    from cr5.fitting.contract import Fit, TrainingSet
    from cr5.systems.cr5.family import Prior
    from cr5.systems.cr5.solution import Solution

GAMMA = 1.0  # weight of the prior
SCALING = 1.0  # power of the eigenvalues
LETTERS = 5  # of the beginnings of words


class Cr5Spelling(Solved):
    """Cr5 with a prior over spellings: words that are spelt alike get similar vectors.

    Cr5's regression on log term frequencies, with three changes. The prior of the word vectors is
    not I but (I + gamma N N') / (1 + gamma), where N has the beginnings of words, in one language
    or in two (`cr5.systems.cr5.spelling`): a word learns from similar words, and a rare one from
    more than its few documents. Words of different scripts may be compared by their sounds, in
    Latin letters. Where a dictionary is given, words that it pairs may get similar vectors too. The
    output is scaled by the eigenvalues, Phi' diag(mu), instead of Eq. 15, which amplifies very weak
    directions. And the mean of the language's training documents may be added to a document, if
    that validates better.

    A word that no training document has gets what the prior says of it, if the dictionary has it,
    or else of its beginning: entries for such words follow the words of the model
    (`cr5.counts.columns`).

    Besides what was learned, the beginnings of words may count, as in `prefix_overlap`: cosine plus
    beta times the cosine of beginnings. If names distinguish documents, this finds more than either
    alone; validation chooses their weight, possibly 0.
    """

    title = "Cr5 + spelling"
    colour = "#CC79A7"

    ranks: Some[PositiveInt] = (100, 300)
    """Numbers of dimensions; validated, with ridges and the languages' means."""
    ridges: Some[PositiveFloat] = (0.03, 0.1, 0.3, 1.0, 3.0)
    """Lambda; each is one fit."""
    gammas: PositiveFloat | Some[PositiveFloat] | None = None
    """Weights of the prior beside 1, each one fit at the best ridge; validated."""
    dictionary_weights: PositiveFloat | Some[PositiveFloat] | None = None
    """Of the section `dictionary` in the prior, to choose from, beside leaving it out."""
    scripts: Scripts = "own"
    """How words are written before their spelling is compared."""
    string_weights: Some[NonNegativeFloat] = (0.0,)
    """Beta: cosine plus beta times that of beginnings of words; validated after all else."""
    term_frequency: TermFrequency | None = "log"
    """How counts enter the features; null: as `weighting.term_frequency` says."""

    @property
    def needs(self) -> tuple[str, ...]:
        """Pairs of words, if a dictionary is given."""
        return ("seeds",)

    def fit(self, training: TrainingSet) -> Fit:
        """Make the prior from the words' spelling; choose ridge, rank and shift, then the others.

        Of equal fits the larger ridge, the smaller rank and no shift are kept.

        Raises:
            UserError: the documents cannot be fitted.
        """
        from cr5.fitting.seeds import Seeds
        from cr5.systems.cr5.scripts import compared
        from cr5.systems.cr5.spelling import joined, spelt, translations, with_unknown_words

        words, seeds = compared(training.words, self.scripts), training.seeds or Seeds()
        prior = spelt(words)
        weights = listed(self.dictionary_weights) if seeds.pairs else []
        if words is training.words:
            training, prior = with_unknown_words(training, prior, seeds if weights else Seeds())
        dictionary = translations(training.words, seeds) if weights else {}
        varied = {"gamma": listed(self.gammas), "dictionary_weight": weights}
        usual = {"gamma": GAMMA, "dictionary_weight": 0.0}

        def prior_of(chosen: Mapping[str, float]) -> tuple[Prior, float]:
            gamma = chosen.get("gamma", GAMMA)
            return joined(prior, dictionary, chosen.get("dictionary_weight", 0.0) / gamma), gamma

        def models(solution: Solution, chosen: Mapping[str, float]) -> Iterator[Fit]:
            return self._models(training, solution, chosen)

        found = self.search(
            training,
            max(self.ranks),
            self.ridges,
            models,
            {name: [usual[name], *values] for name, values in varied.items() if values},
            prior_of,
        )
        return self._with_strings(training, found)

    def _models(
        self, training: TrainingSet, solution: Solution, chosen: Mapping[str, float]
    ) -> Iterator[Fit]:
        from cr5.fitting.contract import Fit
        from cr5.models.word_tables import WordTables

        about = solution.report(solution.rank, max(self.ranks))
        maps = dict(zip(training.languages, solution.scaled_maps(SCALING), strict=True))
        for rank in sorted({min(rank, solution.rank) for rank in self.ranks}):
            tables = {x: np.ascontiguousarray(T[:, :rank], np.float32) for x, T in maps.items()}
            for shift in (False, True):
                of_fit = {"ridge": solution.ridge, "rank": rank, "shift": shift, **chosen}
                means = {x: _mean(training.features[x], maps[x][:, :rank]) for x in maps if shift}
                model = WordTables(
                    training.words,
                    tables,
                    training.weights,
                    means or None,
                    training.term_frequency,
                    input_norm="l2",
                )
                yield Fit(model, about | of_fit, of_fit)

    def _with_strings(self, training: TrainingSet, fitted: Fit) -> Fit:
        """Choose beta; the report has its validation next to that of the fit."""
        from dataclasses import fields

        from cr5.fitting.choose import added, best
        from cr5.fitting.contract import Fit
        from cr5.models.joined_tables import JoinedTables
        from cr5.systems.cr5 import spelling
        from cr5.systems.cr5.scripts import compared

        if not any(self.string_weights):
            return fitted
        words = compared(training.words, self.scripts)
        beside = spelling.beside(words, training.features, LETTERS)
        plain = {x.name: getattr(fitted.model, x.name) for x in fields(fitted.model)}

        def of(beta: float) -> Fit:
            model = JoinedTables(**plain, **beside, beta=beta) if beta else fitted.model
            return Fit(model, {}, {"string_weight": beta})

        tried = map(of, sorted({*self.string_weights}))
        return added(fitted, best(training, tried), "string_validation")


def _mean(X: Any, table: np.ndarray) -> np.ndarray:
    """Mean of the training documents' embeddings, (r,) float64."""
    return (np.asarray(X.mean(axis=0)) @ table).ravel().astype(np.float64)
