import itertools

import pandas as pd
import pytest

from cr5.base.errors import LeftOutError, UserError
from cr5.splits.draw import draw
from cr5.splits.drawn import Draw
from cr5.splits.options import SHARES, Cut
from cr5.splits.settings import concepts, sizes_by_pair, training

ROLES = ("test", "validation")
READINGS = ("paper", "code")


def indices(documents, languages):
    return {x: pd.Index(documents[x]["concept"]) for x in languages}


def rows(trained):
    return set(zip(trained["concept"], trained["language"], strict=True))


def by_hand(queries, candidates, languages):
    """A draw from (concept, role, first, second) and (concept, language)."""
    pairs = [(*pair, 9, 1, 1) for pair in itertools.combinations(languages, 2)]
    return Draw(
        pd.DataFrame(queries, columns=["concept", "role", "first", "second"]),
        pd.DataFrame(candidates, columns=["concept", "language"]),
        pd.DataFrame(pairs, columns=["first", "second", "concepts", "test", "validation"]),
    )


@pytest.mark.parametrize("candidates_reading", READINGS)
@pytest.mark.parametrize("languages", [("da", "en", "vi"), ("da", "vi"), ("vi", "en")])
def test_nothing_of_a_test_or_validation_concept_trains(
    documents, pairs, sizes, tmp_path, languages, candidates_reading
):
    chosen = sizes(candidates_reading=candidates_reading)
    draw(documents(), pairs, chosen, 7).save(tmp_path / "draw")
    drawn = Draw.load(tmp_path / "draw")  # as the next job will read it
    trained = training(indices(documents(), languages), drawn, chosen, "mine")
    trained.to_parquet(tmp_path / "trained.parquet")
    train = set(pd.read_parquet(tmp_path / "trained.parquet")["concept"])
    assert train
    # nor of any other pair: a joint and a pairwise model never learn from each other's queries
    for role, pair in itertools.product(ROLES, pairs):
        held_out = set(drawn.queries_of(pair, role))
        assert held_out
        assert not held_out & train


@pytest.mark.parametrize(("reading", "overlap"), [("paper", False), ("code", True)])
def test_candidates_do_not_train_as_the_paper_says_but_may_in_the_code(
    documents, pairs, sizes, reading, overlap
):
    chosen = sizes(candidates_reading=reading)
    drawn = draw(documents(), pairs, chosen, 7)
    train = set(training(indices(documents(), ("da", "en", "vi")), drawn, chosen, "s")["concept"])
    assert bool(train & set(drawn.candidates["concept"])) is overlap


def test_only_concepts_of_two_languages_train_and_all_that_are_left_do(source, drawn, sizes):
    trained = training(indices(source, source), drawn, sizes(), "joint")
    taken = set(drawn.queries["concept"]) | set(drawn.candidates["concept"])
    members = {x: set(frame["concept"]) for x, frame in source.items()}
    expected = {
        (concept, x)
        for concept in set().union(*members.values()) - taken
        for x in members
        if concept in members[x] and sum(concept in each for each in members.values()) > 1
    }
    assert rows(trained) == expected
    assert len(trained) == len(expected)


def test_rows_are_sorted_and_the_order_of_languages_changes_no_byte(source, drawn, sizes, tmp_path):
    found = set()
    for order in itertools.permutations(source):
        trained = training(indices(source, order), drawn, sizes(), "joint")
        assert trained.equals(trained.sort_values(["language", "concept"], ignore_index=True))
        trained.to_parquet(tmp_path / "trained.parquet", index=False)
        found.add((tmp_path / "trained.parquet").read_bytes())
    assert len(found) == 1


def test_held_out_as_in_the_code_removes_from_the_two_languages_only(source, pairs, sizes):
    chosen = sizes(held_out="code", candidates_reading="code")
    drawn = draw(source, pairs, chosen, 7)
    train = rows(training(indices(source, source), drawn, chosen, "joint"))
    for pair, role in itertools.product(pairs, ROLES):
        held_out = {(c, x) for c in drawn.queries_of(pair, role) for x in pair}
        assert held_out
        assert not held_out & train


@pytest.mark.parametrize("candidates_reading", READINGS)
def test_held_out_in_the_code_still_trains_in_third_languages(sizes, candidates_reading):
    """Concepts q and v are queries of da-en alone; vi and it have them as well."""
    languages = ("da", "en", "it", "vi")
    queries = [("q", "test", "da", "en"), ("v", "validation", "da", "en")]
    drawn = by_hand(queries, [("q", "da"), ("q", "en")], languages)
    documents = {x: pd.Index(["q", "t", "v"]) for x in languages}
    trained = {
        reading: rows(
            training(
                documents,
                drawn,
                sizes(held_out=reading, candidates_reading=candidates_reading),
                "joint",
            )
        )
        for reading in READINGS
    }
    always = {("t", x) for x in languages}
    assert trained["paper"] == always
    assert trained["code"] == always | {(c, x) for c in ("q", "v") for x in ("it", "vi")}


def test_a_setting_gives_up_the_queries_of_pairs_of_other_settings_too(sizes):
    """In code reading only of its own languages: q of da-vi does not train in da, but in en."""
    languages = ("da", "en", "it", "vi")
    queries = [
        ("q", "test", "da", "vi"),
        ("e", "test", "en", "it"),
        ("e", "validation", "en", "it"),
    ]
    drawn = by_hand(queries, [("q", "da"), ("q", "vi")], languages)
    documents = {x: pd.Index(["q", "t"]) for x in ("en", "it")}
    found = {
        reading: rows(training(documents, drawn, sizes(held_out=reading), "en and it"))
        for reading in READINGS
    }
    assert found["paper"] == {("t", "en"), ("t", "it")}
    assert found["code"] == found["paper"] | {("q", "en"), ("q", "it")}


def test_distractors_of_a_language_outside_the_setting_do_not_train_either(sizes):
    queries = [("q", "test", "da", "en"), ("v", "validation", "da", "en")]
    drawn = by_hand(queries, [("q", "da"), ("q", "en"), ("d", "vi")], ("da", "en", "vi"))
    documents = {x: pd.Index(["d", "q", "t"]) for x in ("da", "en")}
    trained = training(documents, drawn, sizes(), "pairwise_da-en")
    assert rows(trained) == {("t", "da"), ("t", "en")}


def test_counts_by_pair(source, drawn, pairs, sizes):
    train = training(indices(source, source), drawn, sizes(), "joint")
    table = sizes_by_pair(train, indices(source, ("vi", "da", "en")), drawn)
    assert list(table[["query", "target"]].itertuples(index=False, name=None)) == pairs
    row = table[(table["query"] == "da") & (table["target"] == "vi")].iloc[0]
    shared = set(source["da"]["concept"]) & set(source["vi"]["concept"])
    assert row["concepts"] == len(shared)
    assert (row["test"], row["validation"]) == (20, 10)
    assert row["train"] == sum({(c, "da"), (c, "vi")} <= rows(train) for c in shared)


def test_counts_of_pairs_that_are_not_searched_have_no_queries(source, pairs, sizes):
    drawn = draw(source, [("da", "vi")], sizes(), 7)  # for no other pair is anything drawn
    given = indices(source, source)
    train = training(given, drawn, sizes(), "t", [("da", "vi")], Cut(("da", "vi"), 0, "split"), 3)
    table = sizes_by_pair(train, given, drawn, [("da", "vi")]).set_index(["query", "target"])
    assert list(table.index) == pairs
    assert table.loc[("da", "vi"), ["train", "validation", "test"]].tolist() == [0, 10, 20]
    assert table["test"].isna().tolist() == [True, False, True]
    for a, b in (("da", "en"), ("en", "vi")):
        assert table.loc[(a, b), "concepts"] == len(set(given[a]) & set(given[b]))
        expected = sum({(c, a), (c, b)} <= rows(train) for c in given[a])
        assert table.loc[(a, b), "train"] == expected > 0


@pytest.mark.parametrize("held_out", READINGS)
@pytest.mark.parametrize("shared", ["drop", "split"])
def test_transitive_no_concept_that_both_languages_have_trains(
    documents, pairs, sizes, tmp_path, shared, held_out
):
    """Of what is written; split between them, a concept trains in one of the two languages."""
    source, chosen = documents(), sizes(held_out=held_out)
    drawn = draw(source, pairs, chosen, 7)
    cut = Cut(("da", "vi"), 0, shared)
    trained = training(indices(source, source), drawn, chosen, "t", [("da", "vi")], cut, 3)
    trained.to_parquet(tmp_path / "trained.parquet", index=False)
    written = rows(pd.read_parquet(tmp_path / "trained.parquet"))
    in_both = set(source["da"]["concept"]) & set(source["vi"]["concept"])
    assert len(in_both) > 100
    assert not [c for c in in_both if {(c, "da"), (c, "vi")} <= written]
    assert bool(in_both & {c for c, _ in written}) is (shared == "split")
    # and da and vi learn from en: no document trains alone
    da, en, vi = ({c for c, y in written if y == x} for x in ("da", "en", "vi"))
    assert min(len(da), len(vi)) > 0
    assert da | vi == en


def test_a_pair_alone_and_with_others_is_cut_to_the_same_concepts(source, drawn, sizes):
    found = {}
    for n, languages in itertools.product((5, 20), (("da", "vi"), ("da", "en", "vi"))):
        cut = Cut(("da", "vi"), n, "split")
        given = indices(source, languages)
        trained = training(given, drawn, sizes(), "few", [("da", "vi")], cut, 3)
        both = set(concepts(trained, "da")) & set(concepts(trained, "vi"))
        found[n, len(languages)] = both
        assert len(both) == n
        assert set(trained["language"]) == set(languages)
    assert found[5, 2] == found[5, 3] < found[20, 2] == found[20, 3]
    uncut = training(indices(source, ("da", "vi")), drawn, sizes(), "pairwise")
    assert found[20, 2] < set(uncut["concept"])


def test_a_cut_that_leaves_nothing_is_left_out_under_the_name_of_its_setting(sizes):
    """All concepts are in all languages: without those of da and vi there are none."""
    frame = pd.DataFrame({"concept": [f"c{i:03}" for i in range(200)], "n_unique": 9})
    source = {"da": frame, "en": frame, "vi": frame}
    drawn = draw(source, [("da", "vi")], sizes(), 0)
    given = indices(source, source), drawn, sizes(), "t", [("da", "vi")]
    with pytest.raises(LeftOutError, match=r"Setting t: nothing links da and vi .*split"):
        training(*given, Cut(("da", "vi"), 0, "drop"))
    assert len(training(*given, Cut(("da", "vi"), 0, "split")))


def test_a_pair_that_is_searched_needs_queries_whatever_others_have(sizes):
    every = [f"c{i:03}" for i in range(200)]
    parts = {"da": every[:101], "en": every, "vi": every[100:]}
    source = {x: pd.DataFrame({"concept": y, "n_unique": 9}) for x, y in parts.items()}
    pairs = list(itertools.combinations(source, 2))
    drawn = draw(source, pairs, sizes(), 0)
    given = indices(source, source), drawn, sizes(), "t"
    with pytest.raises(LeftOutError, match=r"Setting t: no test .* pairs share: da-vi 1"):
        training(*given, [("da", "vi")], Cut(("da", "vi"), 0, "split"))


def test_too_few_shared_concepts(sizes):
    frame = pd.DataFrame({"concept": ["a", "b"], "n_unique": 9})
    source = {"da": frame, "en": frame}
    drawn = draw(source, [("da", "en")], sizes(), 0)
    expected = (
        r"Setting mine: no test or validation query can be drawn for da, en\. .*da-en 2;.*max_share"
    )
    with pytest.raises(UserError, match=expected):
        training(indices(source, source), drawn, sizes(), "mine")


def test_nothing_left_to_train_on(documents, pairs, sizes):
    share = {"test": 0.5, "validation": 1.0, "candidates": 1.0}
    chosen = sizes(test=999, validation=999, max_share=share)
    drawn = draw(documents(), pairs, chosen, 0)
    with pytest.raises(UserError, match="Setting s: no concept is left to train on for da, vi"):
        training(indices(documents(), ("vi", "da")), drawn, chosen, "s")


def test_without_queries_on_purpose_all_that_is_shared_trains(documents, pairs, sizes, caplog):
    given, none = documents(), sizes(max_share={**SHARES, "test": 0.0, "validation": 0.0})
    drawn = draw(given, pairs, none, 0)
    assert drawn.queries.empty
    assert drawn.candidates.empty  # nothing is searched among them
    assert not caplog.text
    names = indices(given, given)
    trained = training(names, drawn, none, "joint")
    for language in given:
        others = set().union(*(names[x] for x in given if x != language))
        assert set(concepts(trained, language)) == set(names[language]) & others


@pytest.mark.parametrize(("role", "other"), [ROLES, ROLES[::-1]])
def test_a_role_that_is_drawn_is_needed_where_the_other_is_not(
    documents, pairs, sizes, role, other
):
    given, share = documents(), {**SHARES, role: 0.0}
    names = indices(given, given)
    drawn = draw(given, pairs, sizes(max_share=share), 0)
    assert set(drawn.queries["role"]) == {other}
    assert len(training(names, drawn, sizes(max_share=share), "joint"))
    tiny = sizes(max_share={**share, other: 1e-9})
    with pytest.raises(LeftOutError, match=rf"Setting joint: no test .*'{other}': 1e-09"):
        training(names, draw(given, pairs, tiny, 0), tiny, "joint")
