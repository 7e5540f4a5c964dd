import numpy as np
import pytest

from cr5.systems.topics import compiled

T = 9


@pytest.fixture(params=[np.float32, np.float64])
def given(request, corpus_of):
    """Made-up counts, and random theta (documents x T) and phi (columns x T) of any scale."""
    corpus, generator = corpus_of(), np.random.default_rng(2)
    n, p = corpus.counts.shape
    theta, phi = (generator.uniform(0.1, 2, (size, T)).astype(request.param) for size in (n, p))
    return corpus, theta, phi, 100 * float(np.finfo(request.param).eps)


def posteriors(counts, theta, phi):
    """n q(t|w), documents x columns x T."""
    joint = theta.astype(float)[:, None, :] * phi.astype(float)[None]
    return counts[:, :, None] * joint / joint.sum(axis=2, keepdims=True)


def first_pass(corpus, theta, phi, first, last):
    counts = corpus.counts
    ratios, shares = np.full(counts.nnz, np.nan, theta.dtype), np.full_like(theta, np.nan)
    logs = np.full(len(theta), np.nan)
    data = counts.data.astype(theta.dtype)
    passed = counts.indptr, counts.indices, data, phi, theta, ratios, shares, logs
    compiled.documents(first, last, *passed)
    return ratios, shares, logs


def test_documents_sum_up_posteriors_and_leave_other_rows_alone(given):
    corpus, theta, phi, accuracy = given
    counts = corpus.counts.toarray()
    ratios, shares, logs = first_pass(corpus, theta, phi, 2, 9)
    expected = posteriors(counts, theta, phi).sum(axis=1)
    np.testing.assert_allclose(shares[2:9], expected[2:9], rtol=accuracy)
    products = np.log(theta.astype(float) @ phi.T.astype(float))
    np.testing.assert_allclose(logs[2:9], (counts * products).sum(axis=1)[2:9], rtol=accuracy)
    inside = np.zeros(len(ratios), bool)
    inside[slice(*corpus.counts.indptr[[2, 9]])] = True
    np.testing.assert_array_equal(np.isfinite(ratios), inside)
    for each in (shares, logs):
        assert np.isnan(each[:2]).all() and np.isnan(each[9:]).all()


def test_words_sum_up_the_same_posteriors(given):
    corpus, theta, phi, accuracy = given
    ratios, *_ = first_pass(corpus, theta, phi, 0, len(theta))
    by_word, out = corpus.by_word, np.full_like(phi, np.nan)
    entries = by_word.indptr, by_word.indices, by_word.data, ratios
    compiled.words(3, 11, *entries, theta, phi, theta.dtype.type(0.5), out)
    expected = posteriors(corpus.counts.toarray(), theta, phi).sum(axis=0) + 0.5
    np.testing.assert_allclose(out[3:11], expected[3:11], rtol=accuracy)
    assert np.isnan(out[:3]).all() and np.isnan(out[11:]).all()
