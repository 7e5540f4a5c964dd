"""The bags of a language from the counts of its parts; the same bytes for any number of parts.

Documents are ordered by page id, whatever their part. Memory holds the vocabulary, a record of
each document (with its title), and the counts of a few documents.
"""

import logging
from collections.abc import Iterable, Sequence
from itertools import pairwise
from pathlib import Path

import numpy as np
import pandas as pd
import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.parquet as pq
from scipy import sparse

from cr5.counts import bags, filtering
from cr5.counts.counting import counts_file, segments, words_file
from cr5.counts.csr_file import CsrFile
from cr5.counts.merging import Articles, articles, document_batches, flat, vocabulary

log = logging.getLogger(__name__)


def assemble(
    folders: Iterable[str | Path],
    out: str | Path,
    rules: bags.Rules,
    language: str,
    given: Sequence[str] | None = None,
) -> dict:
    """Write what `cr5.counts.bags.save` would write for `cr5.counts.bags.build`; one job.

    Args:
        folders: the parts, as `counting.count` writes them.
        out: folder of the bags.
        rules: thresholds.
        language: for messages.
        given: vocabulary to use instead of the one that the rules choose.

    Returns:
        The summary of `cr5.counts.bags.build`, with `repeated_concepts` if articles were dropped
        because another one, with a lower page id, has their concept.

    Raises:
        UserError: no document passes the filter.
    """
    parts = segments(folders, language=language)
    read = articles(parts)
    is_first = [read.is_first[start:end] for start, end in pairwise(read.starts)]
    words, n_distinct = vocabulary(parts, is_first, rules, given)
    if given is None:
        bags.check_vocabulary(len(words), n_distinct, rules, language)
    else:
        bags.check_given(words["document_frequency"].to_numpy(), n_distinct, language)
    numbers = [_new_numbers(part, words["word"]) for part in parts]
    lengths = _lengths(parts, numbers, read)
    order = np.flatnonzero(read.is_first)
    order = order[np.argsort(read.page_ids[order], kind="stable")]
    unique = read.n_unique
    if rules.unique_words_in == "vocabulary":
        most = rules.max_words if rules.training_chooses else len(words)
        unique = _lengths(parts, [np.where(new < most, new, -1) for new in numbers], read)
    rows = order[filtering.keep(unique[order], rules, language)]
    repeated = len(read.page_ids) - len(order)
    if repeated:
        log.warning("Language %r: %d articles share a concept: dropped", language, repeated)
    documents = _documents(parts, read, rows)
    summary = filtering.summarise(
        *(language, unique[order], documents, n_distinct, len(words)), int(lengths[rows].sum())
    )
    if repeated:
        summary["repeated_concepts"] = repeated
    with bags.written(out, words, documents, summary) as temporary:
        _write_counts(temporary / bags.COUNTS, parts, numbers, read, rows, lengths, len(words))
    return summary


def _new_numbers(segment: Path, words: pd.Series) -> np.ndarray:
    """(words of the segment,) int32: their numbers in the vocabulary, -1 if not in it."""
    table = pq.read_table(words_file(segment), columns=["word", "number"], use_threads=False)
    found = pc.index_in(table["word"], value_set=pa.array(words, pa.string()))
    new = np.empty(len(table), np.int32)
    new[table["number"].to_numpy()] = pc.fill_null(found, -1).to_numpy()
    return new


def _lengths(parts: Sequence[Path], numbers: Sequence[np.ndarray], read: Articles) -> np.ndarray:
    """How many of the numbered words each document has, (n,) int64."""
    lengths = np.zeros(len(read.page_ids), np.int64)
    for start, part, new in zip(read.starts, parts, numbers, strict=False):
        _measure(part, new, lengths[start:])
    return lengths


def _measure(segment: Path, new_numbers: np.ndarray, lengths: np.ndarray) -> None:
    """Set, for each document of a segment, how many words of the vocabulary it has."""
    for start, batch in document_batches(segment):
        words, _, n_words = flat(batch)
        is_known = np.concatenate([[0], np.cumsum(new_numbers[words] >= 0)])
        ends = np.cumsum(n_words)
        lengths[start : start + len(ends)] = is_known[ends] - is_known[ends - n_words]


def _documents(parts: Sequence[Path], read: Articles, rows: np.ndarray) -> pd.DataFrame:
    """concept, title, n_tokens, n_unique of the given documents."""
    is_kept = np.zeros(len(read.page_ids), bool)
    is_kept[rows] = True
    tables = []
    for part, (start, end) in zip(parts, pairwise(read.starts), strict=True):
        names = pq.read_table(counts_file(part), columns=["concept", "title"], use_threads=False)
        tables.append(names.filter(pa.array(is_kept[start:end])))
    names = pa.concat_tables(tables)
    place = np.argsort(np.argsort(rows))  # of each row among the kept ones, in segment order
    if (np.diff(place) < 0).any():
        names = names.take(pa.array(place))
    frame = names.to_pandas()
    frame["n_tokens"], frame["n_unique"] = read.n_tokens[rows], read.n_unique[rows]
    return frame


def _write_counts(path, parts, numbers, read: Articles, rows, lengths, n_words: int) -> None:
    file = CsrFile(path, lengths[rows], n_words)
    target = np.full(len(read.page_ids), -1, np.int64)
    target[rows] = np.arange(len(rows))
    for part, new, first in zip(parts, numbers, read.starts, strict=False):
        for start, batch in document_batches(part):
            words, counts, n_each = flat(batch)
            there = target[first + start : first + start + len(n_each)]
            matrix = _renumbered(new[words], counts, n_each, there >= 0)
            file.write(there[there >= 0], np.diff(matrix.indptr), matrix.indices, matrix.data)
    file.finish()


def _renumbered(numbers, counts, lengths, is_kept) -> sparse.csr_matrix:
    """Counts of the kept documents, by vocabulary words in ascending order."""
    row = np.repeat(np.cumsum(is_kept) - 1, lengths)
    kept = np.repeat(is_kept, lengths) & (numbers >= 0)
    n_rows = int(is_kept.sum())
    indptr = np.concatenate([[0], np.cumsum(np.bincount(row[kept], minlength=n_rows))])
    parts = (counts[kept].astype(np.int32), numbers[kept], indptr)
    matrix = sparse.csr_matrix(parts, (n_rows, int(numbers.max(initial=0)) + 1))
    matrix.sort_indices()
    return matrix
