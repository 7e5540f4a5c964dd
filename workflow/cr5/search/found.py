"""Search results that ranks are written from; separate, so that reading ranks needs no search."""

from dataclasses import dataclass

import pandas as pd


@dataclass(frozen=True)
class Found:
    """Results of one search by one measure.

    Attributes:
        query, target: languages.
        similarity: the measure's name.
        answers: query, candidate (ids), grade, rank, score; a row per answer found, in the order of
            the queries.
        queries: query, n_relevant, n_candidates, depth (Int64, missing if unbounded), nearest (ids,
            best first); a row per query.
    """

    query: str
    target: str
    similarity: str
    answers: pd.DataFrame
    queries: pd.DataFrame

    def summary(self) -> str:
        """Summarise the result in a few words, for a log."""
        hits = self.answers.loc[self.answers["rank"] == 1, "query"].nunique()
        share = hits / len(self.queries)
        return f"{self.query}-{self.target} {self.similarity}: Success@1 {share:.3f}"
