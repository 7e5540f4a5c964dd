import itertools

import numpy as np
import pandas as pd
import pytest

from cr5.base.errors import UserError
from cr5.splits import draw as splits

LANGUAGES = ("da", "en", "vi")
PAIRS = [("da", "en"), ("da", "vi"), ("en", "vi")]


def documents(n=1000, seed=0):
    """Concepts c0000.. that each language has with some probability; every document is fine."""
    generator = np.random.default_rng(seed)
    shares = {"da": 0.6, "en": 0.9, "vi": 0.5}
    return {
        language: pd.DataFrame(
            {
                "concept": [f"c{i:04}" for i in np.flatnonzero(generator.random(n) < share)],
                "n_unique": 200,
            }
        )
        for language, share in shares.items()
    }


def sizes(**changes):
    return splits.Sizes(**{"test": 20, "validation": 10, "candidates": 100, **changes})


def written(frame, tmp_path):
    """The split as the next job will read it."""
    frame.to_parquet(tmp_path / "split.parquet", index=False)
    return pd.read_parquet(tmp_path / "split.parquet")


def has(frame, role):
    chosen = frame[frame["role"] == role]
    return set(zip(chosen["concept"], chosen["language"], strict=True))


@pytest.mark.parametrize("candidates_reading", ["paper", "code"])
@pytest.mark.parametrize("languages", [LANGUAGES, ("da", "vi"), ("en", "vi")])
def test_nothing_of_a_test_or_validation_concept_trains(tmp_path, languages, candidates_reading):
    drawn = splits.draw(documents(), PAIRS, sizes(candidates_reading=candidates_reading), 7)
    frame = written(splits.split(drawn, languages), tmp_path)
    train = {concept for concept, _ in has(frame, "train")}
    for role in ("test", "validation"):
        held_out = {concept for concept, _ in has(frame, role)}
        assert held_out
        assert not held_out & train
    # nor of any other pair: a joint and a pairwise model never learn from each other's queries
    queries = [*drawn.test.values(), *drawn.validation.values()]
    assert not set().union(*queries) & train


def test_candidates_do_not_train_as_the_paper_says_but_may_in_the_code(tmp_path):
    for reading, overlap in (("paper", False), ("code", True)):
        drawn = splits.draw(documents(), PAIRS, sizes(candidates_reading=reading), 7)
        frame = written(splits.split(drawn, LANGUAGES), tmp_path)
        train = {concept for concept, _ in has(frame, "train")}
        candidates = {concept for concept, _ in has(frame, "candidate")}
        assert bool(train & candidates) is overlap


def test_queries_of_a_pair_have_documents_in_both_languages_and_are_candidates():
    source = documents()
    frame = splits.split(splits.draw(source, PAIRS, sizes(), 7), LANGUAGES)
    members = {x: set(f["concept"]) for x, f in source.items()}
    candidates = has(frame, "candidate")
    for a, b in itertools.combinations(LANGUAGES, 2):
        for role, n in (("test", 20), ("validation", 10)):
            queries = splits.concepts(frame, role, a, f"{a}-{b}")
            assert len(queries) == n
            assert queries.equals(splits.concepts(frame, role, b, f"{a}-{b}"))
            assert set(queries) <= members[a] & members[b]
        test = splits.concepts(frame, "test", a, f"{a}-{b}")
        assert {(c, x) for c in test for x in (a, b)} <= candidates


def test_test_and_validation_share_no_concept_even_across_pairs():
    frame = splits.split(splits.draw(documents(), PAIRS, sizes(), 7), LANGUAGES)
    test, validation = ({c for c, _ in has(frame, role)} for role in ("test", "validation"))
    assert not test & validation


def test_all_settings_are_tested_on_the_same_queries_and_candidates():
    drawn = splits.draw(documents(), PAIRS, sizes(), 7)
    joint, pairwise = splits.split(drawn, LANGUAGES), splits.split(drawn, ("da", "vi"))
    for role, pair in (("test", "da-vi"), ("validation", "da-vi"), ("candidate", None)):
        for x in ("da", "vi"):
            ours = splits.concepts(joint, role, x, pair)
            assert ours.equals(splits.concepts(pairwise, role, x, pair))


def test_only_concepts_of_two_languages_train_and_all_that_are_left_do():
    source = documents()
    frame = splits.split(splits.draw(source, PAIRS, sizes(), 7), LANGUAGES)
    train = has(frame, "train")
    taken = {c for role in ("test", "validation", "candidate") for c, _ in has(frame, role)}
    expected = {
        (concept, x)
        for concept in set().union(*(f["concept"] for f in source.values())) - taken
        for x in (x for x in LANGUAGES if concept in set(source[x]["concept"]))
        if sum(concept in set(f["concept"]) for f in source.values()) > 1
    }
    assert train == expected


def test_held_out_as_in_the_code_removes_from_the_two_languages_only():
    source = documents()
    drawn = splits.draw(source, PAIRS, sizes(held_out="code", candidates_reading="code"), 7)
    frame = splits.split(drawn, LANGUAGES)
    train = has(frame, "train")
    for a, b in itertools.combinations(LANGUAGES, 2):
        for role in ("test", "validation"):
            queries = splits.concepts(frame, role, a, f"{a}-{b}")
            assert not {(c, x) for c in queries for x in (a, b)} & train


def test_held_out_in_the_code_still_trains_in_third_languages():
    """Concept q is a test query of da-en alone; vi and it have it as well."""
    languages = ("da", "en", "it", "vi")
    members = pd.DataFrame(True, index=["q", "v", "t"], columns=languages)
    nothing = {pair: pd.Index([]) for pair in itertools.combinations(languages, 2)}
    trained = {}
    for reading in ("paper", "code"):
        drawn = splits.Draw(
            members,
            {**nothing, ("da", "en"): pd.Index(["q"])},
            {**nothing, ("da", "en"): pd.Index(["v"])},
            dict.fromkeys(languages, pd.Index([])),
            sizes(held_out=reading),
        )
        trained[reading] = has(splits.split(drawn, languages), "train")
    always = {("t", x) for x in languages}
    assert trained["paper"] == always
    assert trained["code"] == always | {(c, x) for c in ("q", "v") for x in ("it", "vi")}


def test_candidates_as_in_the_code_are_all_documents_but_validation_queries():
    source = documents()
    frame = splits.split(splits.draw(source, PAIRS, sizes(candidates_reading="code"), 7), LANGUAGES)
    validation = {c for c, _ in has(frame, "validation")}
    for x in LANGUAGES:
        expected = set(source[x]["concept"]) - validation
        assert set(splits.concepts(frame, "candidate", x)) == expected


def test_distractors_come_first_from_concepts_of_one_language():
    source = documents()
    frame = splits.split(splits.draw(source, PAIRS, sizes(), 7), LANGUAGES)
    tests = {c for c, _ in has(frame, "test")}
    n_languages = pd.concat([f["concept"] for f in source.values()]).value_counts()
    for x in LANGUAGES:
        candidates = splits.concepts(frame, "candidate", x)
        own_tests = tests & set(source[x]["concept"])
        assert own_tests <= set(candidates)
        alone = set(source[x]["concept"][source[x]["concept"].map(n_languages) == 1])
        distractors = set(candidates) - tests
        assert len(candidates) <= max(100, len(own_tests))
        assert distractors <= alone or alone <= distractors


def test_sizes_shrink_with_the_intersection():
    source = documents(60)
    shared = len(set(source["da"]["concept"]) & set(source["en"]["concept"]))
    share = {"test": 0.2, "validation": 0.1, "candidates": 0.2}
    frame = splits.split(
        splits.draw(source, PAIRS, sizes(test=1000, max_share=share), 7), LANGUAGES
    )
    assert len(splits.concepts(frame, "test", "da", "da-en")) == int(0.2 * shared)


def test_queries_may_be_bound_to_a_length():
    source = documents()
    for frame in source.values():
        frame["n_unique"] = np.arange(len(frame))
    frame = splits.split(
        splits.draw(source, PAIRS, sizes(query_unique_words=[100, 250]), 7), LANGUAGES
    )
    for role in ("test", "validation"):
        for a, b in itertools.combinations(LANGUAGES, 2):
            queries = splits.concepts(frame, role, a, f"{a}-{b}")
            for x in (a, b):
                lengths = source[x].set_index("concept").loc[queries, "n_unique"]
                assert lengths.between(100, 250).all()


def test_validation_is_searched_among_no_test_document():
    frame = splits.split(splits.draw(documents(), PAIRS, sizes(), 7), LANGUAGES)
    space = splits.search_space(frame, "da", "validation")
    assert not set(space) & set(splits.concepts(frame, "test", "da"))
    assert set(splits.concepts(frame, "validation", "da")) <= set(space)
    assert splits.search_space(frame, "da", "test").equals(
        splits.concepts(frame, "candidate", "da")
    )


def test_same_seed_same_split_another_seed_another():
    one, two, other = (
        splits.split(splits.draw(documents(), PAIRS, sizes(), seed), LANGUAGES)
        for seed in (7, 7, 8)
    )
    assert one.equals(two)
    assert not one.equals(other)


def test_counts_by_pair():
    source = documents()
    frame = splits.split(splits.draw(source, PAIRS, sizes(), 7), LANGUAGES)
    table = splits.sizes_by_pair(frame, {x: pd.Index(f["concept"]) for x, f in source.items()})
    row = table[(table["query"] == "da") & (table["target"] == "vi")].iloc[0]
    train = has(frame, "train")
    shared = set(source["da"]["concept"]) & set(source["vi"]["concept"])
    assert row["concepts"] == len(shared)
    assert (row["test"], row["validation"]) == (20, 10)
    assert row["train"] == sum((c, "da") in train and (c, "vi") in train for c in shared)


def test_too_few_shared_concepts():
    source = {x: pd.DataFrame({"concept": ["a", "b"], "n_unique": 9}) for x in ("da", "en")}
    drawn = splits.draw(source, PAIRS[:1], sizes(), 0)
    with pytest.raises(UserError, match=r"No test or validation query.*da-en 2;.*max_share"):
        splits.split(drawn, ("da", "en"))


def test_a_pair_that_shares_nothing_has_no_queries_but_the_others_have(caplog):
    """The paper's transitive situation: da and vi meet in en alone."""
    source = documents()
    source["vi"] = source["vi"][~source["vi"]["concept"].isin(source["da"]["concept"])]
    frame = splits.split(splits.draw(source, PAIRS, sizes(), 7), LANGUAGES)
    assert "share 0 concepts that qualify" in caplog.text
    for role in ("test", "validation"):
        found = {pair: len(splits.concepts(frame, role, "en", pair)) for pair in ("da-en", "en-vi")}
        assert all(found.values())
        assert not len(splits.concepts(frame, role, "da", "da-vi"))


def test_only_pairs_that_are_searched_cost_queries():
    drawn = splits.draw(documents(), [("da", "vi")], sizes(), 7)
    assert list(drawn.test) == [("da", "vi")]


def test_held_out_in_the_code_matters_whatever_candidates_are():
    languages = ("da", "en", "it", "vi")
    source = documents()
    source = {x: source.get(x, source["vi"]) for x in languages}
    pairs = list(itertools.combinations(languages, 2))
    # few queries of da-en alone: the other pairs' are drawn from short documents
    source["da"] = source["da"].assign(n_unique=100)
    source["en"] = source["en"].assign(n_unique=100)
    drawn = splits.draw(source, pairs, sizes(held_out="code", query_unique_words=[1, 100]), 7)
    assert not len(drawn.test["it", "vi"])
    frame = splits.split(drawn, languages)
    test = set(drawn.test["da", "en"])
    assert {x for c, x in has(frame, "train") if c in test} == {"it", "vi"}


def test_nothing_left_to_train_on():
    share = {"test": 0.5, "validation": 1.0, "candidates": 1.0}
    drawn = splits.draw(documents(), PAIRS, sizes(test=999, validation=999, max_share=share), 0)
    with pytest.raises(UserError, match="No concept is left to train on for da, vi"):
        splits.split(drawn, ("da", "vi"))


def test_held_out_concepts():
    frame = splits.split(splits.draw(documents(), PAIRS, sizes(), 7), LANGUAGES)
    expected = {c for role in ("test", "validation") for c, _ in has(frame, role)}
    assert splits.held_out(frame) == expected
