"""Queries that a configuration names: found by concept or title, and test queries of a draw."""

import pandas as pd
import pytest

from cr5.splits.asked import concept_of
from cr5.splits.draw import draw
from cr5.splits.options import Sizes
from tests.splits.conftest import table_of

TITLES = pd.Series({"Q1": "Siêu máy tính", "Q2": "Q3", "Q3": "kat", "Q4": "Kat"})


@pytest.mark.parametrize(
    ("named", "concept"),
    [("siêu máy tính", "Q1"), ("Q1", "Q1"), ("Q3", "Q3"), ("KAT", "Q3"), ("hund", None)],
)
def test_a_document_is_named_by_its_concept_or_its_title(named, concept):
    assert concept_of(TITLES, named) == concept


def test_what_is_asked_for_is_a_test_query_of_each_pair_that_has_it():
    concepts = [f"c{number:02}" for number in range(40)]
    frame = table_of(concepts)
    documents = {"da": frame, "en": frame, "vi": frame[frame["concept"] != "c07"]}
    sizes = Sizes(test=4, validation=4, candidates=10, max_share={"candidates": 0.5})
    pairs = [("da", "en"), ("da", "vi")]
    asked = {"c07", "c31"}
    n_by_chance = 0
    for seed in range(9):
        by_chance = draw(documents, pairs, sizes, seed)
        n_by_chance += asked <= set(by_chance.queries_of(("da", "en"), "test"))
        drawn = draw(documents, pairs, sizes, seed, wanted=sorted(asked))
        of_pair = drawn.queries_of(("da", "en"), "test")
        assert asked <= set(of_pair)
        assert len(of_pair) == 4
        of_pair_without = drawn.queries_of(("da", "vi"), "test")
        assert "c31" in of_pair_without
        assert "c07" not in of_pair_without
    assert n_by_chance < 9
