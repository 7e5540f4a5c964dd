from cr5.report.names import (
    Systems,
    direction,
    direction_order,
    known_first,
    setting_name,
    similarity_name,
)

SYSTEMS = Systems(
    {
        "cr5": {"title": "Cr5", "reference": "WSDM 2019", "maps_vectors": False},
        "cr5_log": {"title": "Cr5 (log)", "reference": "WSDM 2019"},
        "turned": {"title": "Procrustes", "reference": None, "maps_vectors": True},
    }
)


def test_declared_and_other_systems():
    assert [SYSTEMS.title(x) for x in ("cr5", "my_own")] == ["Cr5", "my_own"]
    assert SYSTEMS.curve("turned", "joint") == "Procrustes, joint"
    assert SYSTEMS.references() == ["Cr5, Cr5 (log): WSDM 2019"]
    assert [SYSTEMS.said(x, "maps_vectors") for x in ("cr5", "turned", "my_own")] == [
        *(False, True, None)
    ]


def test_known_and_unknown_measures():
    assert [similarity_name(name) for name in ("cosine", "csls", "l1")] == ["cosine", "CSLS", "l1"]


def test_settings_are_said_in_words():
    names = ["joint", "pairwise_da-en", "low_resource_joint_da-vi_1000", "joint_2-a", "two_2"]
    assert [setting_name(name) for name in names] == [
        *("joint", "pairwise, da–en", "low resource joint, da–vi, 1000 concepts"),
        *("joint 2-a", "two 2"),
    ]
    assert SYSTEMS.legend("cr5", "pairwise_da-en") == "Cr5, pairwise, da–en"


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
