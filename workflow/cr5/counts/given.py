"""Bags of documents that are given as weights of numbered words."""

from collections.abc import Iterable, Mapping

import numpy as np
import pandas as pd
from scipy import sparse

from cr5.base.errors import UserError
from cr5.counts.bags import Bags, check_vocabulary, filtered
from cr5.counts.rules import Rules

Record = tuple[str, str, Mapping[int, float]]


def build(
    records: Iterable[Record], rules: Rules, language: str, prefix: str | None = None
) -> tuple[Bags, dict]:
    """Choose the vocabulary and filter the documents, as `bags.build` does for words.

    A word is named by a prefix and its number, such as `en17`: the same number is a different word
    with another prefix. How often it occurs is unknown, so its document frequency replaces
    the collection frequency, and weights replace counts.

    Args:
        records: (concept, class, weights by number) of every document.
        rules: thresholds.
        language: of the documents.
        prefix: of names of words; None: the language.

    Returns:
        The bags, float64, with labelled documents; and a summary, see `filtering.summarise`.

    Raises:
        UserError: there is no word, or no word or no document passes the filter.
    """
    documents, rows = _read(records)
    if not rows.nnz:
        raise UserError(
            f"Language {language!r}: none of its {len(documents)} documents has a word, their "
            "lines have a class alone; give files with `number:weight` of each word after it"
        )
    numbers, columns = np.unique(rows.indices, return_inverse=True)
    weights = sparse.csr_matrix((rows.data, columns, rows.indptr), (len(documents), len(numbers)))
    in_documents = np.bincount(columns, minlength=len(numbers))
    order = _vocabulary(in_documents, rules)
    check_vocabulary(len(order), len(numbers), rules, language)
    frequency = in_documents[order]
    words = pd.DataFrame(
        {
            "word": [f"{language if prefix is None else prefix}{x}" for x in numbers[order]],
            "document_frequency": frequency,
            "collection_frequency": frequency,
        }
    )
    return filtered(weights[:, order], words, documents, len(numbers), rules, language)


def _read(records: Iterable[Record]) -> tuple[pd.DataFrame, sparse.csr_matrix]:
    """Documents, and documents x numbers."""
    documents, indices, data, lengths = [], [], [], []
    for concept, label, weights in records:
        n = len(weights)
        documents.append((concept, concept, n, n, label))
        indices.append(np.fromiter(weights, np.int64, n))
        data.append(np.fromiter(weights.values(), np.float64, n))
        lengths.append(n)
    indptr = np.cumsum([0, *lengths])
    columns = ["concept", "title", "n_tokens", "n_unique", "label"]
    flat = [np.concatenate(parts) if parts else np.zeros(0) for parts in (data, indices)]
    numbers = flat[1].astype(np.int64)
    shape = len(documents), int(numbers.max(initial=-1)) + 1
    rows = sparse.csr_matrix((flat[0], numbers, indptr), shape)
    return pd.DataFrame(documents, columns=columns), rows


def _vocabulary(in_documents: np.ndarray, rules: Rules) -> np.ndarray:
    """Numbers of the kept columns, by descending frequency, ties by the number of the word."""
    kept = np.flatnonzero(in_documents >= rules.min_documents)
    return kept[np.argsort(-in_documents[kept], kind="stable")][: rules.most_in_bags]
