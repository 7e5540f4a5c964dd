"""Who trains: nothing of a query, and of what a pair shares no more than it is cut to."""

import itertools

import pandas as pd
import pytest

from cr5.base.errors import LeftOutError
from cr5.splits.draw import Draw, draw
from cr5.splits.options import Cut, Sizes
from cr5.splits.training_documents import concepts, sizes_by_pair, training

DA_VI = [("da", "vi")]
NAMES = [f"c{i:02}" for i in range(40)]
WIDE = {"da": NAMES[:30], "en": NAMES, "vi": NAMES[10:]}  # da and vi share c10 to c29
ALL_TRAIN = Sizes(max_share={"test": 0, "validation": 0})


def indices(documents):
    return {x: pd.Index(frame["concept"]) for x, frame in documents.items()}


def frames(**languages):
    return {x: pd.DataFrame({"concept": [*y], "n_unique": 9}) for x, y in languages.items()}


def by_language(trained, languages):
    return {x: set(concepts(trained, x)) for x in languages}


def cut(documents=WIDE, seed=1, sizes=ALL_TRAIN, drawn=None, **options):
    """The concepts that train in each language, and in both da and vi."""
    found = frames(**documents)
    given = Cut(**{"pair": ("da", "vi"), "concepts": 0, "max_share": 1.0, **options})
    drawn = drawn or draw(found, DA_VI, sizes, 0)
    trained = by_language(training(indices(found), drawn, sizes, DA_VI, given, seed), documents)
    return trained | {"both": trained["da"] & trained["vi"]}


@pytest.mark.parametrize("reading", ["paper", "code"])
def test_no_document_that_a_given_split_holds_out_trains_even_if_no_pair_asks_for_it(
    reading, tmp_path
):
    found = {"en": "1 01-01 00-01", "es": "1 01-01 01-02 00-01 00-02", "fr": "1 01-02 00-02"}
    found = frames(**{x: y.split() for x, y in found.items()})
    given = {"test": ("00-*",), "validation": ("01-*",)}
    sizes = Sizes(given=given, candidates_reading=reading)
    draw(found, [("en", "es")], sizes, 0).save(tmp_path / "draw")  # French only trains
    drawn = Draw.load(tmp_path / "draw")
    trained = training(indices(found), drawn, sizes, [("en", "es")])
    assert trained["concept"].tolist() == ["1", "1", "1"]


def test_counts_by_pair_and_of_pairs_that_are_not_searched(source, pairs, sizes):
    drawn = draw(source, DA_VI, sizes(), 7)  # for no other pair is anything drawn
    train = training(indices(source), drawn, sizes(), DA_VI, Cut(("da", "vi"), 0, "split"), 3)
    table = sizes_by_pair(train, indices(source), drawn, DA_VI).set_index(["query", "target"])
    assert list(table.index) == pairs
    assert table.loc[("da", "vi"), ["train", "validation", "test"]].tolist() == [0, 10, 20]
    assert table["test"].isna().tolist() == [True, False, True]
    trained = by_language(train, source)
    for a, b in pairs:
        shared = set(source[a]["concept"]) & set(source[b]["concept"])
        assert table.loc[(a, b), "concepts"] == len(shared)
        assert table.loc[(a, b), "train"] == len(trained[a] & trained[b])


@pytest.mark.parametrize("shared", ["drop", "split"])
def test_as_many_train_in_both_as_asked_for_and_fewer_are_some_of_more(shared):
    numbers, of_both = (0, 1, 7, 20), set(NAMES[10:30])
    found = [cut(concepts=n, shared=shared) for n in numbers]
    assert [len(x["both"]) for x in found] == list(numbers)
    for left in found:
        rest = of_both - left["both"]
        assert left["da"] - of_both == {*NAMES[:10]} and left["vi"] - of_both == {*NAMES[30:]}
        if shared == "drop":
            assert not rest & (left["da"] | left["en"] | left["vi"])
        else:  # each in one of the two, as many in one as in the other, and in all others
            assert rest <= left["en"] and rest <= left["da"] ^ left["vi"]
            assert abs(len(rest & left["da"]) - len(rest & left["vi"])) <= 1
    for fewer, more in itertools.pairwise(found):
        assert fewer["both"] < more["both"]
        for x in WIDE:
            assert fewer[x] - more["both"] == more[x] - more["both"]


def test_what_exists_in_both_is_dropped_though_it_could_train_in_one_only():
    """Such as a concept whose document in Danish is a query of another pair."""
    documents = {**WIDE, "it": ["c15"]}
    sizes = ALL_TRAIN.model_copy(update={"held_out": "code", "candidates_reading": "code"})
    drawn = draw(frames(**documents), DA_VI, sizes, 0)
    drawn.queries.loc[0] = ["c15", "test", "da", "en"]
    assert "c15" in cut(documents, 1, sizes, drawn, shared="split")["vi"]
    assert "c15" not in cut(documents, 1, sizes, drawn, shared="drop")["vi"]


def test_the_concepts_depend_on_the_seed_but_on_no_other_language():
    chosen = cut(concepts=8)["both"]
    assert chosen == cut({x: WIDE[x] for x in ("vi", "da")}, concepts=8)["both"]
    assert chosen != cut(seed=2, concepts=8)["both"]


def test_more_than_there_is_shrinks_to_a_share_unless_that_adds_nothing():
    assert len(cut(concepts=10_000, max_share=0.5, beyond=9)["both"]) == 10
    assert len(cut(concepts=4, max_share=0.5)["both"]) == 4
    for options in ({"beyond": 10, "max_share": 0.5}, {"max_share": 0.04}):
        with pytest.raises(LeftOutError, match="da and vi share 20 concepts that could train"):
            cut(concepts=10_000, **options)


@pytest.mark.parametrize(
    ("documents", "concepts", "is_linked"),
    [
        ({"da": "a", "en": "ab", "vi": "b"}, 0, True),
        ({"da": "a", "en": "ab", "it": "bc", "vi": "c"}, 0, True),
        ({"da": "a", "vi": "a"}, 1, True),
        ({"da": "a", "en": "ab", "it": "b", "vi": ""}, 0, False),
        ({"da": "a", "en": "a", "it": "b", "vi": "b"}, 0, False),
    ],
)
def test_two_languages_are_linked_through_others(documents, concepts, is_linked):
    if is_linked:
        assert cut(documents, concepts=concepts)["da"] == {"a"}
    else:
        with pytest.raises(LeftOutError, match="nothing links da and vi: "):
            cut(documents, concepts=concepts)


def test_what_leaves_nothing_is_left_out(source, pairs, sizes):
    share = {"test": 0.5, "validation": 1.0, "candidates": 1.0}
    chosen = sizes(test=999, validation=999, max_share=share)
    drawn = draw(source, pairs, chosen, 0)
    of_two = {x: y for x, y in indices(source).items() if x != "en"}
    with pytest.raises(LeftOutError, match="no concept is left to train on for da, vi"):
        training(of_two, drawn, chosen, DA_VI)
    tiny = sizes(max_share={"test": 1e-9})
    with pytest.raises(LeftOutError, match="no test or validation query"):
        training(indices(source), draw(source, pairs, tiny, 0), tiny, pairs)
