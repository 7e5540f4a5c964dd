"""Cr5 with a prior over spellings: words that are spelt alike get similar vectors.

Cr5's regression (`cr5.systems.reduced_rank`) on log term frequencies, with three changes. The prior
of the word vectors is not I but (I + gamma N N') / (1 + gamma), where N has the spelling of words,
in one language or in two (`cr5.systems.spelling.features`): a word learns from similar words, and
a rare one from more than its few documents. Words of different scripts may be compared by their
sounds, in Latin letters (`cr5.systems.spelling.scripts`). Where a dictionary is given, words that
it pairs may get similar vectors too. The output is scaled by the eigenvalues, Phi' diag(mu)^a,
instead of Eq. 15, which amplifies very weak directions. And the mean of the language's training
documents may be added to a document, if that validates better.

A word that no training document has gets what the prior says of it, if the dictionary has it, or
else of its beginning: entries for such words follow the words of the model (`cr5.counts.columns`).

Besides what was learned, the beginnings of words may count, as in `prefix_overlap`: cosine plus
beta times the cosine of beginnings. If names distinguish documents, this finds more than either
alone; validation chooses their weight, possibly 0.
"""

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

import numpy as np
from scipy import sparse

from cr5.counts.columns import widened
from cr5.fitting.contract import Fit, TrainingSet
from cr5.fitting.seeds import Seeds
from cr5.systems.reduced_rank.solve import listed
from cr5.systems.spelling.features import features, unknown
from cr5.systems.spelling.fits import OPTIONS as SPELLED
from cr5.systems.spelling.fits import fit_with
from cr5.systems.spelling.scripts import compared

TITLE = "Cr5 + spelling"
COLOUR = "#CC79A7"
NEEDS = ("seeds",)

OPTIONS = {
    "prior": (
        "prefixes",
        ("none", "prefixes", "ngrams"),
        "of a word's spelling: its first 4, 5 and 6 letters; runs of 3 to 5; nothing, as in Cr5",
    ),
    **SPELLED,
}


def fit(training: TrainingSet, options: dict[str, Any]) -> Fit:
    """Make the prior from the words' spelling, and fit with it; see `fit_with`."""
    words, kind = compared(training.words, options["scripts"]), options["prior"]
    prior = {} if kind == "none" else features(words, kind)
    if kind == "prefixes" and words is training.words:
        seeds = training.seeds if listed(options["dictionary_weights"]) else None
        training, prior = _with_unknown_words(training, prior, seeds or Seeds())
    return fit_with(training, options, prior)


def _with_unknown_words(
    training: TrainingSet, prior: Mapping[str, sparse.csr_matrix], seeds: Seeds
) -> tuple[TrainingSet, dict[str, sparse.csr_matrix]]:
    """Let the words end with entries for words that no training document has."""
    entries, rows = unknown(training.words, seeds)
    words = {x: [*each, *entries[x]] for x, each in training.words.items()}
    rare = {x: [max(each)] * len(entries[x]) for x, each in training.weights.items()}
    known_and_not = replace(
        training,
        words=words,
        features={x: widened(each, len(words[x])) for x, each in training.features.items()},
        weights={x: np.append(each, rare[x]) for x, each in training.weights.items()},
    )
    return known_and_not, {x: sparse.vstack([N, rows[x]], "csr") for x, N in prior.items()}
