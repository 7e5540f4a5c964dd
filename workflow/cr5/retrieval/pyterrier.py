"""A collection as a PyTerrier transformer: queries in, ranked documents out.

    index = cr5.Index(cr5.load("model"))
    index.add(ids, texts, "it")
    pt.Experiment([Retriever(index)], topics, qrels, ["ndcg_cut_10"])

Needs the package `pyterrier`, without its Java.
"""

import pandas as pd
import pyterrier as pt

from cr5.retrieval.language import by_language
from cr5.retrieval.searching import Collection, Hit

TYPES = {"qid": str, "docno": str, "score": float, "rank": int}


class Retriever(pt.Transformer):
    """Ranks the documents of a collection.

    Args:
        index: what is searched.
        language: of the queries; None guesses that of each.
        k: documents for each query.
        measure: as for `Collection.search`.
        to: likewise, languages to search.
    """

    def __init__(
        self,
        index: Collection,
        language: str | None = None,
        k: int = 1000,
        measure: str | None = None,
        to: str | list[str] | None = None,
    ) -> None:
        self.index, self.language = index, language
        self.k, self.measure, self.to = k, measure, to

    def transform(self, topics: pd.DataFrame) -> pd.DataFrame:
        """Add docno, score and rank, from 0; a row for each document of each query.

        Args:
            topics: with qid and query. Queries without a word that the model knows find nothing.
        """
        texts = topics["query"].tolist()
        model = self.index.model
        languages = model.languages_of(texts, self.language)
        rows = [
            (topics["qid"].iloc[query], str(hit.id), hit.score, rank)
            for language, numbers in by_language(languages)
            for query, hits in self._found([texts[x] for x in numbers], numbers, language)
            for rank, hit in enumerate(hits)
        ]
        found = pd.DataFrame(rows, columns=list(TYPES)).astype(TYPES)
        return topics.merge(found, on="qid")

    def _found(self, texts: list[str], numbers, language: str) -> list[tuple[int, list[Hit]]]:
        counts = self.index.model.count(texts, language).counts
        known = self.index.model.knows(counts, language)
        if not known.any():
            return []
        hits = self.index.search_counts(counts[known], language, self.k, self.measure, self.to)
        return list(zip(numbers[known], hits, strict=True))
