"""The nearest texts of an index, as it is when a search begins."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from heapq import nlargest
from operator import itemgetter
from typing import NamedTuple

import numpy as np
from scipy import sparse

from cr5.base.errors import UserError
from cr5.contracts.model import Words
from cr5.retrieval.embedder import Embedder
from cr5.retrieval.texts import CORES, STRINGS, Texts
from cr5.search.measures import Measure
from cr5.search.nearest import best, mean_top_k
from cr5.search.word_matches import DEPTH, matches


class Hit(NamedTuple):
    """A text that was found; the higher its score, the nearer. Its title may be empty."""

    id: str
    language: str
    title: str
    score: float
    text: str


@dataclass(frozen=True)
class Contents:
    """Texts by language, embedded by one model; never changed in place."""

    model: Embedder
    texts: Mapping[str, Texts]
    # r(y) of CSLS by target and query language, as it is needed
    _hubness: dict[tuple[str, str], np.ndarray] = field(default_factory=dict)

    def hits(
        self,
        counts: sparse.csr_matrix | np.ndarray,
        query_language: str,
        target_languages: list[str],
        measure: Measure,
        k: int,
    ) -> list[list[Hit]]:
        """Return the k nearest texts of each counted query, best first, in some languages."""
        of_queries = [[] for _ in range(counts.shape[0])]
        for target_language in target_languages:  # in ties the earlier language comes first
            nearest = self._nearest(counts, query_language, target_language, measure, k)
            for query, scores, numbers in zip(of_queries, *nearest, strict=True):
                for score, number in zip(scores.tolist(), numbers.tolist(), strict=True):
                    if score > -np.inf:
                        query.append((score, target_language, number))
        best_of_all = (nlargest(k, query, key=itemgetter(0)) for query in of_queries)
        return [[self._hit(*entry) for entry in entries] for entries in best_of_all]

    def _nearest(
        self,
        counts: sparse.csr_matrix | np.ndarray,
        query_language: str,
        target_language: str,
        measure: Measure,
        k: int,
    ) -> tuple[np.ndarray, np.ndarray]:
        """Return scores, -inf for none, and numbers of the k best texts, or of some more."""
        model = self.model
        texts = self.texts[target_language]
        queries = model.model.embed(counts, query_language, target_language)
        n_kept = max(k, DEPTH) if model.model.rerank else k
        penalty = texts.barred
        if measure.corrects_hubs:
            half = self._hubness_of(query_language, target_language) / 2
            penalty = half if penalty is None else penalty + half
        scores, numbers = best(queries, texts.rows, n_kept, penalty, measure.kernel, CORES)
        if measure.is_csls:
            scores = measure.score(scores, self._mean_of_nearest(queries, texts)[:, None])
        if model.model.rerank:
            query, place = np.nonzero(np.isfinite(scores[:, :DEPTH]))
            gain = self._gain(counts, query_language, target_language, query, numbers[query, place])
            scores[query, place] += measure.score(gain, 0)
        scores[~model.knows(counts, query_language, target_language)] = -np.inf
        return scores, numbers

    def _mean_of_nearest(self, queries: np.ndarray, texts: Texts) -> np.ndarray:
        """Return r(x) of CSLS, the mean cosine of each query with its nearest texts, (n,)."""
        cosines, _ = best(queries, texts.rows, self.model.neighbours, texts.barred, threads=CORES)
        return np.ma.masked_invalid(cosines).mean(axis=1).filled(0)

    def _hubness_of(self, query_language: str, target_language: str) -> np.ndarray:
        """Return r(y) of CSLS by training documents, or else by texts in the queries' language."""
        texts = self.texts[target_language]
        by_training = texts.hubness(query_language)
        if by_training is not None:
            return by_training
        others = self.texts.get(query_language)
        if others is None or not others.known.any():
            raise UserError(
                f"csls corrects for texts that are near to all texts of the queries' language: add "
                f"texts in {query_language!r} to the index, or search by cosine"
            )
        languages = target_language, query_language
        if languages not in self._hubness:
            neighbours = others.rows[others.known]
            hubness = mean_top_k(texts.rows, neighbours, self.model.neighbours, CORES)
            self._hubness[languages] = hubness
        return self._hubness[languages]

    def _gain(
        self,
        counts: sparse.csr_matrix,
        query_language: str,
        target_language: str,
        query: np.ndarray,
        number: np.ndarray,
    ) -> np.ndarray:
        """Return what the matches of words add to the scores of queries and texts."""
        model = self.model.model
        queries = model.matched(counts, query_language)
        n_columns = len(model.vocabulary(target_language))
        no_counts = sparse.csr_matrix((0, n_columns), dtype=queries.weights.dtype)
        vectors = model.matched(no_counts, target_language).vectors
        candidates = Words(self.texts[target_language].words, vectors)
        return model.rerank * matches(queries, candidates, query, number, CORES)

    def _hit(self, score: float, language: str, number: int) -> Hit:
        table = self.texts[language].table
        text_id, title, text = (table[name][number].as_py() for name in STRINGS)
        return Hit(text_id, language, title, score, text)
