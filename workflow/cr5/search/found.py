"""What ranks are written from; apart from the search, on which reading them does not rest."""

from dataclasses import dataclass

import pandas as pd


@dataclass(frozen=True)
class Found:
    """What one search found by one measure.

    Attributes:
        query, target: languages.
        similarity: the measure's name.
        answers: query, candidate (ids), grade, rank, score; a row per answer, in the order of the
            queries; a query without any answer found has none.
        queries: query, n_relevant, n_candidates, depth (Int64, missing for none), nearest (ids,
            best first); a row per query.
    """

    query: str
    target: str
    similarity: str
    answers: pd.DataFrame
    queries: pd.DataFrame

    def summary(self) -> str:
        """Say in a few words how well it went, for a log."""
        hits = self.answers.loc[self.answers["rank"] == 1, "query"].nunique()
        return f"{self.query}-{self.target} {self.similarity}: P@1 {hits / len(self.queries):.3f}"
