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


def test_one_joint_setting_of_everything_unless_said_otherwise():
    joint = {"kind": "joint", **NAMED, "languages": ["da", "en", "it"]}
    assert config.validated(BARE)["settings"] == {"joint": joint}
    assert settings(joint=None) == {"joint": joint}


def test_the_kind_is_the_name_unless_given():
    assert settings(pairwise={"pairs": ["da-en"]})["pairwise"]["kind"] == "pairwise"
    assert settings(joint={"kind": "pairwise", "pairs": ["da-en"]})["joint"]["kind"] == "pairwise"
    assert settings(few={"kind": "joint"})["few"]["kind"] == "joint"


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
