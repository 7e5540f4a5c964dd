"""BM25 on words that languages share (Robertson and Zaragoza 2009); nothing is translated.

In one language this is the usual search; across languages, lexical overlap with BM25's weights, and
`bm25_translated` translates the query. Idf and mean length are those of the training documents of
the candidates' language, but where a collection is searched (`ad_hoc`) those of the collection: of
other text they would be those of other words and lengths.
"""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import numpy as np
from scipy import sparse

from cr5.fitting.best import best
from cr5.fitting.contract import Fit, TrainingSet
from cr5.models.bm25_tables import Bm25Tables, statistics
from cr5.systems.projections.strings import all_strings

TITLE = "BM25"
REFERENCE = "Robertson and Zaragoza, 2009"
COST = (0.5, 0.5)
NEEDS = ("counts",)
WITHOUT_COUNTS = None  # lengths are numbers of words

OPTIONS = {
    "k1": ([1.2], {"ge": 0}, "how late counts saturate; several are validated"),
    "b": ([0.75], {"ge": 0, "le": 1}, "how much of a text's length is evened out; likewise"),
}

Tables = Mapping[str, Mapping[str, sparse.csr_matrix]]


def fit(training: TrainingSet, options: dict[str, Any]) -> Fit:
    """Let each word stand for the same string of the other languages."""
    strings = all_strings(training)
    shared = {x: strings.selection(x) for x in training.languages}
    tables = {x: {y: (shared[x] @ shared[y].T).tocsr() for y in shared} for x in shared}
    return best(training, fits(training.words, training.counts, options, tables))


def fits(
    words: Mapping[str, Sequence[str]],
    counts: Mapping[str, sparse.csr_matrix],
    options: Mapping[str, Any],
    tables: Tables,
) -> Iterator[Fit]:
    """Make a model for each k1 and b.

    Args:
        words: of each language.
        counts: documents x words of each language.
        options: `k1`, `b`.
        tables: by language of queries and of candidates, words x words; of one language to itself
            the identity.
    """
    of = {x: statistics(rows) for x, rows in counts.items()}
    weights, lengths = ({x: each[i] for x, each in of.items()} for i in range(2))
    tables = {
        x: {y: table.tocsr().astype(np.float32) for y, table in row.items()}
        for x, row in tables.items()
    }
    for k1 in options["k1"]:
        for b in options["b"]:
            model = Bm25Tables(words, tables, weights, lengths=lengths, k1=k1, b=b)
            yield Fit(model, {"lengths": lengths}, {"k1": k1, "b": b})
