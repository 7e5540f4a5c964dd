"""Classification across languages: the label of a document is that of its nearest neighbour."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Annotated, Literal, Self

import numpy as np
import pandas as pd
from pydantic import Field, model_validator
from scipy import sparse

from cr5.base.errors import UserError
from cr5.base.languages import LANGUAGE, names_of, path_of
from cr5.contracts.keys import Codes, File, InOrder, Language, holding
from cr5.contracts.task import Task
from cr5.splits.options import Pair
from cr5.tasks.base import Data, Search, Texts, relevance_of
from cr5.tasks.texts import Records
from cr5.texts.reading import PART
from cr5.texts.rows import labelled

ROLES = ("test", "validation")
PART_NAMES = {"labelled": "train", "validation": "dev", "test": "test"}  # of parts, as SIB-200's


class Classification(Task):
    """Classification across languages: the label of a document is that of its nearest neighbour.

    Platt et al. (2010), Table 3. Labelled documents of one language are the candidates, documents
    of each language, including that one, the queries. A candidate is an answer if it has the label
    of the query, and only the nearest one counts, so Success@1 is the accuracy. A tie with a
    candidate of another label is an error.

    The task's own files, with {part} in their `path`, are labelled, validation and test documents,
    in columns or JSON lines. Without, the corpus has labels itself: of its documents, those whose
    concept is not a query of any pair are the labelled ones, and the queries are those drawn; with
    `tested: own`, queries in a language that is not among the `labelled` are documents of concepts
    that no other language has, so they are not translations.
    """

    metrics = ("Success@1",)
    needs_labels = True
    depth = 1  # of the nearest documents, whose label is taken

    path: Annotated[File, holding(LANGUAGE, PART)] | None = None
    """Of the files, with {part}; none where the corpus has labels."""
    codes: Codes = Field(default_factory=dict)
    """What the files call a language."""
    parts: Annotated[dict[Literal["labelled", "validation", "test"], str], InOrder] = Field(
        default_factory=dict
    )
    """What the files call `labelled`, `validation` and `test`; empty: not there."""
    id: str = "index_id"
    """Column, or key of JSON lines, of the id."""
    label: str = "category"
    """Column of the label."""
    text: str = "text"
    """Column of the text."""
    labelled: tuple[Language, ...] = ()
    """Languages of the labelled documents; none: all, in turn."""
    tested: Literal["drawn", "own"] = "drawn"
    """Documents of the draw, or all of the task's own."""

    @model_validator(mode="after")
    def _own_are_of_others(self) -> Self:
        if self.tested == "own" and not self.labelled:
            raise ValueError("`tested: own` asks documents of languages other than the `labelled`")
        return self

    @property
    def roles(self) -> tuple[str, ...]:
        """Of its queries."""
        if self.path and self.parts.get("validation") == "":
            return ("test",)
        return ROLES

    def files(self, language: str, written: Mapping[str, str] = {}) -> dict[str, str]:
        """Return the files by part; none if the corpus has the labels."""
        if not self.path:
            return {}
        names = names_of(language, written, self.codes)
        names_of_parts = PART_NAMES | self.parts
        paths = {}
        for part, name in names_of_parts.items():
            if name and (part != "labelled" or self._is_labelled(language)):
                paths[part] = path_of(self.path, language=names, part=[name])
        return paths

    def records(self, files: Mapping[str, str | None], language: str) -> dict[str, Records]:
        """Read (id, text, nothing, label) by part, as `files` names them."""
        return {part: self._of_part(path) for part, path in files.items() if path}

    def _of_part(self, path: str) -> Records:
        for name, text, label in labelled(path, self.id, self.label, self.text):
            yield name, text, "", label

    def tests_or_validates(self, name: str) -> bool:
        """Whether documents of a part are asked for: labelled ones may train."""
        return name != "labelled"

    def searches(self, data: Data, languages: Sequence[str], role: str) -> Iterator[Search]:
        """Yield a search of each language among the labelled documents, including its own."""
        texts = data.texts
        if not any(texts.values()):
            texts = {language: self._of_corpus(data, language, role) for language in data.bags}
        for direction in self._directions(data, languages):
            query_language, target_language = direction
            queries = texts[query_language][role]
            if not len(queries.ids):
                continue
            candidates = texts[target_language]["labelled"]
            relevance = same_label(queries, candidates, direction)
            yield Search(
                query_language,
                target_language,
                queries,
                candidates,
                relevance,
                depth=self.depth,
            )

    def _directions(self, data: Data, languages: Sequence[str]) -> list[Pair]:
        """Return which languages ask which that have labelled documents, each also itself."""
        across = set(data.directions(languages))
        directions = []
        for target_language in filter(self._is_labelled, languages):
            for query_language in languages:
                direction = (query_language, target_language)
                if query_language == target_language or direction in across:
                    directions.append(direction)
        return directions

    def _is_labelled(self, language: str) -> bool:
        return not self.labelled or language in self.labelled

    def _of_corpus(self, data: Data, language: str, role: str) -> dict[str, Texts]:
        """Return the corpus's documents in a language that are labelled, and the queries."""
        bags = data.bags[language]
        concepts = pd.Index(bags.documents["concept"])
        documents = Texts.of_bags(bags, concepts)
        if self.tested == "own" and role == "test" and not self._is_labelled(language):
            is_query = ~documents.ids.isin(_concepts_of_others(data, language))
        else:
            is_query = documents.ids.isin(_drawn_queries(data, language, role))
        is_labelled = ~documents.ids.isin(data.drawn.held_out())
        labelled_documents = documents.select(is_labelled)
        return {"labelled": labelled_documents, role: documents.select(is_query)}


def _concepts_of_others(data: Data, language: str) -> set[str]:
    concepts = set()
    for other_language, bags in data.bags.items():
        if other_language != language:
            concepts.update(bags.documents["concept"])
    return concepts


def _drawn_queries(data: Data, language: str, role: str) -> set[str]:
    concepts = set()
    for target_language in data.targets(language, sorted(data.bags)):
        direction = (language, target_language)
        concepts.update(data.drawn.queries_of(direction, role))
    return concepts


def same_label(queries: Texts, candidates: Texts, pair: Pair) -> sparse.csr_matrix:
    """Return queries x candidates: 1 where the labels are the same.

    UserError: no candidate has the label of a query.
    """
    query_labels = queries.about["label"]
    labels = pd.Index(candidates.about["label"].unique())
    missing = query_labels[~query_labels.isin(labels)]
    if len(missing):
        query_language, target_language = pair
        raise UserError(
            f"classification, {query_language}-{target_language}: of the class "
            f"{missing.iloc[0]!r} there are documents to test in {query_language!r}, but none "
            f"among the {len(candidates.ids)} that are labelled in {target_language!r}; give "
            "labelled ones"
        )
    has_label = _labels(candidates, labels)
    relevance = _labels(queries, labels) @ has_label.T
    return relevance.tocsr().sorted_indices()


def _labels(texts: Texts, labels: pd.Index) -> sparse.csr_matrix:
    """Return texts x labels: 1 at the label of each text."""
    label_of_text = texts.about["label"]
    return relevance_of(texts.ids, labels, texts.ids, label_of_text, grades=np.int8(1))
