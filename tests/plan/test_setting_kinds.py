import pytest

from cr5.base.errors import UserError
from cr5.plan import config

BARE = {
    "corpus": {"name": "mine", "source": "libreoffice_help"},
    "languages": ["da", "en", "it"],
    "systems": {"cr5": {}, "lexical_overlap": {}},
}
BOTH = ["cr5", "lexical_overlap"]
NAMED = {"systems": BOTH, "tasks": ["documents"]}


def settings(**given):
    return config.validated({**BARE, "settings": given})["settings"]


def mistake(**given):
    with pytest.raises(UserError) as caught:
        settings(**given)
    return str(caught.value)


def test_one_joint_setting_of_everything_unless_said_otherwise():
    joint = {"kind": "joint", **NAMED, "languages": ["da", "en", "it"]}
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


def test_of_a_cut_pair_too():
    few = {"kind": "low_resource", "pairs": ["it-da"], "concepts": [300, 10]}
    found = settings(few=few, transitive={"pairs": ["it-da"], "via": ["en"], "shared": "split"})
    assert found["few"] == {
        **{"kind": "low_resource", "pairs": [["da", "it"]], "concepts": [10, 300]},
        **{"shared": "drop", "max_share": 0.5, **NAMED},
    }
    assert found["transitive"] == {
        **{"kind": "transitive", "pairs": [["da", "it"]], "via": ["en"]},
        **{"shared": "split", **NAMED},
    }


@pytest.mark.parametrize(
    ("changes", "expected"),
    [
        ({"concepts": []}, "few.concepts: expected at least 1 entry"),
        ({"concepts": [0]}, "few.concepts[0]: expected 1 or more, found 0"),
        ({"concepts": [5, 5]}, "few.concepts: expected each number once"),
        ({"concepts": 5}, "few.concepts: expected a list, found 5"),
        ({"max_share": 0}, "few.max_share: expected more than 0, found 0"),
        ({"shared": "keep"}, "few.shared: expected 'drop' or 'split', found 'keep'"),
        ({"via": ["it"]}, "few.via: expected some of the languages that are in none of"),
        ({"via": ["vi"]}, "of the pairs, en, found ['vi']"),
        ({"languages": ["da"]}, "few.languages: a key of the kind joint, not of low_resource"),
        ({"pairs": ["da-vi"]}, "few.pairs: 'da-vi' is not a pair of two of the languages da, en"),
    ],
)
def test_mistakes_in_a_cut(changes, expected):
    few = {"kind": "low_resource", "pairs": ["it-da"], "concepts": [300, 10]}
    assert expected in mistake(few={**few, **changes})


def test_what_a_cut_needs():
    assert "few: missing 'concepts': numbers of" in mistake(
        few={"kind": "low_resource", "pairs": ["it-da"]}
    )
    expected = "transitive: missing 'via': languages that link the pairs, such as [en]"
    assert expected in mistake(transitive={"pairs": ["it-da"]})
    expected = "transitive.concepts: a key of the kind low_resource, not of transitive"
    assert expected in mistake(transitive={"pairs": ["it-da"], "via": ["en"], "concepts": [5]})


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
        ({"systems": []}, "settings.few.systems: expected at least 1 entry"),
        ({"systems": ["cr6"]}, "settings.few.systems: cr6: unknown key; did you mean 'cr5'?"),
        (
            {"pairs": ["da-en"]},
            "few.pairs: a key of the kinds pairwise, low_resource and transitive, not",
        ),
        ({"langauges": []}, "settings.few.langauges: unknown key; did you mean 'languages'?"),
    ],
)
def test_mistakes_name_the_setting(given, expected):
    assert expected in mistake(few={"kind": "joint", **given})
