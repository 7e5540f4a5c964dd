"""Words: given a word in one language, find its translations among all words of another."""

import logging
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import permutations
from pathlib import Path

import numpy as np
import pandas as pd
from pydantic import PositiveInt
from scipy import sparse

from cr5.contracts.keys import PathText
from cr5.contracts.task import Task
from cr5.counts.tokens import Tokens, tokenise
from cr5.splits.options import Pair
from cr5.tasks.base import AnswerIds, Data, Search, Texts, searches_of
from cr5.texts import dictionaries

log = logging.getLogger(__name__)

TRAINING = "dictionary"  # the section of the configuration, and the table of its entries
DIRECTION = ["query", "target"]
SIDES = ["word", "translation"]
NONE_KNOWN = "; are they of other languages, of the other direction, or written in another way?"


@dataclass(frozen=True)
class Entries:
    """The dictionary of one direction: the name of its file, how many entries it has, its part."""

    file: str  # empty if there is none
    n_read: int
    part: pd.DataFrame  # SIDES, as they are written


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

    dictionaries: PathText = dictionaries.FREEDICT
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
        known = {}
        for language, vocabulary in words.items():
            known[language] = set(vocabulary[: self.most_frequent]) - {""}
        all_used = []
        coverage = []
        for pair in permutations(sorted(words), 2):
            entries = self._entries(pair, files)
            counted = _as_counted(entries.part, pair, known, tokens)
            _tell_known(entries, len(counted), pair)
            direction = dict(zip(DIRECTION, pair, strict=True))
            used = counted[SIDES].drop_duplicates()
            all_used.append(used.assign(**direction))
            coverage.append(
                {
                    **direction,
                    "entries": entries.n_read,
                    "used": len(used),
                    "words": entries.part["word"].nunique(),
                    "queries": counted["word"].nunique(),
                    "file": entries.file,
                }
            )
        return {
            "entries": pd.concat(all_used, ignore_index=True),
            "coverage": pd.DataFrame(coverage),
        }

    def _entries(self, pair: Pair, files: Mapping[Pair, Path]) -> Entries:
        """Read the dictionary of a direction, or invert that of the other one if it may be."""
        query_language, target_language = pair
        opposite = (target_language, query_language)
        is_inverted = self.invert and pair not in files and opposite in files
        pair_of_file = opposite if is_inverted else pair
        path = files.get(pair_of_file)
        if path is None:
            return Entries("", 0, _table_of_entries([]))
        entries = _table_of_entries(dictionaries.entries(path, pair_of_file))
        part = self._part(entries)
        if is_inverted:
            part = part.set_axis(SIDES[::-1], axis=1)
        return Entries(path.name, len(entries), part)

    def _part(self, entries: pd.DataFrame) -> pd.DataFrame:
        """Return the entries of `limit` distinct words behind the first `offset`, in file order."""
        numbers, _ = pd.factorize(entries["word"])
        is_in_part = numbers >= self.offset
        if self.limit is not None:
            is_in_part &= numbers < self.offset + self.limit
        return entries[is_in_part].reset_index(drop=True)

    def searches(self, data: Data, languages: Sequence[str], role: str) -> Iterator[Search]:
        """Yield every directed pair that a dictionary has queries for."""
        entries = data.tables["entries"]
        if role == "validation":
            entries = _without(data.tables[TRAINING], entries)
        by_direction = dict(list(entries.groupby(DIRECTION, sort=False)))
        answers = {}
        for direction in data.directions(languages):
            if direction in by_direction:
                asked = by_direction[direction]
                words = pd.Index(asked["word"])
                translations = pd.Index(asked["translation"])
                answers[direction] = AnswerIds(words, translations)
        spaces = {}
        for language in languages:
            spaces[language] = _vocabulary(data, language, self.most_frequent)
        yield from searches_of(spaces, answers)  # a model may lack some words


def _table_of_entries(entries: Iterable[tuple[str, str]]) -> pd.DataFrame:
    return pd.DataFrame(entries, columns=SIDES).astype(str)


def _as_counted(
    entries: pd.DataFrame, pair: Pair, known: Mapping[str, Collection[str]], tokens: Tokens
) -> pd.DataFrame:
    """Write both sides of entries as words are counted, and keep those of which both are known."""
    for side, language in zip(SIDES, pair, strict=True):
        counted = [tokens.token(text, language) for text in entries[side]]
        entries = entries.assign(**{side: counted})
        is_known = entries[side].isin(known[language])
        entries = entries[is_known]
    return entries


def _tell_known(entries: Entries, n_known: int, pair: Pair) -> None:
    """Tell how many entries of a part have both words in the vocabularies; warn if none has."""
    n_entries = len(entries.part)
    if not n_entries:
        return
    query_language, target_language = pair
    level = logging.INFO
    message = "%s: %d of %d entries have both words in the vocabularies of %r and %r"
    if not n_known:
        level = logging.WARNING
        message += NONE_KNOWN
    log.log(level, message, entries.file, n_known, n_entries, query_language, target_language)


def _without(entries: pd.DataFrame, tested: pd.DataFrame) -> pd.DataFrame:
    """Return the entries of a dictionary for whose words no test asks, in the same direction."""
    columns = [*DIRECTION, "word"]
    tested_words = tested.set_index(columns).index
    words = entries.set_index(columns).index
    return entries[~words.isin(tested_words)]


def _vocabulary(data: Data, language: str, n_words: int | None) -> Texts:
    """Return each of the most frequent words as a text of its own; None for all."""
    words = data.bags[language].words["word"].to_numpy()
    counts = sparse.eye_array(len(words), dtype=np.int32, format="csr")
    ids = pd.DataFrame({"id": words[:n_words]})
    return Texts(ids, sparse.csr_matrix(counts[:n_words]))
