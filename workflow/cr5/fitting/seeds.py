"""Word pairs to learn mappings from, without any that a test asks for."""

from collections.abc import Iterable
from typing import TYPE_CHECKING

from cr5.contracts.seeds import Seeds

if TYPE_CHECKING:  # the plan imports this section, and should not wait for pandas
    import pandas as pd

Pair = tuple[str, str]
DIRECTION = ["query", "target"]
DICTIONARY = "dictionary"  # section of the configuration: the pairs to learn from


def seeds_of(dictionary: "pd.DataFrame | None", tested: "Iterable[pd.DataFrame]") -> Seeds:
    """Gather the pairs of a dictionary, and the words that tests ask for.

    Tables have the columns `query` and `target` (languages), `word` and `translation`.
    """
    asked: dict[Pair, frozenset[str]] = {}
    for table in tested:
        for direction, entries in table.groupby(DIRECTION):
            words = frozenset(entries["word"].str.lower())
            asked[direction] = asked.get(direction, frozenset()) | words
    pairs: dict[Pair, list[Pair]] = {}
    if dictionary is not None:
        for direction, entries in dictionary.groupby(DIRECTION):
            words_and_translations = entries[["word", "translation"]]
            pairs[direction] = list(words_and_translations.itertuples(index=False, name=None))
    return Seeds(pairs, asked)
