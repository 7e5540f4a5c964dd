import numpy as np
import pandas as pd
import pytest

from cr5.splits.advice import MORE, for_queries
from cr5.splits.draw import draw
from cr5.splits.options import Sizes
from cr5.splits.settings import training

LENGTHS = [10, 500, 900]


def corpus(n):
    """Two languages that share n concepts, a third of each length."""
    frame = pd.DataFrame({"concept": [f"c{i:04}" for i in range(n)], "n_unique": 0})
    frame["n_unique"] = np.resize(LENGTHS, n)
    return {"da": frame, "en": frame}


def shares(**changed):
    return {"test": 0.1, "validation": 0.1, "candidates": 0.2} | changed


def advice(n, sizes):
    return for_queries(draw(corpus(n), [("da", "en")], sizes, 1).pairs, sizes)


def works(n, sizes):
    documents = corpus(n)
    drawn = draw(documents, [("da", "en")], sizes, 1)
    indices = {x: pd.Index(frame["concept"]) for x, frame in documents.items()}
    return len(training(indices, drawn, sizes, "s")) > 0


def test_where_test_queries_take_all_their_share_is_to_be_lowered():
    said = advice(100, Sizes(max_share=shares(test=1.0)))
    assert said.startswith("Test queries take 100 of the 100 concepts of da and en")
    assert "lower splits.max_share.test (now 1) or splits.test (now 1000)." in said
    assert "raise" not in said
    assert works(100, Sizes(max_share=shares(test=0.5)))
    assert works(100, Sizes(test=50, max_share=shares(test=1.0)))


def test_where_no_document_has_the_length_of_queries_the_bounds_are_to_be_widened():
    said = advice(300, Sizes(query_unique_words=(950, 2000)))
    assert said.endswith("widen splits.query_unique_words (now [950, 2000]).")
    assert "bags.unique_words" not in said
    assert works(300, Sizes(query_unique_words=(400, 2000)))


def test_bounds_that_leave_too_little_for_validation():
    said = advice(30, Sizes(query_unique_words=(500, 500), max_share=shares(validation=0.09)))
    assert "lower splits.max_share.test" in said
    assert "or widen splits.query_unique_words (now [500, 500])" in said


@pytest.mark.parametrize(
    ("role", "sizes"),
    [("test", Sizes()), ("validation", Sizes(max_share=shares(test=0)))],
)
def test_a_concept_alone_cannot_be_held_out_and_train(role, sizes):
    assert advice(1, sizes) == f"One concept cannot be a {role} query and train: {MORE}."


@pytest.mark.parametrize("n", [2, 3, 7, 9, 20, 40, 125])
def test_a_share_that_is_too_small_is_to_be_raised_to_one_that_gives_a_query(n):
    sizes = Sizes(max_share=shares(test=0.001))
    said = advice(n, sizes)
    assert said.startswith("For one test query raise splits.max_share.test (now 0.001) to ")
    needed = float(said.split(" to ")[1].split()[0])
    drawn = draw(corpus(n), [("da", "en")], Sizes(max_share=shares(test=needed)), 1)
    assert drawn.pairs["test"].tolist() == [1]


def test_so_is_that_of_validation():
    sizes = Sizes(max_share=shares(validation=0.01))
    said = advice(40, sizes)  # 4 are test queries, and of 36 is 1 / 36 = 0.0278 or more needed
    assert said.startswith("For one validation query raise splits.max_share.validation (now 0.01)")
    assert " to 0.028 or more" in said
    assert works(40, Sizes(max_share=shares(validation=0.028)))


def test_nothing_shared_needs_other_documents():
    assert advice(0, Sizes()).startswith("Bring more documents that languages share")
    assert for_queries(pd.DataFrame({"concepts": []}), Sizes()).startswith("Bring more")
