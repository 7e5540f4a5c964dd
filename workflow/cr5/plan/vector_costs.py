"""The cost of training word vectors, extrapolated from small measurements.

Measured with gensim 4.4 on a made-up corpus after Zipf's law (benchmarks/vectors.py), d = 300: 13.3
microseconds per word and epoch with fastText, 5.3 with word2vec (29,000 distinct words; larger
vocabularies may take longer); two threads took 0.57 of the time of one. Memory was 5.3 and 4.1
times that of the vectors (159,000 words), without fastText's n-grams.

The vocabulary grows with the text (Heaps' law): fastText's published vectors of the English
Wikipedia of 2016, some 2.4 billion words, have 2,519,370 words that occur at least five times.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

MICROSECONDS = {"fasttext": 13.3, "word2vec": 5.3}  # at d = 300
COPIES = {"fasttext": 5.3, "word2vec": 4.1}
SECOND_THREAD = 0.75  # of the first one's work
USEFUL_THREADS = 8  # one thread reads the text for all of them
VOCABULARY, TEXT, GROWTH = 2.52e6, 2.4e9, 0.6
STRINGS = 1000  # bytes per word of the vocabulary, for all rarer words


@dataclass(frozen=True)
class Cost:
    """The cost of one language's vectors.

    Attributes:
        seconds: with the threads of the options.
        bytes: bytes of memory.
    """

    seconds: float
    bytes: float


def estimate(words: float, options: Mapping[str, Any]) -> Cost:
    """Extrapolate the cost.

    Args:
        words: number of words of the text.
        options: the section `vectors`.
    """
    algorithm, dimension = options["algorithm"], options["dimension"]
    each = MICROSECONDS[algorithm] * 1e-6 * max(1 / 3, dimension / 300)
    workers = 1 + SECOND_THREAD * (min(options["threads"], USEFUL_THREADS) - 1)
    vocabulary = VOCABULARY * (words / TEXT) ** GROWTH
    rows = COPIES[algorithm] * vocabulary
    rows += options["buckets"] if algorithm == "fasttext" else 0
    return Cost(
        words * options["epochs"] * each / workers, rows * dimension * 4 + STRINGS * vocabulary
    )
