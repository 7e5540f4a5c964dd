"""Curves and examples of a run."""

from cr5.plan import shown
from cr5.plan.config import validated

PAIR = ("da", "vi")
FEW = {"kind": "low_resource", "pairs": ["vi-da"], "concepts": [50, 100]}
LINKED = {"kind": "transitive", "pairs": ["da-vi"], "via": ["en"]}


def configured(**settings):
    corpus = {"name": "x", "source": "libreoffice_help"}
    return validated({"corpus": corpus, "languages": ["da", "en", "vi"], "settings": settings})


def test_a_curve_ends_with_the_same_languages_uncut():
    given = configured(
        joint={},
        pairwise={"pairs": ["da-en", "da-vi"]},
        few=FEW,
        more={**FEW, "via": ["en"]},
        transitive=LINKED,
    )
    assert [tuple(x.values()) for x in shown.add_data(given)] == [
        ("few", PAIR, "few_da-vi_50"),
        ("few", PAIR, "few_da-vi_100"),
        ("few", PAIR, "pairwise_da-vi"),
        ("more", PAIR, "more_da-vi_50"),
        ("more", PAIR, "more_da-vi_100"),
        ("more", PAIR, "joint"),
    ]
    cut = ["few_da-vi_50", "few_da-vi_100", "more_da-vi_50", "more_da-vi_100"]
    assert shown.drawn_there(given) == cut


def test_nothing_to_draw_without_several_numbers():
    one = {**FEW, "concepts": [50]}
    for settings in ({"joint": {}}, {"joint": {}, "few": one}, {"transitive": LINKED}):
        assert shown.add_data(configured(**settings)) == []
        assert shown.drawn_there(configured(**settings)) == []


def test_other_figures_are_not_left_without_any_setting():
    assert shown.drawn_there(configured(few=FEW)) == []
