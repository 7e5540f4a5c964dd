"""Words: given a word in one language, find its translations among all words of another."""

from collections.abc import Iterator, Mapping, Sequence
from itertools import chain, permutations
from pathlib import Path

import numpy as np
import pandas as pd
from pydantic import NonNegativeInt, PositiveInt
from scipy import sparse

from cr5.base.parts import Task
from cr5.counts.tokens import Tokens, tokenise
from cr5.splits.options import Pair
from cr5.tasks.base import Data, Search, Texts, relevance_of
from cr5.texts import dictionaries

TRAINING = "dictionary"  # the section of the configuration, and the table of its entries
DIRECTION = ["query", "target"]
WHY_NOT = [  # an entry, a word and one translation, is not used, by the first that applies
    "other_part",  # before `offset` or beyond `limit`
    "no_word",  # one of the two is more than one word
    "twice",  # as an earlier entry, as words appear in bags
    "query_unknown",  # the word is not in the vocabulary of its language
    "answer_unknown",
]
SIDES = ["word", "translation"]


class LexiconInduction(Task):
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

    dictionaries: str = "freedict"
    """A path or an address of each pair, or freedict."""
    invert: bool = False
    """Whether the dictionary of the other direction is turned round."""
    offset: NonNegativeInt = 0
    """Different words at the beginning of each that are passed over."""
    limit: PositiveInt | None = None
    """Different words behind these that are used; null: all."""
    most_frequent: PositiveInt | None = None
    """Words of each vocabulary that count; null: all."""

    def tables(
        self,
        files: Mapping[Pair, Path],
        words: Mapping[str, Sequence[str]],
        tokens: Tokens = tokenise,
    ) -> dict[str, pd.DataFrame]:
        """Read the dictionaries that there are, with vocabularies, most frequent words first.

        `entries`: query and target (languages), word, translation of all entries used, in file
        order. `coverage`: a row per directed pair with `DIRECTION`, how many entries there are,
        are not used and are, distinct words of the part and queries, inverted, the file's name.
        """
        known = {x: set(found[: self.most_frequent]) for x, found in words.items()}
        used, coverage = [], []
        for pair in permutations(sorted(words), 2):
            names = dict(zip(DIRECTION, pair, strict=True))
            inverted = self.invert and pair not in files and pair[::-1] in files
            path = files.get(pair[::-1] if inverted else pair)
            entries = pd.DataFrame(dictionaries.entries(path) if path else [], columns=SIDES)
            part = self._part(entries.astype(str))
            if inverted:
                part = part.set_axis(SIDES[::-1], axis=1)
            judged = _judged(part, pair, known, tokens)
            used.append(judged.loc[judged["why_not"] == "", SIDES].assign(**names))
            counts = judged["why_not"].value_counts().reindex(WHY_NOT, fill_value=0).to_dict()
            counts |= {"other_part": len(entries) - len(part), "used": len(used[-1])}
            counts |= {"words": part["word"].nunique(), "queries": used[-1]["word"].nunique()}
            about = {"inverted": inverted, "file": path.name if path else ""}
            coverage.append({**names, "entries": len(entries), **counts, **about})
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
        spaces = {x: _vocabulary(data, x, self.most_frequent) for x in {*chain(*pairs)}}
        for query, target in pairs:
            queries, candidates = spaces[query], spaces[target]
            asked, found = (given[query, target][x] for x in SIDES)
            known = asked.isin(queries.ids) & found.isin(candidates.ids)  # a model may lack some
            words = pd.Index(asked[known].unique())
            if len(words):
                relevance = relevance_of(words, candidates.ids, asked, found)
                yield Search(query, target, queries.select(words), candidates, relevance, queries)


def _vocabulary(data: Data, language: str, n: int | None) -> Texts:
    """Each word as a separate text."""
    words = data.bags[language].words["word"].to_numpy()
    rows = sparse.eye_array(len(words), dtype=np.int32, format="csr")[:n]
    return Texts(pd.DataFrame({"id": words[:n]}), sparse.csr_matrix(rows))


def _judged(
    part: pd.DataFrame, pair: Pair, known: Mapping[str, set[str]], tokens: Tokens
) -> pd.DataFrame:
    """Words as they appear in bags, and why each entry is not used; empty if it is used."""
    sides = zip(SIDES, pair, strict=True)
    judged = pd.DataFrame({x: [tokens.token(text, y) for text in part[x]] for x, y in sides})
    unknown = [~judged[x].isin(known[y]) for x, y in zip(SIDES, pair, strict=True)]
    reasons = [(judged == "").any(axis=1), judged.duplicated(), *unknown]
    why_not = np.select([x.to_numpy(bool) for x in reasons], WHY_NOT[1:], "")
    return judged.assign(why_not=why_not)
