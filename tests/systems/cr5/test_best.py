"""The best system makes its choices by validation, and says them in words."""

import pytest

from cr5.fitting import fit as fitting
from cr5.models.word_tables import JoinedTables
from cr5.systems.cr5.fits import in_words
from cr5.systems.cr5.models import Best
from tests.systems.cr5.spelled import spelled_alike


@pytest.mark.parametrize(
    ("names", "expected"),
    [
        (True, "beginnings of words count 2 times what is learned"),
        (False, "beginnings of words count for nothing beside what is learned"),
    ],
)
def test_validation_makes_every_choice(training_of, names, expected):
    """Scores that prefer a strong prior, matches of words, and strings where there are names."""

    def validate(model):
        strings = model.beta if isinstance(model, JoinedTables) else 0
        return 0.1 * model.rerank + (0.5 - 0.1 * abs(strings - 2) if names else -0.1 * strings)

    report = fitting.fit(Best(), spelled_alike(training_of, validate)).report
    assert {entry["gamma"] for entry in report["validation"]} == {1.0, 3.0}
    assert report["string_weight"] == (2 if names else 0)
    assert report["rerank"] == 1
    assert expected in report["in_words"]
    assert "matches of words at weight 1" in report["in_words"]  # the edge of a grid of its own
    assert not [x for x in report["warnings"] if "edge of the grid" in x]


def test_what_was_chosen_in_words():
    chosen = {"ridge": 0.3, "rank": 100, "shift": True, "gamma": 3.0, "string_weight": 0}
    assert in_words(chosen | {"rerank": 0}) == (
        "100 dimensions, lambda 0.3, a prior of weight 3, with the languages' means; beginnings of "
        "words count for nothing beside what is learned; no second stage"
    )
    told = in_words(chosen | {"rerank": 0, "dictionary_weight": 0.3})
    assert "means; the dictionary at weight 0.3; beginnings" in told
