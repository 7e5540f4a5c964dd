"""Cr5 with a prior over spellings."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np
from pydantic import NonNegativeFloat, NonNegativeInt, PositiveFloat, PositiveInt

from cr5.contracts.keys import Some
from cr5.contracts.system import System
from cr5.counts.rules import TermFrequency
from cr5.systems.algebra.scripts import Scripts

if TYPE_CHECKING:
    from cr5.contracts.seeds import Seeds
    from cr5.contracts.training import Fit, TrainingSet
    from cr5.models.word_tables import WordTables
    from cr5.systems.ridge.problem import Solution
    from cr5.systems.ridge.spelling import Prior

GAMMA = 1.0  # weight of the prior
DICTIONARY = "dictionary_weight"
LETTERS = 5  # of the beginnings of words that are compared by themselves


class Cr5Spelling(System):
    """Cr5 with a prior over spellings: words that are spelt alike get similar vectors.

    Cr5's regression on log term frequencies, with three changes. The prior of the word vectors is
    not I but (I + gamma N N') / (1 + gamma), where N has the beginnings of words, in one language
    or in two (`cr5.systems.ridge.spelling`): a word learns from similar words, and a rare one from
    more than its few documents. Words of different scripts may be compared by their sounds, in
    Latin letters. Where a dictionary is given, words that it pairs may get similar vectors too. The
    output is scaled by the eigenvalues, Phi' diag(mu), instead of Eq. 15, which amplifies very weak
    directions. And the mean of the language's training documents may be added to a document, if
    that validates better.

    A word that no training document has gets what the prior says of it, if the dictionary has it,
    or else of its beginning: these are the model's fallbacks (`cr5.contracts.vocabulary`).

    Besides what was learned, the beginnings of words may count, as in `prefix_overlap`: cosine plus
    beta times the cosine of beginnings. If names distinguish documents, this finds more than either
    alone; validation chooses their weight, possibly 0.
    """

    title = "Cr5 + spelling"
    colour = "#CC79A7"
    needs = ("seeds",)  # pairs of words, if a dictionary is given

    ranks: Some[PositiveInt] = (100, 300)
    """Numbers of dimensions; validated, with ridges and the languages' means."""
    ridges: Some[PositiveFloat] = (0.03, 0.1, 0.3, 1.0, 3.0)
    """Lambda; each is one fit."""
    gammas: Some[PositiveFloat] | None = None
    """Weights of the prior beside 1, each one fit at the best ridge; validated."""
    dictionary_weights: Some[PositiveFloat] | None = None
    """Of the section `dictionary` in the prior, to choose from, beside leaving it out."""
    scripts: Scripts = "own"
    """How words are written before their spelling is compared."""
    string_weights: Some[NonNegativeFloat] = (0.0,)
    """Beta: cosine plus beta times that of beginnings of words; validated after all else."""
    term_frequency: TermFrequency | None = "log"
    """How counts enter the features; null: as `weighting.term_frequency` says."""
    self_training: NonNegativeInt = 0
    """As of `cr5`, at the same prior and shift; before beginnings of words are weighed."""

    def fit(self, training: TrainingSet) -> Fit:
        """Make the prior from the words' spelling; choose ridge, rank and shift, then the others.

        Of equal fits the larger ridge, the smaller rank and no shift are kept.
        """
        from cr5.contracts.seeds import Seeds
        from cr5.fitting.choose import Selection
        from cr5.systems.algebra.scripts import compared
        from cr5.systems.ridge import spelling
        from cr5.systems.ridge.self_training import known_alone, self_trained
        from cr5.systems.ridge.solutions import grid_of_ridges

        words = compared(training.words, self.scripts)
        prior = spelling.spelt(words)
        dictionary = Seeds()
        if self.dictionary_weights:
            dictionary = training.seeds
        if words is training.words:  # fallbacks are compared as they are written
            training, prior = spelling.with_unknown_words(training, prior, dictionary)
        priors = _priors_besides(training, dictionary)
        varied = self._varied(training, priors)

        known = known_alone(training)
        selection = Selection(training)
        usual = {name: values[0] for name, values in varied.items()}
        ridges = grid_of_ridges(selection, self.ridges)
        selection.add_each(self._fits(known, prior, priors, ridges, usual))
        for name, values in varied.items():
            for value in values[1:]:
                chosen = {other: selection.leading(other) or usual[other] for other in usual}
                chosen[name] = value
                ridge = selection.leading("ridge") or max(self.ridges)
                fits = self._fits(known, prior, priors, [ridge], chosen)
                selection.add_each(fits)
        fitted = selection.result()

        def fits_of(guessed: TrainingSet) -> Iterator[Fit]:
            chosen = {name: fitted.chosen[name] for name in usual}
            return self._fits(guessed, prior, priors, [fitted.chosen["ridge"]], chosen)

        fitted = self_trained(training, fitted, self.self_training, fits_of)
        if not any(self.string_weights):
            return fitted
        return self._with_strings(training, fitted)

    def _varied(self, training: TrainingSet, priors: Mapping[str, Prior]) -> dict[str, list[float]]:
        """Return the values of all that is chosen at the best ridge, the usual one first."""
        from cr5.systems.ridge import encoder_features, near_words

        varied: dict[str, list[float]] = {}
        if self.gammas:
            varied["gamma"] = [GAMMA, *self.gammas]
        if DICTIONARY in priors:
            varied[DICTIONARY] = [0.0, *self.dictionary_weights]
        if near_words.NAME in priors:
            varied[near_words.NAME] = [0.0, *near_words.WEIGHTS]
        if training.encoder:
            varied[encoder_features.NAME] = list(encoder_features.SHARES)
        return varied

    def _fits(
        self,
        training: TrainingSet,
        prior: Prior,
        priors: Mapping[str, Prior],
        ridges: Iterable[float],
        chosen: Mapping[str, float],
    ) -> Iterator[Fit]:
        """Yield the fits of each ridge, with priors of the weights that are chosen for them."""
        from cr5.systems.ridge import encoder_features
        from cr5.systems.ridge.problem import factor
        from cr5.systems.ridge.solutions import solutions
        from cr5.systems.ridge.spelling import joined

        gamma = chosen.get("gamma", GAMMA)
        features = prior
        for name, of_words in priors.items():
            features = joined(features, of_words, chosen[name] / gamma)
        N = [features[language] for language in training.languages]
        X = [training.features[language] for language in training.languages]
        F = factor(N, gamma, X)
        if training.encoder:
            weight = chosen[encoder_features.NAME] / (1 + gamma)
            F = encoder_features.with_encoder_prior(F, training, weight)
            training = encoder_features.with_encoder_columns(training)
        for solution in solutions(training, max(self.ranks), ridges, F):
            yield from self._fits_of(training, solution, chosen)
            del solution  # the next one takes its room

    def _fits_of(
        self, training: TrainingSet, solution: Solution, chosen: Mapping[str, float]
    ) -> Iterator[Fit]:
        """Yield a fit of each rank, without and with the mean of each language's documents."""
        from cr5.contracts.training import Fit

        report = solution.report(solution.rank, self.ranks)
        maps = dict(zip(training.languages, solution.scaled_maps(), strict=True))
        available = {min(rank, solution.rank) for rank in self.ranks}
        for rank in sorted(available):
            leading = {language: T[:, :rank] for language, T in maps.items()}
            tables = {
                language: np.ascontiguousarray(T, np.float32) for language, T in leading.items()
            }
            without_shift = _model(training, tables)
            for shift in (False, True):
                model = without_shift
                if shift:
                    model = replace(without_shift, offsets=_means(training, leading))
                choices = {"ridge": solution.ridge, "rank": rank, "shift": shift, **chosen}
                yield Fit(model, report | choices, choices)

    def _with_strings(self, training: TrainingSet, fitted: Fit) -> Fit:
        """Choose beta; the report has its validation next to that of the fit."""
        from cr5.contracts.training import Fit
        from cr5.fitting.choose import added, best
        from cr5.systems.algebra.beginnings import beside
        from cr5.systems.algebra.scripts import compared

        words = compared(training.words, self.scripts)
        strings = beside(words, training.features, LETTERS, training.fallbacks)

        def fit_with(beta: float) -> Fit:
            model = fitted.model
            if beta:
                model = model.joined(**strings, beta=beta)
            return Fit(model, {}, {"string_weight": beta})

        betas = sorted(set(self.string_weights))
        best_fit = best(training, map(fit_with, betas))
        return added(fitted, best_fit, "string_validation")


def _priors_besides(training: TrainingSet, dictionary: Seeds) -> dict[str, Prior]:
    """Return the features of words besides those of spelling, by the name of their weight."""
    from cr5.systems.ridge import near_words, spelling

    priors = {}
    if dictionary.pairs:
        priors[DICTIONARY] = spelling.translations(training.words, dictionary, training.fallbacks)
    if training.near_words:
        priors[near_words.NAME] = near_words.with_fallbacks(training)
    return priors


def _model(training: TrainingSet, tables: Mapping[str, np.ndarray]) -> WordTables:
    """Return the model of maps of words, below which stands that of an encoder if there is one."""
    from cr5.models.encoded_tables import EncodedTables
    from cr5.models.word_tables import WordTables
    from cr5.systems.ridge.encoder_features import divided

    encoder_table = None
    if training.encoder:
        tables, encoder_table = divided(training, tables)
    model = WordTables(
        training.words,
        tables,
        training.weights,
        term_frequency=training.term_frequency,
        input_norm="l2",
        fallbacks=training.fallbacks,
    )
    if encoder_table is None:
        return model
    return EncodedTables.of_features(model, training.encoder, encoder_table)


def _means(training: TrainingSet, maps: Mapping[str, np.ndarray]) -> dict[str, np.ndarray]:
    """Return the mean of each language's training documents, mapped: (r,) float64."""
    means = {}
    for language, T in maps.items():
        mean = np.asarray(training.features[language].mean(axis=0))
        means[language] = (mean @ T).ravel().astype(np.float64)
    return means
