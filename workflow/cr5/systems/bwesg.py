"""Bilingual word embeddings skip-gram (Vulić and Moens, ACL and SIGIR 2015).

The documents of a concept are merged, in any number of languages, and shuffled, so that the words
around a word are of all languages; skip-gram with negative sampling is trained on that text. Words
are told apart by language. A document is the weighted sum of the vectors of its words.

Shuffling forgets the order of words, so counts are all that it takes. As published, concepts of one
language alone are left out.
"""

from collections.abc import Iterator
from typing import Any

import numpy as np
from scipy import sparse

from cr5.base.errors import LeftOutError
from cr5.fitting import vectors
from cr5.fitting.best import best
from cr5.fitting.contract import Fit, TrainingSet
from cr5.fitting.vector_options import VectorOptions
from cr5.systems.projections.documents import members

TITLE = "BWESG"
REFERENCE = "Vulić and Moens, ACL 2015 and SIGIR 2015"
NEEDS = ("counts",)
WITHOUT_COUNTS = None  # its text is of counted words

OPTIONS = {
    # those of the papers: dimensions of 100 to 400, windows of up to 60, which grow to be better
    "dimensions": ([300], {"ge": 1}, "length of a vector; several are validated"),
    "window": (48, {"ge": 1}, "words on each side that count as context, at most"),
    "epochs": (15, {"ge": 1}, "passes over the text"),
    "negative": (25, {"ge": 1}, "noise words per context word"),
    "sample": (1e-4, {"ge": 0, "lt": 1}, "threshold above which frequent words are thinned out"),
    "min_count": (5, {"ge": 1}, "words that occur less often get no vector"),
}

LONGEST = 10_000  # words; gensim ignores what a sentence has beyond them


def fit(training: TrainingSet, options: dict[str, Any]) -> Fit:
    """Train once for each length of the vectors, on one thread, on the same text.

    Raises:
        LeftOutError: no concept has documents in two languages.
        UserError: no word is left.
    """
    text = list(_merged(training))
    if not text:
        raise LeftOutError("no concept has training documents in two languages: nothing to merge")
    return best(training, (_trained(training, text, options, d) for d in options["dimensions"]))


def _trained(training: TrainingSet, text: list[list[str]], options: dict, dimension: int) -> Fit:
    given = {key: value for key, value in options.items() if key != "dimensions"}
    settings = VectorOptions(algorithm="word2vec", dimension=dimension, **given)
    found = vectors.train(text, settings, training.seed)
    tables = {x: vectors.align(*found, _named(x, words)) for x, words in training.words.items()}
    facts = {"tokens": sum(map(len, text)), "words_with_vector": len(found[0])}
    return Fit(training.model(tables), facts, {"dimension": dimension})


def _merged(training: TrainingSet) -> Iterator[list[str]]:
    """Yield the words of each concept of two languages or more, in random order."""
    generator = np.random.default_rng(training.seed)
    words = np.concatenate([_named(x, training.words[x]) for x in training.languages])
    counts = [members(training, x) @ training.counts[x] for x in training.languages]
    n_languages = sum(np.diff(each.indptr) > 0 for each in counts)
    for row in sparse.hstack(counts, "csr")[n_languages > 1]:
        text = generator.permutation(np.repeat(words[row.indices], row.data.astype(int))).tolist()
        for start in range(0, len(text), LONGEST):
            yield text[start : start + LONGEST]


def _named(language: str, words: list[str]) -> list[str]:
    """Tell the words of a language from those of others."""
    return [f"{language}:{word}" for word in words]
