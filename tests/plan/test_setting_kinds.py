import pytest

from cr5.base.errors import UserError
from cr5.plan import config

BARE = {
    "corpus": {"name": "mine", "source": "libreoffice_help"},
    "languages": ["da", "en", "it"],
    "systems": {"cr5": {}, "untranslated": {}},
}
BOTH = ["cr5", "untranslated"]


def settings(**given):
    return config.validated({**BARE, "settings": given})["settings"]


def mistake(**given):
    with pytest.raises(UserError) as caught:
        settings(**given)
    return str(caught.value)


def test_one_joint_setting_of_everything_unless_said_otherwise():
    joint = {"kind": "joint", "systems": BOTH, "languages": ["da", "en", "it"]}
    assert config.validated(BARE)["settings"] == {"joint": joint}
    assert settings(joint=None) == {"joint": joint}


def test_the_kind_is_the_name_unless_given():
    assert settings(pairwise={"pairs": ["da-en"]})["pairwise"]["kind"] == "pairwise"
    assert settings(joint={"kind": "pairwise", "pairs": ["da-en"]})["joint"]["kind"] == "pairwise"
    assert settings(few={"kind": "joint"})["few"]["kind"] == "joint"


def test_languages_are_in_the_order_of_the_configuration():
    found = settings(
        few={"kind": "joint", "languages": ["it", "da"]},
        two={"kind": "pairwise", "pairs": ["it-en", ["en", "da"]], "systems": ["cr5"]},
    )
    assert found["few"]["languages"] == ["da", "it"]
    assert found["two"]["pairs"] == [["en", "it"], ["da", "en"]]
    assert found["two"]["systems"] == ["cr5"]


@pytest.mark.parametrize("pairs", [["da-en", "da-en"], ["da-en", "en-da"], [["da", "en"], "en-da"]])
def test_a_pair_is_unordered_and_comes_once(pairs):
    expected = "settings.pairwise.pairs: expected each pair once, in one order of its languages"
    assert expected in mistake(pairwise={"pairs": pairs})


@pytest.mark.parametrize("pair", ["da", "da-da", "da-en-it", ["da"], ["da", "da"]])
def test_a_pair_is_of_two_different_languages(pair):
    expected = "settings.pairwise.pairs[1]: expected a pair of two languages, such as [da, en] or"
    assert expected in mistake(pairwise={"pairs": ["en-it", pair]})


def test_a_pair_with_what_yaml_made_of_no():
    assert '("no" in quotes' in mistake(pairwise={"pairs": [[False, "en"]]})


@pytest.mark.parametrize(
    ("given", "expected"),
    [
        ({"languages": ["da"]}, "settings.few.languages: expected at least 2 entries"),
        ({"languages": ["da", "da"]}, "settings.few.languages: expected each language once"),
        (
            {"languages": ["da", "vi"]},
            "settings.few.languages: expected some of the languages da, en, it, found ['vi']",
        ),
        ({"systems": ["cr5", "cr5"]}, "settings.few.systems: expected each system once"),
        ({"systems": []}, "settings.few.systems: expected at least 1 entries"),
        ({"systems": ["cr6"]}, "settings.few.systems: cr6: unknown key; did you mean 'cr5'?"),
        ({"pairs": ["da-en"]}, "settings.few.pairs: a key of the kind pairwise, not of joint"),
        ({"langauges": []}, "settings.few.langauges: unknown key; did you mean 'languages'?"),
    ],
)
def test_mistakes_name_the_setting(given, expected):
    assert expected in mistake(few={"kind": "joint", **given})
