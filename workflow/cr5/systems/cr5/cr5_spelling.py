"""Cr5 with a prior over spellings: words that are spelt alike get similar vectors."""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal

from cr5.systems.reduced_rank.family import Spelled

if TYPE_CHECKING:
    from cr5.fitting.contract import Fit, TrainingSet


class Cr5Spelling(Spelled):
    """Cr5 with a prior over spellings: words that are spelt alike get similar vectors.

    Cr5's regression (`cr5.systems.reduced_rank`) on log term frequencies, with three changes. The
    prior of the word vectors is not I but (I + gamma N N') / (1 + gamma), where N has the spelling
    of words, in one language or in two (`cr5.systems.spelling.features`): a word learns from
    similar words, and a rare one from more than its few documents. Words of different scripts may
    be compared by their sounds, in Latin letters (`cr5.systems.spelling.scripts`). Where a
    dictionary is given, words that it pairs may get similar vectors too. The output is scaled by
    the eigenvalues, Phi' diag(mu)^a, instead of Eq. 15, which amplifies very weak directions. And
    the mean of the language's training documents may be added to a document, if that validates
    better.

    A word that no training document has gets what the prior says of it, if the dictionary has it,
    or else of its beginning: entries for such words follow the words of the model
    (`cr5.counts.columns`).

    Besides what was learned, the beginnings of words may count, as in `prefix_overlap`: cosine plus
    beta times the cosine of beginnings. If names distinguish documents, this finds more than either
    alone; validation chooses their weight, possibly 0.
    """

    title = "Cr5 + spelling"
    colour = "#CC79A7"

    prior: Literal["none", "prefixes", "ngrams"] = "prefixes"
    """Of a word's spelling: its first 4, 5 and 6 letters; runs of 3 to 5; nothing, as in Cr5."""

    @property
    def needs(self) -> tuple[str, ...]:
        """Pairs of words, if a dictionary is given."""
        return ("seeds",)

    def fit(self, training: TrainingSet) -> Fit:
        """Make the prior from the words' spelling, and fit with it; see `fit_with`."""
        from cr5.fitting.seeds import Seeds
        from cr5.systems.spelling.entries import with_unknown_words
        from cr5.systems.spelling.features import features
        from cr5.systems.spelling.fits import fit_with
        from cr5.systems.spelling.scripts import compared

        words = compared(training.words, self.scripts)
        prior = {} if self.prior == "none" else features(words, self.prior)
        if self.prior == "prefixes" and words is training.words:
            seeds = training.seeds if self.dictionary_weights else None
            training, prior = with_unknown_words(training, prior, seeds or Seeds())
        return fit_with(training, self, prior)
