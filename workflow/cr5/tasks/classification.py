"""Classification across languages: the label of a document is that of its nearest neighbour."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Annotated, Literal, Self

import numpy as np
import pandas as pd
from pydantic import Field, model_validator
from scipy import sparse

from cr5.base.errors import UserError
from cr5.base.languages import LANGUAGE, names_of, path_of
from cr5.contracts.keys import Codes, File, Language, holding
from cr5.contracts.task import Task
from cr5.splits.options import Pair
from cr5.tasks.base import Data, Search, Texts, relevance_of
from cr5.tasks.texts import Records
from cr5.texts.reading import PART
from cr5.texts.rows import labelled

ROLES = ("test", "validation")
NAMES = {"labelled": "train", "validation": "dev", "test": "test"}  # of parts, as SIB-200's


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
        return ("test",) if self.path and self.parts.get("validation") == "" else ROLES

    def files(self, language: str, written: Mapping[str, str] = {}) -> dict[str, str]:
        """Return the files by part; none if the corpus has the labels."""
        if not self.path:
            return {}
        names = names_of(language, written, self.codes)
        paths = {}
        for part, name in (NAMES | self.parts).items():
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
        across = set(data.directions(languages))
        texts = data.texts
        if not any(texts.values()):
            texts = {language: self._of_corpus(data, language, role) for language in data.bags}
        for target_language in filter(self._is_labelled, languages):
            for query_language in languages:
                pair = (query_language, target_language)
                if query_language != target_language and pair not in across:
                    continue
                queries = texts[query_language][role]
                if not len(queries.ids):
                    continue
                candidates = texts[target_language]["labelled"]
                relevance = same_label(queries, candidates, pair)
                yield Search(*pair, queries, candidates, relevance, depth=self.depth)

    def _is_labelled(self, language: str) -> bool:
        return not self.labelled or language in self.labelled

    def _of_corpus(self, data: Data, language: str, role: str) -> dict[str, Texts]:
        """Return the corpus's documents in a language that are labelled, and the queries."""
        bags = data.bags[language]
        documents = Texts.of_bags(bags, pd.Index(bags.documents["concept"]))
        if self.tested == "own" and role == "test" and not self._is_labelled(language):
            concepts = [
                bags_of_other.documents["concept"]
                for other, bags_of_other in data.bags.items()
                if other != language
            ]
            is_query = ~documents.ids.isin(np.concatenate(concepts))
        else:
            drawn = set()
            for pair in data.directions(sorted(data.bags)):
                if pair[0] == language:
                    drawn.update(data.drawn.queries_of(pair, role))
            is_query = documents.ids.isin(drawn)
        is_labelled = ~documents.ids.isin(data.drawn.held_out())
        return {"labelled": documents.select(is_labelled), role: documents.select(is_query)}


def same_label(queries: Texts, candidates: Texts, pair: Pair) -> sparse.csr_matrix:
    """Relevance of candidates: 1 if the label is that of the query; UserError if none has it."""
    labels = pd.Index(candidates.about["label"].unique())
    missing = queries.about.loc[~queries.about["label"].isin(labels), "label"]
    if len(missing):
        raise UserError(
            f"classification, {pair[0]}-{pair[1]}: of the class {missing.iloc[0]!r} there are "
            f"documents to test in {pair[0]!r}, but none among the {len(candidates.ids)} that are "
            f"labelled in {pair[1]!r}; give labelled ones"
        )
    of_queries = _labels(queries, labels)
    of_candidates = _labels(candidates, labels)
    return (of_queries @ of_candidates.T).tocsr().sorted_indices()


def _labels(texts: Texts, labels: pd.Index) -> sparse.csr_matrix:
    """Return texts x labels: 1 at the label of each text."""
    return relevance_of(texts.ids, labels, texts.ids, texts.about["label"], np.int8(1))
