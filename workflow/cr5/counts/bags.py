"""Bags of words: documents x words counts of one language, its vocabulary, its documents."""

import logging
from array import array
from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import nullcontext
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path

import numpy as np
import pandas as pd
import pyarrow as pa
import pyarrow.compute as pc
from scipy import sparse

from cr5.base.artefacts import NO_JOB, Artefact, Job
from cr5.base.errors import LeftOutError, UserError
from cr5.base.files import write_json
from cr5.counts.columns import columns_of, selected
from cr5.counts.counting import Piece, count, frequencies
from cr5.counts.documents import Record
from cr5.counts.documents import texts as read_texts
from cr5.counts.rules import Rules
from cr5.counts.tokens import Tokens, tokenise
from cr5.counts.vocabulary import Vocabulary

log = logging.getLogger(__name__)

KIND = "bags of words"
MOST_CAPITALS = 0.05  # share of given words that are in no lower-cased text
WORDS, DOCUMENTS, SUMMARY = "words.parquet", "documents.parquet", "summary.json"
ARRAYS = "data", "indices", "indptr"  # of the counts: a file each


@dataclass(frozen=True)
class Bags:
    """The bags of words of one language.

    Words are by descending collection frequency, then by word, or as they are given: all that a
    model may choose from, see `of_training`, or its own.
    """

    counts: sparse.csr_matrix  # documents x words, int32, or float64 weights; sorted indices
    words: pd.DataFrame  # word, collection_frequency; as built also document_frequency
    documents: pd.DataFrame  # concept, title, n_tokens, n_unique, and label if there are labels
    # reads the texts of documents by their concepts; None where only their counts are needed
    texts: Callable[[Iterable[str]], list[str]] | None = None

    def rows(self, concepts: Iterable[str]) -> np.ndarray:
        """Row numbers of concepts, in their order; KeyError for an unknown one."""
        index = pd.Index(self.documents["concept"])
        found = index.get_indexer(pd.Index(concepts))
        if (found < 0).any():
            raise KeyError(list(pd.Index(concepts)[found < 0][:5]))
        return found

    def of(self, concepts: Iterable[str]) -> "Bags":
        """Some of the documents, with all words."""
        rows = self.rows(concepts)
        documents = self.documents.iloc[rows].reset_index(drop=True)
        return replace(self, counts=self.counts[rows], documents=documents)

    def columns(self, words: Iterable[str]) -> sparse.csr_matrix:
        """Return which of the words become which columns of a model that has these words alone."""
        return self.columns_of(Vocabulary(list(words)))

    def columns_of(self, vocabulary: Vocabulary) -> sparse.csr_matrix:
        """Return which of the words become which columns of a model; see `columns.columns_of`."""
        return columns_of(vocabulary, self.words["word"])

    def select(self, vocabulary: Vocabulary) -> "Bags":
        """Return the same documents with the columns of a model; `words` has no fallbacks."""
        rows = pd.Index(self.words["word"]).get_indexer(pd.Index(vocabulary.words))
        words = self.words.iloc[rows].reset_index(drop=True)
        counts = selected(self.counts, self.columns_of(vocabulary))
        return replace(self, counts=counts, words=words)


def build(
    pieces: Iterable[Piece],
    names: pd.DataFrame,
    rules: Rules,
    language: str,
    folder: str | Path | None = None,
    given: Sequence[str] | None = None,
    prefix: str = "",
    job: Job = NO_JOB,
) -> tuple[Bags, dict]:
    """Choose words, and keep the documents that have neither too few nor too many unique ones.

    Pieces are of all documents, and read three times; `names` has their concept, title and label,
    if there are labels. With a folder, bags are written there, and their counts mapped, for more
    than memory holds. Words may be given instead; those that are numbers are named by a prefix.
    Returns the bags, and their numbers before and after the filter.
    """
    if given is not None and rules.case == "lower":
        _tell_of_capitals(given, language)
    found = frequencies(pieces)
    words, n_distinct = _chosen(found, rules, given), len(found)
    if n_distinct and not words["document_frequency"].any():
        why = f"is in {rules.min_documents} documents or more (key bags.min_documents); lower it"
        if len(words):
            why = "is one of the given vectors; are they of another language, or not lower-cased?"
        raise UserError(f"language {language!r}: of the {n_distinct} words of its text none {why}")
    known = pa.array(words["word"], found["word"].type)
    if pa.types.is_integer(known.type):
        words["word"] = prefix + words["word"].astype(str)
    most = rules.max_words if rules.training_chooses else None
    in_text, in_bags, often, n_tokens = map(
        np.concatenate,
        zip(*(_lengths(piece, known, most) for piece in pieces), strict=True),
    )
    unique = often if rules.unique_words_in == "vocabulary" else in_text
    rows = _kept(unique, rules, language)
    documents = names.assign(n_tokens=n_tokens, n_unique=in_text).iloc[rows]
    documents = documents.reset_index(drop=True)
    with job.making(folder, KIND, language=language) if folder else nullcontext() as part:
        counts = _filled(pieces, known, rows, in_bags[rows], part)
        summary = {
            "language": language,
            "documents": len(unique),
            "kept_documents": len(rows),
            "distinct_words": n_distinct,
            "words": len(words),
            "tokens": int(documents["n_tokens"].sum()),
            "mean_unique_words": float(documents["n_unique"].mean()),
            "nonzeros": int(counts.nnz),
        }
        if part:
            words.to_parquet(part / WORDS, index=False)
            documents.to_parquet(part / DOCUMENTS, index=False)
            write_json(part / SUMMARY, summary)
    return Bags(counts, words, documents), summary


def counted(
    records: Iterable[Record],
    rules: Rules,
    language: str,
    given: Sequence[str] | None = None,
    tokens: Tokens = tokenise,
) -> tuple[Bags, dict]:
    """Make bags of a few documents, in memory, with the words that rules choose or given ones."""
    table = pd.DataFrame(records, columns=["concept", "title", "text"])
    pieces = [count(table["text"], language, tokens)]
    return build(pieces, table[["concept", "title"]], rules, language, given=given)


def weighted(
    records: Iterable[tuple[str, str, Mapping[int, float]]],
    rules: Rules,
    language: str,
    prefix: str,
    folder: str | Path | None = None,
    job: Job = NO_JOB,
) -> tuple[Bags, dict]:
    """Make bags of weights of numbered words, named by a prefix, such as `en17`; with labels."""
    names, indices, data, indptr = [], array("q"), array("d"), [0]
    for concept, label, weights in records:
        names.append((concept, concept, label))
        indices.extend(weights)
        data.extend(weights.values())
        indptr.append(len(indices))
    numbers, columns = np.unique(np.array(indices), return_inverse=True)
    shape = len(names), len(numbers)
    counts = sparse.csr_matrix((np.array(data), columns, indptr), shape)
    pieces = [Piece(pa.array(numbers), counts)]
    names = pd.DataFrame(names, columns=["concept", "title", "label"])
    return build(pieces, names, rules, language, folder, prefix=prefix, job=job)


def of_training(bags: Bags, concepts: Iterable[str], rules: Rules, language: str) -> Bags:
    """Keep the words that training documents choose, if they do (Cr5, Sec. 4.1)."""
    if not rules.training_chooses:
        return bags
    counts, n_words = bags.counts[bags.rows(concepts)], len(bags.words)
    in_documents = in_collection = np.bincount(counts.indices, minlength=n_words)
    if counts.dtype.kind != "f":  # weights say nothing of how often a word occurs
        in_collection = np.bincount(counts.indices, counts.data, n_words).astype(np.int64)
    frequency = in_documents if rules.vocabulary == "training_df" else in_collection
    words = bags.words["word"].tolist()
    often = np.flatnonzero(in_documents >= rules.min_documents)
    chosen = sorted(often, key=lambda i: (-frequency[i], words[i]))[: rules.max_words]
    if not chosen:
        raise LeftOutError(
            f"language {language!r}: none of the {n_words} words is in {rules.min_documents} "
            "training documents or more (key bags.min_documents); lower it, or bring more documents"
        )
    kept = bags.select(Vocabulary([words[i] for i in chosen]))
    known = kept.words[["word"]].assign(collection_frequency=in_collection[chosen])
    return replace(kept, words=known)


def given_words(vectors: str | Path | None, language: str) -> list[str] | None:
    """Read the words of given vectors, if these are the vocabulary; None if there are none."""
    if not vectors:
        return None
    found = Artefact(vectors, "word vectors", language=language).file(WORDS)
    return pd.read_parquet(found, columns=["word"])["word"].tolist()


def _tell_of_capitals(given: Sequence[str], language: str) -> None:
    """Warn of words with capitals, which are not in text that is lower-cased."""
    in_lower_case = {word for word in given if word == word.lower()}
    lost = [word for word in given if word.lower() not in in_lower_case]
    if len(lost) > MOST_CAPITALS * len(given):
        log.warning(
            "%s: %d of %d words of the vectors, such as %r, have capitals and so never occur: "
            "lower-case the words of the file, or count words as they are written (bags.case: "
            "keep)",
            language,
            len(lost),
            len(given),
            lost[0],
        )


def _chosen(found: pa.Table, rules: Rules, given: Sequence[str] | None) -> pd.DataFrame:
    """All words that a model may choose from, see `of_training`, or given ones: `Bags.words`."""
    if given is not None:
        words = found.to_pandas().set_index("word")
        return words.reindex(pd.Index(given, name="word"), fill_value=0).reset_index()
    often = found.filter(pc.greater_equal(found["document_frequency"], rules.min_documents))
    order = [("collection_frequency", "descending"), ("word", "ascending")]
    return often.sort_by(order).slice(0, rules.most_in_bags).to_pandas()


def _kept(unique: np.ndarray, rules: Rules, language: str) -> np.ndarray:
    """Numbers of the documents that have neither too few nor too many unique words."""
    if not unique.any():
        digits = "; words have no digits, unless `bags.tokens: words` is set"
        raise UserError(
            f"language {language!r}: none of its {len(unique)} documents has a word: look at "
            "what they are made from, or leave the language out"
            f"{digits if rules.tokens == 'letters' else ''}"
        )
    least, most = rules.unique_words
    kept = np.flatnonzero((unique >= least) & (unique <= most))
    if len(kept) < len(unique) / 2:
        fewest, greatest = np.percentile(unique, (5, 95)).astype(int)
        said = (
            f"language {language!r}: only {len(kept)} of {len(unique)} documents have {least} to "
            f"{most} unique words (bags.unique_words); nine tenths have {fewest} to {greatest}"
        )
        if not len(kept):
            raise UserError(said)
        log.warning("%s", said)
    return kept


def _of_known(piece: Piece, known: pa.Array) -> sparse.csr_matrix:
    """Documents of a piece x known words."""
    columns = pc.fill_null(pc.index_in(piece.words, value_set=known), -1).to_numpy()
    columns = columns[piece.counts.indices]
    there = columns >= 0
    indptr = np.concatenate([[0], np.cumsum(there)])[piece.counts.indptr]
    parts = (piece.counts.data[there], columns[there], indptr)
    return sparse.csr_matrix(parts, (piece.counts.shape[0], len(known)))


def _lengths(piece: Piece, known: pa.Array, most: int | None) -> tuple[np.ndarray, ...]:
    """Of each document: its words, known ones, those below the column `most`, tokens."""
    found = _of_known(piece, known)
    counted = (piece.counts, found, found[:, :most])
    return *(np.diff(x.indptr) for x in counted), piece.n_tokens


def _filled(
    pieces: Iterable[Piece],
    known: pa.Array,
    rows: np.ndarray,
    lengths: np.ndarray,
    folder: Path | None,
) -> sparse.csr_matrix:
    """Counts of the kept documents by the known words; one piece is in memory at a time."""
    nonzeros = int(lengths.sum())
    # scipy uses one type for both, int64 if any number needs it
    kind = np.int64 if max(nonzeros, len(known)) > np.iinfo(np.int32).max else np.int32
    data = indices = None
    at = first = 0
    for piece in pieces:
        end = first + piece.counts.shape[0]
        mine = rows[np.searchsorted(rows, first) : np.searchsorted(rows, end)] - first
        first = end
        part = _of_known(piece, known)[mine]
        part.sort_indices()
        if data is None:
            data = _room(folder, "data", nonzeros, part.dtype)
            indices = _room(folder, "indices", nonzeros, kind)
        data[at : at + part.nnz], indices[at : at + part.nnz] = part.data, part.indices
        at += part.nnz
    indptr = _room(folder, "indptr", len(rows) + 1, kind)
    indptr[:] = np.concatenate([[0], np.cumsum(lengths)])
    return sparse.csr_matrix((data, indices, indptr), (len(rows), len(known)))


def _room(folder: Path | None, name: str, n: int, kind: np.dtype) -> np.ndarray:
    if folder is None or not n:  # nothing can be mapped in an empty file
        return np.empty(n, kind)
    return np.lib.format.open_memmap(folder / f"{name}.npy", "w+", kind, (n,))


def load(folder: str | Path, language: str, texts: str | Path | None = None) -> Bags:
    """Read what `build` wrote; `texts` is the documents' folder, if they are needed."""
    found = Artefact(folder, KIND, language=language)
    words, documents = (pd.read_parquet(found.file(x)) for x in (WORDS, DOCUMENTS))
    parts = tuple(np.load(found.file(f"{name}.npy")) for name in ARRAYS)
    counts = sparse.csr_matrix(parts, (len(documents), len(words)))
    return Bags(counts, words, documents, texts and partial(read_texts, texts, language=language))


def read_words(folder: str | Path, language: str) -> list[str]:
    """Read the vocabulary alone."""
    words = Artefact(folder, KIND, language=language).file(WORDS)
    return pd.read_parquet(words, columns=["word"])["word"].tolist()


def read_documents(folder: str | Path, language: str, columns: Sequence[str]) -> pd.DataFrame:
    """Read some columns of the documents alone."""
    found = Artefact(folder, KIND, language=language).file(DOCUMENTS)
    return pd.read_parquet(found, columns=list(columns))


def read_summary(folder: str | Path) -> dict:
    """Read the summary alone."""
    return Artefact(folder, KIND).json(SUMMARY)
