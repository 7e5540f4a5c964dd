"""One-to-one alignment beside a dense assignment."""

import numpy as np
import pytest
from scipy.optimize import linear_sum_assignment

import cr5
from cr5.retrieval.alignment import one_to_one
from cr5.retrieval.embedder import Embedder
from tests.retrieval import made_up

MODELS = dict(made_up.models())


def every(scores):
    return *(x.ravel() for x in np.indices(scores.shape)), scores.ravel()


@pytest.mark.parametrize("shape", [(8, 8), (5, 9), (9, 5)])
def test_the_sum_is_that_of_a_dense_assignment(shape):
    for seed in range(5):
        scores = np.random.default_rng(seed).normal(size=shape)
        found = one_to_one(*every(scores))
        # staying alone counts as the lowest score
        padded = np.hstack([scores, np.full((shape[0], shape[0]), scores.min())])
        best = padded[linear_sum_assignment(padded, maximize=True)].sum()
        alone = (shape[0] - len(found)) * scores.min()
        assert sum(pair.score for pair in found) + alone == pytest.approx(best)
        for side in (0, 1):
            assert len({pair[side] for pair in found}) == len(found)
        assert [pair.score for pair in found] == [scores[pair[:2]] for pair in found]
        assert [pair.first for pair in found] == sorted(pair.first for pair in found)


@pytest.mark.parametrize("side", [0, 1])
def test_texts_of_unknown_words_have_no_pairs(side):
    """Of a collection without a known word there are no neighbours that CSLS could correct by."""
    both = ["xyz"], [made_up.WORDS["it"][0]]
    texts, others = both if side == 0 else (made_up.WORDS["en"][:1], ["xyz"])
    assert cr5.align(Embedder(MODELS["dense"], {}, "dense"), texts, "en", others, "it") == []


def test_an_empty_collection_has_no_pairs():
    model = Embedder(MODELS["dense"], {}, "model")
    assert cr5.align(model, [], "en", ["it1"], "it") == []
    assert cr5.align(model, ["en1"], "en", [], "it") == []


@pytest.mark.parametrize("kind", ["dense", "joined", "directed"])
def test_texts_find_their_copies(kind):
    """A text and the same bag of words in the other language, shuffled; one has no known word."""
    model = Embedder(MODELS[kind], {}, kind)
    texts = made_up.texts("en", 30)[1]
    order = np.random.default_rng(3).permutation(30)
    found = cr5.align(model, [*texts, "???"], "en", [texts[x] for x in order], "en")
    counts = model.count(texts, "en").toarray()
    known = [x for x in range(30) if counts[x].any()]
    assert [pair.first for pair in found] == known
    same = [(counts[pair.first] == counts[order[pair.second]]).all() for pair in found]
    assert all(same)
    assert len({pair.second for pair in found}) == len(found)
