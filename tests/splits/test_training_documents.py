"""Who trains: nothing of a query, and of what a pair shares no more than it is cut to."""

import itertools

import pandas as pd
import pytest

from cr5.base.errors import LeftOutError
from cr5.splits.draw import draw
from cr5.splits.options import Cut, Sizes
from cr5.splits.training_documents import check_linked, concepts, reduce, sizes_by_pair, training

READINGS = ("paper", "code")
DA_VI = [("da", "vi")]


def indices(documents, languages=None):
    return {x: pd.Index(documents[x]["concept"]) for x in languages or documents}


def rows(trained):
    return set(zip(trained["concept"], trained["language"], strict=True))


@pytest.mark.parametrize("reading", READINGS)
def test_no_test_document_of_a_given_split_trains_even_if_no_pair_asks_for_it(reading):
    found = {"en": "1 01-01 00-01", "es": "1 01-01 00-01 00-02", "fr": "1 00-02"}
    frames = {x: pd.DataFrame({"concept": y.split(), "n_unique": 9}) for x, y in found.items()}
    given = {"test": ("00-*",), "validation": ("01-*",)}
    sizes = Sizes(given=given, candidates_reading=reading)
    drawn = draw(frames, [("en", "es")], sizes, 0)  # French only trains
    trained = training(indices(frames), drawn, sizes, [("en", "es")])
    assert trained["concept"].tolist() == ["1", "1", "1"]


def test_counts_by_pair_and_of_pairs_that_are_not_searched(source, pairs, sizes):
    drawn = draw(source, DA_VI, sizes(), 7)  # for no other pair is anything drawn
    train = training(indices(source), drawn, sizes(), DA_VI, Cut(("da", "vi"), 0, "split"), 3)
    table = sizes_by_pair(train, indices(source), drawn, DA_VI).set_index(["query", "target"])
    assert list(table.index) == pairs
    assert table.loc[("da", "vi"), ["train", "validation", "test"]].tolist() == [0, 10, 20]
    assert table["test"].isna().tolist() == [True, False, True]
    for a, b in pairs:
        shared = set(source[a]["concept"]) & set(source[b]["concept"])
        assert table.loc[(a, b), "concepts"] == len(shared)
        assert table.loc[(a, b), "train"] == sum({(c, a), (c, b)} <= rows(train) for c in shared)


@pytest.mark.parametrize("held_out", READINGS)
@pytest.mark.parametrize("shared", ["drop", "split"])
def test_transitive_no_concept_that_both_languages_have_trains(
    source, pairs, sizes, shared, held_out
):
    """Split between them, a concept trains in one of the two languages."""
    chosen = sizes(held_out=held_out)
    drawn, cut = draw(source, pairs, chosen, 7), Cut(("da", "vi"), 0, shared)
    written = rows(training(indices(source), drawn, chosen, DA_VI, cut, 3))
    in_both = set(source["da"]["concept"]) & set(source["vi"]["concept"])
    assert not [c for c in in_both if {(c, "da"), (c, "vi")} <= written]
    assert bool(in_both & {c for c, _ in written}) is (shared == "split")
    # and da and vi learn from en: no document trains alone
    da, en, vi = ({c for c, y in written if y == x} for x in ("da", "en", "vi"))
    assert min(len(da), len(vi)) > 0 and da | vi == en


def test_a_pair_alone_and_with_others_is_cut_to_the_same_concepts(source, drawn, sizes):
    found = {}
    for n, languages in itertools.product((5, 20), (("da", "vi"), ("da", "en", "vi"))):
        given = indices(source, languages)
        trained = training(given, drawn, sizes(), DA_VI, Cut(("da", "vi"), n, "split"), 3)
        both = set(concepts(trained, "da")) & set(concepts(trained, "vi"))
        found[n, len(languages)] = both
        assert len(both) == n and set(trained["language"]) == set(languages)
    assert found[5, 2] == found[5, 3] < found[20, 2] == found[20, 3]


NAMES = [f"c{i:02}" for i in range(40)]


def frame(**languages):
    """Concepts x languages from the concepts of each."""
    every = sorted(set().union(*languages.values()))
    return pd.DataFrame({x: [c in y for c in every] for x, y in languages.items()}, index=every)


def cut(members, exist=None, seed=1, **options):
    left = members.copy()
    given = Cut(**{"pair": ("da", "vi"), "concepts": 0, "max_share": 1.0, **options})
    reduce(left, members if exist is None else exist, given, seed)
    return left


def both(members):
    return set(members.index[members[["da", "vi"]].all(axis=1)])


WIDE = frame(da=NAMES[:30], en=NAMES, vi=NAMES[10:])  # da and vi share c10 to c29


@pytest.mark.parametrize("shared", ["drop", "split"])
def test_as_many_train_in_both_as_asked_for_and_fewer_are_some_of_more(shared):
    numbers, outside = (0, 1, 7, 20), NAMES[:10] + NAMES[30:]
    found = [cut(WIDE, concepts=n, shared=shared) for n in numbers]
    assert [len(both(x)) for x in found] == list(numbers)
    for left in found:
        assert left.loc[outside].equals(WIDE.loc[outside])
        rest = left.loc[[c for c in NAMES[10:30] if c not in both(left)]]
        if shared == "drop":
            assert not rest.to_numpy().any()
        else:  # each in one of the two, as many in one as in the other, and in all others
            assert rest["en"].all() and (rest[["da", "vi"]].sum(axis=1) == 1).all()
            assert abs(rest["da"].sum() - rest["vi"].sum()) <= 1
    for fewer, more in itertools.pairwise(found):
        assert both(fewer) < both(more)
        others = ~more.index.isin(list(both(more)))
        assert fewer[others].equals(more[others])


def test_what_exists_in_both_is_dropped_though_it_could_train_in_one_only():
    """Such as a concept whose document in Danish is held out."""
    members = WIDE.copy()
    members.loc["c15", "da"] = False
    assert cut(members, WIDE, shared="split").loc["c15", ["en", "vi"]].all()
    assert not cut(members, WIDE, shared="drop").loc["c15"].any()


def test_the_concepts_depend_on_the_seed_but_on_no_other_language():
    chosen = both(cut(WIDE, concepts=8))
    assert chosen == both(cut(WIDE[["vi", "da"]], concepts=8)) == both(cut(WIDE[::-1], concepts=8))
    assert chosen != both(cut(WIDE, seed=2, concepts=8))


def test_more_than_there_is_shrinks_to_a_share_unless_that_adds_nothing():
    assert len(both(cut(WIDE, concepts=10_000, max_share=0.5, beyond=9))) == 10
    assert len(both(cut(WIDE, concepts=4, max_share=0.5))) == 4
    for options in ({"beyond": 10, "max_share": 0.5}, {"max_share": 0.04}):
        with pytest.raises(LeftOutError, match="da and vi share 20 concepts that could train"):
            cut(WIDE, concepts=10_000, **options)


@pytest.mark.parametrize(
    ("members", "is_linked"),
    [
        (frame(da="a", en="ab", vi="b"), True),
        (frame(da="a", en="ab", it="bc", vi="c"), True),
        (frame(da="a", vi="a"), True),
        (frame(da="a", en="ab", it="b", vi=""), False),
        (frame(da="a", en="a", it="b", vi="b"), False),
    ],
)
def test_two_languages_are_linked_through_others(members, is_linked):
    if is_linked:
        check_linked(members, Cut(("da", "vi"), 0))
    else:
        with pytest.raises(LeftOutError, match="nothing links da and vi: "):
            check_linked(members, Cut(("da", "vi"), 0))


def test_what_leaves_nothing_is_left_out(source, pairs, sizes):
    share = {"test": 0.5, "validation": 1.0, "candidates": 1.0}
    chosen = sizes(test=999, validation=999, max_share=share)
    drawn = draw(source, pairs, chosen, 0)
    with pytest.raises(LeftOutError, match="no concept is left to train on for da, vi"):
        training(indices(source, ("vi", "da")), drawn, chosen, DA_VI)
    tiny = sizes(max_share={"test": 1e-9})
    with pytest.raises(LeftOutError, match="no test or validation query"):
        training(indices(source), draw(source, pairs, tiny, 0), tiny, pairs)
