"""Classification across languages: the label of a document is that of its nearest neighbour."""

import logging
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Literal

import numpy as np
import pandas as pd
from pydantic import Field, NonNegativeInt
from scipy import sparse

from cr5.base.errors import LeftOutError, UserError
from cr5.base.parts import File, Language, Task
from cr5.splits.options import Pair
from cr5.tasks.base import Data, Search, Texts
from cr5.tasks.texts import Records
from cr5.texts.reading import PART, file_of
from cr5.texts.rows import labelled

log = logging.getLogger(__name__)

NAMES = {"labelled": "train", "validation": "dev", "test": "test"}
"""Of the parts in paths, as SIB-200 has them."""
OWN = "labels"  # the name for labels of the corpus's documents


@dataclass(frozen=True)
class Labelled:
    """Some documents of a language, each with its label.

    Attributes:
        texts: the documents.
        labels: (n,), one for each.
    """

    texts: Texts
    labels: np.ndarray

    def of(self, kept: np.ndarray) -> "Labelled":
        """Select documents by a mask."""
        return Labelled(self.texts.select(self.texts.ids[kept]), self.labels[kept])


class Classification(Task):
    """Classification across languages: the label of a document is that of its nearest neighbour.

    Platt et al. (2010), Table 3. Labelled documents of one language are the candidates, documents
    of each language, including that one, the queries. A candidate is an answer if it has the label
    of the query, and only the nearest one counts, so Success@1 is the accuracy. A tie with a
    candidate of another label is an error.

    Where labels come from:

        path with {part}      the task's own files: labelled, validation and test documents, in
                              columns or JSON lines
        path without          labels of the corpus's documents; the ids are their concepts
        none                  the corpus has labels itself

    For the corpus's own documents, those whose concept is not a query of any pair are the labelled
    ones, and the queries are those drawn; with `tested: own`, queries in another language are
    documents of concepts that no other language has, so they are not translations.
    """

    roles = ("test", "validation")
    metrics = ("Success@1",)
    depth = 1  # of the nearest documents, whose label is taken

    path: File = ""
    """Of the files; none where the corpus has labels."""
    codes: dict[str, str] = Field(default_factory=dict)
    """What the files call a language."""
    parts: dict[Literal["labelled", "validation", "test"], str] = Field(default_factory=dict)
    """What the files call `labelled`, `validation` and `test`; empty: not there."""
    id: str = "index_id"
    """Column, or key of JSON lines, of the id."""
    label: str = "category"
    """Column of the label."""
    text: str = "text"
    """Column of the text."""
    labelled: tuple[Language, ...] = ()
    """Languages of the labelled documents; none: all, in turn."""
    classes: tuple[str, ...] = ()
    """That count; none: all."""
    min_documents: NonNegativeInt = 0
    """Of a class in the labelled language; classes with fewer are left out."""
    tested: Literal["drawn", "own"] = "drawn"
    """Documents of the draw, or all of the task's own."""

    @property
    def has_own_documents(self) -> bool:
        """Whether the documents are the task's own, rather than those of the corpus."""
        return PART in self.path

    def files(self, language: str) -> dict[str, str]:
        """The files by part, or that of the labels; none if the corpus has the labels."""
        if not self.path:
            return {}
        if not self.has_own_documents:
            return {OWN: file_of(self.path, language, self.codes)}
        return {
            role: file_of(self.path, language, self.codes, name)
            for role, name in (NAMES | self.parts).items()
            if name and (role != "labelled" or language in (self.labelled or [language]))
        }

    def records(self, files: Mapping[str, str | None], language: str) -> dict[str, Records]:
        """Read the labelled documents of one language.

        Args:
            files: as `files` names them; a name without a path is not read.
            language: of the documents.

        Returns:
            (id, text, nothing, label) by part; without text if the documents are the corpus's.
        """
        return {role: self._records(path, role) for role, path in files.items() if path}

    def _records(self, path: str, role: str) -> Records:
        text = None if role == OWN else self.text
        for identity, content, label in labelled(path, self.id, self.label, text):
            yield identity, content, "", label

    def searches(
        self, data: Data, languages: Sequence[str], role: str = "test"
    ) -> Iterator[Search]:
        """Yield a search of each language among the labelled documents, including its own.

        Args:
            data: with the texts that `records` read.
            languages: of the setting.
            role: `test` or `validation`.

        Raises:
            UserError: there are no labels, or no labelled document has a class that is tested.
            LeftOutError: the setting has no labelled language, or nothing was drawn.
        """
        targets = [x for x in languages if x in (self.labelled or languages)]
        if not targets:
            raise LeftOutError(
                f"none of {', '.join(languages)} has labelled documents (labelled: "
                f"{', '.join(self.labelled)})"
            )
        across = set(data.directions(languages))
        known = {x: _all_documents(data, x) for x in languages} if _is_of_corpus(data) else {}
        for target in targets:
            every, candidates = _labelled(data, known, target)
            classes = self._classes(every, target)
            candidates = candidates.of(np.isin(candidates.labels, classes))
            for query in languages:
                if query == target or (query, target) in across:
                    asked = self._asked(data, known, (query, target), role)
                    if self.classes or self.min_documents:
                        asked = asked.of(np.isin(asked.labels, classes))
                    if len(asked.labels):
                        yield _search((query, target), asked, candidates)

    def _asked(self, data: Data, known: Mapping[str, Labelled], pair: Pair, role: str) -> Labelled:
        """The queries of a language."""
        if not known:
            return _of_part(data, pair[0], role)
        found = known[pair[0]]
        if self.tested == "own" and role == "test" and pair[0] != pair[1]:
            others = [x.documents["concept"] for y, x in data.bags.items() if y != pair[0]]
            return found.of(~found.texts.ids.isin(np.concatenate(others)))
        drawn = _drawn(data, pair, role)
        asked = found.of(found.texts.ids.isin(drawn))
        if lacking := len(drawn) - len(asked.labels):
            log.warning("%s: %d of %d drawn documents have no label", pair[0], lacking, len(drawn))
        return asked

    def _classes(self, every: Labelled, language: str) -> np.ndarray:
        """The classes that count, sorted."""
        counts = Counter(every.labels.tolist())
        unknown = [x for x in self.classes if x not in counts]
        if unknown:
            raise UserError(
                f"classification: no labelled document in {language!r} is of the class "
                f"{', '.join(map(repr, unknown))}; there are {_named(counts)}: correct `classes`"
            )
        wanted = list(self.classes) or list(counts)
        least = max(self.min_documents, 1)
        kept = sorted(x for x in wanted if counts[x] >= least)
        if not kept:
            raise UserError(
                f"classification: no class has {least} labelled documents in {language!r}; there "
                f"are {_named(counts)}: lower `min_documents`"
            )
        dropped = {x: counts[x] for x in sorted(counts) if x not in kept}
        said = f"; left out: {_named(dropped)}" if dropped else ""
        log.info("%s: %d classes%s", language, len(kept), said)
        return np.array(kept)


def _search(pair: Pair, asked: Labelled, candidates: Labelled) -> Search:
    _check_classes(asked, candidates, pair)
    relevance = same_label(asked.labels, candidates.labels)
    return Search(*pair, asked.texts, candidates.texts, relevance, depth=Classification.depth)


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


def _all_documents(data: Data, language: str) -> Labelled:
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
    return Labelled(Texts.of_bags(data.bags[language], labels.index), labels.to_numpy(str))


def _labelled(
    data: Data, known: Mapping[str, Labelled], language: str
) -> tuple[Labelled, Labelled]:
    """Labelled that count towards class sizes, and those of them that are searched."""
    if known:
        every = known[language]
        return every, every.of(~every.texts.ids.isin(data.drawn.held_out()))
    every = _of_part(data, language, "labelled")
    return every, every


def _drawn(data: Data, pair: Pair, role: str) -> pd.Index:
    """Concepts that are queries of a pair; within a language, of any pair that includes it.

    Raises:
        UserError: nothing was drawn for the pair.
    """
    if pair[0] != pair[1]:
        return data.drawn.queries_of(pair, role)
    pairs = [x for x in data.directions(sorted(data.bags)) if x[0] == pair[0]]
    return pd.Index(sorted(set().union(*(data.drawn.queries_of(x, role) for x in pairs))))


def _of_part(data: Data, language: str, role: str) -> Labelled:
    texts = data.texts[language].get(role)
    if texts is None:
        raise UserError(f"classification: {language!r} has no documents for {role}; see `parts`")
    return Labelled(texts, texts.labels.to_numpy(str))


def _named(counts: Mapping[str, int]) -> str:
    return ", ".join(f"{name!r} ({n})" for name, n in sorted(counts.items()))


def _check_classes(asked: Labelled, candidates: Labelled, pair: Pair) -> None:
    """Refuse queries that have no possible answer."""
    missing = Counter(asked.labels[~np.isin(asked.labels, candidates.labels)].tolist())
    if missing:
        raise UserError(
            f"classification, {pair[0]}-{pair[1]}: of the class {_named(missing)} there are "
            f"documents to test in {pair[0]!r}, but none among the {len(candidates.labels)} that "
            f"are labelled in {pair[1]!r}; leave it out by `classes` or `min_documents`, or give "
            "labelled ones"
        )
