"""Ad hoc search: queries and documents of the user's own, with graded judgements.

    documents    {language}: JSON lines with id and text (title, if there is one, is read first)
    queries      {language}: lines of id and text, with a tab between
    qrels        TREC's, lines `query 0 document grade`; a grade above 0 is an answer

All files are UTF-8, plain or compressed with gzip, xz or bzip2. Queries in one language search
the documents of another. Languages share ids; judgements of ids that a language lacks are ignored
for that language.
"""

import math
from collections.abc import Iterator, Mapping, Sequence
from functools import partial
from operator import index
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
from scipy import sparse

from cr5.base import json_lines, limits
from cr5.base.errors import UserError
from cr5.base.lines import read_lines
from cr5.tasks.base import Data, Search
from cr5.tasks.texts import Records

OPTIONS = {
    "documents": ("", "{path}", "JSON lines with id and text, with {language}"),
    "queries": ("", "{path}", "lines of id and text, with a tab between, with {language}"),
    "qrels": ("", "{file}", "TREC qrels: `query 0 document grade`"),
}
FILES = ("documents", "queries", "qrels")
METRICS = (
    *("nDCG@10", "AP", "RR", "P@10", "R@100", "P@1", "P@5"),
    *("Success@5", "Success@10", "nDCG@1", "nDCG@5"),
)


def records(
    files: Mapping[str, str], options: Mapping[str, Any], language: str
) -> dict[str, Records]:
    """Read the texts of one language.

    Args:
        files: paths, by the names in `FILES`.
        options: not used here.
        language: of the texts.

    Returns:
        (id, text) of `documents` and `queries`.
    """
    return {
        "documents": _lines(Path(files["documents"]), _document),
        "queries": _lines(Path(files["queries"]), partial(_fields, n=2)),
    }


def searches(
    data: Data, languages: Sequence[str], options: Mapping[str, Any], role: str = "test"
) -> Iterator[Search]:
    """Yield every directed pair of languages.

    Queries without an answer among the documents are left out.

    Args:
        data: with the texts that `records` read.
        languages: of the setting.
        options: `qrels`.
        role: ignored; there is only one.
    """
    grades = judgements(options["qrels"])
    for query, target in data.directions(languages):
        queries, documents = data.texts[query]["queries"], data.texts[target]["documents"]
        relevance = _relevance(grades, queries.ids, documents.ids)
        answered = np.diff(relevance.indptr) > 0
        if not answered.any():
            raise UserError(
                f"{options['qrels']}: no query in {query!r} has an answer among the documents "
                f"in {target!r}; are the ids the same as in the files of queries and documents?"
            )
        kept = queries.select(queries.ids[answered])
        yield Search(query, target, kept, documents, relevance[answered], queries)


def judgements(path: str | Path) -> pd.DataFrame:
    """Read the relevant entries of TREC qrels: query, document, grade.

    Raises:
        UserError: with file and line.
    """
    columns = ["query", "document", "grade", "where"]
    frame = pd.DataFrame(_lines(Path(path), _judgement), columns=columns)
    twice = frame[frame.duplicated(["query", "document"])]
    for query, document, _, where in twice.itertuples(index=False):
        raise UserError(f"{where}: document {document!r} was judged for query {query!r} before")
    return frame.loc[frame["grade"] > 0, columns[:-1]].reset_index(drop=True)


def _judgement(line: str, where: str) -> tuple[str, str, float, str]:
    query, _, document, grade = _fields(line, where, 4, None)
    try:
        value = float(grade)
    except ValueError:
        value = math.nan
    if not abs(value) <= limits.WEIGHTS[1]:  # rejects nan too
        raise UserError(f"{where}: the grade {grade!r:.40} is no number, or one beyond all measure")
    return query, document, value, where


def _relevance(grades: pd.DataFrame, queries: pd.Index, documents: pd.Index) -> sparse.csr_matrix:
    rows, columns = queries.get_indexer(grades["query"]), documents.get_indexer(grades["document"])
    known = (rows >= 0) & (columns >= 0)
    values = grades["grade"].to_numpy(np.float64)[known]
    shape = (len(queries), len(documents))
    return sparse.csr_matrix((values, (rows[known], columns[known])), shape)


def _lines(path: Path, parse) -> Iterator[tuple[str, ...]]:
    for where, text in read_lines(path):
        if text.strip():
            yield parse(text, where)


def _document(line: str, where: str) -> tuple[str, str]:
    try:
        entry = json_lines.loads(line)
        name, text = entry["id"], (entry.get("title") or "") + "\n" + entry["text"]
        name = name if isinstance(name, str) else str(index(name))
        return name.encode().decode(), text  # a lone surrogate could not be stored
    except (ValueError, KeyError, TypeError, AttributeError, RecursionError) as error:
        raise UserError(
            f'{where}: expected a JSON object with "id" and "text", both of them text ({error!r})'
        ) from error


def _fields(line: str, where: str, n: int, separator: str | None = "\t") -> tuple[str, ...]:
    found = line.split(separator, n - 1)
    if len(found) != n:
        raise UserError(
            f"{where}: expected {n} fields separated by "
            f"{'white space' if separator is None else 'a tab'}, found {len(found)}"
        )
    return tuple(found)
