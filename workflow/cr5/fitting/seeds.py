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
    """Gather the entries (query, target, word, translation) of a dictionary and of tests."""
    asked: dict[Pair, frozenset[str]] = {}
    for entries in tested:
        for direction, of_direction in entries.groupby(DIRECTION):
            words = frozenset(of_direction["word"].str.lower())
            asked[direction] = asked.get(direction, frozenset()) | words
    pairs: dict[Pair, list[Pair]] = {}
    if dictionary is not None:
        for direction, of_direction in dictionary.groupby(DIRECTION):
            columns = of_direction[["word", "translation"]]
            pairs[direction] = list(columns.itertuples(index=False, name=None))
    return Seeds(pairs, asked)
