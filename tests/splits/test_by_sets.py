"""Draws and training documents of all readings, from their definitions, by Python's sets."""

from collections import Counter
from itertools import combinations

import numpy as np
import pytest

from cr5.base.errors import LeftOutError
from cr5.splits.draw import ROLES, Draw, draw
from cr5.splits.options import Sizes
from cr5.splits.training_documents import training
from tests.splits.conftest import SHARES

CHANGES = [
    {},
    {"candidates_reading": "code"},
    {"candidates": 5},
    {"candidates": 10_000},
    {"candidates": 10_000, "candidates_reading": "code"},
    {"held_out": "code"},
    {"held_out": "code", "candidates_reading": "code"},
    {"query_unique_words": [100, 250]},
    {"test": 999, "max_share": {"test": 0.2, "validation": 0.05}},
    {"max_share": {"test": 0.0, "validation": 0.0}},
    {"max_share": {"test": 0.0}},
]
LANGUAGES = tuple(SHARES)
PAIRS = list(combinations(LANGUAGES, 2))


@pytest.fixture(params=CHANGES, ids=str)
def sizes(request):
    return Sizes(**{"test": 20, "validation": 10, "candidates": 80, **request.param})


@pytest.fixture
def source(source):
    for number, frame in enumerate(source.values()):
        frame["n_unique"] = np.random.default_rng(number).integers(50, 400, len(frame))
    return source


@pytest.fixture
def members(source):
    return {language: set(frame["concept"]) for language, frame in source.items()}


@pytest.fixture
def drawn(source, sizes, tmp_path):
    draw(source, PAIRS, sizes, 7).save(tmp_path / "draw")
    return Draw.load(tmp_path / "draw")  # as the next job will read it


@pytest.fixture
def asked(drawn):
    """Concepts that are queries, by role and pair; of all pairs, by role."""
    concepts = {role: set() for role in ROLES}
    for role in ROLES:
        for pair in PAIRS:
            concepts[role, pair] = set(drawn.queries_of(pair, role))
            concepts[role] |= concepts[role, pair]
    return concepts


@pytest.fixture
def askable(source, sizes):
    """Concepts of each language that have the words of a query."""
    smallest, largest = sizes.query_unique_words or (0, 9999)
    concepts = {}
    for language, frame in source.items():
        is_askable = frame["n_unique"].between(smallest, largest)
        concepts[language] = set(frame["concept"][is_askable])
    return concepts


def test_queries(members, sizes, drawn, asked, askable):
    assert not asked["test"] & asked["validation"]
    rows = drawn.pairs.set_index(["first", "second"]).to_dict("index")
    taken = {"test": set(), "validation": asked["test"]}
    for first, second in PAIRS:
        row = rows[first, second]
        assert row["concepts"] == len(members[first] & members[second])
        may_be_asked = askable[first] & askable[second]
        for role in ROLES:
            queries = drawn.queries_of((second, first), role)
            assert set(queries) == asked[role, (first, second)]
            possible = may_be_asked - taken[role]
            assert set(queries) <= possible
            n_allowed = int(sizes.max_share[role] * len(possible))
            expected = min(getattr(sizes, role), n_allowed)
            assert len(queries) == expected
            assert queries.nunique() == expected
            assert row[role] == expected
            assert queries.is_monotonic_increasing
    for role in ROLES:
        assert drawn.held_out(role).tolist() == sorted(asked[role])


def test_what_is_lacking_is_said_where_a_role_that_is_wanted_has_no_query(drawn, sizes, asked):
    wanted = [role for role in ROLES if sizes.max_share[role]]
    nothing_lacks = all(asked[role] for role in wanted)
    sentence = drawn.lacking(PAIRS, sizes)
    assert (sentence == "") == nothing_lacks
    assert "{" not in sentence  # as people write it


def test_candidates(members, sizes, drawn, asked):
    taken = asked["test"] | asked["validation"]
    if not taken:
        assert drawn.candidates.empty
        return
    for language, concepts in members.items():
        candidates = set(drawn.candidates_of(language))
        tests = asked["test"] & concepts
        may_be_found = concepts - asked["validation"]
        assert tests <= candidates <= may_be_found
        n_wanted = max(sizes.candidates, len(tests))
        if n_wanted < 1000:
            assert len(candidates) == n_wanted
        elif sizes.candidates_reading == "code":
            assert candidates == may_be_found
        else:
            assert len(candidates) < n_wanted


def test_candidates_that_may_not_train_are_a_share_of_the_concepts(members, sizes, drawn, asked):
    if sizes.candidates < 10_000 or sizes.candidates_reading == "code":
        return
    in_several = set()
    for first, second in PAIRS:
        in_several |= members[first] & members[second]
    in_any = set().union(*members.values())
    taken = asked["test"] | asked["validation"]
    candidates = set(drawn.candidates["concept"])
    for concepts in (in_several - taken, in_any - in_several - taken):
        distractors = candidates & concepts
        expected = int(sizes.max_share["candidates"] * len(concepts))
        assert len(distractors) == expected


def held_out_of(language, asked, sizes):
    """Concepts that do not train in a language as they are queries of its pairs, or of any."""
    concepts = set()
    for pair in PAIRS:
        if sizes.held_out == "paper" or language in pair:
            concepts |= asked["test", pair] | asked["validation", pair]
    return concepts


@pytest.mark.parametrize("languages", [LANGUAGES, ("da", "vi"), ("vi", "en")], ids="-".join)
def test_validation_searches_no_test_document_of_any_pair(drawn, asked, languages):
    searched = [pair for pair in PAIRS if set(pair) <= set(languages)]
    for language in languages:
        candidates = set(drawn.candidates_of(language))
        expected = candidates - asked["test"]
        for pair in searched:
            if language in pair:
                expected |= asked["validation", pair]
        space = drawn.search_space(language, languages, "validation")
        assert space.tolist() == sorted(expected)
        assert drawn.search_space(language, languages, "test").tolist() == sorted(candidates)


@pytest.mark.parametrize("languages", [LANGUAGES, ("da", "vi"), ("vi", "en")], ids="-".join)
def test_of_what_is_searched_nothing_trains(members, source, sizes, drawn, asked, languages):
    searched = [pair for pair in PAIRS if set(pair) <= set(languages)]
    names = {}
    for language in reversed(languages):
        names[language] = source[language].set_index("concept").index
    if drawn.lacking(searched, sizes):
        with pytest.raises(LeftOutError):
            training(names, drawn, sizes, searched)
        return
    distractors = set()
    if sizes.candidates_reading == "paper":
        distractors = set(drawn.candidates["concept"]) - asked["test"]
    n_languages = Counter()
    may_train = {}
    for language in languages:
        held_out = held_out_of(language, asked, sizes)
        may_train[language] = members[language] - held_out - distractors
        n_languages.update(may_train[language])
    expected = []
    for language in sorted(languages):
        together = [concept for concept in may_train[language] if n_languages[concept] > 1]
        expected += [[language, concept] for concept in sorted(together)]
    trained = training(names, drawn, sizes, searched)
    assert trained[["language", "concept"]].to_numpy().tolist() == expected
