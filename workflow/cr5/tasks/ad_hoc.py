"""Ad hoc search: queries and documents of the user's own, with graded judgements.

Queries in one language search the documents of another, or of their own. A grade above 0 is an
answer. Languages share the ids of queries; judgements of ids that a language lacks are ignored for
that language. `corpora.layouts` says how files are read.

A query without a known word stays: all documents are equally far from it, so its answers come last.
"""

import logging
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
from scipy import sparse

from cr5.base.errors import UserError
from cr5.corpora import layouts
from cr5.counts.bags import Bags
from cr5.tasks.base import Data, Search, Texts
from cr5.tasks.texts import Records

log = logging.getLogger(__name__)

OPTIONS = {
    "documents": ("", "{path}", "with {language}: JSON lines, TREC, or lines of id and text"),
    "queries": ("", "{path}", "with {language}: JSON lines, TREC, or lines of id and text"),
    "qrels": ("", "{file}", "TREC qrels, BEIR, or JSON lines"),
    "searched": ([], "{language}", "languages whose documents are searched; none: all"),
    "monolingual": (
        False,
        "whether queries search documents in their own language, not those in others",
    ),
    "known_words": (
        0.0,
        {"ge": 0, "le": 1},
        "least share of a query's different words that the model knows; others are not asked",
    ),
    "topic": (
        "title",
        ("title", "description", "both"),
        "what is asked where queries have a title and a description",
    ),
}
FILES = ("documents", "queries", "qrels")
LANGUAGES_IN = {"documents": "searched"}
ROUNDING = 1e-9  # four of five words are .8
METRICS = (
    "nDCG@10",
    "AP",
    "RR",
    "P@10",
    "R@100",
    "P@1",
    "P@5",
    "Success@5",
    "Success@10",
    "nDCG@1",
    "nDCG@5",
)


def records(
    files: Mapping[str, str], options: Mapping[str, Any], language: str
) -> dict[str, Records]:
    """Read the texts of one language.

    Args:
        files: paths, by the names in `FILES`; a name that is missing or empty has no texts.
        options: `topic`.
        language: of the texts.

    Returns:
        (id, text) of `documents` and `queries`.
    """
    found = {}
    if path := files.get("documents"):
        found["documents"] = layouts.documents(path)
    if path := files.get("queries"):
        found["queries"] = layouts.queries(path, options.get("topic", "title"))
    return found


def searches(
    data: Data, languages: Sequence[str], options: Mapping[str, Any], role: str = "test"
) -> Iterator[Search]:
    """Yield every directed pair of languages, or each language with itself.

    Queries without an answer among the documents are left out, as in TREC, and those of which the
    model knows too few words.

    Args:
        data: with the texts that `records` read.
        languages: of the setting.
        options: of the task.
        role: ignored; there is only one.
    """
    grades = judgements(options["qrels"])
    _warn_of_unknown(grades, data, languages, options["qrels"])
    for query, target in _directions(data, languages, options):
        queries, documents = data.texts[query]["queries"], data.texts[target]["documents"]
        relevance = by_pair(grades[grades["grade"] > 0], queries.ids, documents.ids)
        answered = np.diff(relevance.indptr) > 0
        if not answered.any():
            raise UserError(
                f"{options['qrels']}: no query in {query!r} has an answer among the documents "
                f"in {target!r}; are the ids the same as in the files of queries and documents?"
            )
        asked = answered & _is_known(queries, data.bags.get(query), options.get("known_words", 0))
        if not asked.any():
            continue
        kept = queries.select(queries.ids[asked])
        yield Search(query, target, kept, documents, relevance[asked], queries, collection=True)


def _warn_of_unknown(grades: pd.DataFrame, data: Data, languages: Sequence[str], path: str) -> None:
    """Say how many judgements are of queries or documents that no language has."""
    for column, name in (("query", "queries"), ("document", "documents")):
        known = {x for y in languages if name in data.texts[y] for x in data.texts[y][name].ids}
        unknown = grades.loc[~grades[column].isin(known), column]
        if len(unknown):
            log.warning(
                "%s: %d of %d judgements are of %s that no language has, such as %r",
                *(path, len(unknown), len(grades), name, unknown.iloc[0]),
            )


def _directions(
    data: Data, languages: Sequence[str], options: Mapping[str, Any]
) -> list[tuple[str, str]]:
    if options.get("monolingual"):
        every = [(x, x) for x in languages]
    else:
        every = data.directions(languages)
    searched = options.get("searched") or languages
    return [(query, target) for query, target in every if target in searched]


def _is_known(queries: Texts, bags: Bags | None, least: float) -> np.ndarray:
    """Whether a model knows this share of the different words of each query.

    Beginnings, which stand for unknown words behind those of the bags, do not count: systems of a
    setting are asked the same.
    """
    if not least:
        return np.ones(len(queries.ids), bool)
    known = queries.counts[:, : len(bags.words) if bags else None]
    return known.getnnz(axis=1) >= least * queries.n_words.clip(1) - ROUNDING


def judgements(path: str | Path) -> pd.DataFrame:
    """Read qrels: query, document, grade; those of 0 or less are judged not relevant.

    Raises:
        UserError: with file and line.
    """
    columns = ["query", "document", "grade", "where"]
    frame = pd.DataFrame(layouts.judgements(path), columns=columns)
    twice = frame[frame.duplicated(["query", "document"])]
    for query, document, _, where in twice.itertuples(index=False):
        raise UserError(f"{where}: {document!r} was judged for query {query!r} before; keep one")
    return frame[columns[:-1]]


def by_pair(grades: pd.DataFrame, queries: pd.Index, documents: pd.Index) -> sparse.csr_matrix:
    """Return queries x documents, the grade of each that was judged."""
    rows, columns = queries.get_indexer(grades["query"]), documents.get_indexer(grades["document"])
    known = (rows >= 0) & (columns >= 0)
    values = grades["grade"].to_numpy(np.float64)[known]
    shape = (len(queries), len(documents))
    return sparse.csr_matrix((values, (rows[known], columns[known])), shape)
