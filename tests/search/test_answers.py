import numpy as np
import pytest
from scipy import sparse

from cr5.search.answers import Answers, Counter


def relevance(n=9, m=23, seed=0):
    generator = np.random.default_rng(seed)
    grades = generator.integers(1, 4, (n, m)) * (generator.random((n, m)) < 0.15)
    grades[2] = 0  # a query without an answer
    grades[3, :8] = 2  # one with many
    return grades


@pytest.mark.parametrize("kind", [sparse.csr_matrix, sparse.csc_matrix, sparse.coo_array])
def test_all_entries_by_query_then_candidate(kind):
    grades = relevance()
    found = Answers.of(kind(grades))
    expected = [(i, j, grades[i, j]) for i, j in np.ndindex(grades.shape) if grades[i, j]]
    assert list(zip(found.query, found.candidate, found.grade, strict=True)) == expected
    assert found.n_queries == 9
    assert found.grade.dtype == np.float64


def test_rows_and_candidates_of_some_queries_by_candidate():
    grades = relevance()
    row, column = Answers.of(sparse.csr_matrix(grades)).by_column(slice(2, 6))
    expected = [(i - 2, j) for j, i in np.ndindex(23, 9) if 2 <= i < 6 and grades[i, j]]
    assert list(zip(row, column, strict=True)) == expected


def test_entries_in_any_order_are_sorted():
    mixed = sparse.csr_matrix(([1, 2, 3], [4, 0, 2], [0, 2, 3]), (2, 5))
    found = Answers.of(mixed)
    assert found.candidate.tolist() == [0, 4, 2]
    assert found.grade.tolist() == [2, 1, 3]


def test_those_among_given_candidates():
    grades = relevance()
    columns = np.array([np.random.default_rng(i).permutation(23)[:6] for i in range(9)])
    found = Answers.among(sparse.csr_matrix(grades), columns)
    expected = [(i, j) for i in range(9) for j in range(23) if grades[i, j] and j in columns[i]]
    assert list(zip(found.query, found.candidate, strict=True)) == expected
    assert found.n_queries == 9
    assert 0 < len(expected) < np.count_nonzero(grades)


def test_where_the_answers_of_some_queries_are():
    answers = Answers.of(sparse.csr_matrix(relevance()))
    for start, end in ((0, 3), (2, 3), (3, 9), (8, 20)):
        mine = answers.query[answers.of_queries(start, end)]
        assert mine.tolist() == [q for q in answers.query if start <= q < end]


def test_better_answers_of_the_same_query():
    answers = Answers.of(sparse.csr_matrix(relevance()))
    order = np.random.default_rng(1).integers(0, 3, len(answers.query)).astype(float)  # with ties
    keys = list(zip(-order, answers.grade, answers.candidate, strict=True))
    expected = [
        sum(answers.query[b] == answers.query[a] and keys[b] < keys[a] for b in range(len(keys)))
        for a in range(len(keys))
    ]
    assert answers.better(order).tolist() == expected
    assert max(expected) >= 7


@pytest.mark.parametrize("one_each", [False, True])
@pytest.mark.parametrize("width", [1, 5, 23])
def test_counts_who_is_no_answer_and_not_worse(one_each, width):
    grades = relevance()
    if one_each:
        grades = np.eye(9, 23, 4, int)
    answers = Answers.of(sparse.csr_matrix(grades))
    scores = np.random.default_rng(2).integers(0, 5, grades.shape).astype(np.float32)
    least = scores[answers.query, answers.candidate]
    counter = Counter(answers.query, least, 9)
    row, column = answers.by_column(slice(0, 9))
    for first in range(0, 23, width):
        block = scores[:, first : first + width]
        here = (column >= first) & (column < first + width)
        counter.add(block, row[here], column[here] - first)
    expected = [
        sum(scores[q, j] >= low and not grades[q, j] for j in range(23))
        for q, low in zip(answers.query, least, strict=True)
    ]
    assert counter.before.tolist() == expected


def test_nothing_to_count():
    counter = Counter(np.zeros(0, int), np.zeros(0, np.float32), 2)
    counter.add(np.zeros((2, 3), np.float32), *np.zeros((2, 0), int))
    assert counter.before.shape == (0,)
