"""Old names of the configuration: understood, and their new names told."""

import pytest
from cr5.plan.catalogue import module_source
from cr5.plan.renamed import understood

from cr5.base.errors import UserError
from cr5.plan import renamed
from cr5.plan.config import validated

CORPUS = {"name": "tiny", "source": "libreoffice_help", "paragraphs": "comparable"}
TODAY = {
    "corpus": CORPUS,
    "languages": ["da", "en", "vi"],
    "dictionary": {"dictionaries": "freedict", "offset": 3, "limit": 5},
    "alignments": {"path": "{source}-{target}.tsv"},
    "systems": {"cr5": {}, "mine": {"module": "word_by_word", "via": "lsa"}},
    "tasks": {"documents": {}, "words": {"module": "lexicon_induction", "offset": 2}},
    "settings": {"joint": {}, "x": {"kind": "transitive", "pairs": ["da-vi"], "via": ["en"]}},
}
BEFORE = TODAY | {
    "corpus": CORPUS | {"paragraphs": "apart"},
    "dictionary": {"dictionaries": "freedict", "skip": 3, "take": 5},
    "systems": {"cr5": {}, "mine": {"module": "word_by_word", "through": "lsa"}},
    "tasks": {"documents": {}, "words": {"module": "words", "skip": 2}},
    "settings": {"joint": {}, "x": {"kind": "transitive", "pairs": ["da-vi"], "through": ["en"]}},
}


def test_old_names_mean_the_same_as_new_ones():
    assert validated(BEFORE) == validated(TODAY)


def test_each_old_name_is_told_once_with_its_place():
    assert understood(TODAY) == (TODAY, [])
    assert understood(BEFORE)[1] == [
        "corpus.paragraphs: apart is now called comparable; write comparable",
        "dictionary.skip is now called offset; write offset",
        "dictionary.take is now called limit; write limit",
        "systems.mine.through is now called via; write via",
        "tasks.words: the module words is now called lexicon_induction; write words: "
        "{module: lexicon_induction}, or lexicon_induction as its name, too",
        "tasks.words.skip is now called offset; write offset",
        "settings.x.through is now called via; write via",
    ]


def test_an_option_of_another_module_keeps_its_name():
    own = {"systems": {"mine": {"module": "mine.py", "through": 3}, "through": None}}
    assert understood(own) == (own | {"systems": own["systems"] | {"through": {}}}, [])


def test_a_renamed_module_keeps_the_name_that_the_user_gave_it(monkeypatch):
    monkeypatch.setitem(renamed.MODULES["systems"], "plain", "cr5")
    found, said = understood({"systems": {"plain": None, "mine": {"module": "plain", "rank": 3}}})
    assert found["systems"] == {"plain": {"module": "cr5"}, "mine": {"module": "cr5", "rank": 3}}
    assert list(found["systems"]) == ["plain", "mine"]
    assert said[0] == (
        "systems.plain: the module plain is now called cr5; write plain: {module: cr5}, or cr5 as "
        "its name, too"
    )


def test_both_names_are_a_mistake():
    with pytest.raises(UserError, match=r"dictionary\.skip is now called offset, and offset is"):
        understood({"dictionary": {"skip": 1, "offset": 2}})


@pytest.mark.parametrize("config", [{}, {"systems": 3}, {"tasks": {"words": 4}, "corpus": None}])
def test_what_is_no_configuration_is_left_to_others(config):
    assert understood(config) == (config, [])


@pytest.mark.parametrize("section", ["systems", "tasks"])
def test_new_names_are_those_of_modules(section):
    for old, new in renamed.MODULES[section].items():
        assert module_source(section, new).is_file()
        with pytest.raises(UserError):
            module_source(section, old)
