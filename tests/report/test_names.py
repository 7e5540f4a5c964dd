import pytest

from cr5.report.names import Systems, direction, direction_order, known_first, setting_name


def test_systems_are_called_by_their_titles_and_papers_named_once():
    declared = {"cr5": {"title": "Cr5", "reference": "WSDM 2019"}, "turned": {"reference": None}}
    systems = Systems(declared | {"cr5_log": {"title": "Cr5 (log)", "reference": "WSDM 2019"}})
    assert systems.legend("cr5", "pairwise_da-en") == "Cr5, pairwise, da–en"
    assert systems.curve("my_own", "joint") == "my_own, joint"
    assert systems.references() == ["Cr5, Cr5 (log): WSDM 2019"]


@pytest.mark.parametrize(
    ("name", "said"),
    [
        ("pairwise_da-en", "pairwise, da–en"),
        ("low_resource_joint_da-vi_1000", "low resource joint, da–vi, 1000 concepts"),
        ("joint_2-a", "joint 2-a"),
        ("two_2", "two 2"),
    ],
)
def test_settings_are_said_in_words(name, said):
    assert setting_name(name) == said


def test_known_names_come_first_in_their_order_then_the_others_as_they_appear():
    assert known_first(["a", "b", "c"], ["z", "c", "y", "a", "z"]) == ["a", "c", "z", "y"]


def test_directions_of_a_pair_are_neighbours():
    pairs = [("vi", "da"), ("en", "da"), ("da", "vi"), ("da", "en")]
    ordered = [direction(*pair) for pair in sorted(pairs, key=direction_order)]
    assert ordered == ["da→en", "en→da", "da→vi", "vi→da"]
