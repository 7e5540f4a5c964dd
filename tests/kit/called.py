"""What the calls of `tests/refused/api.txt` may use: small models, an index, texts, searches."""

from dataclasses import replace
from pathlib import Path

import numpy as np
import pandas as pd
import pyarrow as pa
from numpy import ones
from scipy.sparse import csr_matrix

import cr5
from cr5.counts import bags
from cr5.given_texts import documents
from cr5.models.word_tables import JoinedTables, WordTables
from cr5.plan import config, config_files
from cr5.retrieval.embedder import Embedder
from cr5.scores.metrics import values
from cr5.search.measures import measure_named
from cr5.tasks.base import Search, Texts
from cr5.tasks.sentences import Sentences
from cr5.tasks.texts import count as count_texts
from cr5.texts import parallel
from cr5.texts.dictionaries import is_elsewhere
from cr5.texts.sources.libreoffice_help import LibreofficeHelp
from cr5.texts.sources.libreoffice_help import parse as parse_help
from cr5.texts.wikimedia.pages import text_part
from tests.kit.inside import answered

WORDS = {"en": ["a", "cat", "dog"], "vi": ["đ", "e"]}
ROWS = {"en": [[1, 0], [0, 1], [1, -1]], "vi": [[0, 2], [3, 0]]}
MINIMAL = {
    "corpus": {"name": "mine", "source": "files", "path": "{language}.jsonl"},
    "languages": ["da", "en", "it"],
}
RECORDS = [("q1", "One", "a a b c"), ("q2", "Two", "a b d")]


def tables_of(language, *widths):
    """Return tables of a language, one of a width of its own for each target language."""
    n_words = len(WORDS[language])
    return {target: ones((n_words, width)) for target, width in zip(WORDS, widths, strict=True)}


TABLES = {language: np.array(rows, np.float32) for language, rows in ROWS.items()}
WEIGHTS = {language: ones(len(words)) for language, words in WORDS.items()}
PLAIN = WordTables(WORDS, TABLES, WEIGHTS)
DIRECTED_TABLES = {language: tables_of(language, 3, 2) for language in WORDS}
DIRECTED = replace(PLAIN, tables=DIRECTED_TABLES, norm="none", measures=())
JOINED = JoinedTables(
    **vars(replace(PLAIN, offsets={"en": ones(2), "vi": ones(2)})),
    beside={language: csr_matrix(np.eye(len(words), 3)) for language, words in WORDS.items()},
    beside_weights=WEIGHTS,
    beside_term_frequency="sqrt",
    beta=0.5,
)


def checked(model, **changes):
    """Check a model with other values in some of its fields."""
    replace(model, **changes).check()


def search(queries, candidates, relevance, **options):
    """Return a search of texts without words, one for each letter."""
    return Search(
        "da",
        "en",
        _without_words(queries),
        _without_words(candidates),
        csr_matrix(relevance),
        **options,
    )


def _without_words(ids):
    return Texts(pd.DataFrame({"id": list(ids)}, dtype=str), csr_matrix((len(ids), 1)))


def numbered(n):
    """Return texts without words whose ids are numbers from 1."""
    numbers = pd.DataFrame({"id": range(1, n + 1)})
    return Texts(numbers, csr_matrix((n, 1)))


def absent(query):
    """Return an answer to a query that is in no collection."""
    return pd.DataFrame({"query": [query], "candidate": ["none"], "grade": [1.0]})


def metric(name, ranks=(1, 2), n_relevant=1, **more):
    """Return a metric of queries of which one answer each was found."""
    answers = [(query, rank, 1.0) for query, rank in enumerate(ranks)]
    return values(answered(answers, [n_relevant] * len(ranks), **more), name)


def bundle(**options):
    """Return the parallel files that options of the task `sentences` name."""
    return parallel.bundles(Sentences(**options), ["en", "da", "vi"])


def counted(records=RECORDS, vocabulary=None, **rules):
    """Return the bags of some documents."""
    few = {"min_documents": 1, "max_words": 10, "unique_words": (1, 99)}
    return bags.counted(records, bags.Rules(**few | rules), "en", vocabulary)


find_help = LibreofficeHelp().find
embedder = Embedder(PLAIN, {}, "made_up")
index = cr5.Index(embedder)
index.add(["1", "2"], ["đ", "đ e"], "vi")
texts = {
    "aa": {f"Q{number}": f"aa {number}" for number in range(9)},
    "bb": {f"Q{number}": f"bb {number}" for number in range(9)},
}

__all__ = ["Path", "config", "config_files", "count_texts", "cr5", "documents", "find_help"]
__all__ += ["is_elsewhere", "measure_named", "np", "ones", "pa", "parse_help", "pd"]
__all__ += ["text_part"]
