"""Who trains: nothing of a query, and of what a pair shares no more than it is cut to."""

import itertools

import pytest

from cr5.base.errors import LeftOutError
from cr5.splits.draw import Draw, draw
from cr5.splits.options import Cut, Sizes
from cr5.splits.training_documents import sizes_by_pair, training
from tests.splits.conftest import by_language, indices, tables

DA_VI = [("da", "vi")]
NAMES = [f"c{number:02}" for number in range(40)]
WIDE = {"da": NAMES[:30], "en": NAMES, "vi": NAMES[10:]}  # da and vi share c10 to c29
ALL_TRAIN = Sizes(max_share={"test": 0, "validation": 0})


def cut(documents=WIDE, seed=1, sizes=ALL_TRAIN, drawn=None, **options):
    """The concepts that train in each language, and in both da and vi."""
    corpus = tables(documents)
    drawn = drawn or draw(corpus, DA_VI, sizes, 0)
    options = {"concepts": 0, "max_share": 1.0} | options
    cut_of_pair = Cut(("da", "vi"), **options)
    rows = training(indices(corpus), drawn, sizes, DA_VI, cut_of_pair, seed)
    trained = by_language(rows, documents)
    trained["both"] = trained["da"] & trained["vi"]
    return trained


@pytest.mark.parametrize("reading", ["paper", "code"])
def test_no_document_that_a_given_split_holds_out_trains_even_if_no_pair_asks_for_it(
    reading, tmp_path
):
    english = ["1", "01-01", "00-01"]
    spanish = ["1", "01-01", "01-02", "00-01", "00-02"]
    french = ["1", "01-02", "00-02"]
    documents = tables({"en": english, "es": spanish, "fr": french})
    patterns = {"test": ("00-*",), "validation": ("01-*",)}
    sizes = Sizes(given=patterns, candidates_reading=reading)
    draw(documents, [("en", "es")], sizes, 0).save(tmp_path / "draw")  # French only trains
    drawn = Draw.load(tmp_path / "draw")
    trained = training(indices(documents), drawn, sizes, [("en", "es")])
    assert trained["concept"].tolist() == ["1", "1", "1"]


def test_counts_by_pair_and_of_pairs_that_are_not_searched(source, pairs, sizes):
    drawn = draw(source, DA_VI, sizes(), 7)  # for no other pair is anything drawn
    concepts_of = indices(source)
    rows = training(concepts_of, drawn, sizes(), DA_VI, Cut(("da", "vi"), 0, "split"), 3)
    table = sizes_by_pair(rows, concepts_of, drawn, DA_VI)
    by_pair = table.set_index(["query", "target"]).to_dict("index")
    assert list(by_pair) == pairs
    da_vi = by_pair["da", "vi"]
    assert da_vi["train"] == 0
    assert da_vi["validation"] == 10
    assert da_vi["test"] == 20
    assert table["test"].isna().tolist() == [True, False, True]
    trained = by_language(rows, source)
    for first, second in pairs:
        row = by_pair[first, second]
        shared = set(concepts_of[first]).intersection(concepts_of[second])
        train_in_both = trained[first] & trained[second]
        assert row["concepts"] == len(shared)
        assert row["train"] == len(train_in_both)


@pytest.mark.parametrize("shared", ["drop", "split"])
def test_as_many_train_in_both_as_asked_for_and_fewer_are_some_of_more(shared):
    exist_in_both = set(NAMES[10:30])
    cuts = {number: cut(concepts=number, shared=shared) for number in (0, 1, 7, 20)}
    for number, trained in cuts.items():
        danish = trained["da"]
        vietnamese = trained["vi"]
        assert len(trained["both"]) == number
        assert danish - exist_in_both == set(NAMES[:10])
        assert vietnamese - exist_in_both == set(NAMES[30:])
        cut_off = exist_in_both - trained["both"]
        if shared == "drop":
            assert not cut_off & (danish | vietnamese)
            assert not cut_off & trained["en"]
        else:  # each in one of the two, as many in one as in the other, and in all others
            assert cut_off <= trained["en"]
            assert cut_off <= danish ^ vietnamese
            n_danish = len(cut_off & danish)
            n_vietnamese = len(cut_off & vietnamese)
            assert abs(n_danish - n_vietnamese) <= 1
    for smaller, larger in itertools.pairwise(cuts.values()):
        assert smaller["both"] < larger["both"]
        for language in WIDE:
            beside_fewer = smaller[language] - larger["both"]
            beside_more = larger[language] - larger["both"]
            assert beside_fewer == beside_more


def test_what_exists_in_both_is_dropped_though_it_could_train_in_one_only():
    """Such as a concept whose document in Danish is a query of another pair."""
    documents = WIDE | {"it": ["c15"]}
    sizes = ALL_TRAIN.model_copy(update={"held_out": "code", "candidates_reading": "code"})
    drawn = draw(tables(documents), DA_VI, sizes, 0)
    drawn.queries.loc[0] = ["c15", "test", "da", "en"]
    split = cut(documents, 1, sizes, drawn, shared="split")
    assert "c15" in split["vi"]
    dropped = cut(documents, 1, sizes, drawn, shared="drop")
    assert "c15" not in dropped["vi"]


def test_the_concepts_depend_on_the_seed_but_on_no_other_language():
    trained = cut(concepts=8)
    two_languages = {"vi": WIDE["vi"], "da": WIDE["da"]}
    of_two = cut(two_languages, concepts=8)
    assert of_two["both"] == trained["both"]
    of_another_seed = cut(seed=2, concepts=8)
    assert of_another_seed["both"] != trained["both"]


def test_more_than_there_is_shrinks_to_a_share_unless_that_adds_nothing():
    shrunk = cut(concepts=10_000, max_share=0.5, beyond=9)
    assert len(shrunk["both"]) == 10
    as_wanted = cut(concepts=4, max_share=0.5)
    assert len(as_wanted["both"]) == 4
    for options in ({"beyond": 10, "max_share": 0.5}, {"max_share": 0.04}):
        with pytest.raises(LeftOutError, match="da and vi share 20 concepts that could train"):
            cut(concepts=10_000, **options)


@pytest.mark.parametrize(
    ("documents", "concepts"),
    [
        ({"da": "a", "en": "ab", "vi": "b"}, 0),
        ({"da": "a", "en": "ab", "it": "bc", "vi": "c"}, 0),
        ({"da": "a", "vi": "a"}, 1),
    ],
)
def test_two_languages_are_linked_through_others(documents, concepts):
    trained = cut(documents, concepts=concepts)
    assert trained["da"] == {"a"}


@pytest.mark.parametrize(
    "documents",
    [{"da": "a", "en": "ab", "it": "b", "vi": ""}, {"da": "a", "en": "a", "it": "b", "vi": "b"}],
)
def test_two_languages_that_nothing_links_are_left_out(documents):
    with pytest.raises(LeftOutError, match="nothing links da and vi: "):
        cut(documents, concepts=0)


def test_what_leaves_nothing_is_left_out(source, pairs, sizes):
    share = {"test": 0.5, "validation": 1.0, "candidates": 1.0}
    large = sizes(test=999, validation=999, max_share=share)
    drawn = draw(source, pairs, large, 0)
    of_two = indices(source)
    del of_two["en"]
    with pytest.raises(LeftOutError, match="no concept is left to train on for da, vi"):
        training(of_two, drawn, large, DA_VI)
    tiny = sizes(max_share={"test": 1e-9})
    drawn = draw(source, pairs, tiny, 0)
    with pytest.raises(LeftOutError, match="no test or validation query"):
        training(indices(source), drawn, tiny, pairs)
