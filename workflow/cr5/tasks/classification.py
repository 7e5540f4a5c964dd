"""Classification across languages: the label of a document is that of its nearest neighbour."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Annotated, Literal, Self

import numpy as np
import pandas as pd
from pydantic import Field, model_validator
from scipy import sparse

from cr5.base.errors import UserError
from cr5.base.languages import LANGUAGE, names_of, path_of
from cr5.base.parts import Codes, File, Language, Task, holding
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
        """The files by part; none if the corpus has the labels."""
        if not self.path:
            return {}
        names = names_of(language, written, self.codes)
        return {
            role: path_of(self.path, language=names, part=[name])
            for role, name in (NAMES | self.parts).items()
            if name and (role != "labelled" or self._is_labelled(language))
        }

    def records(self, files: Mapping[str, str | None], language: str) -> dict[str, Records]:
        """Read (id, text, nothing, label) by part, as `files` names them."""
        columns = self.id, self.label, self.text
        return {
            role: ((name, text, "", label) for name, text, label in labelled(path, *columns))
            for role, path in files.items()
            if path
        }

    def tests_or_validates(self, name: str) -> bool:
        """Whether documents of a part are asked for: labelled ones may train."""
        return name != "labelled"

    def searches(self, data: Data, languages: Sequence[str], role: str) -> Iterator[Search]:
        """Yield a search of each language among the labelled documents, including its own."""
        across, texts = set(data.directions(languages)), data.texts
        if not any(texts.values()):
            texts = {x: self._of_corpus(data, x, role) for x in data.bags}
        for target in filter(self._is_labelled, languages):
            for query in (x for x in languages if x == target or (x, target) in across):
                asked, candidates = texts[query][role], texts[target]["labelled"]
                if len(asked.ids):
                    relevance = same_label(asked, candidates, (query, target))
                    yield Search(query, target, asked, candidates, relevance, depth=self.depth)

    def _is_labelled(self, language: str) -> bool:
        return language in (self.labelled or [language])

    def _of_corpus(self, data: Data, language: str, role: str) -> dict[str, Texts]:
        """The corpus's documents in a language that are labelled, and those that are queries."""
        bags = data.bags[language]
        every = Texts.of_bags(bags, pd.Index(bags.documents["concept"]))
        pairs = [pair for pair in data.directions(sorted(data.bags)) if pair[0] == language]
        asked = every.ids.isin(set().union(*(data.drawn.queries_of(x, role) for x in pairs)))
        if self.tested == "own" and role == "test" and not self._is_labelled(language):
            others = [x.documents["concept"] for y, x in data.bags.items() if y != language]
            asked = ~every.ids.isin(np.concatenate(others))
        labelled = ~every.ids.isin(data.drawn.held_out())
        return {"labelled": every.select(labelled), role: every.select(asked)}


def same_label(queries: Texts, candidates: Texts, pair: Pair) -> sparse.csr_matrix:
    """Relevance of candidates: 1 if the label is that of the query; UserError if none has it."""
    labels = pd.Index(candidates.about["label"].unique())
    for missing in queries.about.loc[~queries.about["label"].isin(labels), "label"]:
        raise UserError(
            f"classification, {pair[0]}-{pair[1]}: of the class {missing!r} there are documents to "
            f"test in {pair[0]!r}, but none among the {len(candidates.ids)} that are labelled in "
            f"{pair[1]!r}; give labelled ones"
        )
    asked, labelled = (
        relevance_of(x.ids, labels, x.ids, x.about["label"], np.int8(1))
        for x in (queries, candidates)
    )
    return (asked @ labelled.T).tocsr().sorted_indices()
