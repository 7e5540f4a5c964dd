"""Who trains: nothing of a query, and of what a pair shares no more than it is cut to."""

import itertools

import pandas as pd
import pytest

from cr5.base.errors import LeftOutError
from cr5.splits.draw import Draw, draw
from cr5.splits.options import Cut, Sizes
from cr5.splits.training_documents import concepts, sizes_by_pair, training

DA_VI = [("da", "vi")]
NAMES = [f"c{number:02}" for number in range(40)]
WIDE = {"da": NAMES[:30], "en": NAMES, "vi": NAMES[10:]}  # da and vi share c10 to c29
ALL_TRAIN = Sizes(max_share={"test": 0, "validation": 0})


def indices(documents):
    return {language: pd.Index(table["concept"]) for language, table in documents.items()}


def tables(concepts_of):
    """Tables of documents, of concepts by language."""
    documents = {}
    for language, names in concepts_of.items():
        documents[language] = pd.DataFrame({"concept": list(names), "n_unique": 9})
    return documents


def by_language(trained, languages):
    return {language: set(concepts(trained, language)) for language in languages}


def cut(documents=WIDE, seed=1, sizes=ALL_TRAIN, drawn=None, **options):
    """The concepts that train in each language, and in both da and vi."""
    corpus = tables(documents)
    options = {"concepts": 0, "max_share": 1.0} | options
    drawn = drawn or draw(corpus, DA_VI, sizes, 0)
    rows = training(indices(corpus), drawn, sizes, DA_VI, Cut(("da", "vi"), **options), seed)
    trained = by_language(rows, documents)
    return trained | {"both": trained["da"] & trained["vi"]}


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
    train = training(indices(source), drawn, sizes(), DA_VI, Cut(("da", "vi"), 0, "split"), 3)
    table = sizes_by_pair(train, indices(source), drawn, DA_VI).set_index(["query", "target"])
    assert list(table.index) == pairs
    assert table.loc[("da", "vi"), ["train", "validation", "test"]].tolist() == [0, 10, 20]
    assert table["test"].isna().tolist() == [True, False, True]
    trained = by_language(train, source)
    for first, second in pairs:
        row = table.loc[(first, second)]
        shared = set(source[first]["concept"]) & set(source[second]["concept"])
        assert row["concepts"] == len(shared)
        assert row["train"] == len(trained[first] & trained[second])


@pytest.mark.parametrize("shared", ["drop", "split"])
def test_as_many_train_in_both_as_asked_for_and_fewer_are_some_of_more(shared):
    exist_in_both = set(NAMES[10:30])
    cuts = {number: cut(concepts=number, shared=shared) for number in (0, 1, 7, 20)}
    for number, trained in cuts.items():
        assert len(trained["both"]) == number
        assert trained["da"] - exist_in_both == set(NAMES[:10])
        assert trained["vi"] - exist_in_both == set(NAMES[30:])
        cut_off = exist_in_both - trained["both"]
        if shared == "drop":
            assert not cut_off & (trained["da"] | trained["en"] | trained["vi"])
        else:  # each in one of the two, as many in one as in the other, and in all others
            assert cut_off <= trained["en"]
            assert cut_off <= trained["da"] ^ trained["vi"]
            n_danish = len(cut_off & trained["da"])
            n_vietnamese = len(cut_off & trained["vi"])
            assert abs(n_danish - n_vietnamese) <= 1
    for smaller, larger in itertools.pairwise(cuts.values()):
        assert smaller["both"] < larger["both"]
        for language in WIDE:
            assert smaller[language] - larger["both"] == larger[language] - larger["both"]


def test_what_exists_in_both_is_dropped_though_it_could_train_in_one_only():
    """Such as a concept whose document in Danish is a query of another pair."""
    documents = {**WIDE, "it": ["c15"]}
    sizes = ALL_TRAIN.model_copy(update={"held_out": "code", "candidates_reading": "code"})
    drawn = draw(tables(documents), DA_VI, sizes, 0)
    drawn.queries.loc[0] = ["c15", "test", "da", "en"]
    assert "c15" in cut(documents, 1, sizes, drawn, shared="split")["vi"]
    assert "c15" not in cut(documents, 1, sizes, drawn, shared="drop")["vi"]


def test_the_concepts_depend_on_the_seed_but_on_no_other_language():
    chosen = cut(concepts=8)["both"]
    of_two = {"vi": WIDE["vi"], "da": WIDE["da"]}
    assert chosen == cut(of_two, concepts=8)["both"]
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
    of_two = indices(source)
    del of_two["en"]
    with pytest.raises(LeftOutError, match="no concept is left to train on for da, vi"):
        training(of_two, drawn, chosen, DA_VI)
    tiny = sizes(max_share={"test": 1e-9})
    with pytest.raises(LeftOutError, match="no test or validation query"):
        training(indices(source), draw(source, pairs, tiny, 0), tiny, pairs)
