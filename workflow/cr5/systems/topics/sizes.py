"""How much memory a fit of topics takes, estimated before it begins."""

import numpy as np

from cr5.base import memory
from cr5.systems.topics.corpus import Corpus

REMEDY = "use a larger machine, or lower max_words or the largest of the dimensions"
FLOAT = np.dtype(np.float32).itemsize


def bytes_needed(corpus: Corpus, n_topics: int, n_words: int) -> int:
    """Estimate the peak besides the corpus.

    An iteration holds theta, tilted theta and its sums, and phi and its successor; validation
    holds the best model and the next one.

    Args:
        corpus: documents and columns.
        n_topics: T.
        n_words: of all languages, rows of the models' tables.
    """
    n, p = corpus.counts.shape
    rows = 3 * n + p + max(n, p) + corpus.n_pairs + 2 * n_words
    return FLOAT * (n_topics * rows + 2 * corpus.counts.nnz)


def check(corpus: Corpus, n_topics: int, n_words: int) -> None:
    """Check that a fit fits into memory.

    Raises:
        UserError: there is not enough memory.
    """
    needed = bytes_needed(corpus, n_topics, n_words)
    what = f"{n_topics} topics"
    memory.check(needed, memory.available_bytes(), what, remedy=REMEDY)
