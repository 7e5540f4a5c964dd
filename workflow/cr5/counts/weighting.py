"""Tf-idf as Cr5 uses it: term frequency x (ln(n / df) + 1), L2-normalised rows."""

import numpy as np
from scipy import sparse

from cr5.base.rows import unit_rows

TERM_FREQUENCIES = {
    "raw": np.asarray,
    "log": np.log1p,
    "sqrt": np.sqrt,
    "binary": np.ones_like,
}


def term_frequency(counts: sparse.csr_matrix, kind: str) -> sparse.csr_matrix:
    """Transform counts, float64: `raw` as in Cr5, `log` is ln(1 + count), `sqrt`, `binary` is 1."""
    transform = TERM_FREQUENCIES[kind]
    numbers = counts.data.astype(np.float64)
    entries = (transform(numbers), counts.indices, counts.indptr)
    return sparse.csr_matrix(entries, shape=counts.shape)


def _document_frequency(counts: sparse.csr_matrix) -> np.ndarray:
    _, n_words = counts.shape
    return np.bincount(counts.indices, minlength=n_words)


def _documents_per_frequency(counts: sparse.csr_matrix) -> np.ndarray:
    """Return n / df of each word; df is at least 1."""
    n_documents, _ = counts.shape
    df = np.maximum(_document_frequency(counts), 1)
    return n_documents / df


def inverse_document_frequency(counts: sparse.csr_matrix) -> np.ndarray:
    """Compute idf from the training documents: ln(n / df) + 1, the authors' formula; df >= 1."""
    return np.log(_documents_per_frequency(counts)) + 1


def muse_idf(counts: sparse.csr_matrix) -> np.ndarray:
    """Weigh words as MUSE's evaluation: max(1, log10(n / df)); 0 if no document has the word."""
    logarithms = np.log10(_documents_per_frequency(counts))
    weights = np.maximum(1.0, logarithms)
    is_in_documents = _document_frequency(counts) > 0
    return np.where(is_in_documents, weights, 0.0)


def _ones(counts: sparse.csr_matrix) -> np.ndarray:
    n_words = counts.shape[1]
    return np.ones(n_words)


IDF = {"corpus": inverse_document_frequency, "none": _ones}


def tfidf(counts: sparse.csr_matrix, weights: np.ndarray, kind: str) -> sparse.csr_matrix:
    """Return documents x words, float64, rows of unit length; weights are usually the idf."""
    weighted = term_frequency(counts, kind) @ sparse.diags(weights)
    return unit_rows(weighted.tocsr())
