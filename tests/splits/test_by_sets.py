"""Draws and training documents of all readings, from their definitions, by Python's sets."""

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
    return {x: set(frame["concept"]) for x, frame in source.items()}


@pytest.fixture
def drawn(source, sizes, tmp_path):
    draw(source, PAIRS, sizes, 7).save(tmp_path / "draw")
    return Draw.load(tmp_path / "draw")  # as the next job will read it


@pytest.fixture
def asked(drawn):
    """Concepts that are queries, by role and pair; of all pairs, by role."""
    of = {(role, *pair): set(drawn.queries_of(pair, role)) for role in ROLES for pair in PAIRS}
    return of | {role: set().union(*(of[role, *pair] for pair in PAIRS)) for role in ROLES}


def test_queries(source, members, sizes, drawn, asked):
    assert not asked["test"] & asked["validation"]
    least, most = sizes.query_unique_words or (0, 9999)
    may = {x: set(y["concept"][y["n_unique"].between(least, most)]) for x, y in source.items()}
    rows = drawn.pairs.set_index(["first", "second"]).to_dict("index")
    for a, b in PAIRS:
        assert rows[a, b]["concepts"] == len(members[a] & members[b])
        for role, others in (("test", set()), ("validation", asked["test"])):
            found, there = drawn.queries_of((b, a), role), (may[a] & may[b]) - others
            assert set(found) == asked[role, a, b] <= there
            n = min(getattr(sizes, role), int(sizes.max_share[role] * len(there)))
            assert rows[a, b][role] == len(found) == found.nunique() == n
            assert found.is_monotonic_increasing
    for role in ROLES:
        assert drawn.held_out(role).tolist() == sorted(asked[role])
    wanted = [role for role in ROLES if sizes.max_share[role]]
    assert (drawn.lacking(PAIRS, sizes) == "") == all(asked[role] for role in wanted)


def test_candidates(members, sizes, drawn, asked):
    found = {x: set(drawn.candidates_of(x)) for x in LANGUAGES}
    taken = asked["test"] | asked["validation"]
    several = set().union(*(members[x] & members[y] for x, y in PAIRS)) - taken
    alone = set().union(*members.values()) - several - taken
    for x, own in members.items():
        tests = asked["test"] & own
        assert tests <= found[x] <= own - asked["validation"] if taken else not found[x]
        most = max(sizes.candidates, len(tests)) if taken else 0
        assert len(found[x]) == most if most < 1000 else len(found[x]) < most
        if taken and most > 1000 and sizes.candidates_reading == "code":
            assert found[x] == own - asked["validation"]
    if taken and sizes.candidates == 10_000 and sizes.candidates_reading == "paper":
        for kind in (several, alone):
            distractors = set().union(*found.values()) & kind
            assert len(distractors) == int(sizes.max_share["candidates"] * len(kind))


@pytest.mark.parametrize("languages", [LANGUAGES, ("da", "vi"), ("vi", "en")], ids="-".join)
def test_search_spaces_and_training_documents(members, source, sizes, drawn, asked, languages):
    """Validation searches no test document of any pair; of what is searched nothing trains."""
    searched = [pair for pair in PAIRS if {*pair} <= {*languages}]
    every = set(drawn.candidates["concept"])
    may = {}
    for x in languages:
        own = [asked["validation", *pair] for pair in searched if x in pair]
        candidates = set(drawn.candidates_of(x))
        expected = (candidates - asked["test"]).union(*own)
        assert drawn.search_space(x, languages, "validation").tolist() == sorted(expected)
        assert drawn.search_space(x, languages, "test").tolist() == sorted(candidates)
        of_pairs = PAIRS if sizes.held_out == "paper" else [pair for pair in PAIRS if x in pair]
        held_out = set().union(*(asked[role, *pair] for role in ROLES for pair in of_pairs))
        distractors = every - asked["test"] if sizes.candidates_reading == "paper" else set()
        may[x] = members[x] - held_out - distractors
    names = {x: source[x].set_index("concept").index for x in reversed(languages)}
    if drawn.lacking(searched, sizes):
        with pytest.raises(LeftOutError):
            training(names, drawn, sizes, searched)
        return
    trained = training(names, drawn, sizes, searched)
    together = {x: {c for c in may[x] for y in languages if y != x and c in may[y]} for x in may}
    expected = sorted((x, c) for x in languages for c in together[x])
    assert trained[["language", "concept"]].to_records(index=False).tolist() == expected
