"""Bags of documents that are given as weights of numbered words."""

from collections.abc import Iterable, Mapping

import numpy as np
import pandas as pd
import pyarrow as pa
from scipy import sparse

from cr5.base.errors import UserError
from cr5.counts import bags
from cr5.counts.counting import Piece
from cr5.counts.rules import Rules

Record = tuple[str, str, Mapping[int, float]]


def build(
    records: Iterable[Record], rules: Rules, language: str, prefix: str | None = None
) -> tuple[bags.Bags, dict]:
    """Choose the vocabulary and filter the documents, as `bags.build` does for words.

    A word is named by a prefix and its number, such as `en17`: the same number is a different word
    with another prefix. How often it occurs is unknown, so its document frequency replaces
    the collection frequency, and weights replace counts. Ties go by the number.

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
    names, rows = _read(records)
    if not rows.nnz:
        raise UserError(
            f"Language {language!r}: none of its {len(names)} documents has a word, their "
            "lines have a class alone; give files with `number:weight` of each word after it"
        )
    numbers, columns = np.unique(rows.indices, return_inverse=True)
    weights = sparse.csr_matrix((rows.data, columns, rows.indptr), (len(names), len(numbers)))
    words = [f"{language if prefix is None else prefix}{x}" for x in numbers]
    piece = Piece(pa.array(words), weights, np.diff(rows.indptr))
    frequency = np.bincount(columns, minlength=len(numbers))
    kept = np.flatnonzero(frequency >= rules.min_documents)
    kept = kept[np.argsort(-frequency[kept], kind="stable")][: rules.most_in_bags]
    bags.check_vocabulary(len(kept), len(numbers), rules, language)
    table = {"word": [words[x] for x in kept]} | dict.fromkeys(
        bags.WORD_COLUMNS[1:], frequency[kept]
    )
    return bags.build([piece], names, (pd.DataFrame(table), len(numbers)), rules, language)


def _read(records: Iterable[Record]) -> tuple[pd.DataFrame, sparse.csr_matrix]:
    """Names of documents, and documents x numbers."""
    names, indices, data, lengths = [], [], [], []
    for concept, label, weights in records:
        names.append((concept, concept, label))
        indices.append(np.fromiter(weights, np.int64, len(weights)))
        data.append(np.fromiter(weights.values(), np.float64, len(weights)))
        lengths.append(len(weights))
    indptr = np.cumsum([0, *lengths])
    flat = [np.concatenate(parts) if parts else np.zeros(0) for parts in (data, indices)]
    numbers = flat[1].astype(np.int64)
    shape = len(names), int(numbers.max(initial=-1)) + 1
    rows = sparse.csr_matrix((flat[0], numbers, indptr), shape)
    return pd.DataFrame(names, columns=["concept", "title", "label"]), rows
