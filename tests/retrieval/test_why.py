"""Parts of words against the similarity that they add up to."""

from dataclasses import replace

import numpy as np
import pytest

import cr5
from cr5.base.errors import UserError
from cr5.retrieval.embedder import Embedder
from cr5.search.word_matches import matches
from tests.retrieval import made_up

EN, IT = made_up.texts("en", 1)[1][0], made_up.texts("it", 1)[1][0]
TEXTS = EN.title(), "en", f"{IT}. {IT[:4]}", "it"


def models():
    yield from (model for kind, model in made_up.models() if kind != "l1")
    dense = dict(made_up.models())["dense"]
    offsets = {x: np.random.default_rng(5).normal(size=8) for x in made_up.WORDS}
    yield replace(dense, offsets=offsets, term_frequency="log", input_norm="l2")


@pytest.mark.parametrize("model", [*models()], ids=lambda m: type(m).__name__)
def test_parts_of_words_add_up_to_the_similarity(model):
    embedder = Embedder(model, {}, "made_up")
    why = cr5.why(embedder, *TEXTS, n=1000)
    expected = embedder.similarity(*TEXTS[:2], [TEXTS[2]], "it").item()
    assert why.score == pytest.approx(expected, rel=1e-6, abs=1e-6)
    shares = [part for *_, part in why.pairs]
    assert sum(shares) == pytest.approx(expected, rel=1e-6, abs=1e-6)
    assert shares == sorted(shares, reverse=True)
    assert {word for word, *_ in why.pairs} - {""} == set(EN.split())
    assert {word for _, word, _ in why.pairs} - {""} == set(IT.split())


def test_matches_add_up_to_what_a_second_stage_adds():
    plain, reranking = (replace(next(models()), rerank=w) for w in (0.0, 0.5))
    assert cr5.why(Embedder(plain, {}, "made_up"), *TEXTS).matches == []
    embedder = Embedder(reranking, {}, "made_up")
    found = cr5.why(embedder, *TEXTS, n=1000)
    words = [reranking.matched(embedder.count([text], x), x) for text, x in (TEXTS[:2], TEXTS[2:])]
    expected = 0.5 * matches(*words, np.array([0]), np.array([0])).item()
    assert sum(part for *_, part in found.matches) == pytest.approx(expected, abs=1e-6)
    assert {x for x, *_ in found.matches} == set(EN.split())
    assert {x for _, x, _ in found.matches} == set(IT.split())
    assert len({x[:2] for x in found.matches}) == len(found.matches)
    first = found.matches[0]
    assert cr5.why(embedder, *TEXTS, n=1).matches == [first]
    assert first[-1] == max(part for *_, part in found.matches)
    assert found.pairs == cr5.why(Embedder(plain, {}, "made_up"), *TEXTS, n=1000).pairs


def test_parts_by_hand(embedder):
    """Rows [2, 2, 0] / sqrt 8 and [3, 1, 0] / sqrt 10: cat gives 6 / sqrt 80, dog 2 / sqrt 80."""
    why = cr5.why(embedder, "cat cat dog", "en", "gatto cane", "it", n=2)
    assert why.score == pytest.approx(8 / 80**0.5)
    parts = pytest.approx(6 / 80**0.5), pytest.approx(2 / 80**0.5)
    assert why.pairs == [("cat", "gatto", parts[0]), ("dog", "cane", parts[1])]


def test_a_distance_is_no_sum_over_words():
    model = dict(made_up.models())["l1"]
    with pytest.raises(UserError, match="compared by l1, which is not a sum over words"):
        cr5.why(Embedder(model, {}, "made_up"), *TEXTS)
