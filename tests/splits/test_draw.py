import itertools

import numpy as np
import pandas as pd
import pytest

from cr5.base.errors import UserError
from cr5.splits.draw import draw
from cr5.splits.drawn import TABLES, Draw
from cr5.splits.options import Sizes

ROLES = ("test", "validation")


def queries(drawn, role):
    """Concepts that are queries of any pair."""
    return set(drawn.queries.loc[drawn.queries["role"] == role, "concept"])


def files(folder):
    return {path.name: path.read_bytes() for path in folder.iterdir()}


def every_concept(n, languages=("da", "en")):
    frame = pd.DataFrame({"concept": [f"c{i:02}" for i in range(n)], "n_unique": 9})
    return dict.fromkeys(languages, frame)


def test_queries_of_a_pair_are_in_both_languages_and_candidates(source, drawn, pairs):
    members = {x: set(frame["concept"]) for x, frame in source.items()}
    for a, b in pairs:
        for role, n in (("test", 20), ("validation", 10)):
            found = drawn.queries_of((a, b), role)
            assert len(found) == n == found.nunique()
            assert found.is_monotonic_increasing
            assert set(found) <= members[a] & members[b]
        for x in (a, b):
            assert set(drawn.queries_of((a, b), "test")) <= set(drawn.candidates_of(x))


def test_test_and_validation_share_no_concept_even_across_pairs(drawn):
    assert not queries(drawn, "test") & queries(drawn, "validation")


def test_queries_are_a_uniform_sample_of_the_intersection():
    source, n_seeds = every_concept(40), 150
    share = {"test": 0.25, "validation": 0.25, "candidates": 0}
    drawn_of = {"test": 10, "validation": 7}  # a quarter of 40, and of the 30 that are left
    counts = pd.DataFrame(0, index=source["da"]["concept"], columns=ROLES)
    for seed in range(n_seeds):
        drawn = draw(source, [("da", "en")], Sizes(max_share=share), seed)
        for role in ROLES:
            counts.loc[drawn.queries_of(("da", "en"), role), role] += 1
    for role, n in drawn_of.items():
        expected = n_seeds * n / 40
        chi2 = ((counts[role] - expected) ** 2 / expected).sum() / (1 - n / 40)
        # 39 degrees of freedom: between the quantiles 0.0005 and 0.9995
        assert counts[role].sum() == n_seeds * n
        assert 16 < chi2 < 74


def test_an_order_of_languages_or_pairs_changes_no_byte(documents, tmp_path, sizes):
    source = documents() | {"it": documents(seed=3)["en"]}
    pairs = list(itertools.combinations(sorted(source), 2))
    draw(source, pairs, sizes(), 7).save(tmp_path / "first" / "draw")
    expected = files(tmp_path / "first" / "draw")
    assert len(expected) == len(TABLES) + 1
    for number, order in enumerate(itertools.permutations(source)):
        turned = {x: source[x] for x in order}
        searched = list(itertools.combinations(order, 2))  # some the other way round
        drawn = draw(turned, searched[number % 6 :] + searched[: number % 6], sizes(), 7)
        drawn.save(tmp_path / str(number) / "draw")
        assert files(tmp_path / str(number) / "draw") == expected


def test_the_order_of_documents_changes_nothing(source, pairs, sizes):
    turned = {x: frame.iloc[::-1] for x, frame in source.items()}
    one, other = (draw(each, pairs, sizes(), 7) for each in (source, turned))
    for table in TABLES:
        pd.testing.assert_frame_equal(getattr(one, table), getattr(other, table))


def test_a_pair_is_known_in_both_orders(documents, pairs, sizes):
    drawn = draw(documents(), [("vi", "da"), *pairs], sizes(), 7)
    assert len(drawn.pairs) == 3
    for (a, b), role in itertools.product(pairs, ROLES):
        assert drawn.queries_of((a, b), role).equals(drawn.queries_of((b, a), role))


def test_a_pair_for_which_nothing_was_drawn_is_an_error(documents, sizes):
    drawn = draw(documents(), [("vi", "da")], sizes(), 7)
    assert set(drawn.queries["first"]) == {"da"}
    assert set(drawn.queries["second"]) == {"vi"}
    with pytest.raises(UserError, match="No queries were drawn for da and en; draw them again"):
        drawn.queries_of(("en", "da"), "test")


def test_a_pair_that_shares_nothing_has_no_queries(source, pairs, sizes, caplog):
    """The paper's transitive situation: da and vi meet in en alone."""
    source["vi"] = source["vi"][~source["vi"]["concept"].isin(source["da"]["concept"])]
    drawn = draw(source, pairs, sizes(), 7)
    message = "da and vi share 0 concepts that qualify: no {} query, the pair is left out (see "
    for role in ROLES:
        assert any(x.startswith(message.format(role)) for x in caplog.messages)
    for role in ROLES:
        assert len(drawn.queries_of(("da", "en"), role))
        assert len(drawn.queries_of(("en", "vi"), role))
        nothing = drawn.queries_of(("vi", "da"), role)
        assert isinstance(nothing, pd.Index)
        assert len(nothing) == 0
    row = drawn.pairs.set_index(["first", "second"]).loc[("da", "vi")]
    assert row.tolist() == [0, 0, 0]


def test_few_queries_are_warned_of_once_with_the_remedy(source, pairs, sizes, caplog):
    source["vi"] = source["vi"].head(120)
    drawn = draw(source, pairs, sizes(test=60), 7)
    counts = {pair: len(drawn.queries_of(pair, "test")) for pair in pairs}
    assert min(counts, key=counts.get) == ("da", "vi")
    [message] = caplog.messages
    assert message.startswith(f"da and vi have only {counts['da', 'vi']} test queries")
    assert "Raise splits.max_share.test" in message
    assert "repetitions" in message


def test_fifty_queries_are_not_warned_of(documents, pairs, sizes, caplog):
    share = {"test": 0.5, "validation": 0.5, "candidates": 0.2}
    draw(documents(), pairs, sizes(test=50, max_share=share), 7)
    assert not caplog.messages


READINGS = pytest.mark.parametrize("reading", ["paper", "code"])


def numbers_of_languages(source):
    return pd.concat([frame["concept"] for frame in source.values()]).value_counts()


def test_candidates_as_in_the_code_are_all_documents_but_validation_queries(source, pairs, sizes):
    drawn = draw(source, pairs, sizes(candidates_reading="code", candidates=10_000), 7)
    for x, frame in source.items():
        expected = set(frame["concept"]) - queries(drawn, "validation")
        assert set(drawn.candidates_of(x)) == expected


@READINGS
def test_candidates_are_test_documents_and_others_up_to_their_number(source, pairs, sizes, reading):
    drawn = draw(source, pairs, sizes(candidates_reading=reading), 7)
    tests = queries(drawn, "test")
    for x, frame in source.items():
        candidates = drawn.candidates_of(x)
        assert len(candidates) == 100
        assert set(candidates) <= set(frame["concept"]) - queries(drawn, "validation")
        assert tests & set(frame["concept"]) <= set(candidates)


@READINGS
def test_test_documents_are_candidates_even_if_there_are_more(source, pairs, sizes, reading):
    drawn = draw(source, pairs, sizes(candidates_reading=reading, candidates=5), 7)
    for x, frame in source.items():
        assert set(drawn.candidates_of(x)) == queries(drawn, "test") & set(frame["concept"])


@READINGS
def test_distractors_are_a_random_sample_of_a_language(source, pairs, sizes, reading):
    """Concepts that no other language has are as many among them as by chance, of 60 draws."""
    n_languages, n_seeds = numbers_of_languages(source), 60
    seen, differences = {x: set() for x in source}, {x: [] for x in source}
    for seed in range(n_seeds):
        drawn = draw(source, pairs, sizes(candidates_reading=reading), seed)
        for x, frame in source.items():
            others = frame["concept"][~frame["concept"].isin(drawn.held_out())]
            distractors = drawn.candidates_of(x).difference(drawn.held_out())
            assert 50 <= len(distractors) < len(others) / 2
            is_alone = [(n_languages[each] == 1).mean() for each in (distractors, others)]
            differences[x].append(is_alone[0] - is_alone[1])
            seen[x] |= set(distractors)
    for x, frame in source.items():
        assert abs(np.mean(differences[x])) < 4 * np.std(differences[x]) / np.sqrt(n_seeds)
        assert len(seen[x]) > 0.95 * len(frame)


@READINGS
def test_languages_share_candidates_if_they_share_documents(source, pairs, sizes, reading):
    """One order serves all languages: what trains is lost to few concepts, not to many."""
    drawn = draw(source, pairs, sizes(candidates_reading=reading, candidates=100), 7)
    both = drawn.candidates_of("da").intersection(drawn.candidates_of("en"))
    assert len(both.difference(drawn.held_out())) > 10


def test_shared_distractors_are_a_share_of_what_is_left_for_training(source, pairs, sizes):
    drawn = draw(source, pairs, sizes(candidates=10_000), 7)
    n_languages = numbers_of_languages(source)
    held_out = queries(drawn, "test") | queries(drawn, "validation")
    shared = set(n_languages.index[n_languages > 1]) - held_out
    distractors = shared & set(drawn.candidates["concept"])
    assert len(distractors) == int(0.2 * len(shared))
    for x, frame in source.items():
        assert distractors & set(frame["concept"]) <= set(drawn.candidates_of(x))


def test_sizes_shrink_with_the_intersection(documents, pairs, sizes):
    source = documents(60)
    shared = len(set(source["da"]["concept"]) & set(source["en"]["concept"]))
    share = {"test": 0.2, "validation": 0.1, "candidates": 0.2}
    drawn = draw(source, pairs, sizes(test=1000, max_share=share), 7)
    assert len(drawn.queries_of(("da", "en"), "test")) == int(0.2 * shared)
    row = drawn.pairs.set_index(["first", "second"]).loc[("da", "en")]
    counts = [len(drawn.queries_of(("da", "en"), role)) for role in ROLES]
    assert row.tolist() == [shared, *counts]


def test_queries_may_be_bound_to_a_length(source, pairs, sizes):
    for frame in source.values():
        frame["n_unique"] = np.arange(len(frame))
    drawn = draw(source, pairs, sizes(query_unique_words=[100, 250]), 7)
    for pair, role in itertools.product(pairs, ROLES):
        found = drawn.queries_of(pair, role)
        assert len(found)
        for x in pair:
            lengths = source[x].set_index("concept").loc[found, "n_unique"]
            assert lengths.between(100, 250).all()


@pytest.mark.parametrize("languages", [("da", "en", "vi"), ("vi", "da")])
def test_the_search_space_of_validation(drawn, languages):
    """By sets, from the tables: no test document of any pair, and the setting's own queries."""
    table = drawn.queries
    of_setting = table["first"].isin(languages) & table["second"].isin(languages)
    for x in languages:
        own = table[of_setting & ((table["first"] == x) | (table["second"] == x))]
        asked = set(own.loc[own["role"] == "validation", "concept"])
        is_own = drawn.candidates["language"] == x
        candidates = set(drawn.candidates.loc[is_own, "concept"])
        expected = (candidates - queries(drawn, "test")) | asked
        assert asked - candidates
        assert drawn.search_space(x, languages, "validation").tolist() == sorted(expected)
        assert drawn.search_space(x, languages, "test").tolist() == sorted(candidates)


def test_same_seed_same_draw_another_seed_another(documents, pairs, sizes):
    one, two, other = (draw(documents(), pairs, sizes(), seed).queries for seed in (7, 7, 8))
    assert one.equals(two)
    assert not one.equals(other)


def test_only_pairs_that_are_searched_cost_queries(documents, sizes):
    drawn = draw(documents(), [("da", "vi")], sizes(), 7)
    assert drawn.pairs[["first", "second"]].to_numpy().tolist() == [["da", "vi"]]
    assert len(drawn.held_out()) == 30


def test_held_out_concepts(drawn):
    for role in ROLES:
        assert drawn.held_out(role).tolist() == sorted(queries(drawn, role))
    both = queries(drawn, "test") | queries(drawn, "validation")
    assert drawn.held_out().tolist() == sorted(both)


def test_what_is_saved_is_loaded(drawn, tmp_path):
    drawn.save(tmp_path / "draw")
    loaded = Draw.load(tmp_path / "draw")
    for table in TABLES:
        pd.testing.assert_frame_equal(getattr(loaded, table), getattr(drawn, table))
    assert loaded.queries_of(("vi", "en"), "test").equals(drawn.queries_of(("en", "vi"), "test"))


def test_a_draw_without_any_query_is_saved_and_loaded(tmp_path, sizes):
    draw(every_concept(2), [("da", "en")], sizes(), 0).save(tmp_path / "draw")
    loaded = Draw.load(tmp_path / "draw")
    assert not len(loaded.queries_of(("da", "en"), "test"))
    assert not len(loaded.held_out())


def test_a_damaged_draw_is_named(documents, pairs, sizes, tmp_path):
    draw(documents(), pairs, sizes(), 7).save(tmp_path / "draw")
    path = tmp_path / "draw" / "queries.parquet"
    path.write_bytes(path.read_bytes()[:100])
    with pytest.raises(UserError, match=r"queries\.parquet: "):
        Draw.load(tmp_path / "draw")
