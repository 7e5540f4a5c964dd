"""The most relevant other text, against all cosines written out."""

import numpy as np
import pytest
from scipy import sparse

from cr5.systems.networks import relevance
from cr5.systems.networks.relevance import most_relevant


def by_hand(counts, scores):
    """The nearest text with other counts for each text; of equal ones the first stands for all."""
    pairs = []
    for i in np.flatnonzero(counts.any(axis=1)):
        found = scores(counts, i)
        equal = (counts == counts[i]).all(axis=1)
        found[equal] = 0
        best = np.flatnonzero(found > found.max() - 1e-6)[0]
        if found[best] > 0:
            pairs.append((np.flatnonzero(equal)[0], best))
    return np.array(pairs).T


def cosines(counts, i):
    known = counts.any(axis=1)
    idf = np.log(known.sum() / np.maximum((counts[known] > 0).sum(axis=0), 1)) + 1
    rows = counts * idf
    lengths = np.linalg.norm(rows, axis=1)
    return rows @ rows[i] / np.maximum(lengths * lengths[i], 1e-300)


@pytest.mark.parametrize("block", [7, 1024])
def test_answers_are_the_nearest_texts_with_other_counts(monkeypatch, block):
    monkeypatch.setattr(relevance, "BLOCK", block)
    counts = np.random.default_rng(0).poisson(0.15, (60, 25))
    counts[7] = counts[30] = counts[2]  # doubles, which may not answer each other
    counts[11] = 0
    counts[12] = 0
    counts[12, 24], counts[:12, 24], counts[13:, 24] = 1, 0, 0  # a word of its own
    found = most_relevant(sparse.csr_matrix(counts), False)
    np.testing.assert_array_equal(found, by_hand(counts, cosines))
    assert not {11, 12} & set(found[0])


def test_as_published_each_known_text_answers_itself():
    counts = sparse.csr_matrix([[1, 0], [0, 0], [2, 1]])
    for found in most_relevant(counts, self_matches=True):
        np.testing.assert_array_equal(found, [0, 2])
