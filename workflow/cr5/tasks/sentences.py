"""Sentences: given a sentence in one language, find its translation in another."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import astuple, dataclass, replace
from typing import Literal

import numpy as np
import pandas as pd
from pydantic import NonNegativeInt, PositiveInt

from cr5.contracts.task import Task
from cr5.splits.options import Pair
from cr5.tasks.base import Data, Search, Texts, same_ids, searches_of
from cr5.tasks.texts import Records
from cr5.texts import aligned
from cr5.texts.parallel import ParallelText

WEIGHING = ".idf"  # ends the name of sentences that only weigh words


@dataclass(frozen=True)
class Names:
    """What the sentences of a folder are called, by what they are for."""

    searched: str
    weighing: str  # the words of the language, see `idf`
    validating: str

    @classmethod
    def of(cls, folder_name: str) -> Names:
        """Name the sentences of a folder."""
        return cls(folder_name, f"{folder_name}{WEIGHING}", f"{folder_name}.validation")


class Sentences(ParallelText, Task):
    """Sentences: given a sentence in one language, find its translation in another (Table 3).

    After Conneau et al. (2018). The sentences come from parallel files, see `cr5.texts.parallel`;
    or, without `path` and `address`, they are paragraphs of the documents that the corpus holds
    back. Validation asks for further sentences of the files, or for those of validation documents.
    """

    parallel = True

    min_words: PositiveInt = 1
    """Of a sentence, in both languages."""
    queries: PositiveInt = 2000
    """Of each direction."""
    candidates: PositiveInt = 200_000
    """Of each direction."""
    idf: Literal["corpus", "own", "own_tfidf"] = "corpus"
    """The model's own; or of other sentences of the same files, as MUSE or as Cr5 weighs words."""
    idf_lines: PositiveInt = 300_000
    """Other sentences, of each language."""
    validation: NonNegativeInt = 0
    """Further sentences of the files, to choose hyperparameters by."""

    @property
    def roles(self) -> tuple[str, ...]:
        """Of its queries."""
        if self.of_corpus or self.validation:
            return ("test", "validation")
        return ("test",)

    def records(self, files: Mapping[str, Sequence[str]], language: str) -> dict[str, Records]:
        """Read (id, text, concept) of aligned sentences, by what `Names` has for their folder."""
        records: dict[str, Records] = {}
        for folder in files["aligned"]:
            folder_name, table = aligned.load(folder, language)
            names = Names.of(folder_name)
            records[names.searched] = _of_part(table, aligned.SENTENCES)
            records[names.weighing] = _of_part(table, language)
            records[names.validating] = _of_part(table, aligned.VALIDATION)
        return records

    def tests_or_validates(self, name: str) -> bool:
        """Whether sentences of a name are asked for or searched: others weigh words alone."""
        return not name.endswith(WEIGHING)

    def searches(self, data: Data, languages: Sequence[str], role: str) -> Iterator[Search]:
        """Yield both directions of every pair that has query sentences."""
        for names in _folders(data, languages):
            spaces = {}
            for language in languages:
                if len(data.texts[language][names.searched].ids):
                    spaces[language] = self._space(data, language, languages, names, role)
            answers = {}
            for direction in data.directions(list(spaces)):
                query_ids = self._query_ids(data, spaces, direction, role)
                answers[direction] = same_ids(query_ids)
            yield from searches_of(spaces, answers)

    def _space(
        self, data: Data, language: str, languages: Sequence[str], names: Names, role: str
    ) -> Texts:
        """Return a language's candidate sentences in a folder that has the language."""
        texts = data.texts[language]
        if self.of_corpus:
            sentences = texts[names.searched]
            targets = data.targets(language, languages)
            concepts = data.drawn.search_space(language, targets, role)
            is_searched = sentences.about["concept"].isin(concepts)
            space = replace(
                sentences,
                about=sentences.about[is_searched],
                counts=sentences.counts[is_searched.to_numpy()],
            )
        elif role == "validation":
            space = texts[names.validating]
        else:
            space = texts[names.searched]
        if self.idf == "corpus":
            return space
        return space.weighed(texts[names.weighing].counts, self.idf)

    def _query_ids(
        self, data: Data, spaces: Mapping[str, Texts], pair: Pair, role: str
    ) -> pd.Index:
        """Return ids of the queries, the same in both directions."""
        first, second = sorted(pair)
        sentences = spaces[first]
        is_query = sentences.ids.isin(spaces[second].ids)
        if self.of_corpus:
            concepts = data.drawn.queries_of(pair, role)
            is_query &= sentences.about["concept"].isin(concepts).to_numpy()
        shared = sentences.ids[is_query].sort_values()
        generator = np.random.default_rng(data.seed)
        drawn = generator.permutation(len(shared))[: self.queries]
        return shared[np.sort(drawn)]


def _of_part(table: pd.DataFrame, part: str) -> Records:
    is_in_part = table["part"] == part
    sentences = table.loc[is_in_part, ["id", "text", "concept"]]
    return list(sentences.itertuples(index=False, name=None))


def _folders(data: Data, languages: Sequence[str]) -> list[Names]:
    """Return the names of sentences by their folders, sorted."""
    names_of_texts = set()
    for language in languages:
        names_of_texts.update(data.texts[language])
    candidates = [Names.of(name) for name in sorted(names_of_texts)]
    return [names for names in candidates if names_of_texts.issuperset(astuple(names))]
