import numpy as np
import pytest
from numpy.testing import assert_allclose

from cr5.contracts.model import Words
from cr5.search import word_matches
from cr5.search.word_matches import best_matches, matches, weighted
from tests.search.drawn import normal, thinned, unit


def drawn(n_texts, n_words, seed):
    """Texts of some of the words; the first text has none, the first word no vector."""
    weights = unit(n_texts, n_words, seed, "l1")
    weights[0] = 0
    vectors = normal(n_words, 5, seed)
    vectors[0] = 0
    some_weights = thinned(weights, 0.4, seed + 1)
    return Words(weighted(some_weights), vectors)


def weights_by_word(texts, number):
    """The weight of each word of a text, by the word's number."""
    row = texts.weights[number].toarray().ravel()
    return {word: row[word] for word in np.flatnonzero(row)}


def cosine(vector, other_vector):
    """The cosine of two vectors, at least 0, and 0 of one without length."""
    lengths = np.linalg.norm(vector) * np.linalg.norm(other_vector)
    if lengths == 0:
        return 0.0
    product = vector.astype(float) @ other_vector.astype(float)
    return max(product / lengths, 0.0)


def one_way(texts, number, other_texts, other_number):
    """The sum over the words of a text: its weight times its best cosine in another text."""
    weights = weights_by_word(texts, number)
    other_weights = weights_by_word(other_texts, other_number)
    total = 0
    for word, weight in weights.items():
        vector = texts.vectors[word]
        cosines = [cosine(vector, other_texts.vectors[other_word]) for other_word in other_weights]
        total += weight * max(cosines, default=0)
    return total


def slowly(queries, query, candidates, candidate):
    """The formula of the module, word by word."""
    forth = one_way(queries, query, candidates, candidate)
    back = one_way(candidates, candidate, queries, query)
    return (forth + back) / 2


@pytest.mark.parametrize("n_at_a_time", [2, 256])
def test_as_word_by_word(monkeypatch, n_at_a_time):
    monkeypatch.setattr(word_matches, "WORDS", n_at_a_time)
    queries = drawn(6, 12, 1)
    candidates = drawn(9, 15, 2)
    query, candidate = np.divmod(np.arange(6 * 9), 9)
    pairs = zip(query, candidate, strict=True)
    expected = [slowly(queries, number, candidates, other) for number, other in pairs]
    assert_allclose(matches(queries, candidates, query, candidate), expected, atol=1e-6)
    assert min(expected) == 0
    assert 0 < max(expected) <= 1


def test_threads_change_no_byte():
    queries = drawn(20, 40, 3)
    candidates = drawn(30, 50, 4)
    query = np.repeat(np.arange(20), 7)
    candidate = np.random.default_rng(5).integers(0, 30, len(query))
    by_one = matches(queries, candidates, query, candidate, threads=1)
    by_three = matches(queries, candidates, query, candidate, threads=3)
    assert by_one.tobytes() == by_three.tobytes()


def test_no_pair_is_no_error():
    texts = drawn(20, 40, 3)
    no_texts = np.zeros(0, int)
    assert matches(texts, texts, no_texts, no_texts).shape == (0,)


def test_the_best_matches_add_up_and_name_the_nearest_words():
    queries = drawn(4, 12, 6)
    candidates = drawn(4, 15, 7)
    words, other_words, table = best_matches(queries, 2, candidates, 3)
    assert table.sum() == pytest.approx(slowly(queries, 2, candidates, 3), abs=1e-6)
    for word, added in zip(words, table, strict=True):
        vector = queries.vectors[word]
        cosines = [cosine(vector, candidates.vectors[other_word]) for other_word in other_words]
        nearest = np.argmax(cosines)
        assert (added[nearest] > 0) == (cosines[nearest] > 0)


def test_a_text_without_words_has_no_matches():
    _, _, table = best_matches(drawn(4, 12, 6), 0, drawn(4, 15, 7), 3)
    assert table.size == 0
