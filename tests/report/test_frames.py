import pandas as pd
import pytest

from cr5.base.errors import UserError
from cr5.report.frames import labelled, select

PLACE = ["system", "query", "target"]


def frame(*rows):
    """Rows of series, setting, system, query and target, at one k."""
    return pd.DataFrame(rows, columns=["series", "setting", *PLACE]).assign(k=1)


def labels(*rows):
    return labelled(frame(*rows), PLACE, ["k"], "scores")["label"].tolist()


def test_a_series_of_several_pairs_is_one_label():
    rows = [
        ("pairwise", "pairwise_da-en", "cr5", "da", "en"),
        ("pairwise", "pairwise_da-en", "cr5", "en", "da"),
        ("pairwise", "pairwise_da-vi", "cr5", "da", "vi"),
    ]
    assert labels(*rows) == ["pairwise"] * 3


def test_two_settings_of_a_series_with_a_direction_in_common_go_by_their_names():
    rows = [
        ("transitive", "transitive_da-en-it", "cr5", "da", "it"),
        ("transitive", "transitive_da-vi-it", "cr5", "da", "it"),
        ("transitive", "transitive_da-vi-en", "cr5", "da", "en"),  # alone, but of that series
        ("joint", "joint", "cr5", "da", "it"),
    ]
    assert labels(*rows) == [
        *["transitive_da-en-it", "transitive_da-vi-it", "transitive_da-vi-en"],
        "joint",
    ]


def test_the_same_direction_by_another_system_is_no_clash():
    rows = [("s", "s_1", "cr5", "da", "it"), ("s", "s_2", "mine", "da", "it")]
    assert labels(*rows) == ["s", "s"]


def test_names_of_the_users_own_are_never_taken_apart():
    rows = [
        ("low_resource-1", "low_resource-1_da-en", "cr5", "da", "en"),
        ("low_resource_2", "low_resource_2_da-en", "cr5", "da", "en"),
    ]
    assert labels(*rows) == ["low_resource-1", "low_resource_2"]


def test_the_order_of_rows_changes_no_label():
    rows = frame(
        ("s", "s_1", "cr5", "da", "it"),
        ("t", "t_1", "cr5", "da", "it"),
        ("s", "s_2", "cr5", "da", "it"),
    )
    forward = labelled(rows, PLACE, ["k"], "scores")["label"]
    backward = labelled(rows[::-1], PLACE, ["k"], "scores")["label"]
    assert backward.sort_index().tolist() == forward.tolist() == ["s_1", "t", "s_2"]


def test_rows_that_would_fall_together_are_an_error():
    row = ("s", "s_1", "cr5", "da", "it")
    with pytest.raises(UserError, match="scores: more than one row for setting s_1, system cr5"):
        labels(row, row)
    with pytest.raises(UserError, match="more than one row for label s_1, system cr5"):
        labels(row, ("s", "s_2", "cr5", "da", "it"), ("s_1", "s_1_da-it", "cr5", "da", "it"))


def test_select():
    rows = frame(("s", "s_1", "cr5", "da", "it"), ("s", "s_1", "mine", "da", "it"))
    assert select(rows, "system", "mine", "scores").index.tolist() == [1]
    with pytest.raises(UserError, match="scores: no row with system x, only cr5, mine"):
        select(rows, "system", "x", "scores")
