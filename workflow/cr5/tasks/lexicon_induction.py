"""Words: given a word in one language, find its translations among all words of another."""

from collections.abc import Iterator, Mapping, Sequence
from itertools import permutations
from pathlib import Path

import numpy as np
import pandas as pd
from pydantic import PositiveInt
from scipy import sparse

from cr5.base.parts import Task
from cr5.counts.tokens import Tokens, tokenise
from cr5.splits.options import Pair
from cr5.tasks.base import Data, Search, Texts, searches_of
from cr5.texts import dictionaries

TRAINING = "dictionary"  # the section of the configuration, and the table of its entries
DIRECTION = ["query", "target"]
SIDES = ["word", "translation"]


class LexiconInduction(dictionaries.Dictionaries, Task):
    """Words: given a word in one language, find its translations among all words of another.

    The paper's Table 4. Queries and answers come from bilingual dictionaries
    (`texts.dictionaries`); candidates are the vocabulary of the other language. A word is a
    document of that one word, so any model that embeds documents can be used, and its vector is its
    row of the model. If a dictionary lists several translations, any one among the first k makes
    Success@k 1, as in MUSE, which calls it P@k. For CSLS the neighbours are the whole vocabularies
    on both sides (Conneau et al. 2018). Validation asks in the same way for words of the section
    `dictionary`, without those of the test.
    """

    of_pairs = "dictionaries"
    roles = ("test", "validation")

    dictionaries: str = dictionaries.FREEDICT
    """A path or an address of each pair, or freedict."""
    most_frequent: PositiveInt | None = None
    """Words of each vocabulary that count; null: all."""

    def tables(
        self,
        files: Mapping[Pair, Path],
        words: Mapping[str, Sequence[str]],
        tokens: Tokens = tokenise,
    ) -> dict[str, pd.DataFrame]:
        """Read the dictionaries that there are, with vocabularies, most frequent words first.

        `entries`: query and target (languages), word, translation of all entries that are used, in
        file order: once each, as words appear in bags, of which both sides are in the vocabularies.
        `coverage`: a row per directed pair with `DIRECTION`, how many entries there are and how
        many of the part are used, distinct words of the part and those of queries, the file's name.
        """
        known = {x: set(found[: self.most_frequent]) - {""} for x, found in words.items()}
        used, coverage = [], []
        for pair in permutations(sorted(words), 2):
            names = dict(zip(DIRECTION, pair, strict=True))
            inverted = self.invert and pair not in files and pair[::-1] in files
            path = files.get(pair[::-1] if inverted else pair)
            entries = pd.DataFrame(dictionaries.entries(path) if path else [], columns=SIDES)
            part = self._part(entries.astype(str))
            if inverted:
                part = part.set_axis(SIDES[::-1], axis=1)
            found = part
            for side, language in zip(SIDES, pair, strict=True):
                as_counted = [tokens.token(text, language) for text in found[side]]
                found = found.assign(**{side: as_counted})
                found = found[found[side].isin(known[language])]
            used.append(found[SIDES].drop_duplicates().assign(**names))
            counts = {"entries": len(entries), "used": len(used[-1])}
            counts |= {"words": part["word"].nunique(), "queries": found["word"].nunique()}
            coverage.append({**names, **counts, "file": path.name if path else ""})
        return {"entries": pd.concat(used, ignore_index=True), "coverage": pd.DataFrame(coverage)}

    def _part(self, entries: pd.DataFrame) -> pd.DataFrame:
        """The entries of the distinct words between `offset` and `limit`, in file order."""
        numbers = pd.factorize(entries["word"])[0]
        end = np.inf if self.limit is None else self.offset + self.limit
        return entries[(numbers >= self.offset) & (numbers < end)].reset_index(drop=True)

    def searches(self, data: Data, languages: Sequence[str], role: str) -> Iterator[Search]:
        """Yield every directed pair that a dictionary has queries for."""
        entries = data.tables["entries"]
        if role == "validation":  # those of the training dictionary that no test asks for
            keys = [*DIRECTION, "word"]
            asked, entries = entries.set_index(keys).index, data.tables[TRAINING]
            entries = entries[~entries.set_index(keys).index.isin(asked)]
        given = dict(list(entries.groupby(DIRECTION, sort=False)))
        pairs = [pair for pair in data.directions(languages) if pair in given]
        answers = {x: tuple(pd.Index(given[x][side]) for side in SIDES) for x in pairs}
        spaces = {x: _vocabulary(data, x, self.most_frequent) for x in languages}
        yield from searches_of(spaces, answers)  # a model may lack some words


def _vocabulary(data: Data, language: str, n: int | None) -> Texts:
    """Each word as a separate text."""
    words = data.bags[language].words["word"].to_numpy()
    rows = sparse.eye_array(len(words), dtype=np.int32, format="csr")[:n]
    return Texts(pd.DataFrame({"id": words[:n]}), sparse.csr_matrix(rows))
