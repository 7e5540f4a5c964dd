"""One-to-one alignment beside a dense assignment."""

import numpy as np
import pytest
from scipy.optimize import linear_sum_assignment

from cr5.retrieval.alignment import one_to_one
from tests.retrieval import made_up


@pytest.mark.parametrize("shape", [(8, 8), (5, 9), (9, 5)])
@pytest.mark.parametrize("seed", range(5))
def test_the_sum_is_that_of_a_dense_assignment(shape, seed):
    scores = np.random.default_rng(seed).normal(size=shape)
    rows, columns = np.indices(shape)
    pairs = one_to_one(rows.ravel(), columns.ravel(), scores.ravel())
    first = [pair.first for pair in pairs]
    second = [pair.second for pair in pairs]
    different_first = set(first)
    different_second = set(second)
    assert first == sorted(different_first)
    assert len(second) == len(different_second)
    scores_of_pairs = [pair.score for pair in pairs]
    assert scores_of_pairs == scores[first, second].tolist()
    # staying alone counts as the lowest score
    n_texts = shape[0]
    n_alone = n_texts - len(pairs)
    lowest = scores.min()
    total = sum(scores_of_pairs) + n_alone * lowest
    alone = np.full((n_texts, n_texts), lowest)
    padded = np.hstack([scores, alone])
    chosen = linear_sum_assignment(padded, maximize=True)
    highest_total = padded[chosen].sum()
    assert total == pytest.approx(highest_total)


@pytest.mark.parametrize(
    ("queries", "candidates"),
    [(["xyz"], ["itaa"]), (["enaa"], ["xyz"]), ([], ["itaa"]), (["enaa"], [])],
)
def test_nothing_belongs_to_no_text_or_to_unknown_words(queries, candidates):
    """Of a collection without a known word there are no neighbours that CSLS could correct by."""
    assert made_up.embedder("dense").align(queries, "en", candidates, "it") == []


@pytest.mark.parametrize("kind", ["dense", "joined", "directed"])
def test_texts_find_their_copies(kind):
    """A text and the same bag of words in the other language, shuffled; one has no known word."""
    model = made_up.embedder(kind)
    texts = made_up.texts("en", 30).contents
    order = np.random.default_rng(3).permutation(30)
    shuffled = [texts[number] for number in order]
    pairs = model.align([*texts, "???"], "en", shuffled, "en")
    assert [pair.first for pair in pairs] == list(range(30))
    second = [pair.second for pair in pairs]
    assert sorted(second) == list(range(30))
    counts = model.count(texts, "en").toarray()
    copies = order[second]
    np.testing.assert_array_equal(counts[copies], counts)


def test_scores_are_those_of_comparisons_if_the_model_keeps_its_training_documents():
    """By CSLS, with the matches of the second stage, of texts that are all among the best."""
    model = made_up.embedder("dense", trained=True, rerank=0.5)
    queries = made_up.texts("en", 9).contents
    candidates = made_up.texts("it", 9).contents
    scores = model.compare(queries, "en", candidates, "it", "csls+matches")
    pairs = model.align(queries, "en", candidates, "it")
    assert len(pairs) > 4
    for first, second, score in pairs:
        assert score == pytest.approx(scores[first, second], abs=1e-6)
