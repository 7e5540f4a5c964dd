"""Bags of words: documents x words counts of one language, its vocabulary, its documents."""

import json
import logging
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import pandas as pd
import pyarrow as pa
from scipy import sparse

from cr5.base.errors import UserError
from cr5.base.files import atomic_folder
from cr5.base.matrices import read_npz
from cr5.base.tables import read_parquet
from cr5.counts.rules import Rules
from cr5.counts.word_lengths import WordLengths

log = logging.getLogger(__name__)

COUNTS = "counts.npz"


@dataclass(frozen=True)
class Bags:
    """The bags of words of one language.

    Attributes:
        counts: documents x words, int32, sorted indices; float64 where they are given weights.
        words: word, document_frequency, collection_frequency; by falling collection
            frequency, then by word; a given vocabulary as it is given.
        documents: concept, title, n_tokens, n_unique, and label if there are any; in order.
    """

    counts: sparse.csr_matrix
    words: pd.DataFrame
    documents: pd.DataFrame

    def rows(self, concepts: Iterable[str]) -> np.ndarray:
        """Row numbers of the given concepts, in their order; KeyError for an unknown one."""
        index = pd.Index(self.documents["concept"])
        found = index.get_indexer(pd.Index(concepts))
        if (found < 0).any():
            raise KeyError(list(pd.Index(concepts)[found < 0][:5]))
        return found


def build(
    records: Iterable[tuple[str, str, list[str]]],
    rules: Rules,
    language: str,
    vocabulary: Sequence[str] | None = None,
) -> tuple[Bags, dict]:
    """Count words, choose the vocabulary over all documents, then filter the documents.

    Args:
        records: (concept, title, tokens) of every document.
        rules: thresholds.
        language: for messages.
        vocabulary: that is taken in the place of what the rules choose.

    Returns:
        The bags and a summary, see `summarise`.

    Raises:
        UserError: no document passes the filter.
    """
    counts, words, documents = _count(records, vocabulary or ())
    in_documents = np.bincount(counts.indices, minlength=len(words))
    in_collection = np.bincount(counts.indices, counts.data, minlength=len(words)).astype(np.int64)
    lengths = WordLengths()
    lengths.add(pa.array(words, pa.string()), in_collection)
    warn_of(lengths, language)
    n_distinct = int(np.count_nonzero(in_documents))
    if vocabulary is None:
        order = _vocabulary(words, in_documents, in_collection, rules)
        check_vocabulary(len(order), n_distinct, rules, language)
    else:
        order = np.arange(len(vocabulary))
        check_given(in_documents[order], n_distinct, language)
    kept_counts = counts[:, order]
    unique = documents["n_unique"].to_numpy()
    if rules.unique_words_in == "vocabulary":
        unique = np.diff(kept_counts.indptr)
    kept = keep(unique, rules, language)
    kept_counts = kept_counts[kept]
    kept_counts.sort_indices()
    kept_words = pd.DataFrame(
        {
            "word": [words[i] for i in order],
            "document_frequency": in_documents[order],
            "collection_frequency": in_collection[order],
        }
    )
    kept_documents = documents.iloc[kept].reset_index(drop=True)
    summary = summarise(
        *(language, unique, kept_documents, n_distinct, len(order)), int(kept_counts.nnz)
    )
    return Bags(kept_counts, kept_words, kept_documents), summary


def given_words(vectors: str | Path | None) -> list[str] | None:
    """Read the words of given vectors, where these are the vocabulary; None where none are."""
    return read_parquet(vectors, ["word"])["word"].tolist() if vectors else None


def check_vocabulary(kept: int, distinct: int, rules: Rules, language: str) -> None:
    """Raise `UserError` where no word is left."""
    if distinct and not kept:
        raise UserError(
            f"Language {language!r}: none of its {distinct} words is in {rules.min_documents} "
            "documents or more (key bags.min_documents). Lower it, or bring more documents."
        )


def check_given(in_documents: np.ndarray, distinct: int, language: str) -> None:
    """Raise `UserError` where a given vocabulary is not of this text.

    Args:
        in_documents: of each given word, in how many documents it is.
        distinct: words of the text.
        language: for messages.
    """
    if distinct and not in_documents.any():
        raise UserError(
            f"Language {language!r}: none of the {len(in_documents)} words of the given vectors is "
            f"one of the {distinct} of the text; are they of another language, or not lower-cased?"
        )
    found = np.count_nonzero(in_documents)
    log.info("%s: %d of %d given words are in the text", language, found, len(in_documents))


def warn_of(lengths: WordLengths, language: str) -> None:
    """Say on the terminal where the words of a language look wrong."""
    if warning := lengths.warning(language):
        log.warning("%s", warning)


def keep(unique: np.ndarray, rules: Rules, language: str) -> np.ndarray:
    """Numbers of the documents that have neither too few nor too many unique words.

    Args:
        unique: (documents,) how many unique words each has.
        rules: thresholds.
        language: for messages.

    Raises:
        UserError: no document passes, or none has a word.
    """
    if len(unique) and not unique.any():
        raise UserError(
            f"Language {language!r}: none of its {len(unique)} documents has a word, which is a "
            "run of letters: look at what they are made from, or leave the language out."
        )
    least, most = rules.unique_words
    kept = np.flatnonzero((unique >= least) & (unique <= most))
    few = f"{len(unique)} documents have {least} to {most} unique words; {_advice(unique)}"
    if not len(kept):
        raise UserError(f"Language {language!r}: none of {few}")
    if len(kept) < len(unique) / 2:
        log.warning("Language %r: only %d of %s", language, len(kept), few)
    return kept


def suggestion(unique: np.ndarray) -> tuple[int, int]:
    """A value of bags.unique_words for these documents, whatever was asked for.

    From the 5th to the 95th percentile of the documents that have words, rounded outwards to two
    significant digits: at least 90 % of them are within.

    Args:
        unique: (documents,) how many unique words each has.

    Returns:
        Least and most, both included, from 1 on; (1, 1) where no document has a word.
    """
    ordered = np.sort(unique[unique > 0])
    if not len(ordered):
        return 1, 1
    beyond = (len(ordered) - 1) // 20
    least, most = int(ordered[beyond]), int(ordered[-1 - beyond])
    down, up = (10 ** max(len(str(number)) - 2, 0) for number in (least, most))
    return least // down * down, -(-most // up) * up


def _advice(unique: np.ndarray) -> str:
    if not unique.any():
        return "none has any: look at what they are made from."
    least, most = suggestion(unique)
    within = np.count_nonzero((unique >= least) & (unique <= most))
    return (
        f"bags.unique_words: [{least}, {most}] would keep {100 * within // len(unique)} % of them."
    )


def summarise(
    language: str,
    unique: np.ndarray,
    kept: pd.DataFrame,
    n_distinct: int,
    n_words: int,
    nonzeros: int,
) -> dict:
    """What a run tells about the bags of a language.

    Args:
        language: ISO 639-1 code.
        unique: (documents,) how many unique words each has, before the filter.
        kept: documents after it, with n_tokens and n_unique.
        n_distinct: words before the vocabulary was chosen.
        n_words: words in the vocabulary.
        nonzeros: of the counts.

    Returns:
        What is given and how many tokens and unique words the kept documents have;
        suggested_unique_words is the `suggestion`.
    """
    return {
        "language": language,
        "documents": len(unique),
        "kept_documents": len(kept),
        "distinct_words": n_distinct,
        "words": n_words,
        "tokens": int(kept["n_tokens"].sum()),
        "mean_unique_words": float(kept["n_unique"].mean()),
        "nonzeros": nonzeros,
        "suggested_unique_words": list(suggestion(unique)),
    }


def _count(records: Iterable[tuple[str, str, list[str]]], known: Iterable[str]):
    """One pass: counts of the known words, then of others in the order in which they are seen."""
    numbers = {word: number for number, word in enumerate(known)}
    indices, data, lengths, documents = [], [], [], []
    for concept, title, tokens in records:
        bag = Counter(tokens)
        indices.append(np.array([numbers.setdefault(word, len(numbers)) for word in bag], np.int32))
        data.append(np.array(list(bag.values()), np.int32))
        lengths.append(len(bag))
        documents.append((concept, title, len(tokens), len(bag)))
    indptr = np.concatenate([[0], np.cumsum(lengths, dtype=np.int64)])
    empty = [np.zeros(0, np.int32)]
    counts = sparse.csr_matrix(
        (np.concatenate(data or empty), np.concatenate(indices or empty), indptr),
        shape=(len(documents), len(numbers)),
    )
    columns = ["concept", "title", "n_tokens", "n_unique"]
    return counts, list(numbers), pd.DataFrame(documents, columns=columns)


def _vocabulary(words: list[str], in_documents, in_collection, rules: Rules) -> np.ndarray:
    """Numbers of the words that are kept: by falling frequency, ties by the word itself."""
    kept = np.flatnonzero(in_documents >= rules.min_documents)
    ranked = sorted(kept, key=lambda i: (-in_collection[i], words[i]))
    return np.array(ranked[: rules.max_words], np.int64)


def save(folder: str | Path, bags: Bags, summary: dict) -> None:
    """Write counts.npz, words.parquet, documents.parquet and summary.json, all or nothing."""
    with atomic_folder(folder) as temporary:
        sparse.save_npz(temporary / COUNTS, bags.counts, compressed=False)
        save_tables(temporary, bags.words, bags.documents, summary)


def save_tables(folder: Path, words: pd.DataFrame, documents: pd.DataFrame, summary: dict) -> None:
    """Write what stands beside the counts, for those who write the counts themselves."""
    words.to_parquet(folder / "words.parquet", index=False)
    documents.to_parquet(folder / "documents.parquet", index=False)
    (folder / "summary.json").write_text(json.dumps(summary) + "\n", encoding="utf-8")


def load(folder: str | Path) -> Bags:
    """Read what `save` wrote.

    Raises:
        UserError: a file of it is missing or not whole.
    """
    folder = Path(folder)
    return Bags(
        read_npz(folder / COUNTS),
        read_parquet(folder / "words.parquet"),
        read_parquet(folder / "documents.parquet"),
    )
