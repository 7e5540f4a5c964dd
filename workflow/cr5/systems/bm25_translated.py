"""BM25 with queries translated word by word; see `bm25` and `word_by_word`.

A word of the query counts for each of its translations, by the translation's probability
(probabilistic structured queries, Darwish and Oard 2003, without their pooled frequencies).
"""

from typing import Any

import numpy as np

from cr5.fitting.best import best
from cr5.fitting.contract import Fit, TrainingSet
from cr5.systems.bm25 import OPTIONS as BM25
from cr5.systems.bm25 import fits
from cr5.systems.word_by_word import translations

TITLE = "Word by word + BM25"
REFERENCE = "Robertson and Zaragoza, 2009"
COST = (0.5, 0.5)
NEEDS = ("alignments", "counts")
WITHOUT_COUNTS = None  # lengths are numbers of words

OPTIONS = {
    **BM25,
    "pass_on": (
        True,
        "whether a word without a translation stands for itself where the target has it",
    ),
}


def fit(training: TrainingSet, options: dict[str, Any]) -> Fit:
    """Use the translation tables as they are.

    The report has how many words of each language are translated, passed on, or lost.
    """
    every = {x: np.ones(len(words)) for x, words in training.words.items()}
    tables, report = translations(training, every, options["pass_on"])
    found = best(training, fits(training.words, training.counts, options, tables))
    return Fit(found.model, found.report | {"words": report}, found.chosen)
