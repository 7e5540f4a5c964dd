"""Slow twins of rankings: all scores in float64 by the formulas, and all candidates sorted."""

from dataclasses import dataclass

import numpy as np
from scipy import sparse, special

from cr5.search import word_matches

BETA = 3.0  # of the inverted softmax; with 30 sums differ by less than float32 can tell


@dataclass(frozen=True)
class Search:
    """Rows of queries, candidates and neighbours, and queries x candidates, the grades."""

    queries: np.ndarray
    candidates: np.ndarray
    neighbours: np.ndarray
    relevance: sparse.csr_matrix

    def converted(self, convert):
        """The same with other rows; neighbours that are the queries stay these."""
        queries = convert(self.queries)
        neighbours = queries
        if self.neighbours is not self.queries:
            neighbours = convert(self.neighbours)
        return Search(queries, convert(self.candidates), neighbours, self.relevance)


def products(search, k):
    return search.queries @ search.candidates.T


def minus_differences(search, k):
    rows = [abs(query - search.candidates).sum(axis=1) for query in search.queries]
    return -np.array(rows)


def minus_divergences(search, k):
    scores = np.empty((len(search.queries), len(search.candidates)))
    for row, query in enumerate(search.queries):
        for column, candidate in enumerate(search.candidates):
            scores[row, column] = -shares_apart(query, candidate)
    return scores


def shares_apart(row, other_row):
    """The Jensen-Shannon divergence; of a row of zeros, the largest there is."""
    if not row.any() or not other_row.any():
        return np.log(2)
    shares = row / row.sum()
    other_shares = other_row / other_row.sum()
    mean_entropy = (entropy(shares) + entropy(other_shares)) / 2
    return entropy((shares + other_shares) / 2) - mean_entropy


def entropy(shares):
    return special.entr(shares).sum()


def logarithms_of_softmax(search, k):
    """Smith et al. (2017), Eq. 8, its logarithm divided by beta."""
    cosines_of_neighbours = search.neighbours @ search.candidates.T
    totals = np.exp(BETA * cosines_of_neighbours).sum(axis=0)
    shares = np.exp(BETA * products(search, k)) / totals
    return np.log(shares) / BETA


def corrected_by_ranks(search, k):
    """Dinu et al. (2015), Eq. 3: minus how many pivots are nearer to the candidate."""
    pivots = search.queries
    if search.neighbours is not search.queries:
        pivots = np.vstack([search.queries, search.neighbours])
    of_pivots = pivots @ search.candidates.T
    bars = products(search, k) + 1e-6
    is_nearer = of_pivots[:, None, :] > bars
    return products(search, k) - is_nearer.sum(axis=0)


def corrected_by_neighbours(search, k):
    """Conneau et al. (2018), Eq. 3."""
    cosines = products(search, k)
    cosines_of_neighbours = search.candidates @ search.neighbours.T
    of_query = top_means(cosines, k)
    of_candidate = top_means(cosines_of_neighbours, k)
    return 2 * cosines - of_query[:, None] - of_candidate


def top_means(rows, k):
    descending = -np.sort(-rows, axis=1)
    return descending[:, :k].mean(axis=1)


FORMULAS = {
    "cosine": products,
    "csls": corrected_by_neighbours,
    "inverted_softmax": logarithms_of_softmax,
    "globally_corrected": corrected_by_ranks,
    "dot": products,
    "l1": minus_differences,
    "jensen_shannon": minus_divergences,
}
TIMES = dict.fromkeys(FORMULAS, 1) | {"csls": 2}  # that the kernel counts


def in_float64(rows):
    return rows.astype(np.float64)


def score_table(search, name, k, gains):
    """Queries x candidates by the formula of a measure, in float64, and its second stage."""
    scores = FORMULAS[name](search.converted(in_float64), k)
    if gains is None:
        return scores
    first = np.argsort(-scores, axis=1)[:, : word_matches.DEPTH]
    is_first = np.zeros(scores.shape, bool)
    np.put_along_axis(is_first, first, True, axis=1)
    return np.where(is_first, scores + TIMES[name] * gains, scores)


def ranked_slowly(search, scores, tie):
    """Query, candidate, grade and rank of each answer, as cr5.search.ranking defines them."""
    all_grades = search.relevance.toarray()
    is_known = np.outer(search.queries.any(axis=1), search.candidates.any(axis=1))
    all_scores_of_answers = np.where(is_known, scores, -np.inf)
    answers = []
    for query, grades in enumerate(all_grades):
        ranks = ranks_of_query(scores[query], all_scores_of_answers[query], grades, tie)
        for candidate, rank in ranks.items():
            answers.append((query, candidate, grades[candidate], rank))
    return answers


def ranks_of_query(scores, scores_of_answers, grades, tie):
    """The rank of each answer of a query; scores of answers are -inf where one has no words."""
    keys = {}
    for answer in np.flatnonzero(grades):
        keys[answer] = (-scores_of_answers[answer], grades[answer], answer)
    scores_of_others = scores[grades == 0]
    ranks = {}
    for answer, key in keys.items():
        n_others = np.count_nonzero(scores_of_others >= scores_of_answers[answer] - tie)
        n_better = sum(other_key < key for other_key in keys.values())
        ranks[answer] = 1 + n_others + n_better
    return ranks


def nearest_slowly(search, scores, answers, n_listed):
    """Answers at their ranks, and the other candidates between them, the best first."""
    all_grades = search.relevance.toarray()
    n_listed = min(n_listed, scores.shape[1])
    nearest = []
    for query, grades in enumerate(all_grades):
        answer_at = {rank: answer for asked, answer, _, rank in answers if asked == query}
        by_score = np.argsort(-scores[query], kind="stable")
        others = iter(by_score[grades[by_score] == 0])
        listed = []
        for rank in range(1, n_listed + 1):
            if rank in answer_at:
                listed.append(answer_at[rank])
            else:
                listed.append(next(others))
        nearest.append(listed)
    return np.array(nearest)
