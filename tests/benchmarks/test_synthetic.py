import itertools

import numpy as np
import pytest
from sklearn.feature_extraction.text import TfidfTransformer

from benchmarks import synthetic
from cr5.base.rows import unit_rows
from cr5.systems import reduced_rank

SHAPE = {
    "languages": {"aa": 700, "bb": 1500, "cc": 1200},
    "n_concepts": 2000,
    "vocabulary": 5000,
    "nonzeros": 60,
}


@pytest.fixture(scope="module")
def corpus():
    return synthetic.corpus(**SHAPE, seed=3)


def test_shape(corpus):
    features, concepts = corpus
    for X, numbers, size in zip(features, concepts, (700, 1500, 1200), strict=True):
        assert X.shape == (size, 5000)
        assert X.dtype == np.float32
        assert X.has_canonical_format
        assert X.nnz / size == pytest.approx(60, rel=0.05)
        assert numbers.dtype == np.int32
        assert len(np.unique(numbers)) == len(numbers) == size
    assert set(np.concatenate(concepts).tolist()) == set(range(2000))


def test_well_known_concepts_have_documents_in_many_languages(corpus):
    aa, bb, cc = (set(numbers.tolist()) for numbers in corpus[1])
    # Independent choice would leave 700 x 1500 / 2000 = 525, 420 and 315 concepts in common,
    # less what the homes take away.
    assert len(aa & bb & cc) > 200
    assert len(bb & cc) > 700


def test_the_same_seed_gives_the_same_bytes_and_another_one_others(corpus):
    again, other = synthetic.corpus(**SHAPE, seed=3), synthetic.corpus(**SHAPE, seed=4)
    for part in ("data", "indices", "indptr"):
        for X, same in zip(corpus[0], again[0], strict=True):
            assert getattr(X, part).tobytes() == getattr(same, part).tobytes()
    assert (corpus[0][0] != other[0][0]).nnz > 0
    assert corpus[1][0].tolist() == again[1][0].tolist() != other[1][0].tolist()


def test_features_are_tf_idf_rows_of_length_one():
    concepts, topic = np.arange(300), np.arange(300, dtype=np.uint32)
    counts = synthetic._counts(concepts, topic, 4000, 80.0, (0, 0))
    # scikit-learn's idf is ln(n / df) + 1 too; words that are nowhere are infinite there.
    used = np.flatnonzero(np.asarray((counts > 0).sum(axis=0)).ravel())
    expected = TfidfTransformer(smooth_idf=False).fit_transform(counts[:, used])
    found = synthetic._tfidf(counts.copy())[:, used]
    np.testing.assert_allclose(found.toarray(), expected.toarray(), rtol=1e-5)


def test_frequencies_follow_zipf():
    concepts, topic = np.arange(5000), np.zeros(5000, np.uint32)
    counts = synthetic._counts(concepts, topic, 20000, 100.0, (0, 0))
    frequency = np.asarray(counts.sum(axis=0)).ravel()
    # Preferences move draws among neighbours in frequency only: compare ranges of words.
    edges = 256 * 2 ** np.arange(7)
    mass = [frequency[a:b].sum() for a, b in itertools.pairwise(edges)]
    np.testing.assert_allclose(mass / frequency.sum(), np.log(2) / np.log(20001), rtol=0.05)
    assert frequency[0] / frequency.sum() == pytest.approx(np.log(2) / np.log(20001), rel=0.05)


def test_eigenvalues_fall_and_retrieval_can_be_learnt():
    features, concepts = synthetic.corpus({"aa": 1200, "bb": 1200}, 1200, 2000, 100, seed=0)
    learnt, held_out = [X[:1000] for X in features], [X[1000:] for X in features]
    numbers = [concept[:1000] for concept in concepts]
    solution = next(reduced_rank.fit(learnt, numbers, 1000, 60, [2.0], solver="dense"))
    assert solution.values[0] > 1.2 * solution.values[-1]
    left, right = (unit_rows(X @ T) for X, T in zip(held_out, solution.maps, strict=True))
    found = np.argmax(left @ right.T, axis=1) == np.arange(200)
    assert found.mean() > 10 / 200  # ten times chance


def test_cached(tmp_path):
    first = synthetic.cached(tmp_path, **SHAPE, seed=3)
    assert len(list(tmp_path.iterdir())) == 1
    again = synthetic.cached(tmp_path, **SHAPE, seed=3)
    assert [X.nnz for X in first[0]] == [X.nnz for X in again[0]]
    synthetic.cached(tmp_path, **SHAPE, seed=4)
    assert len(list(tmp_path.iterdir())) == 2


def test_sizes_that_do_not_fit():
    with pytest.raises(ValueError, match="do not fit 10 concepts"):
        synthetic.corpus({"aa": 11}, 10, 100, 20)
    with pytest.raises(ValueError, match="do not fit 10 concepts"):
        synthetic.corpus({"aa": 5, "bb": 4}, 10, 100, 20)
