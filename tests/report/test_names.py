from cr5.report.names import curve_name, direction, direction_order, setting_kind, system_name


def test_setting_kind_drops_the_pair():
    assert [setting_kind(s) for s in ("joint", "pairwise_da-en")] == ["joint", "pairwise"]


def test_known_and_unknown_systems():
    assert system_name("cr5") == "Cr5"
    assert system_name("my_own") == "my_own"
    assert curve_name("procrustes_identical", "joint") == "Procrustes (identical strings), joint"


def test_directions_of_a_pair_are_neighbours():
    pairs = [("vi", "da"), ("en", "vi"), ("en", "da"), ("da", "vi"), ("da", "en")]
    assert [direction(*pair) for pair in sorted(pairs, key=direction_order)] == [
        "da→en",
        "en→da",
        "da→vi",
        "vi→da",
        "en→vi",
    ]
