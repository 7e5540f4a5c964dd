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

    def tests_or_validates(self, name: str) -> bool:
        """Whether sentences of a name are asked for or searched: others weigh words alone."""
        return not name.endswith(IDF)

    def searches(self, data: Data, languages: Sequence[str], role: str) -> Iterator[Search]:
        """Yield both directions of every pair that has query sentences."""
        names = {name for x in languages for name in data.texts[x]}
        for name in sorted(x for x in names if not x.endswith((IDF, VALIDATION))):
            there = [x for x in languages if len(data.texts[x][name].ids)]
            spaces = {x: self._space(data, x, languages, name, role) for x in there}
            asked = {x: self._asked(data, spaces, x, role) for x in data.directions(there)}
            yield from searches_of(spaces, {pair: (x, x) for pair, x in asked.items()})

    def _space(
        self, data: Data, language: str, languages: Sequence[str], name: str, role: str
    ) -> Texts:
        """A language's candidate sentences in a bundle that has the language."""
        own = data.texts[language]
        if self.of_corpus:
            others = [x for y, x in data.directions(languages) if y == language]
            rows = own[name].about["concept"].isin(data.drawn.search_space(language, others, role))
            texts = Texts(own[name].about[rows], own[name].counts[rows.to_numpy()])
        else:
            texts = own[name + VALIDATION] if role == "validation" else own[name]
        return texts if self.idf == "corpus" else texts.weighed(own[name + IDF].counts, self.idf)

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
