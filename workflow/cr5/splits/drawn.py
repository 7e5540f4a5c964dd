"""The artefact of a draw: who is a query, who a candidate; see `splits.draw`."""

from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

import pandas as pd

from cr5.base.artefacts import Artefact, making
from cr5.splits.options import Pair, Sizes

KIND = "draws"
TABLES = ("queries", "candidates", "pairs")
ROLES = ("test", "validation")


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
        """Concepts that are queries of a pair, in any order of its languages, sorted."""
        return self._by_pair[(*sorted(pair), role)]

    def candidates_of(self, language: str) -> pd.Index:
        """Candidate concepts of a language, sorted."""
        return _sorted(self.candidates.loc[self.candidates["language"] == language, "concept"])

    def held_out(self, role: str | None = None) -> pd.Index:
        """Concepts that are queries of any pair, in one role or both."""
        queries = self.queries
        return _sorted(
            queries["concept"] if role is None else queries["concept"][queries["role"] == role]
        )

    def search_space(self, language: str, languages: Iterable[str], role: str) -> pd.Index:
        """Concepts whose documents are searched for the queries of a setting, sorted.

        Test queries search the candidates; validation queries search the candidates that are not
        test documents of any pair, and the validation documents of the setting's `languages`.
        """
        space = self.candidates_of(language)
        if role == "test":
            return space
        space = space.difference(self.held_out("test"))
        for other in languages:
            if other != language:
                space = space.union(self.queries_of((language, other), role))
        return space.sort_values()

    def lacking(self, pairs: Iterable[Pair], sizes: Sizes) -> str:
        """Say why none of some pairs has both test and validation queries, and what to do.

        Empty if a pair has them. A role with a share of 0, which draws none on purpose, needs none.
        """
        names = [tuple(sorted(pair)) for pair in pairs]
        rows = self.pairs.set_index(["first", "second"]).loc[names]
        wanted = [role for role in ROLES if sizes.max_share[role]]
        if (rows[wanted] > 0).all(axis=1).any():
            return ""
        counts = ", ".join(f"{a}-{b} {n}" for (a, b), n in rows["concepts"].items())
        return (
            f"no test or validation query can be drawn. Concepts that pairs share: {counts}; of "
            f"these at most splits.max_share ({dict(sizes.max_share)}) are drawn: bring more "
            "documents that languages share, or change splits or bags.unique_words"
        )

    @cached_property
    def _by_pair(self) -> dict[tuple[str, str, str], pd.Index]:
        names = self.pairs[["first", "second"]].itertuples(index=False, name=None)
        nothing = {(*pair, role): pd.Index([], dtype=str) for pair in names for role in ROLES}
        groups = self.queries.groupby(["first", "second", "role"])["concept"]
        return nothing | {key: _sorted(found) for key, found in groups}

    def save(self, folder: str | Path) -> None:
        """Write the three tables; the folder appears when it is complete."""
        with making(folder, KIND) as part:
            for name in TABLES:
                getattr(self, name).to_parquet(part / f"{name}.parquet", index=False)

    @classmethod
    def load(cls, folder: str | Path) -> "Draw":
        """Read what `save` wrote."""
        found = Artefact(folder, KIND)
        return cls(*(pd.read_parquet(found.file(f"{name}.parquet")) for name in TABLES))


def _sorted(concepts: pd.Series) -> pd.Index:
    return pd.Index(concepts.unique()).sort_values()
