import pytest

from cr5.plan import shown
from cr5.plan.config import validated
from cr5.plan.shown import Point

PAIR = ("da", "vi")
FEW = {"kind": "low_resource", "pairs": ["vi-da"], "concepts": [50, 100]}
LINKED = {"kind": "transitive", "pairs": ["da-vi"], "via": ["en"]}


@pytest.fixture
def config():
    def make(**settings):
        return validated(
            {
                "corpus": {"name": "x", "source": "libreoffice_help"},
                "languages": ["da", "en", "vi"],
                "settings": settings,
            }
        )

    return make


def test_a_curve_ends_with_the_same_languages_uncut(config):
    given = config(
        joint={},
        pairwise={"pairs": ["da-en", "da-vi"]},
        few=FEW,
        more={**FEW, "via": ["en"]},
        transitive=LINKED,
    )
    assert shown.add_data(given) == [
        Point("few", PAIR, "few_da-vi_50"),
        Point("few", PAIR, "few_da-vi_100"),
        Point("few", PAIR, "pairwise_da-vi"),
        Point("more", PAIR, "more_da-vi_50"),
        Point("more", PAIR, "more_da-vi_100"),
        Point("more", PAIR, "joint"),
    ]
    assert shown.drawn_there(given) == [
        *["few_da-vi_50", "few_da-vi_100", "more_da-vi_50", "more_da-vi_100"]
    ]


def test_each_pair_has_a_curve_of_its_own(config):
    found = shown.add_data(config(few={**FEW, "pairs": ["da-vi", "da-en"]}))
    assert [(x.pair, x.setting) for x in found] == [
        (PAIR, "few_da-vi_50"),
        (PAIR, "few_da-vi_100"),
        (("da", "en"), "few_da-en_50"),
        (("da", "en"), "few_da-en_100"),
    ]


def test_nothing_to_draw_without_several_numbers(config):
    one = {**FEW, "concepts": [50]}
    for settings in ({"joint": {}}, {"joint": {}, "few": one}, {"transitive": LINKED}):
        assert shown.add_data(config(**settings)) == []
        assert shown.drawn_there(config(**settings)) == []


def test_other_figures_are_not_left_without_any_setting(config):
    assert shown.drawn_there(config(few=FEW)) == []


@pytest.mark.parametrize(
    ("options", "expected"),
    [
        ({"ranks": [10, 20]}, True),
        ({"ranks": [10, 10]}, False),
        ({"ranks": 10}, False),
        ({}, False),
        ({"dimensions": [10, 20]}, True),
        ({"dimensions": [10, 20], "via": None}, False),
        ({"dimensions": [10, 20], "via": "lsa"}, True),
    ],
)
def test_whether_dimensions_are_chosen(config, options, expected):
    given = config(joint={"systems": ["cr5"]}, other={"kind": "joint", "systems": ["cr5"]})
    given["systems"] = {"cr5": options, "unused": {"dimensions": [1, 2]}}
    assert shown.has_dimensions(given) == expected
