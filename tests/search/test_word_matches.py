import numpy as np
import pytest
from scipy import sparse

from cr5.contracts.model import Words
from cr5.search import word_matches
from cr5.search.word_matches import best_matches, matches, weighted


def drawn(n, p, seed, share=0.4):
    """Texts of some of p words; the first text has none, the first word no vector."""
    generator = np.random.default_rng(seed)
    weights = generator.random((n, p)) * (generator.random((n, p)) < share)
    weights[0] = 0
    vectors = generator.normal(size=(p, 5)).astype(np.float32)
    vectors[0] = 0
    return Words(weighted(sparse.csr_matrix(weights)), vectors)


def cosine(u, v):
    lengths = np.linalg.norm(u) * np.linalg.norm(v)
    return max(float(u @ v / lengths), 0.0) if lengths else 0.0


def slowly(queries, candidates, i, j):
    """The formula of the module, word by word."""
    a, b = queries.weights[i].toarray().ravel(), candidates.weights[j].toarray().ravel()
    mine, theirs = np.flatnonzero(a), np.flatnonzero(b)
    u, v = queries.vectors.astype(float), candidates.vectors.astype(float)
    forth = sum(a[x] * max((cosine(u[x], v[y]) for y in theirs), default=0) for x in mine)
    back = sum(b[y] * max((cosine(u[x], v[y]) for x in mine), default=0) for y in theirs)
    return (forth + back) / 2


@pytest.mark.parametrize("words", [2, 256])
def test_as_word_by_word(monkeypatch, words):
    monkeypatch.setattr(word_matches, "WORDS", words)
    queries, candidates = drawn(6, 12, 1), drawn(9, 15, 2)
    query, candidate = np.divmod(np.arange(6 * 9), 9)
    found = matches(queries, candidates, query, candidate)
    pairs = zip(query, candidate, strict=True)
    expected = [slowly(queries, candidates, i, j) for i, j in pairs]
    np.testing.assert_allclose(found, expected, atol=1e-6)
    assert 0 < max(expected) <= 1 and min(expected) == 0


def test_threads_change_no_byte_and_no_pair_is_no_error():
    queries, candidates = drawn(20, 40, 3), drawn(30, 50, 4)
    query = np.repeat(np.arange(20), 7)
    candidate = np.random.default_rng(5).integers(0, 30, len(query))
    found = [matches(queries, candidates, query, candidate, threads) for threads in (1, 3)]
    assert found[0].tobytes() == found[1].tobytes()
    assert matches(queries, candidates, query[:0], candidate[:0]).shape == (0,)


def test_the_best_matches_add_up_and_name_the_nearest_words():
    queries, candidates = drawn(4, 12, 6), drawn(4, 15, 7)
    own, others, added = best_matches(queries, 2, candidates, 3)
    assert added.sum() == pytest.approx(slowly(queries, candidates, 2, 3), abs=1e-6)
    near = [[cosine(queries.vectors[x], candidates.vectors[y]) for y in others] for x in own]
    found = added[range(len(own)), np.argmax(near, axis=1)]
    assert ((found > 0) == (np.max(near, axis=1) > 0)).all()
    assert best_matches(queries, 0, candidates, 3)[2].size == 0
