from cr5.report.names import (
    curve_name,
    direction,
    direction_order,
    known_first,
    legend_name,
    setting_name,
    similarity_name,
    system_name,
)


def test_known_and_unknown_systems():
    assert system_name("cr5") == "Cr5"
    assert system_name("my_own") == "my_own"
    assert curve_name("procrustes_identical", "joint") == "Procrustes (identical strings), joint"


def test_known_and_unknown_measures():
    assert [similarity_name(name) for name in ("cosine", "csls", "l1")] == ["cosine", "CSLS", "l1"]


def test_settings_are_said_in_words():
    names = ["joint", "pairwise_da-en", "low_resource_joint_da-vi_1000", "joint_2-a", "two_2"]
    assert [setting_name(name) for name in names] == [
        *("joint", "pairwise, da–en", "low resource joint, da–vi, 1000 concepts"),
        *("joint 2-a", "two 2"),
    ]
    assert legend_name("cr5", "pairwise_da-en") == "Cr5, pairwise, da–en"


def test_known_names_come_first_in_their_order_then_the_others_as_they_appear():
    assert known_first(["a", "b", "c"], ["z", "c", "y", "a", "z"]) == ["a", "c", "z", "y"]


def test_directions_of_a_pair_are_neighbours():
    pairs = [("vi", "da"), ("en", "vi"), ("en", "da"), ("da", "vi"), ("da", "en")]
    assert [direction(*pair) for pair in sorted(pairs, key=direction_order)] == [
        "da→en",
        "en→da",
        "da→vi",
        "vi→da",
        "en→vi",
    ]
