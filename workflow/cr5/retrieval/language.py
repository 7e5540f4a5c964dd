"""Which language texts are in, as far as the vocabularies of a model tell.

Words of a vocabulary are in the order of their frequency, so that by Zipf's law the word in place i
has a probability of about 1 / (i + `SHIFT`) in texts of its language. A text is in the language in
which its words are most probable together (naive Bayes, all languages alike beforehand).
"""

from collections.abc import Iterator, Mapping, Sequence

import numpy as np

from cr5.counts.columns import Known

SHIFT = 2.7  # Mandelbrot's, for the few most frequent words
RARE = 10  # how much rarer than the last word of the largest vocabulary an unknown one is


def most_likely(known: Mapping[str, Known]) -> list[str | None]:
    """Return the likeliest language of each text; None if no language has its words.

    Args:
        known: by language, the words of its vocabulary in all texts; columns by falling frequency.
    """
    largest = max(each.counts.shape[1] for each in known.values())
    scores = [_log_likelihood(each, largest) for each in known.values()]
    languages = list(known)
    has_word = np.any([each.counts.getnnz(axis=1) > 0 for each in known.values()], axis=0)
    best = np.argmax(scores, axis=0)
    return [languages[x] if known else None for x, known in zip(best, has_word, strict=True)]


def by_language(languages: Sequence[str]) -> Iterator[tuple[str, np.ndarray]]:
    """Yield each language and the numbers of its texts."""
    found = np.array(languages)
    for language in dict.fromkeys(languages):
        yield language, np.flatnonzero(found == language)


def _log_likelihood(known: Known, largest: int) -> np.ndarray:
    """Of each text, (n,)."""
    words = np.log(np.arange(known.counts.shape[1]) + SHIFT)
    n_unknown = known.n_tokens - np.asarray(known.counts.sum(axis=1)).ravel()
    total = np.log((1 / (np.arange(largest) + SHIFT)).sum())
    return -(known.counts @ words) - n_unknown * np.log(RARE * largest) - known.n_tokens * total
