"""Training documents of which nothing says what belongs to them."""

from itertools import chain

import pandas as pd
import pytest

from cr5.splits.draw import draw
from cr5.splits.options import Cut, Sizes
from cr5.splits.training_documents import UNPAIRED, paired, sizes_by_pair, training
from tests.splits.conftest import by_language, indices, tables

PAIRS = [("da", "en"), ("da", "vi"), ("en", "vi")]
NAMES = [f"c{number:03}" for number in range(120)]
# 20 are in one alone
DOCUMENTS = tables({"da": NAMES[:90], "en": NAMES[10:100], "vi": NAMES[20:110]})


def trained_with(unpaired, seed=3, cut=None, **options):
    """Draw queries, and choose who trains."""
    sizes = Sizes(test=8, validation=8, candidates=20, unpaired=unpaired, **options)
    drawn = draw(DOCUMENTS, PAIRS, sizes, 1)
    return drawn, training(indices(DOCUMENTS), drawn, sizes, PAIRS, cut, seed)


def in_several(trained):
    """Concepts that train in two languages or more."""
    counts = trained["concept"].value_counts()
    return set(counts.index[counts > 1])


def test_without_the_key_nothing_says_who_is_paired():
    _, trained = trained_with(None)
    assert trained.columns.tolist() == ["concept", "language"]
    pd.testing.assert_frame_equal(paired(trained), trained)
    assert set(trained["concept"]) == in_several(trained)


@pytest.mark.parametrize("reading", ["paper", "code"])
@pytest.mark.parametrize("share", [0.0, 0.5, 0.9])
def test_no_text_of_an_evaluation_trains(share, reading):
    """Queries of any pair and role; candidates, too, as the paper reads them."""
    drawn, trained = trained_with(share, candidates_reading=reading)
    held_out = set(drawn.held_out("test")) | set(drawn.held_out("validation"))
    assert held_out
    assert not held_out & set(trained["concept"])
    if reading == "paper":
        rows = drawn.candidates.itertuples(index=False)
        candidates = {(row.concept, row.language) for row in rows}
        trains = set(zip(trained["concept"], trained["language"], strict=True))
        assert candidates
        assert not candidates & trains


@pytest.mark.parametrize("share", [0.0, 0.5, 0.9])
def test_the_share_of_concepts_that_are_taken_apart(share):
    _, usual = trained_with(None)
    _, trained = trained_with(share)
    known = by_language(paired(trained), DOCUMENTS)
    for language, names in by_language(usual, DOCUMENTS).items():
        assert known[language] <= names <= by_language(trained, DOCUMENTS)[language]
    n_usual = usual["concept"].nunique()
    n_known = len(set(chain.from_iterable(known.values())))
    assert n_known == n_usual - int(share * n_usual)
    unpaired = trained[trained[UNPAIRED]]
    # a concept is known in all its languages, or in none
    assert not set(unpaired["concept"]) & set(chain.from_iterable(known.values()))
    in_one_alone = set(trained["concept"]) - in_several(trained)
    assert in_one_alone
    assert in_one_alone <= set(unpaired["concept"])


def test_which_concepts_are_taken_apart_depends_on_the_seed_alone():
    first, second, third = (paired(trained_with(0.5, seed)[1]) for seed in (3, 3, 4))
    pd.testing.assert_frame_equal(first, second)
    assert set(first["concept"]) != set(third["concept"])


def test_pairs_count_only_what_is_known():
    drawn, trained = trained_with(0.5)
    counted = sizes_by_pair(trained, indices(DOCUMENTS), drawn, PAIRS).set_index(
        ["query", "target"]
    )
    known = by_language(paired(trained), DOCUMENTS)
    for first, second in PAIRS:
        assert counted.loc[(first, second), "train"] == len(known[first] & known[second])


def test_what_a_cut_splits_trains_in_one_language_and_what_it_drops_in_none():
    shared = set(DOCUMENTS["da"]["concept"]) & set(DOCUMENTS["vi"]["concept"])
    for way in ("split", "drop"):
        cut = Cut(("da", "vi"), 5, way, max_share=1.0)
        _, trained = trained_with(0.0, cut=cut)
        names = by_language(trained, DOCUMENTS)
        assert len(names["da"] & names["vi"]) == 5
        left = shared & (names["da"] ^ names["vi"])
        assert bool(left) == (way == "split")


def test_all_of_them_cannot_be_taken_apart():
    with pytest.raises(ValueError, match="unpaired"):
        Sizes(unpaired=1.0)
