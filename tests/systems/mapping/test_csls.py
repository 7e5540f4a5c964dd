import numpy as np
import pytest

from cr5.systems.mapping import csls


def unit(rng, n, d):
    X = rng.normal(size=(n, d)).astype(np.float32) + 0.3
    return X / np.linalg.norm(X, axis=1, keepdims=True)


def dense_csls(X, Y, k):
    """The definition, with both hubness terms, on the full matrix."""
    S = X.astype(float) @ Y.astype(float).T
    r_T = np.sort(S, axis=1)[:, ::-1][:, :k].mean(axis=1)
    r_S = np.sort(S, axis=0)[::-1][:k].mean(axis=0)
    return 2 * S - r_T[:, None] - r_S[None, :]


@pytest.mark.parametrize("k", [1, 3, 10])
def test_translate_equals_the_dense_definition(k):
    rng = np.random.default_rng(1)
    X, Y = unit(rng, 61, 5), unit(rng, 47, 5)
    expected = dense_csls(X, Y, k).argmax(axis=1)
    assert (csls.translate(X, Y, neighbours=k) == expected).all()


def test_csls_holds_back_a_hub():
    # Target 0 is everybody's nearest neighbour by cosine, target 1 is nobody's but x = row 0's.
    X = np.array([[0.8, 0.6], [1.0, 0.0], [0.96, -0.28]], np.float32)
    Y = np.array([[0.96, 0.28], [0.28, 0.96]], np.float32)
    assert ((X @ Y.T).argmax(axis=1) == 0).all()
    # k = 2: r_S = (mean(0.96, 0.936), mean(0.8, 0.28)) = (0.948, 0.54); row 0 has
    # 2 * 0.936 - 0.948 = 0.924 against 2 * 0.8 - 0.54 = 1.06.
    assert csls.translate(X, Y, neighbours=2).tolist() == [1, 0, 0]


def test_dictionary_one_way_and_mutual():
    rng = np.random.default_rng(4)
    X, Y = unit(rng, 40, 4), unit(rng, 30, 4)
    scores = dense_csls(X, Y, 5)
    forward, backward = scores.argmax(axis=1), scores.argmax(axis=0)
    one_way = csls.dictionary(X, Y, forward, mutual=False, neighbours=5)
    assert one_way.tolist() == [[i, forward[i]] for i in range(40)]
    mutual = csls.dictionary(X, Y, forward, mutual=True, neighbours=5)
    expected = [[i, forward[i]] for i in range(40) if backward[forward[i]] == i]
    assert 0 < len(expected) < 30
    assert mutual.tolist() == expected


def test_criterion_by_hand():
    X = np.array([[1, 0], [0, 1], [1, 0]], np.float32)
    Y = np.array([[0.6, 0.8], [1, 0]], np.float32)
    forward = np.array([1, 0, 0])
    assert csls.criterion(X, Y, forward) == pytest.approx((1 + 0.8 + 0.6) / 3)
    assert csls.criterion(X, Y, forward, words=2) == pytest.approx(0.9)


def test_plain_cosine_and_some_words_only():
    rng = np.random.default_rng(7)
    X, Y = unit(rng, 40, 4), unit(rng, 30, 4)
    assert (csls.translate(X, Y, neighbours=0) == (X @ Y.T).argmax(axis=1)).all()
    rows = np.array([7, 3, 20])
    expected = dense_csls(X, Y, 5).argmax(axis=1)[rows]
    assert (csls.translate(X, Y, neighbours=5, rows=rows) == expected).all()


def test_precision_counts_words_and_any_of_their_translations():
    X = np.array([[1, 0], [0, 1], [0.8, 0.6]], np.float32)
    Y = np.array([[1, 0], [0, 1], [0.6, 0.8]], np.float32)
    # by cosine 0 -> 0, 1 -> 1, 2 -> 2
    pairs = np.array([[0, 1], [0, 0], [1, 0], [1, 2], [2, 2]])
    assert csls.precision(X, Y, pairs, neighbours=0) == pytest.approx(2 / 3)
