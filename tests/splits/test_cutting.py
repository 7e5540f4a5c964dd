import itertools

import pandas as pd
import pytest

from cr5.base.errors import LeftOutError
from cr5.splits import cutting
from cr5.splits.options import Cut

PAIR = ("da", "vi")


def frame(**languages):
    """Concepts x languages from the concepts of each."""
    every = sorted(set().union(*languages.values()))
    return pd.DataFrame({x: [c in y for c in every] for x, y in languages.items()}, index=every)


def cut(members, exist=None, seed=1, **options):
    left = members.copy()
    given = Cut(**{"pair": PAIR, "concepts": 0, "max_share": 1.0, **options})
    cutting.apply(left, members if exist is None else exist, given, seed)
    return left


def both(members, pair=PAIR):
    return set(members.index[members[list(pair)].all(axis=1)])


NAMES = [f"c{i:02}" for i in range(40)]
WIDE = frame(da=NAMES[:30], en=NAMES, vi=NAMES[10:])  # da and vi share c10 to c29


@pytest.mark.parametrize("shared", ["drop", "split"])
@pytest.mark.parametrize("n", [0, 1, 7, 20])
def test_as_many_concepts_train_in_both_languages_as_are_asked_for(n, shared):
    assert len(both(cut(WIDE, concepts=n, shared=shared))) == n


def test_none_of_the_shared_concepts_trains_in_any_language_where_they_are_dropped():
    left = cut(WIDE, shared="drop")
    assert not left.loc[NAMES[10:30]].to_numpy().any()
    assert left.drop(index=NAMES[10:30]).equals(WIDE.drop(index=NAMES[10:30]))


def test_what_exists_in_both_is_dropped_though_it_could_train_in_one_only():
    """Such as a concept whose document in Danish is held out."""
    members = WIDE.copy()
    members.loc["c15", "da"] = False
    assert cut(members, WIDE, shared="split").loc["c15", ["en", "vi"]].all()
    assert not cut(members, WIDE, shared="drop").loc["c15"].any()


def test_split_every_shared_concept_stays_in_one_of_the_two_and_in_all_others():
    left = cut(WIDE, concepts=6, shared="split")
    assert left["en"].equals(WIDE["en"])
    rest = left.loc[[c for c in NAMES[10:30] if c not in both(left)], ["da", "vi"]]
    assert (rest.sum(axis=1) == 1).all()
    assert rest.sum().tolist() == [7, 7]
    outside = NAMES[:10] + NAMES[30:]
    assert left.loc[outside].equals(WIDE.loc[outside])


@pytest.mark.parametrize("shared", ["drop", "split"])
def test_fewer_concepts_are_some_of_more_and_the_others_stay_where_they_were(shared):
    found = [cut(WIDE, concepts=n, shared=shared) for n in (0, 3, 11, 20)]
    for fewer, more in itertools.pairwise(found):
        assert both(fewer) < both(more)
        rest = ~more.index.isin(list(both(more)))
        assert fewer[rest].equals(more[rest])


def test_the_concepts_depend_on_the_seed_and_the_pair_but_on_no_other_language():
    def chosen(members, seed=1, pair=PAIR):
        return both(cut(members, seed=seed, concepts=8, pair=pair), pair)

    assert chosen(WIDE) == chosen(WIDE[["vi", "da"]]) == chosen(WIDE.iloc[::-1])
    assert chosen(WIDE) != chosen(WIDE, seed=2)
    renamed = WIDE.rename(columns={"da": "it"})
    assert chosen(WIDE) != chosen(renamed, pair=("it", "vi"))


def test_more_than_there_is_shrinks_to_a_share_of_it():
    assert len(both(cut(WIDE, concepts=10_000, max_share=0.5))) == 10
    assert len(both(cut(WIDE, concepts=4, max_share=0.5))) == 4
    assert len(both(cut(WIDE, concepts=10_000, max_share=0.5, beyond=9))) == 10


@pytest.mark.parametrize(
    ("options", "expected"),
    [
        (
            {"concepts": 10_000, "beyond": 10, "max_share": 0.5},
            "allows 10 of them, no more than",
        ),
        (
            {"concepts": 3, "max_share": 0.04},
            "allows 0 of them, no more than none",
        ),
    ],
)
def test_a_number_that_adds_nothing_is_left_out(options, expected):
    with pytest.raises(LeftOutError, match=expected) as caught:
        cut(WIDE, **options)
    assert "da and vi share 20 concepts that could train" in str(caught.value)


def test_two_languages_are_linked_through_others():
    link = Cut(PAIR, 0)
    cutting.check_linked(frame(da="a", en="ab", vi="b"), link)
    cutting.check_linked(frame(da="a", en="ab", it="bc", vi="c"), link)
    cutting.check_linked(frame(da="a", vi="a"), link)


@pytest.mark.parametrize(
    ("members", "through"),
    [
        (frame(da="a", en="ab", it="b", vi=""), "en, it"),
        (frame(da="a", en="a", it="b", vi="b"), "en, it"),
        (frame(da="", vi=""), "any other language"),
    ],
)
def test_what_nothing_links_is_left_out_with_a_way_out(members, through):
    with pytest.raises(LeftOutError, match=f"nothing links da and vi through {through}") as caught:
        cutting.check_linked(members, Cut(PAIR, 0))
    assert "`shared: split`" in str(caught.value)
    with pytest.raises(LeftOutError, match="nothing links") as caught:
        cutting.check_linked(members, Cut(PAIR, 0, "split"))
    assert "`shared: split`" not in str(caught.value)
