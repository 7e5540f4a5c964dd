"""A slow twin of rankings: all scores in float64 by the formulas, all candidates sorted."""

import numpy as np
from scipy import sparse, special

from cr5.base.rows import HybridRows, normalised
from cr5.search.measures import MEASURES
from cr5.search.options import NEAREST
from cr5.search.ranking import rankings


def rows(n, d, seed, norm="l2"):
    generator = np.random.default_rng(seed)
    found = generator.random((n, d)) if norm == "l1" else generator.normal(size=(n, d))
    return normalised(found.astype(np.float32), norm)


def joined(rows):
    """The same rows, a part of them dense and a part sparse."""
    return HybridRows(rows[:, :2], sparse.csr_matrix(rows[:, 2:]))


BETA = 3.0  # of the inverted softmax; with 30 sums differ by less than float32 can tell
KINDS = [np.asarray, sparse.csr_matrix, joined]


def coarse(n, seed, norm="l2"):
    """Rows that repeat, with numbers whose sums are exact: ties are ties and nothing else is."""
    generator = np.random.default_rng(seed)
    if norm == "l1":
        return (generator.multinomial(4, [0.25] * 4, n) / 4).astype(np.float32)
    return (generator.choice([-0.5, 0.5], (n, 4))).astype(np.float32)


def one_each(n, m, seed):
    columns = np.random.default_rng(seed).permutation(m)[:n]
    return sparse.csr_matrix((np.ones(n, np.int8), (np.arange(n), columns)), (n, m))


def graded(n, m, seed, share=0.1):
    """Several answers of grades 1 to 3; the first query has none, the second only answers."""
    generator = np.random.default_rng(seed)
    grades = generator.integers(1, 4, (n, m)) * (generator.random((n, m)) < share)
    grades[0] = 0
    grades[1] = generator.integers(1, 4, m)
    return sparse.csr_matrix(grades)


def nothing(n, m, seed):
    return sparse.csr_matrix((n, m), dtype=np.int8)


def chosen(*names):
    return [MEASURES[name] for name in names]


def top_mean(values, k):
    return float(np.mean(sorted(values, reverse=True)[:k]))


def shares_apart(p, q):
    """The Jensen-Shannon divergence; of a row of zeros, the largest there is."""
    if not (p.any() and q.any()):
        return np.log(2)
    p, q = p / p.sum(), q / q.sum()
    entropies = [special.entr(x).sum() for x in ((p + q) / 2, p, q)]
    return entropies[0] - (entropies[1] + entropies[2]) / 2


def score_table(Q, C, N, name, k):
    """Queries x candidates by the formula of a measure, in float64."""
    Q, C, N = (each.astype(np.float64) for each in (Q, C, N))
    if name == "l1":
        return np.array([[-abs(q - c).sum() for c in C] for q in Q])
    if name == "jensen_shannon":
        return np.array([[-shares_apart(q, c) for c in C] for q in Q])
    products = Q @ C.T
    if name == "inverted_softmax":  # Smith et al. (2017), Eq. 8, its logarithm by beta
        shares = np.exp(BETA * products) / np.exp(BETA * (N @ C.T)).sum(axis=0)
        return np.log(shares) / BETA
    if name == "globally_corrected":  # Dinu et al. (2015), Eq. 3
        pivots = np.vstack([Q, N]) @ C.T
        nearer = (pivots[:, None, :] > products + 1e-6).sum(axis=0)
        return products - nearer
    if name != "csls":
        return products
    of_query = np.array([top_mean(row, k) for row in products])
    of_candidate = np.array([top_mean(row, k) for row in C @ N.T])
    return 2 * products - of_query[:, None] - of_candidate


def ranked_slowly(scores, grades, known, depth, tie):
    """(query, candidate, grade, rank), and the order of the candidates, by the docstring.

    Args:
        scores: queries x candidates.
        grades: likewise; 0 for non-answers.
        known: likewise; False where one of the two is a row of zeros.
        depth, tie: see `rankings`.
    """
    found, nearest = [], []
    for q, row in enumerate(scores):
        order = sorted(range(len(row)), key=lambda j: (-row[j], j))
        nearest.append(order[:NEAREST])
        answers = [j for j in range(len(row)) if grades[q, j]]
        if depth is not None:
            answers = [j for j in answers if j in order[:depth]]
        for a in answers:
            own = {b: row[b] if known[q, b] else -np.inf for b in answers}
            others = [j for j in range(len(row)) if not grades[q, j] and row[j] >= own[a] - tie]
            key = -own[a], grades[q, a], a
            better = [b for b in answers if (-own[b], grades[q, b], b) < key]
            rank = 1 + len(others) + len(better)
            if depth is None or rank <= depth:
                found.append((q, a, grades[q, a], rank))
    return found, nearest


def run_slowly(scores, grades, ranked, depth):
    """Relevant documents at their ranks, the others between them in the order of their scores."""
    found = []
    for q, row in enumerate(scores):
        places = {rank: a for query, a, _, rank in ranked if query == q}
        others = iter(
            sorted((j for j in range(len(row)) if not grades[q, j]), key=lambda j: (-row[j], j))
        )
        for rank in range(1, min(depth, len(row)) + 1):
            candidate = places[rank] if rank in places else next(others, None)
            if candidate is not None:
                found.append((q, candidate, rank))
    return found


def compare(Q, C, N, relevance, names, k=3, depth=None, threads=1, kind=np.asarray, run_depth=5):
    """Every measure, and the order that its ranks say, against the slow twins."""
    queries = kind(Q)
    neighbours = queries if N is Q else kind(N)
    given = queries, kind(C), relevance, chosen(*names), neighbours, k, depth, threads, BETA
    results = rankings(*given, run_depth)
    assert [each.measure for each in results] == list(names)
    grades, known = relevance.toarray(), np.outer(Q.any(axis=1), C.any(axis=1))
    for result in results:
        scores = score_table(Q, C, N, result.measure, k)
        tie = MEASURES[result.measure].tie(Q, C) * (2 if result.measure == "csls" else 1)
        # float64 of both sides differs in the last digits: what is equal must be equal
        expected, nearest = ranked_slowly(scores.round(9), grades, known, depth, tie)
        answers = result.answers
        parts = (answers.query, answers.candidate, answers.grade, result.rank)
        assert list(zip(*parts, strict=True)) == expected
        own = scores[answers.query, answers.candidate]
        np.testing.assert_allclose(result.score, own, rtol=2e-6, atol=2e-6)
        assert result.nearest.tolist() == nearest
        assert answers.n_queries == len(Q)
        query, candidate, rank, score = result.run()
        wanted = run_slowly(scores.round(9), grades, expected, min(run_depth, depth or run_depth))
        assert list(zip(query, candidate, rank, strict=True)) == wanted
        np.testing.assert_allclose(score, scores[query, candidate], rtol=2e-6, atol=2e-6)
