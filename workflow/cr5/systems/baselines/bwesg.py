"""BWESG: word vectors of merged and shuffled documents."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

import numpy as np
from pydantic import PositiveInt

from cr5.base.errors import LeftOutError
from cr5.contracts.keys import Some
from cr5.contracts.system import System

if TYPE_CHECKING:
    from cr5.contracts.training import Fit, TrainingSet

LONGEST = 10_000  # words; gensim ignores what a sentence has beyond them
SAMPLE = 1e-4  # threshold above which frequent words are thinned out


class Bwesg(System):
    """Bilingual word embeddings skip-gram (Vulić and Moens, ACL and SIGIR 2015).

    The documents of a concept are merged, in any number of languages, and shuffled, so that the
    words around a word are of all languages; skip-gram with negative sampling is trained on that
    text. Words are told apart by language. A document is the weighted sum of the vectors of its
    words.

    Shuffling forgets the order of words, so counts are all that it takes. As published, concepts of
    one language alone are left out.
    """

    title = "BWESG"
    reference = "Vulić and Moens, ACL 2015 and SIGIR 2015"
    without_counts = None  # its text is of counted words
    needs = ("counts",)

    # those of the papers: dimensions of 100 to 400, windows of up to 60, which grow to be better
    dimensions: Some[PositiveInt] = (300,)
    """Length of a vector; several are validated."""
    window: PositiveInt = 48
    """Words on each side that count as context, at most."""
    epochs: PositiveInt = 15
    """Passes over the text."""
    negative: PositiveInt = 25
    """Noise words per context word."""
    min_count: PositiveInt = 5
    """Words that occur less often get no vector."""

    def fit(self, training: TrainingSet) -> Fit:
        """Train once for each length of the vectors, on one thread, on the same text."""
        from cr5.fitting.choose import best

        text = list(_merged(training))
        if not text:
            raise LeftOutError(
                "no concept has training documents in two languages: nothing to merge"
            )
        fits = (self._trained(training, text, dimension) for dimension in self.dimensions)
        return best(training, fits)

    def _trained(self, training: TrainingSet, text: list[list[str]], dimension: int) -> Fit:
        from cr5.contracts.training import Fit
        from cr5.fitting import vectors
        from cr5.fitting.options import VectorOptions
        from cr5.models.word_tables import WordTables

        settings = VectorOptions(
            algorithm="word2vec",
            dimension=dimension,
            sample=SAMPLE,
            window=self.window,
            epochs=self.epochs,
            negative=self.negative,
            min_count=self.min_count,
        )
        known_words, rows = vectors.train(text, settings, training.seed)
        tables = {
            language: vectors.align(known_words, rows, _marked(language, words))
            for language, words in training.words.items()
        }
        n_tokens = sum(map(len, text))
        facts = {"tokens": n_tokens, "words_with_vector": len(known_words)}
        return Fit(WordTables.of(training, tables), facts, {"dimension": dimension})


def _merged(training: TrainingSet) -> Iterator[list[str]]:
    """Yield the words of each concept of two languages or more, in random order."""
    from scipy import sparse

    from cr5.systems.algebra.columns import members

    generator = np.random.default_rng(training.seed)
    marked = [_marked(language, training.words[language]) for language in training.languages]
    words = np.concatenate(marked)
    counts = [
        members(training, language) @ training.counts[language] for language in training.languages
    ]
    n_languages = sum(np.diff(of_language.indptr) > 0 for of_language in counts)
    for row in sparse.hstack(counts, "csr")[n_languages > 1]:
        in_order = np.repeat(words[row.indices], row.data.astype(int))
        shuffled = generator.permutation(in_order).tolist()
        for start in range(0, len(shuffled), LONGEST):
            yield shuffled[start : start + LONGEST]


def _marked(language: str, words: list[str]) -> list[str]:
    """Tell the words of a language from those of others."""
    return [f"{language}:{word}" for word in words]
