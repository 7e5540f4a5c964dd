"""A column for every string, whatever its language."""

from collections import Counter
from itertools import chain
from typing import Any

import numpy as np

from cr5.fitting.contract import TrainingSet
from cr5.systems.projections.columns import Columns


def all_strings(training: TrainingSet) -> Columns:
    """A column for every string, in alphabetical order."""
    strings = sorted(set().union(*training.words.values()))
    places = {string: i for i, string in enumerate(strings)}
    numbers = {
        x: np.array([places[w] for w in words], np.int64) for x, words in training.words.items()
    }
    return Columns(numbers, len(strings), training.weights)


def tables_of(found: Columns) -> dict[str, Any]:
    """Per language the column of each word, words x columns."""
    return {x: found.selection(x).astype(np.float32) for x in found.numbers}


def n_shared(found: Columns) -> int:
    """Number of columns shared by two or more vocabularies."""
    counts = Counter(
        chain.from_iterable(each[each >= 0].tolist() for each in found.numbers.values())
    )
    return sum(count > 1 for count in counts.values())
