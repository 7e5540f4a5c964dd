"""Sentences: given a sentence in one language, find its translation in another."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Literal

import numpy as np
import pandas as pd
from pydantic import NonNegativeInt, PositiveInt

from cr5.base.parts import Task
from cr5.tasks.base import Data, Search, Texts, searches_of
from cr5.tasks.texts import Records
from cr5.texts import aligned
from cr5.texts.parallel import ParallelText

IDF, VALIDATION = ".idf", ".validation"  # ends of the names of other sentences


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
        return ("test", "validation") if self.of_corpus or self.validation else ("test",)

    def records(self, files: Mapping[str, Sequence[str]], language: str) -> dict[str, Records]:
        """Read (id, text, concept) of aligned sentences, by the name of their folder.

        With `.idf` or `.validation` behind it, those that are reserved for these.
        """
        found = {}
        for folder in files["aligned"]:
            name, table = aligned.load(folder, language)
            ends = {aligned.SENTENCES: "", language: IDF, aligned.VALIDATION: VALIDATION}
            for part, end in ends.items():
                chosen = table.loc[table["part"] == part, ["id", "text", "concept"]]
                found[name + end] = list(chosen.itertuples(index=False, name=None))
        return found

    def searches(self, data: Data, languages: Sequence[str], role: str) -> Iterator[Search]:
        """Yield both directions of every pair that has query sentences."""
        names = {name for x in languages for name in data.texts[x]}
        for name in sorted(x for x in names if not x.endswith((IDF, VALIDATION))):
            every = {x: self._space(data, x, languages, name, role) for x in languages}
            spaces = {x: space for x, space in every.items() if space}
            asked = {x: self._asked(data, spaces, x, role) for x in data.directions(list(spaces))}
            yield from searches_of(spaces, {pair: (x, x) for pair, x in asked.items()})

    def _space(
        self, data: Data, language: str, languages: Sequence[str], name: str, role: str
    ) -> Texts | None:
        """A language's candidate sentences in a bundle; None if it has none."""
        set_aside = VALIDATION if role == "validation" and not self.of_corpus else ""
        texts = data.texts[language].get(name + set_aside)
        if texts is not None and self.of_corpus:
            others = [x for y, x in data.directions(languages) if y == language]
            rows = texts.about["concept"].isin(data.drawn.search_space(language, others, role))
            texts = Texts(texts.about[rows], texts.counts[rows.to_numpy()])
        if texts is None or not len(texts.ids):
            return None
        if self.idf == "corpus":
            return texts
        return texts.weighed(data.texts[language][name + IDF].counts, self.idf)

    def _asked(
        self, data: Data, spaces: Mapping[str, Texts], pair: tuple[str, str], role: str
    ) -> pd.Index:
        """Ids of the queries, the same in both directions."""
        first, second = (spaces[x] for x in sorted(pair))
        both = first.ids.isin(second.ids)
        if self.of_corpus:
            both &= first.about["concept"].isin(data.drawn.queries_of(pair, role)).to_numpy()
        shared = first.ids[both].sort_values()
        order = np.random.default_rng(data.seed).permutation(len(shared))
        return shared[np.sort(order[: self.queries])]
