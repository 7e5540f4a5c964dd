"""Which words are columns, and how much they weigh (Platt, Toutanova, Yih 2010, sections 2.1, 3.2).

The most frequent terms are dropped and the next ones are kept. A string in several languages is
one column, unless columns are separate. Only training documents count.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from scipy import sparse

from cr5.base.errors import UserError
from cr5.counts.weighting import term_frequency
from cr5.fitting.contract import TrainingSet


@dataclass(frozen=True)
class Columns:
    """The n columns of a corpus, by descending frequency; separate ones language by language.

    Attributes:
        numbers: per language (p,) int64: the column of each word, -1 if it is dropped.
        n: how many.
        weights: per language (p,): log2(N / d_j) / ln 2, for N training documents of all languages
            of which d_j have column j; zero if a word is dropped. With ln(1 + f) for counts f the
            entries are those of Eq. 8: log2(1 + f) log2(N / d_j). Ones if documents are taken as
            they are.
        term_frequency: of counts: `log`, or `raw` if they are taken as they are.
    """

    numbers: Mapping[str, np.ndarray]
    n: int
    weights: Mapping[str, np.ndarray]
    term_frequency: str = "log"

    @property
    def starts(self) -> list[int]:
        """The first column of each language that has one, if they are separate."""
        kept = (self.numbers[x][self.numbers[x] >= 0] for x in sorted(self.numbers))
        return [int(each.min()) for each in kept if len(each)]

    def selection(self, language: str) -> sparse.csr_matrix:
        """Ones where a word has a column, p x n: counts times it are counts in columns."""
        numbers = self.numbers[language]
        rows = np.flatnonzero(numbers >= 0)
        shape = len(numbers), self.n
        return sparse.csr_matrix((np.ones(len(rows)), (rows, numbers[rows])), shape)

    def rows(self, language: str, counts: sparse.csr_matrix) -> sparse.csr_matrix:
        """Weigh counts of words (documents x p): documents x n."""
        weights = sparse.diags(self.weights[language])
        weighted = term_frequency(counts, self.term_frequency) @ weights
        return (weighted @ self.selection(language)).tocsr()

    def table(self, language: str, V: np.ndarray) -> np.ndarray:
        """The rows of V (n x r) by word, p x r; zeros if a word is dropped."""
        numbers = self.numbers[language]
        table = V[numbers] if self.n else np.zeros((len(numbers), V.shape[1]), V.dtype)
        table[numbers < 0] = 0
        return table


def columns(
    words: Mapping[str, Sequence[str]],
    counts: Mapping[str, sparse.csr_matrix],
    skip_words: int = 50,
    max_words: int = 20000,
    merged: bool = True,
    weighted: bool = True,
) -> Columns:
    """Choose columns and their weights; equally frequent strings are in alphabetical order.

    A word is dropped if it is in no training document of any language that shares its column. If
    columns are not merged, each language has a list of words of its own. Refuses to leave no word.
    """
    numbers, weights, n = {}, {}, 0
    n_documents = sum(each.shape[0] for each in counts.values())
    for languages in [sorted(words)] if merged else [[x] for x in sorted(words)]:
        strings, places = _strings(words, languages)
        frequency, documents = _tallies(counts, places, len(strings))
        number = _numbered(frequency, skip_words, max_words)
        bits = np.log2(n_documents / np.maximum(documents, 1)) / np.log(2)
        weight = np.where(number < 0, 0, bits if weighted else 1.0)
        for language, place in places.items():
            here = number[place]
            numbers[language] = np.where(here < 0, -1, here + n)
            weights[language] = weight[place]
        n += int(number.max(initial=-1)) + 1
    if not n:
        raise UserError(
            f"no word is left of those of the training documents in {', '.join(sorted(words))}: "
            f"skip_words is {skip_words}, max_words {max_words}; lower the "
            "first, or bring documents with more words"
        )
    return Columns(numbers, n, weights, "log" if weighted else "raw")


def columns_of(
    training: TrainingSet, system: Any, merged: bool = True, weighted: bool = True
) -> Columns:
    """The columns of a training set, by the `skip_words` and `max_words` of a system."""
    kept = system.skip_words, system.max_words
    return columns(training.words, training.counts, *kept, merged, weighted)


def _strings(
    words: Mapping[str, Sequence[str]], languages: list[str]
) -> tuple[list[str], dict[str, np.ndarray]]:
    """The distinct strings, sorted, and per language the index of each word among them."""
    strings = sorted(set().union(*(words[x] for x in languages)))
    known = {string: i for i, string in enumerate(strings)}
    return strings, {x: np.array([known[word] for word in words[x]], np.int64) for x in languages}


def _tallies(
    counts: Mapping[str, sparse.csr_matrix], places: Mapping[str, np.ndarray], n_strings: int
) -> tuple[np.ndarray, np.ndarray]:
    """How often each string occurs, and in how many documents."""
    frequency, documents = np.zeros(n_strings), np.zeros(n_strings, np.int64)
    for language, place in places.items():
        X = counts[language]
        frequency[place] += np.asarray(X.sum(axis=0, dtype=np.float64)).ravel()
        documents[place] += np.bincount(X.indices[X.data > 0], minlength=X.shape[1])
    return frequency, documents


def _numbered(frequency: np.ndarray, skip_words: int, max_words: int) -> np.ndarray:
    """Column numbers from 0 by descending frequency for the kept strings; -1 for the others."""
    order = np.argsort(-frequency, kind="stable")
    order = order[frequency[order] > 0]
    kept = order[skip_words:][:max_words]
    number = np.full(len(frequency), -1, np.int64)
    number[kept] = np.arange(len(kept))
    return number
