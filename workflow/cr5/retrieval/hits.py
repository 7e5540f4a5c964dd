"""The nearest texts of an index, as it is when a search begins."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

import numpy as np
from scipy import sparse

from cr5.base.errors import UserError
from cr5.base.rows import Rows
from cr5.contracts.model import Words
from cr5.models.bank import neighbours
from cr5.retrieval.base_embedder import BaseEmbedder, Counts
from cr5.retrieval.scoring import Scoring, mean_of_nearest
from cr5.retrieval.texts import STRINGS, Texts
from cr5.search.nearest import best, mean_top_k
from cr5.search.word_matches import DEPTH, matches


class Hit(NamedTuple):
    """A text that was found; the higher its score, the nearer. Its title may be empty."""

    id: str
    language: str
    title: str
    score: float
    text: str
    measure: str  # by which the score is made, one of the model's
    correction: float  # what the correction of hubs adds to it; 0 for measures without


@dataclass(frozen=True)
class Queries:
    """Texts that are searched for, and how."""

    counts: Counts
    language: str
    scoring: Scoring
    k: int  # how many hits of each
    threads: int


@dataclass(frozen=True)
class Nearest:
    """The nearest texts of each query in one language, n x k or some more."""

    language: str
    scores: np.ndarray  # float64, -inf for none
    numbers: np.ndarray  # of the texts
    corrections: np.ndarray  # what the correction of hubs adds to the scores
    has_matches: np.ndarray  # whether matches of words are in the score, bool


@dataclass(frozen=True)
class Contents:
    """Texts by language, embedded by one model; never changed in place."""

    model: BaseEmbedder
    texts: Mapping[str, Texts]
    # r(y) of CSLS by target and query language, as it is needed
    _hubness: dict[tuple[str, str], np.ndarray] = field(default_factory=dict)

    def hits(self, queries: Queries, target_languages: Sequence[str]) -> list[list[Hit]]:
        """Return the k nearest texts of each query, best first, in some languages."""
        by_language = [self._nearest(queries, language) for language in target_languages]
        scores = np.hstack([nearest.scores for nearest in by_language])
        places = []
        for nearest in by_language:
            places += [(nearest, place) for place in range(nearest.scores.shape[1])]
        # in ties the earlier language comes first
        order = np.argsort(-scores, axis=1, kind="stable")[:, : queries.k]
        hits: list[list[Hit]] = []
        for query, numbers in enumerate(order):
            hits_of_query = []
            for number in numbers:
                if scores[query, number] > -np.inf:
                    nearest, place = places[number]
                    hits_of_query.append(self._hit(nearest, place, query, queries.scoring))
            hits.append(hits_of_query)
        return hits

    def _nearest(self, queries: Queries, target_language: str) -> Nearest:
        """Return the k nearest texts of a language, or some more of which the best are chosen."""
        model = self.model
        texts = self.texts[target_language].data
        scoring = queries.scoring
        measure = scoring.measure
        rows = model.model.embed(queries.counts, queries.language, target_language)
        n_kept = max(queries.k, DEPTH) if scoring.has_matches else queries.k
        penalty = texts.barred
        hubness = None
        if measure.is_csls:
            hubness = self._hubness_of(queries, target_language)
            penalty = hubness / 2 if penalty is None else penalty + hubness / 2
        scores, numbers = best(rows, texts.rows, n_kept, penalty, measure.kernel, queries.threads)
        corrections = np.zeros(scores.shape)
        if hubness is not None:
            r_x = self._mean_of_nearest(rows, queries, target_language)[:, None]
            scores = measure.score(scores, r_x)
            corrections = -r_x - hubness[numbers]
        has_matches = np.zeros(scores.shape, bool)
        if scoring.has_matches:
            has_matches[:, :DEPTH] = np.isfinite(scores[:, :DEPTH])
            query, place = np.nonzero(has_matches)
            gain = self._gain(queries, target_language, query, numbers[query, place])
            scores[query, place] += measure.score(gain, np.zeros(1))
        knows_query = model.knows(queries.counts, rows, queries.language, target_language)
        scores[~knows_query] = -np.inf
        return Nearest(target_language, scores, numbers, corrections, has_matches)

    def _mean_of_nearest(self, rows: Rows, queries: Queries, target_language: str) -> np.ndarray:
        """Return r(x) of CSLS by training documents, or else by the texts that are searched, (n,).

        By training documents a score depends on nothing but its two texts.
        """
        k = self.model.n_neighbours
        if {queries.language, target_language} <= set(self.model.trained_languages):
            of_training = neighbours(self.model.model, target_language)
            return mean_of_nearest(rows, of_training, k, None, queries.threads)
        texts = self.texts[target_language].data
        return mean_of_nearest(rows, texts.rows, k, texts.barred, queries.threads)

    def _hubness_of(self, queries: Queries, target_language: str) -> np.ndarray:
        """Return r(y) of CSLS by training documents, or else by texts in the queries' language."""
        texts = self.texts[target_language].data
        by_training = texts.hubness(queries.language)
        if by_training is not None:
            return by_training
        others = self.texts.get(queries.language)
        if others is None or not others.data.known.any():
            raise UserError(
                "csls corrects for texts that are near to all texts of the queries' language: add "
                f"texts in {queries.language!r} to the index, or search by cosine"
            )
        languages = target_language, queries.language
        if languages not in self._hubness:
            rows = others.data.rows[others.data.known]
            k = self.model.n_neighbours
            self._hubness[languages] = mean_top_k(texts.rows, rows, k, queries.threads)
        return self._hubness[languages]

    def _gain(
        self, queries: Queries, target_language: str, query: np.ndarray, number: np.ndarray
    ) -> np.ndarray:
        """Return what the matches of words add to the scores of queries and texts."""
        model = self.model.model
        query_words = model.matched(queries.counts, queries.language)
        n_columns = len(model.vocabulary(target_language))
        no_counts = sparse.csr_matrix((0, n_columns), dtype=query_words.weights.dtype)
        vectors = model.matched(no_counts, target_language).vectors
        candidates = Words(self.texts[target_language].data.words, vectors)
        return model.rerank * matches(query_words, candidates, query, number, queries.threads)

    def _hit(self, nearest: Nearest, place: int, query: int, scoring: Scoring) -> Hit:
        language = nearest.language
        number = nearest.numbers[query, place].item()
        table = self.texts[language].data.table
        text_id, title, text = (table[name][number].as_py() for name in STRINGS)
        if not nearest.has_matches[query, place]:
            scoring = scoring.without_matches()
        score = float(scoring.bounded(nearest.scores[query, place]))
        correction = nearest.corrections[query, place].item()
        return Hit(text_id, language, title, score, text, scoring.name, correction)
