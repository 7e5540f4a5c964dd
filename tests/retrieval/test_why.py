from dataclasses import replace

import numpy as np
import pytest
from scipy import sparse

import cr5
from cr5.base.errors import UserError
from cr5.models.word_tables import JoinedTables, WordTables
from cr5.retrieval.embedder import Embedder
from cr5.search.word_matches import matches

WORDS = {"en": ["cat", "dog", "sea"], "it": ["cane", "gatto", "mare"]}
TEXTS = ("Cat dog cat", "en", "gatto mare gatto cane", "it")


def tables(rng, width=4):
    return {x: rng.normal(size=(3, width)).astype(np.float32) for x in WORDS}


def weights(rng):
    return {x: rng.uniform(0.5, 2, 3) for x in WORDS}


def models():
    rng = np.random.default_rng(5)
    plain = (WORDS, tables(rng), weights(rng))
    offsets = {x: rng.normal(size=4) for x in WORDS}
    yield WordTables(*plain)
    yield WordTables(*plain, offsets, "log", "l2")
    yield WordTables(*plain, offsets, "sqrt", "l1", "none", ("dot",))
    strings = {x: sparse.csr_matrix(np.eye(3, 5, k, np.float32)) for k, x in enumerate(WORDS)}
    yield WordTables(WORDS, strings, weights(rng))
    yield JoinedTables(
        *plain,
        offsets,
        beside=strings,
        beside_weights=weights(rng),
        beside_term_frequency="sqrt",
        beta=0.7,
    )
    directed = {x: {y: tables(rng)[x] for y in WORDS} for x in WORDS}
    yield WordTables(WORDS, directed, weights(rng))


@pytest.mark.parametrize("model", [*models()], ids=lambda m: type(m).__name__)
def test_parts_of_words_add_up_to_the_similarity(model):
    embedder = Embedder(model, {}, "made_up")
    why = cr5.why(embedder, *TEXTS, n=100)
    expected = embedder.similarity(*TEXTS[:2], [TEXTS[2]], "it").item()
    assert why.score == pytest.approx(expected, abs=1e-6)
    for parts in (why.query, why.text, why.pairs):
        shares = [part[-1] for part in parts]
        assert sum(shares) == pytest.approx(expected, abs=1e-6)
        assert shares == sorted(shares, reverse=True)
    assert {word for word, _ in why.query} - {""} == {"cat", "dog"}
    assert {word for word, _ in why.text} - {""} == {"cane", "gatto", "mare"}


def test_matches_add_up_to_what_a_second_stage_adds():
    plain, reranking = (replace(next(models()), rerank=w) for w in (0.0, 0.5))
    assert cr5.why(Embedder(plain, {}, "made_up"), *TEXTS).matches == []
    embedder = Embedder(reranking, {}, "made_up")
    found = cr5.why(embedder, *TEXTS, n=100)
    words = [reranking.matched(embedder.count([text], x), x) for text, x in (TEXTS[:2], TEXTS[2:])]
    expected = 0.5 * matches(*words, np.array([0]), np.array([0])).item()
    assert sum(part for *_, part in found.matches) == pytest.approx(expected, abs=1e-6)
    assert {x for x, *_ in found.matches} == {"cat", "dog"}
    assert {x for _, x, _ in found.matches} == {"cane", "gatto", "mare"}
    assert len({x[:2] for x in found.matches}) == len(found.matches) <= 5
    first = found.matches[0]
    assert cr5.why(embedder, *TEXTS, n=1).matches == [first]
    assert first[-1] == max(part for *_, part in found.matches)
    assert found.pairs == cr5.why(Embedder(plain, {}, "made_up"), *TEXTS, n=100).pairs


def test_parts_by_hand(embedder):
    """Rows [2, 2, 0] / sqrt 8 and [3, 1, 0] / sqrt 10: cat gives 6 / sqrt 80, dog 2 / sqrt 80."""
    why = cr5.why(embedder, "cat cat dog", "en", "gatto cane", "it", n=1)
    assert why.score == pytest.approx(8 / 80**0.5)
    assert why.query == [("cat", pytest.approx(6 / 80**0.5)), ("dog", pytest.approx(2 / 80**0.5))]
    assert why.pairs == [("cat", "gatto", pytest.approx(6 / 80**0.5))]


def test_a_distance_is_no_sum_over_words():
    rng = np.random.default_rng(5)
    model = WordTables(WORDS, tables(rng), weights(rng), norm="l1", measures=("l1",))
    with pytest.raises(UserError, match="compared by l1, which is not a sum over words"):
        cr5.why(Embedder(model, {}, "made_up"), *TEXTS)
