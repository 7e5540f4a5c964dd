"""Parts of words against the score that they add up to."""

import numpy as np
import pytest

import cr5
from cr5.base.errors import UserError
from cr5.search.word_matches import matches
from tests.retrieval import made_up

[EN] = made_up.texts("en", 1).contents
[IT] = made_up.texts("it", 1).contents
QUERY = EN.title()
CANDIDATE = f"{IT}. {IT[:4]}"
PAIR = (QUERY, "en", CANDIDATE, "it")
N = 1000  # more pairs than there are


def words_of(pairs, side):
    """Return the words of one side of pairs, without what is in every text."""
    return {pair[side] for pair in pairs} - {""}


def parts_of(pairs):
    return [part for *_, part in pairs]


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
    expected = model.compare(*PAIR, measure).item()
    assert why.score == pytest.approx(expected, rel=1e-6, abs=1e-6)
    parts = parts_of(why.pairs)
    total = sum(parts) + sum(parts_of(why.matches)) + why.correction
    assert total == pytest.approx(expected, rel=1e-6, abs=1e-6)
    assert why.rest == pytest.approx(0, abs=1e-9)
    assert parts == sorted(parts, reverse=True)
    assert words_of(why.pairs, 0) == set(EN.split())
    assert words_of(why.pairs, 1) == set(IT.split())
    assert bool(why.correction) == ("csls" in measure)
    assert bool(why.matches) == ("matches" in measure)


@pytest.mark.parametrize(("kind", "measure"), CASES)
def test_parts_add_up_to_the_score_of_a_hit(kind, measure):
    """The index has other texts, too, and more than a second stage looks at."""
    index = cr5.Index(EMBEDDERS[kind])
    texts = made_up.texts("it", 50)
    index.add(texts.ids, texts.contents, "it")
    [hits] = index.search(QUERY, "en", 50, measure)
    for hit in [*hits[:3], hits[-1]]:
        why = index.why(QUERY, "en", hit, n=2)
        assert why.score == pytest.approx(hit.score, abs=1e-6)
        parts = [*parts_of(why.pairs), *parts_of(why.matches), why.correction, why.rest]
        assert sum(parts) == pytest.approx(hit.score, abs=1e-6)
    assert hits[0].measure == measure
    assert hits[-1].measure == measure.removesuffix("+matches")


def test_parts_add_up_where_texts_of_the_index_tell_the_hubs():
    index = cr5.Index(made_up.embedder("dense"))
    for language in ("en", "it"):
        texts = made_up.texts(language, 20)
        index.add(texts.ids, texts.contents, language)
    [hits] = index.search(QUERY, "en", 3, "csls")
    why = index.why(QUERY, "en", hits[0], n=N)
    assert sum(parts_of(why.pairs)) + why.correction == pytest.approx(hits[0].score, abs=1e-6)
    cosine = index.model.compare(QUERY, "en", hits[0].text, "it", "cosine").item()
    assert sum(parts_of(why.pairs)) == pytest.approx(2 * cosine, abs=1e-6)


def test_matches_add_up_to_what_a_second_stage_adds():
    model = made_up.embedder("dense", rerank=0.5)
    plain = made_up.embedder("dense").why(*PAIR, n=N)
    assert plain.matches == []
    why = model.why(*PAIR, n=N)
    query_words = model.model.matched(model.count([QUERY], "en"), "en")
    candidate_words = model.model.matched(model.count([CANDIDATE], "it"), "it")
    first = np.array([0])
    expected = 0.5 * matches(query_words, candidate_words, first, first).item()
    assert sum(parts_of(why.matches)) == pytest.approx(expected, abs=1e-6)
    assert words_of(why.matches, 0) == set(EN.split())
    assert words_of(why.matches, 1) == set(IT.split())
    assert len({match[:2] for match in why.matches}) == len(why.matches)
    assert model.why(*PAIR, n=1).matches == why.matches[:1]
    assert why.matches[0][-1] == max(parts_of(why.matches))
    assert why.pairs == plain.pairs


def test_parts_by_hand(embedder):
    """Rows [2, 2, 0] / sqrt 8 and [3, 1, 0] / sqrt 10: cat gives 6 / sqrt 80, dog 2 / sqrt 80."""
    why = embedder.why("cat cat dog", "en", "gatto cane", "it", n=2)
    assert why.score == pytest.approx(8 / 80**0.5)
    cat = pytest.approx(6 / 80**0.5)
    dog = pytest.approx(2 / 80**0.5)
    assert why.pairs == [("cat", "gatto", cat), ("dog", "cane", dog)]
    assert embedder.why("cat cat dog", "en", "gatto cane", "it", n=1).rest == dog


def test_a_distance_is_no_sum_over_words():
    with pytest.raises(UserError, match="compared by l1, which is not a sum over words"):
        made_up.embedder("l1").why(*PAIR)
