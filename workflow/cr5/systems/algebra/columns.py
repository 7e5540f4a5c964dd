"""Which words are columns, and how much they weigh (Platt, Toutanova, Yih 2010, sections 2.1, 3.2).

The most frequent terms are dropped and the next ones are kept. A string in several languages is
one column, unless columns are separate. Only training documents count; they are the rows.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import pandas as pd
from scipy import sparse

from cr5.base.errors import UserError
from cr5.base.rows import normalised
from cr5.contracts.training import TrainingSet
from cr5.counts.weighting import term_frequency
from cr5.systems.algebra.incidence import incidence, members_of


@dataclass(frozen=True)
class Columns:
    """The n columns of a corpus, by descending frequency; separate ones language by language.

    With ln(1 + f) for counts f the entries are those of Eq. 8, log2(1 + f) log2(N / d_j), for N
    training documents of all languages of which d_j have column j.
    """

    selections: Mapping[str, sparse.csr_matrix]  # words x n, float32: a one where it has a column
    bits: np.ndarray  # (n,): log2(N / d_j) / ln 2; ones if documents are taken as they are
    term_frequency: str = "log"  # or `raw`, if they are

    @property
    def n(self) -> int:
        """Number of columns."""
        return len(self.bits)

    @property
    def weights(self) -> dict[str, np.ndarray]:
        """Per language the weight of each word; zero if it is dropped."""
        return {language: selection @ self.bits for language, selection in self.selections.items()}

    @property
    def starts(self) -> list[int]:
        """The first column of each language that has one, if they are separate."""
        columns = [self.selections[language].indices for language in sorted(self.selections)]
        return [int(numbers.min()) for numbers in columns if len(numbers)]

    def rows(self, language: str, counts: sparse.csr_matrix) -> sparse.csr_matrix:
        """Return counts of words, documents x words, as rows of weights, documents x n."""
        return self.weighed(counts @ self.selections[language])

    def weighed(self, counts: sparse.csr_matrix) -> sparse.csr_matrix:
        """Weigh counts in these columns."""
        frequencies = term_frequency(counts, self.term_frequency)
        return (frequencies @ sparse.diags(self.bits)).tocsr()

    def table(self, language: str, V: np.ndarray) -> np.ndarray:
        """Return the rows of V (n x r) by word; zeros if a word is dropped."""
        return self.selections[language] @ V


def columns_of(
    training: TrainingSet, system: Any, merged: bool = True, weighted: bool = True
) -> Columns:
    """Choose columns, by `skip_words` and `max_words` of a system, and their weights.

    Equally frequent strings are in alphabetical order. A word is dropped if it is in no training
    document of any language that shares its column. If columns are not merged, each language has a
    list of words of its own. Refuses to leave no word.
    """
    n_documents = sum(counts.shape[0] for counts in training.counts.values())
    columns_of_words = {}
    bits = [np.zeros(0)]
    n_columns = 0
    for strings in _lists_of_strings(training, merged):
        order = strings.by_frequency()
        chosen = order[system.skip_words :][: system.max_words]
        column = np.full(len(strings.frequency), -1)
        column[chosen] = n_columns + np.arange(len(chosen))
        for language, places in strings.places.items():
            columns_of_words[language] = column[places]
        if weighted:
            document_frequency = np.maximum(strings.document_frequency[chosen], 1)
            bits.append(np.log2(n_documents / document_frequency) / np.log(2))
        else:
            bits.append(np.ones(len(chosen)))
        n_columns += len(chosen)
    if not n_columns:
        raise UserError(
            "no word is left of those of the training documents in "
            f"{', '.join(sorted(training.words))}: skip_words is {system.skip_words}, max_words "
            f"{system.max_words}; lower the first, or bring documents with more words"
        )
    selections = {
        language: incidence(columns, n_columns) for language, columns in columns_of_words.items()
    }
    return Columns(selections, np.concatenate(bits), "log" if weighted else "raw")


@dataclass(frozen=True)
class _Strings:
    """The different strings of the words of some languages, in alphabetical order."""

    places: dict[str, np.ndarray]  # of each language's words among the strings
    frequency: np.ndarray
    document_frequency: np.ndarray

    def by_frequency(self) -> np.ndarray:
        """Return the places of strings that occur, most frequent first, then by alphabet."""
        order = np.argsort(-self.frequency, kind="stable")
        return order[self.frequency[order] > 0]


def _lists_of_strings(training: TrainingSet, merged: bool) -> Iterator[_Strings]:
    """Yield one list of the strings of all languages, or one for each language."""
    languages = sorted(training.words)
    if merged:
        yield _strings_of(training, languages)
    else:
        for language in languages:
            yield _strings_of(training, [language])


def _strings_of(training: TrainingSet, languages: Sequence[str]) -> _Strings:
    """Count how often, and in how many training documents, each string of these languages is."""
    words = [training.words[language] for language in languages]
    strings = pd.Index(sorted(set().union(*words)))
    places = {language: strings.get_indexer(training.words[language]) for language in languages}
    frequency = np.zeros(len(strings))
    document_frequency = np.zeros(len(strings), np.int64)
    for language in languages:
        X = training.counts[language]
        frequency[places[language]] += np.asarray(X.sum(axis=0, dtype=np.float64)).ravel()
        columns_that_occur = X.indices[X.data > 0]
        n_documents = np.bincount(columns_that_occur, minlength=X.shape[1])
        document_frequency[places[language]] += n_documents
    return _Strings(places, frequency, document_frequency)


@dataclass(frozen=True)
class Documents:
    """Rows Z of all languages, language by language, R x p, indices sorted.

    Each has the number of its language, and that of its concept, from 0 without gaps.
    """

    Z: sparse.csr_matrix
    language: np.ndarray
    concept: np.ndarray

    @property
    def n_concepts(self) -> int:
        """Number of concepts that have a document."""
        return int(self.concept.max(initial=-1)) + 1

    def without(self, concepts: np.ndarray) -> "Documents":
        """Return the documents of all other concepts."""
        rows = np.flatnonzero(~np.isin(self.concept, concepts))
        return Documents(self.Z[rows], self.language[rows], _numbered(self.concept[rows]))


def of_documents(training: TrainingSet, columns: Columns, unit_rows: bool = False) -> Documents:
    """Return a row per document (Eq. 8): log2(1 + f) log2(N / d_j), unless taken as it is."""
    rows = [columns.rows(language, training.counts[language]) for language in training.languages]
    sizes = [rows_of_language.shape[0] for rows_of_language in rows]
    concepts = np.concatenate([training.concepts[language] for language in training.languages])
    return Documents(
        _finished(sparse.vstack(rows), unit_rows),
        language=np.repeat(np.arange(len(sizes)), sizes),
        concept=_numbered(concepts).astype(np.int64),
    )


def of_concepts(
    training: TrainingSet, columns: Columns, unit_rows: bool = False
) -> sparse.csr_matrix:
    """Return a row per concept, of the summed counts of its documents (Eq. 5)."""
    counts = sum(by_concept(training, columns))
    has_words = np.diff(counts.indptr) > 0
    return _finished(columns.weighed(counts[has_words]), unit_rows)


def by_concept(training: TrainingSet, columns: Columns) -> Iterator[sparse.csr_matrix]:
    """Yield per language counts, concepts x columns, zeros for concepts without a document."""
    for language in training.languages:
        documents_of_concepts = members(training, language)
        yield documents_of_concepts @ training.counts[language] @ columns.selections[language]


def members(training: TrainingSet, language: str) -> sparse.csr_matrix:
    """Return concepts x documents: a one for each document of a concept."""
    return members_of(training.concepts[language], training.n_concepts)


def same_concept(concepts: np.ndarray, other_concepts: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Return the rows of all pairs of documents of the same concept, one from each list.

    The lists have the number of each document's concept.
    """
    n_concepts = 1 + max(concepts.max(initial=-1), other_concepts.max(initial=-1))
    is_same = incidence(concepts, n_concepts) @ incidence(other_concepts, n_concepts).T
    pairs = is_same.tocsr().sorted_indices().tocoo()
    return pairs.row.astype(np.int64), pairs.col.astype(np.int64)


def _numbered(concepts: np.ndarray) -> np.ndarray:
    """Return the numbers of these concepts among them, from 0 without gaps."""
    return np.unique(concepts, return_inverse=True)[1]


def _finished(rows: sparse.spmatrix, unit_rows: bool) -> sparse.csr_matrix:
    """Return rows of length one, or of their own, without stored zeros and sorted."""
    rows = normalised(rows.tocsr(), "l2" if unit_rows else "none")
    rows.eliminate_zeros()
    rows.sort_indices()
    return rows
