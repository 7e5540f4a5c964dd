"""The artefact of a draw: who is a query, who a candidate; see `splits.draw`."""

from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

import pandas as pd

from cr5.base.artefacts import Artefact, making
from cr5.base.errors import UserError
from cr5.splits.options import Pair

KIND = "draws"
TABLES = ("queries", "candidates", "pairs")
NO_CONCEPTS = pd.Index([], dtype=str)


@dataclass(frozen=True)
class Draw:
    """The held-out concepts, the same for all settings of a corpus.

    Attributes:
        queries: concept, role (`test` or `validation`), first, second: the two languages of the
            pair, in alphabetical order.
        candidates: concept, language; the test documents included.
        pairs: first, second, concepts (that both have), test, validation (numbers of queries);
            a row per pair to be searched, even if it has no queries.
    """

    queries: pd.DataFrame
    candidates: pd.DataFrame
    pairs: pd.DataFrame

    def queries_of(self, pair: Pair, role: str) -> pd.Index:
        """Concepts that are queries of a pair, sorted; the two languages in any order.

        Raises:
            UserError: the draw does not include this pair.
        """
        first, second = sorted(pair)
        if (first, second) not in self._known_pairs:
            raise UserError(f"No queries were drawn for {first} and {second}; draw them again.")
        return self._by_pair.get((first, second, role), NO_CONCEPTS)

    def candidates_of(self, language: str) -> pd.Index:
        """Candidate concepts of a language, sorted."""
        return _sorted(self.candidates.loc[self.candidates["language"] == language, "concept"])

    def held_out(self, role: str | None = None) -> pd.Index:
        """Concepts that are queries of any pair, in one role or both."""
        if role is None:
            return _sorted(self.queries["concept"])
        return _sorted(self.queries.loc[self.queries["role"] == role, "concept"])

    def search_space(self, language: str, languages: Iterable[str], role: str) -> pd.Index:
        """Concepts whose documents are searched for the queries of a setting, sorted.

        Test queries search the candidates; validation queries search the candidates that are not
        test documents of any pair, and the validation documents of the setting.

        Args:
            language: of the documents.
            languages: searched together with it in the setting.
            role: of the queries.
        """
        space = self.candidates_of(language)
        if role == "test":
            return space
        space = space.difference(self.held_out("test"))
        for other in languages:
            if other != language:
                space = space.union(self.queries_of((language, other), role))
        return space.sort_values()

    @cached_property
    def _known_pairs(self) -> frozenset[Pair]:
        return frozenset(self.pairs[["first", "second"]].itertuples(index=False, name=None))

    @cached_property
    def _by_pair(self) -> dict[tuple[str, str, str], pd.Index]:
        groups = self.queries.groupby(["first", "second", "role"])["concept"]
        return {key: _sorted(found) for key, found in groups}

    def save(self, folder: str | Path) -> None:
        """Write the three tables; the folder appears when it is complete."""
        with making(folder, KIND) as part:
            for name in TABLES:
                getattr(self, name).to_parquet(part / f"{name}.parquet", index=False)

    @classmethod
    def load(cls, folder: str | Path) -> "Draw":
        """Read what `save` wrote.

        Raises:
            UserError: a file of it is missing or incomplete.
        """
        found = Artefact(folder, KIND)
        return cls(*(pd.read_parquet(found.file(f"{name}.parquet")) for name in TABLES))


def _sorted(concepts: pd.Series) -> pd.Index:
    return pd.Index(concepts.unique()).sort_values()
