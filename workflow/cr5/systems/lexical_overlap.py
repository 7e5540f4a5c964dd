"""No translation at all: tf-idf cosine on strings that languages share.

Names, numbers written as words and loans are spelled the same in many languages. This baseline
finds documents without any model. Every distinct string is one dimension, so the word table is a
sparse selection matrix.
"""

from collections import Counter
from itertools import chain
from typing import Any

import numpy as np

from cr5.fitting.contract import Fit, TrainingSet
from cr5.models.word_tables import WordTables
from cr5.systems.projections.columns import Columns, ColumnSettings, columns

TITLE = "Lexical overlap"
REFERENCE = "Platt, Toutanova and Yih, EMNLP 2010"
COST = (0.5, 0.5)
COLOUR = "#7B4FA3"
NEEDS = ("counts",)
WITHOUT_COUNTS = {"paper_weights": False}

OPTIONS = {
    # log2(1 + f) log2(n / d_j), for n documents of all languages, d_j of which have the string
    "paper_weights": (
        False,
        "whether words are weighed and chosen as by Platt, Toutanova, Yih 2010",
    ),
    "skip_words": (50, {"ge": 0}, "of `paper_weights`: most frequent strings that are dropped"),
    "max_words": (20000, {"ge": 1}, "of `paper_weights`: strings kept of the others"),
}


def fit(training: TrainingSet, options: dict[str, Any]) -> Fit:
    """Give every string its own dimension.

    Args:
        training: only its vocabularies are used; with `paper_weights` also its counts.
        options: see `OPTIONS`; without `paper_weights` the others have no effect.

    Raises:
        UserError: no word is left.
    """
    words = training.words
    if options["paper_weights"]:
        chosen = ColumnSettings(options["skip_words"], options["max_words"])
        found = columns(words, training.counts, chosen)
        model = WordTables(words, _tables(found), found.weights, term_frequency="log")
    else:
        found = all_strings(training)
        model = training.model(_tables(found))
    return Fit(model, {"strings": found.n, "shared": _shared(found)})


def all_strings(training: TrainingSet) -> Columns:
    """A column for every string, in alphabetical order."""
    strings = sorted(set().union(*training.words.values()))
    places = {string: i for i, string in enumerate(strings)}
    numbers = {
        x: np.array([places[w] for w in words], np.int64) for x, words in training.words.items()
    }
    return Columns(numbers, len(strings), training.weights)


def _tables(found: Columns) -> dict[str, Any]:
    return {x: found.selection(x).astype(np.float32) for x in found.numbers}


def _shared(found: Columns) -> int:
    """Number of columns shared by two or more vocabularies."""
    counts = Counter(
        chain.from_iterable(each[each >= 0].tolist() for each in found.numbers.values())
    )
    return sum(count > 1 for count in counts.values())
