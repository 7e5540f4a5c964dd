"""Words: given a word in one language, find its translations among all words of another."""

from collections.abc import Iterator, Mapping, Sequence
from itertools import chain, permutations
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
from pydantic import NonNegativeInt, PositiveInt
from scipy import sparse

from cr5.base.errors import LeftOutError, UserError
from cr5.base.files import sha256
from cr5.base.parts import Task
from cr5.counts.tokens import Tokens, tokenise
from cr5.tasks.base import Data, Search, Texts
from cr5.texts import dictionaries

TRAINING = "dictionary"  # the section of the configuration, and the table of its entries

DIRECTION = ["query", "target"]
WHY_NOT = ["other_part", "no_word", "twice", "query_unknown", "answer_unknown"]
COUNTS = ["entries", *WHY_NOT, "used", "words", "queries"]
"""Entries, a word and one translation each; unused entries, by the first reason that applies:

    other_part       before `offset` or beyond `limit`
    no_word          one of the two is more than one word
    twice            a repeat of an earlier entry, as words appear in bags
    query_unknown    the word is not in the vocabulary of its language
    answer_unknown   the translation is not in the vocabulary of the other language

entries used; distinct words of the part; and how many are queries.
"""

TURNED = {"word": "translation", "translation": "word"}
FEW = 5  # entries that may fit the swapped direction by chance, such as names
Pair = tuple[str, str]


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
        """Read the dictionaries of all directed pairs.

        Args:
            files: those that exist, by source and target language.
            words: the vocabulary of each language, most frequent first.
            tokens: how texts became these words; a side of an entry is a token already.

        Returns:
            `entries`: query and target (languages), word, translation of all entries used, in file
            order. `coverage`: a row per directed pair with `DIRECTION`, `COUNTS`, inverted, and
            name, bytes and sha256 of the file, missing if there is no file.

        Raises:
            UserError: a dictionary is damaged, or is for other languages.
        """
        known = {x: set(found[: self.most_frequent]) for x, found in words.items()}
        used, coverage = [], []
        for pair in permutations(sorted(words), 2):
            names = dict(zip(DIRECTION, pair, strict=True))
            source = _source(files, pair, self.invert)
            entries, part = _entries(files.get(source), self.offset, self.limit)
            part = part if source == pair else part.rename(columns=TURNED)
            judged = _judged(part, pair, known, tokens)
            counts = {**_counted(judged), "entries": entries, "other_part": entries - len(part)}
            about = {"inverted": source == pair[::-1], **_about(files.get(source))}
            coverage.append({**names, **counts, **about})
            used.append(
                judged.loc[judged["why_not"] == "", ["word", "translation"]].assign(**names)
            )
        columns = [*DIRECTION, *COUNTS, "inverted", "file", "bytes", "sha256"]
        return {
            "entries": pd.concat(used, ignore_index=True),
            "coverage": pd.DataFrame(coverage)[columns].astype({"bytes": "Int64"}),
        }

    def searches(
        self, data: Data, languages: Sequence[str], role: str = "test"
    ) -> Iterator[Search]:
        """Yield every directed pair that a dictionary has queries for.

        Args:
            data: with the tables that `tables` made; for validation also the entries of the section
                `dictionary`, under that name.
            languages: of the setting.
            role: `test` or `validation`.

        Raises:
            LeftOutError: there is no such pair.
        """
        entries = data.tables["entries"] if role == "test" else _to_validate_by(data.tables)
        given = dict(list(entries.groupby(DIRECTION, sort=False)))
        pairs = [pair for pair in data.directions(languages) if pair in given]
        spaces = {x: _vocabulary(data, x, self.most_frequent) for x in sorted(set(chain(*pairs)))}
        found = {pair: _known(given[pair], *(spaces[x].ids for x in pair)) for pair in pairs}
        if not any(map(len, found.values())):
            raise LeftOutError(
                f"no dictionary between {', '.join(languages)} has an entry whose words are in "
                "both vocabularies"
            )
        for (query, target), entries in found.items():
            if entries.empty:
                continue
            candidates = spaces[target]
            numbers, words = pd.factorize(entries["word"])
            columns = candidates.ids.get_indexer(entries["translation"])
            shape = (len(words), len(candidates.ids))
            relevance = sparse.csr_matrix(
                (np.ones(len(columns), np.int8), (numbers, columns)), shape
            )
            queries = spaces[query].select(pd.Index(words))
            yield Search(query, target, queries, candidates, relevance, spaces[query])


def _to_validate_by(tables: Mapping[str, pd.DataFrame]) -> pd.DataFrame:
    """Entries of the training dictionary whose words no test asks for in that direction."""
    asked = tables["entries"].set_index([*DIRECTION, "word"]).index
    training = tables[TRAINING]
    return training[~training.set_index([*DIRECTION, "word"]).index.isin(asked)]


def _vocabulary(data: Data, language: str, n: int | None) -> Texts:
    """Each word as a separate text."""
    words = data.bags[language].words["word"].to_numpy()
    rows = sparse.eye_array(len(words), dtype=np.int32, format="csr")[:n]
    return Texts(pd.Index(words[:n]), sparse.csr_matrix(rows))


def _known(entries: pd.DataFrame, words: pd.Index, translations: pd.Index) -> pd.DataFrame:
    """Entries that a model has both words of: its training documents may lack some."""
    return entries[entries["word"].isin(words) & entries["translation"].isin(translations)]


def _source(files: Mapping[Pair, Path], pair: Pair, invert: bool) -> Pair | None:
    """The pair whose file is read for a pair: its own, or if asked for the reverse direction's."""
    return next((each for each in [pair, pair[::-1]][: 1 + invert] if each in files), None)


def _entries(path: Path | None, offset: int, limit: int | None) -> tuple[int, pd.DataFrame]:
    """The number of entries, and those of the part, unchanged; the part counts distinct words."""
    found = dictionaries.entries(path) if path else []
    frame = pd.DataFrame(found, columns=["word", "translation"], dtype=str)
    numbers = pd.factorize(frame["word"])[0]  # in file order
    is_part = (numbers >= offset) & (numbers < (np.inf if limit is None else offset + limit))
    return len(frame), frame[is_part].reset_index(drop=True)


def _judged(
    part: pd.DataFrame, pair: Pair, known: Mapping[str, set[str]], tokens: Tokens
) -> pd.DataFrame:
    """Words as they appear in bags, and why each entry is not used; empty if it is used."""
    sides = zip(["word", "translation"], pair, strict=True)
    judged = pd.DataFrame({x: [tokens.token(text, y) for text in part[x]] for x, y in sides})
    _check_direction(judged, pair, known)
    reasons = {
        "no_word": (judged == "").any(axis=1),
        "twice": judged.duplicated(),
        "query_unknown": ~judged["word"].isin(known[pair[0]]),
        "answer_unknown": ~judged["translation"].isin(known[pair[1]]),
    }
    why_not = np.select([x.to_numpy(bool) for x in reasons.values()], list(reasons), "")
    return judged.assign(why_not=why_not, text=part["word"])


def _check_direction(judged: pd.DataFrame, pair: Pair, known: Mapping[str, set[str]]) -> None:
    """Refuse a dictionary whose two sides are swapped."""
    words, translations = judged["word"], judged["translation"]
    right = (words.isin(known[pair[0]]) & translations.isin(known[pair[1]])).sum()
    turned = (words.isin(known[pair[1]]) & translations.isin(known[pair[0]])).sum()
    if turned > 2 * max(right, FEW):
        raise UserError(
            f"the dictionary from {pair[0]!r} to {pair[1]!r}: {right} of its {len(judged)} entries "
            f"have both words in the vocabularies, but {turned} have them if word and translation "
            "change places; rename the file, it is of the other direction"
        )


def _counted(judged: pd.DataFrame) -> dict[str, int]:
    counts = judged["why_not"].value_counts()
    return {
        **{name: int(counts.get(name, 0)) for name in WHY_NOT},
        "used": int(counts.get("", 0)),
        "words": judged["text"].nunique(),
        "queries": judged.loc[judged["why_not"] == "", "word"].nunique(),
    }


def _about(path: Path | None) -> dict[str, Any]:
    if path is None:
        return {"file": "", "bytes": None, "sha256": ""}
    return {"file": path.name, "bytes": path.stat().st_size, "sha256": sha256(path)}
