"""What every measure keeps: it ranks as a slow twin does; a broken one fails.

The twin computes all scores in float64 by the formulas and sorts all candidates.
"""

import numpy as np
import pytest
from scipy import sparse, special

from cr5.base.errors import UserError
from cr5.base.rows import HybridRows, normalised
from cr5.search import kernels, ranking, word_matches
from cr5.search.measures import MEASURES
from cr5.search.options import NEAREST, SearchOptions

L2, L1 = ("cosine", "csls", "inverted_softmax", "globally_corrected", "dot"), ("l1", "dot")
SINGLE = [(name,) for name in MEASURES]
KINDS = [np.asarray, sparse.csr_matrix, lambda x: HybridRows(x[:, :2], sparse.csr_matrix(x[:, 2:]))]
BETA = 3.0  # of the inverted softmax; with 30 sums differ by less than float32 can tell


def norm_of(names):
    return "l1" if {"l1", "jensen_shannon"} & {*names} else "l2"


def unit(rows, norm="l2"):
    return normalised(rows.astype(np.float32), norm)


def orders(Q, C, N, relevance, names, threads=1, gain=None, **how):
    """Rankings by the measures' names."""
    measures = [MEASURES[name] for name in names]
    options = SearchOptions(**how)
    rankings = ranking.rankings(Q, C, relevance, measures, N, options, threads, gain)
    return {result.measure: result for result in rankings}


def answers_of(result):
    """Query, candidate, grade and rank of each answer."""
    parts = result.answers.query, result.answers.candidate, result.answers.grade, result.rank
    return list(zip(*parts, strict=True))


def bytes_of(result):
    arrays = result.rank, result.score, result.nearest, result.nearest_scores
    return b"".join(array.tobytes() for array in arrays)


def drawn(n, d, seed, norm="l2"):
    generator = np.random.default_rng(seed)
    return unit(generator.random((n, d)) if norm == "l1" else generator.normal(size=(n, d)), norm)


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
    """Several answers of grades 1 to 3, in no order; the first query has none, the second all."""
    generator = np.random.default_rng(seed)
    grades = generator.integers(1, 4, (n, m)) * (generator.random((n, m)) < share)
    grades[0] = 0
    grades[1] = generator.integers(1, 4, m)
    relevance = sparse.csr_matrix(grades)
    mixed = np.concatenate([generator.permutation(np.arange(*x)) for x in _rows(relevance)])
    return sparse.csr_matrix(
        (relevance.data[mixed], relevance.indices[mixed], relevance.indptr), (n, m)
    )


def _rows(relevance):
    return np.column_stack([relevance.indptr[:-1], relevance.indptr[1:]])


def nothing(n, m, seed):
    return sparse.csr_matrix((n, m), dtype=np.int8)


def top_mean(values, k):
    return float(np.mean(sorted(values, reverse=True)[:k]))


def shares_apart(p, q):
    """The Jensen-Shannon divergence; of a row of zeros, the largest there is."""
    if not (p.any() and q.any()):
        return np.log(2)
    p = p / p.sum()
    q = q / q.sum()
    entropy = special.entr((p + q) / 2).sum()
    return entropy - (special.entr(p).sum() + special.entr(q).sum()) / 2


def score_table(Q, C, N, name, k):
    """Queries x candidates by the formula of a measure, in float64."""
    pivots = Q if N is Q else np.vstack([Q, N])
    Q, C, N, pivots = (each.astype(np.float64) for each in (Q, C, N, pivots))
    if name == "l1":
        return np.array([[-abs(q - c).sum() for c in C] for q in Q])
    if name == "jensen_shannon":
        return np.array([[-shares_apart(q, c) for c in C] for q in Q])
    products = Q @ C.T
    if name == "inverted_softmax":  # Smith et al. (2017), Eq. 8, its logarithm by beta
        shares = np.exp(BETA * products) / np.exp(BETA * (N @ C.T)).sum(axis=0)
        return np.log(shares) / BETA
    if name == "globally_corrected":  # Dinu et al. (2015), Eq. 3
        return products - ((pivots @ C.T)[:, None, :] > products + 1e-6).sum(axis=0)
    if name != "csls":
        return products
    of_query = np.array([top_mean(row, k) for row in products])
    of_candidate = np.array([top_mean(row, k) for row in C @ N.T])
    return 2 * products - of_query[:, None] - of_candidate


def ranked_slowly(scores, grades, known, tie):
    """(query, candidate, grade, rank), by the docstring.

    All are queries x candidates: grades are 0 for non-answers, known False where one is zeros.
    """
    ranked = []
    for q, row in enumerate(scores):
        answers = [j for j in range(len(row)) if grades[q, j]]
        for a in answers:
            scores_of_answers = {b: row[b] if known[q, b] else -np.inf for b in answers}
            others = [
                j
                for j in range(len(row))
                if not grades[q, j] and row[j] >= scores_of_answers[a] - tie
            ]
            key = -scores_of_answers[a], grades[q, a], a
            better = [b for b in answers if (-scores_of_answers[b], grades[q, b], b) < key]
            ranked.append((q, a, grades[q, a], 1 + len(others) + len(better)))
    return ranked


def nearest_slowly(scores, grades, ranked, k):
    """Relevant documents at their ranks, the by_score between them in the order of their scores."""
    nearest = []
    for q, row in enumerate(scores):
        places = {rank: a for query, a, _, rank in ranked if query == q}
        by_score = sorted(
            (j for j in range(len(row)) if not grades[q, j]), key=lambda j: (-row[j], j)
        )
        next_others = iter(by_score)
        ranks = range(1, min(k, len(row)) + 1)
        nearest.append([places[x] if x in places else next(next_others) for x in ranks])
    return nearest


def compare(Q, C, N, relevance, names, k=3, threads=1, kind=np.asarray, run_depth=5, gains=None):
    """Raise unless every measure, and the result that its ranks say, is as the slow twins'."""
    queries = kind(Q)
    searched = queries, kind(C), queries if N is Q else kind(N), relevance, names
    options = {"csls_neighbours": k, "threads": threads, "run_depth": run_depth}
    gain = None if gains is None else lambda query, candidate: gains[query, candidate]
    results = orders(*searched, inverse_temperature=BETA, gain=gain, **options)
    assert list(results) == list(names)
    grades, known = relevance.toarray(), np.outer(Q.any(axis=1), C.any(axis=1))
    for name, result in results.items():
        scores = score_table(Q, C, N, name, k)
        times = 2 if name == "csls" else 1
        if gains is not None:
            first = np.argsort(-scores, axis=1)[:, : word_matches.DEPTH]
            added = np.take_along_axis(scores + times * gains, first, 1)
            np.put_along_axis(scores, first, added, axis=1)
        tie = MEASURES[name].tie(Q, C) * times
        # float64 of both sides differs in the last digits: what is equal must be equal
        expected = ranked_slowly(scores.round(9), grades, known, tie)
        assert answers_of(result) == expected
        of_answers = [scores[q, c] for q, c, *_ in expected]
        np.testing.assert_allclose(result.score, of_answers, rtol=2e-6, atol=2e-6)
        nearest = nearest_slowly(scores.round(9), grades, expected, max(NEAREST, run_depth))
        assert result.nearest.tolist() == nearest
        of_answers = np.take_along_axis(scores, np.array(nearest), 1)
        np.testing.assert_allclose(result.nearest_scores, of_answers, rtol=2e-6, atol=2e-6)


@pytest.mark.parametrize("names", [*SINGLE, L2, L2[::-1], ("csls", "dot"), L1, L1[::-1]])
@pytest.mark.parametrize("relevance", [one_each, graded, nothing])
@pytest.mark.parametrize("run_depth", [100, 1])
def test_every_measure_keeps_it(names, relevance, run_depth):
    """A candidate is zeros, of no known words, and a query: from that l1 is 1 but for rounding."""
    norm = norm_of(names)
    Q, C, N = drawn(12, 5, 0, norm), drawn(40, 5, 1, norm), drawn(25, 5, 2, norm)
    C[3] = 0
    if "l1" not in names:
        Q[4] = 0
    compare(Q, C, N, relevance(12, 40, 3), names, run_depth=run_depth)


@pytest.mark.parametrize("most", [5, 15, 100])
def test_a_second_stage_reorders_the_first(most, monkeypatch):
    """Fewer of them than are `nearest`, more, more than there are."""
    monkeypatch.setattr(word_matches, "DEPTH", most)
    gains = np.random.default_rng(3).random((12, 40)) / 4
    given = drawn(12, 5, 0), drawn(40, 5, 1), drawn(25, 5, 2), graded(12, 40, 3)
    compare(*given, ("cosine", "csls"), run_depth=10, gains=gains)


@pytest.mark.parametrize("most", [4, 5])
def test_in_ties_a_second_stage_is_against_the_query(most, monkeypatch):
    monkeypatch.setattr(word_matches, "DEPTH", most)
    Q, C = (np.float32(x) for x in ([[1, 0]], [[0.6, 0.8], [0.8, 0.6], [1, 0], [0, 1], [0, 0]]))
    gains = np.array([[0.4, 0.2, 0, 0.1, 9]])  # three of 1; the last has no known words
    relevance = sparse.csr_matrix([[1, 0, 0, 0, 1]])
    given = Q, C, Q, relevance, ["cosine"]
    found = orders(*given, gain=lambda *pairs: gains[pairs], run_depth=5)["cosine"]
    assert answers_of(found) == [(0, 0, 1, 3), (0, 4, 1, 5)]
    assert found.nearest.tolist() == [[1, 2, 0, 3, 4]]


# jensen_shannon is of shares, and of rows in one part
@pytest.mark.parametrize("names", [L2, L1])
@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("at_most", [61, 1000])  # similarities: one query at a time, or seven
def test_ties_of_equal_rows_and_different_grades_in_small_blocks(monkeypatch, names, kind, at_most):
    monkeypatch.setattr(kernels, "ROWS", 7)
    monkeypatch.setattr(kernels, "COLUMNS", 9)
    monkeypatch.setattr(kernels, "HELD", at_most)
    monkeypatch.setattr(kernels, "FEWEST", 1)
    norm = norm_of(names)
    Q, C = coarse(30, 0, norm), coarse(61, 1, norm)
    assert len(np.unique(C, axis=0)) < 61
    for N in (Q, coarse(33, 2, norm)):  # with 4 neighbours a mean is exact, too
        compare(Q, C, N, graded(30, 61, 3), names, k=4, threads=2, kind=kind)


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("together", [3, 8192])  # queries seen at a time: some, all
def test_neighbours_that_are_the_queries_need_no_product_of_their_own(monkeypatch, kind, together):
    """Few of the candidates are answers; in blocks, with several threads."""
    monkeypatch.setattr(kernels, "TOGETHER", together)
    monkeypatch.setattr(kernels, "COLUMNS", 9)
    Q, C = drawn(12, 5, 0), drawn(61, 5, 1)
    compare(Q, C, Q, one_each(12, 61, 2), ("csls", "cosine"), k=4, threads=3, kind=kind)


def test_equal_documents_tie_wherever_they_stand():
    C = drawn(5000, 300, 5)
    places = np.random.default_rng(6).choice(np.arange(1, 5000), 60, replace=False)
    C[places] = C[0]
    # As hard as it gets: a cosine near one has the largest rounding error.
    Q = unit(C[:1] + 0.1 * drawn(1, 300, 7))
    relevance = sparse.csr_matrix(([1], ([0], [0])), (1, 5000))
    found = orders(Q, C, C, relevance, ("cosine", "csls", "dot"))
    assert [order.rank[0] for order in found.values()] == [61] * 3


@pytest.mark.parametrize("names", [L2, L1])
def test_threads_change_no_byte(names):
    Q, C = (drawn(n, 20, seed, norm_of(names)) for n, seed in ((1100, 1), (1500, 0)))
    relevance = graded(1100, 1500, 2, 0.002)[2:]  # the second has 1,500 answers
    for neighbours in (Q, Q[2:]):
        given = Q[2:], C, neighbours, relevance, names
        one, three = (orders(*given, threads=x, run_depth=20) for x in (1, 3))
        assert [*map(bytes_of, one.values())] == [*map(bytes_of, three.values())]


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("bad", [np.nan, np.inf, 2.0])
@pytest.mark.parametrize("place", ["queries", "candidates", "neighbours"])
@pytest.mark.parametrize("name", ["cosine", "csls", "dot", "l1"])
def test_rows_that_are_not_finite_or_of_another_norm_are_refused(kind, bad, place, name):
    """Comparisons with nan are false: its answer would come first."""
    given = {x: drawn(5, 3, 0, norm_of([name])) for x in ("queries", "candidates", "neighbours")}
    given[place][4, 1] = bad
    rows, relevance = map(kind, given.values()), one_each(5, 5, 0)
    if (place == "neighbours" and name != "csls") or (bad == 2 and name == "dot"):
        assert len(orders(*rows, relevance, [name])) == 1  # nobody looks, or any may be
        return
    with pytest.raises(UserError, match=f"{place}: expected .* row 4 has norm"):
        orders(*rows, relevance, [name])


def test_corrections_of_cosines_fit_every_model_that_is_compared_by_cosine():
    fitting = {name for name in MEASURES if MEASURES[name].fits(("cosine",))}
    assert fitting == {"cosine", "inverted_softmax", "globally_corrected"}
    assert not MEASURES["inverted_softmax"].fits(("dot", "csls"))
