"""Classification across languages: the label of a document is that of its nearest neighbour.

Platt et al. (2010), Table 3. Labelled documents of one language are the candidates, documents of
each language, including that one, the queries. A candidate is an answer if it has the label of
the query, and only the nearest one counts, so Success@1 is the accuracy. A tie with a candidate of
another label is an error.

Where labels come from:

    path with {part}      the task's own files: labelled, validation and test documents, in columns
                          or JSON lines
    path without          labels of the corpus's documents; the ids are their concepts
    none                  the corpus has labels itself

For the corpus's own documents, those whose concept is not a query of any pair are the labelled
ones, and the queries are those drawn; with `tested: own`, queries in another language are documents
of concepts that no other language has, so they are not translations.
"""

import logging
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import pandas as pd
from scipy import sparse

from cr5.base.errors import LeftOutError, UserError
from cr5.corpora.formats.rows import labelled
from cr5.splits.options import Pair
from cr5.tasks.base import Data, Search, Texts
from cr5.tasks.texts import Records

log = logging.getLogger(__name__)

OPTIONS = {
    "path": ("", "{path}", "of the files; none where the corpus has labels"),
    "codes": ({}, "what the files call a language"),
    "parts": ({}, "what the files call `labelled`, `validation` and `test`; empty: not there"),
    "id": ("index_id", "{column}", "column, or key of JSON lines, of the id"),
    "label": ("category", "{column}", "column of the label"),
    "text": ("text", "{column}", "column of the text"),
    "labelled": ([], "{language}", "languages of the labelled documents; none: all, in turn"),
    "classes": ([], "that count; none: all"),
    "min_documents": (
        0,
        {"ge": 0},
        "of a class in the labelled language; classes with fewer are left out",
    ),
    "tested": ("drawn", ("drawn", "own"), "documents of the draw, or all of the task's own"),
}
FILES = ("labelled", "validation", "test", "labels")
PARTS = {"labelled": "train", "validation": "dev", "test": "test"}  # names used by SIB-200
ROLES = ("test", "validation")
METRICS = ("Success@1",)
DEPTH = 1  # of the nearest documents, whose label is taken

OWN = "labels"  # the name for labels of the corpus's documents


@dataclass(frozen=True)
class Documents:
    """Some documents of a language, each with its label.

    Attributes:
        texts: the documents.
        labels: (n,), one for each.
    """

    texts: Texts
    labels: np.ndarray

    def of(self, kept: np.ndarray) -> "Documents":
        """Select documents by a mask."""
        return Documents(self.texts.select(self.texts.ids[kept]), self.labels[kept])


def records(
    files: Mapping[str, str | None], options: Mapping[str, Any], language: str
) -> dict[str, Records]:
    """Read the labelled documents of one language.

    Args:
        files: paths, by those names in `FILES` that are present.
        options: names of columns.
        language: of the documents.

    Returns:
        (id, text, nothing, label) by part; without text if the documents are the corpus's.
    """
    return {role: _records(path, role, options) for role, path in files.items() if path}


def _records(path: str, role: str, options: Mapping[str, Any]) -> Records:
    text = None if role == OWN else options["text"]
    for identity, content, label in labelled(path, options["id"], options["label"], text):
        yield identity, content, "", label


def searches(
    data: Data, languages: Sequence[str], options: Mapping[str, Any], role: str = "test"
) -> Iterator[Search]:
    """Yield a search of each language among the labelled documents, including its own.

    Args:
        data: with the texts that `records` read.
        languages: of the setting.
        options: `labelled`, `classes`, `min_documents`, `tested`.
        role: `test` or `validation`.

    Raises:
        UserError: there are no labels, or no labelled document has a class that is tested.
        LeftOutError: the setting has no labelled language, or nothing was drawn.
    """
    targets = [x for x in languages if x in (options["labelled"] or languages)]
    if not targets:
        raise LeftOutError(
            f"none of {', '.join(languages)} has labelled documents (labelled: "
            f"{', '.join(options['labelled'])})"
        )
    across = set(data.directions(languages))
    known = {x: _all_documents(data, x) for x in languages} if _is_of_corpus(data) else {}
    for target in targets:
        every, candidates = _labelled(data, known, target)
        classes = _classes(every, target, options)
        candidates = candidates.of(np.isin(candidates.labels, classes))
        for query in languages:
            if query == target or (query, target) in across:
                asked = _asked(data, known, (query, target), options, role)
                if options["classes"] or options["min_documents"]:
                    asked = asked.of(np.isin(asked.labels, classes))
                if len(asked.labels):
                    yield _search((query, target), asked, candidates)


def _search(pair: Pair, asked: Documents, candidates: Documents) -> Search:
    _check_classes(asked, candidates, pair)
    relevance = same_label(asked.labels, candidates.labels)
    return Search(*pair, asked.texts, candidates.texts, relevance, depth=DEPTH)


def same_label(queries: np.ndarray, candidates: np.ndarray) -> sparse.csr_matrix:
    """Relevance of candidates: 1 if the label is that of the query.

    Args:
        queries: (n,) labels.
        candidates: (m,) likewise.
    """
    names, numbers = np.unique(candidates, return_inverse=True)
    rows_of = [np.flatnonzero(numbers == i) for i in range(len(names))]
    rows = [rows_of[i] for i in np.searchsorted(names, queries)]
    indptr = np.cumsum([0, *map(len, rows)])
    grades, columns = np.ones(indptr[-1], np.int8), np.concatenate(rows)
    return sparse.csr_matrix((grades, columns, indptr), (len(queries), len(candidates)))


def _is_of_corpus(data: Data) -> bool:
    """Whether the labels belong to the corpus's own documents."""
    return all(OWN in of_language or not of_language for of_language in data.texts.values())


def _all_documents(data: Data, language: str) -> Documents:
    """All documents of the corpus that have a label."""
    concepts = pd.Index(data.bags[language].documents["concept"])
    own = data.texts.get(language, {}).get(OWN)
    if own is not None:
        labels = pd.Series(own.labels, own.ids).reindex(concepts)
    elif "label" in data.bags[language].documents:
        labels = pd.Series(data.bags[language].documents["label"].to_numpy(), concepts)
    else:
        raise UserError(
            "classification: the documents of this corpus have no labels; give the `path` of files "
            "that have them, see docs/tasks.md"
        )
    labels = labels.dropna()
    if labels.empty:
        raise UserError(
            f"classification: none of the {len(own.ids)} labels in {language!r} is of one of the "
            f"{len(concepts)} documents of the corpus; their ids must be its concepts, such as "
            f"{concepts[0]!r}, and are such as {own.ids[0]!r}: is `id` the right column?"
        )
    return Documents(Texts.of_bags(data.bags[language], labels.index), labels.to_numpy(str))


def _labelled(
    data: Data, known: Mapping[str, Documents], language: str
) -> tuple[Documents, Documents]:
    """Documents that count towards class sizes, and those of them that are searched."""
    if known:
        every = known[language]
        return every, every.of(~every.texts.ids.isin(data.drawn.held_out()))
    every = _of_part(data, language, "labelled")
    return every, every


def _asked(
    data: Data, known: Mapping[str, Documents], pair: Pair, options: Mapping[str, Any], role: str
) -> Documents:
    """The queries of a language."""
    if not known:
        return _of_part(data, pair[0], role)
    found = known[pair[0]]
    if options["tested"] == "own" and role == "test" and pair[0] != pair[1]:
        others = [x.documents["concept"] for y, x in data.bags.items() if y != pair[0]]
        return found.of(~found.texts.ids.isin(np.concatenate(others)))
    drawn = _drawn(data, pair, role)
    asked = found.of(found.texts.ids.isin(drawn))
    if lacking := len(drawn) - len(asked.labels):
        log.warning("%s: %d of %d drawn documents have no label", pair[0], lacking, len(drawn))
    return asked


def _drawn(data: Data, pair: Pair, role: str) -> pd.Index:
    """Concepts that are queries of a pair; within a language, of any pair that includes it.

    Raises:
        UserError: nothing was drawn for the pair.
    """
    if pair[0] != pair[1]:
        return data.drawn.queries_of(pair, role)
    pairs = [x for x in data.directions(sorted(data.bags)) if x[0] == pair[0]]
    return pd.Index(sorted(set().union(*(data.drawn.queries_of(x, role) for x in pairs))))


def _of_part(data: Data, language: str, role: str) -> Documents:
    texts = data.texts[language].get(role)
    if texts is None:
        raise UserError(f"classification: {language!r} has no documents for {role}; see `parts`")
    return Documents(texts, texts.labels.to_numpy(str))


def _classes(every: Documents, language: str, options: Mapping[str, Any]) -> np.ndarray:
    """The classes that count, sorted."""
    counts = Counter(every.labels.tolist())
    unknown = [str(x) for x in options["classes"] if str(x) not in counts]
    if unknown:
        raise UserError(
            f"classification: no labelled document in {language!r} is of the class "
            f"{', '.join(map(repr, unknown))}; there are {_named(counts)}: correct `classes`"
        )
    wanted = [*map(str, options["classes"])] or list(counts)
    least = max(options["min_documents"], 1)
    kept = sorted(x for x in wanted if counts[x] >= least)
    if not kept:
        raise UserError(
            f"classification: no class has {least} labelled documents in {language!r}; there are "
            f"{_named(counts)}: lower `min_documents`"
        )
    dropped = {x: counts[x] for x in sorted(counts) if x not in kept}
    said = f"; left out: {_named(dropped)}" if dropped else ""
    log.info("%s: %d classes%s", language, len(kept), said)
    return np.array(kept)


def _named(counts: Mapping[str, int]) -> str:
    return ", ".join(f"{name!r} ({n})" for name, n in sorted(counts.items()))


def _check_classes(asked: Documents, candidates: Documents, pair: Pair) -> None:
    """Refuse queries that have no possible answer."""
    missing = Counter(asked.labels[~np.isin(asked.labels, candidates.labels)].tolist())
    if missing:
        raise UserError(
            f"classification, {pair[0]}-{pair[1]}: of the class {_named(missing)} there are "
            f"documents to test in {pair[0]!r}, but none among the {len(candidates.labels)} that "
            f"are labelled in {pair[1]!r}; leave it out by `classes` or `min_documents`, or give "
            "labelled ones"
        )
