"""Parts of words against the score that they add up to."""

import numpy as np
import pytest

import cr5
from cr5.base.errors import UserError
from tests.retrieval import made_up

[EN] = made_up.texts("en", 1).contents
[IT] = made_up.texts("it", 1).contents
EN_WORDS = set(EN.split())
IT_WORDS = set(IT.split())
QUERY = EN.title()
CANDIDATE = f"{IT}. {IT[:4]}"
PAIR = (QUERY, "en", CANDIDATE, "it")
N = 1000  # more pairs than there are


def words_of(pairs):
    """Return the words of both sides of pairs, without what is in every text."""
    words = {word for word, _, _ in pairs}
    other_words = {word for _, word, _ in pairs}
    return words - {""}, other_words - {""}


def parts_of(pairs):
    return [part for _, _, part in pairs]


def assert_adds_up(why, score):
    assert why.score == pytest.approx(score, rel=1e-6, abs=1e-6)
    total = sum(parts_of(why.pairs)) + sum(parts_of(why.matches)) + why.correction + why.rest
    assert total == pytest.approx(score, rel=1e-6, abs=1e-6)


def with_offsets():
    generator = np.random.default_rng(5)
    offsets = {language: generator.normal(size=8) for language in made_up.LANGUAGES}
    return made_up.embedder("dense", offsets=offsets, term_frequency="log", input_norm="l2")


EMBEDDERS = {
    kind: made_up.embedder(kind) for kind in ("dense", "sparse", "joined", "dot", "directed")
} | {
    "offsets": with_offsets(),
    "trained": made_up.embedder("dense", trained=True),
    "trained, joined": made_up.embedder("joined", trained=True),
    "reranking": made_up.embedder("dense", rerank=0.5),
    "trained, reranking": made_up.embedder("joined", trained=True, rerank=0.5),
}
CASES = [(kind, measure) for kind, model in EMBEDDERS.items() for measure in model.measures]
CASES = [case for case in CASES if "csls" not in case[1] or "trained" in case[0]]


@pytest.mark.parametrize(("kind", "measure"), CASES)
def test_parts_add_up_to_the_score_of_a_comparison(kind, measure):
    model = EMBEDDERS[kind]
    why = model.why(*PAIR, n=N, measure=measure)
    score = model.compare(*PAIR, measure).item()
    assert_adds_up(why, score)
    assert why.rest == pytest.approx(0, abs=1e-9)
    parts = parts_of(why.pairs)
    assert parts == sorted(parts, reverse=True)
    assert words_of(why.pairs) == (EN_WORDS, IT_WORDS)
    assert bool(why.correction) == ("csls" in measure)
    assert bool(why.matches) == ("matches" in measure)


@pytest.mark.parametrize(("kind", "measure"), CASES)
def test_parts_add_up_to_the_score_of_a_hit(kind, measure):
    """The index has other texts, too, and more than a second stage looks at."""
    index = cr5.Index(EMBEDDERS[kind])
    texts = made_up.texts("it", 50)
    index.add(texts.ids, texts.contents, "it")
    [hits] = index.search(QUERY, "en", 50, measure)
    nearest = hits[0]
    farthest = hits[-1]
    assert nearest.measure == measure
    assert farthest.measure == measure.removesuffix("+matches")
    for hit in (nearest, farthest):
        assert_adds_up(index.why(QUERY, "en", hit, n=2), hit.score)


def test_parts_add_up_where_texts_of_the_index_tell_the_hubs():
    index = cr5.Index(made_up.embedder("dense"))
    for language in ("en", "it"):
        texts = made_up.texts(language, 20)
        index.add(texts.ids, texts.contents, language)
    [[hit]] = index.search(QUERY, "en", 1, "csls")
    why = index.why(QUERY, "en", hit, n=N)
    assert_adds_up(why, hit.score)
    cosine = index.model.compare(QUERY, "en", hit.text, "it", "cosine").item()
    assert sum(parts_of(why.pairs)) == pytest.approx(2 * cosine, abs=1e-6)


def test_matches_add_up_to_what_a_second_stage_adds():
    model = made_up.embedder("dense", rerank=0.5)
    why = model.why(*PAIR, n=N)
    m = made_up.matched(model, [QUERY], "en", [CANDIDATE], "it").item()
    parts = parts_of(why.matches)
    assert sum(parts) == pytest.approx(0.5 * m, abs=1e-6)
    assert parts[0] == max(parts)
    assert words_of(why.matches) == (EN_WORDS, IT_WORDS)
    matched_words = {match[:2] for match in why.matches}
    assert len(matched_words) == len(why.matches)
    assert model.why(*PAIR, n=1).matches == why.matches[:1]


def test_a_second_stage_changes_no_pairs():
    plain = made_up.embedder("dense").why(*PAIR)
    assert plain.matches == []
    assert plain.pairs == made_up.embedder("dense", rerank=0.5).why(*PAIR).pairs


def test_parts_by_hand(embedder):
    """Rows [2, 2, 0] / sqrt 8 and [3, 1, 0] / sqrt 10: cat gives 6 / sqrt 80, dog 2 / sqrt 80."""
    why = embedder.why("cat cat dog", "en", "gatto cane", "it", n=2)
    assert why.score == pytest.approx(8 / 80**0.5)
    cat = pytest.approx(6 / 80**0.5)
    dog = pytest.approx(2 / 80**0.5)
    assert why.pairs == [("cat", "gatto", cat), ("dog", "cane", dog)]
    assert embedder.why("cat cat dog", "en", "gatto cane", "it", n=1).rest == dog


@pytest.mark.parametrize("n", [-1, 1.5, "3"])
def test_pairs_are_listed_by_a_whole_number(embedder, n):
    with pytest.raises(UserError, match=f"^n is {n!r}: expected a whole number, 1 or more"):
        embedder.why("cat cat dog", "en", "gatto cane", "it", n)


def test_a_distance_is_no_sum_over_words():
    with pytest.raises(UserError, match="compared by l1, which is not a sum over words"):
        made_up.embedder("l1").why(*PAIR)
