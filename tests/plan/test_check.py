"""What a run asks of this machine."""

import importlib.util

import pytest

from cr5.plan import check
from cr5.plan.check import ERROR, WARNING
from cr5.plan.config import validated

pytestmark = pytest.mark.usefixtures("folder")

WIKIPEDIA = {"name": "w", "source": "wikipedia"}


def config(**changes):
    corpus = {"name": "mine", "source": "files", "path": "{language}.jsonl"}
    return validated({"corpus": corpus, "languages": ["en", "da"], **changes})


def found(given, level, here=True):
    return [x.said for x in check.quick(given, here) if x.level == level]


def test_a_plain_configuration_has_nothing_wrong():
    assert not [*check.quick(config())]


@pytest.mark.parametrize("contact", ["", "  ", "J\u00fcrgen"])
def test_a_contact_is_needed_for_wikimedia_s_server(contact):
    corpus = WIKIPEDIA | {"contact": contact}
    [said] = found(config(corpus=corpus), ERROR)
    assert said.startswith("corpus.contact: ")
    assert not found(config(corpus=corpus | {"base": "mirror"}), ERROR)


@pytest.mark.parametrize(
    ("package", "changes", "place"),
    [
        ("icu4py", {"languages": ["en", "zh"]}, "words of 'zh'"),
        ("anyascii", {"systems": {"prefix_overlap": {"scripts": "latin"}, "cr5_spelling": {}}},
         "systems.prefix_overlap.scripts"),
        ("snowballstemmer", {"bags": {"stemmer": "snowball"}}, "bags.stemmer"),
        ("nltk", {"bags": {"tokens": "nltk"}}, "bags.tokens"),
    ],
)  # fmt: skip
def test_optional_packages_are_needed_where_they_are_asked_for(
    monkeypatch, package, changes, place
):
    there = importlib.util.find_spec
    monkeypatch.setattr(check, "find_spec", lambda name: name != package and there(name))
    assert not found(config(), ERROR)
    [said] = found(config(**changes), ERROR)
    assert said.startswith(f"{place}: not installed: {package}")
    assert not found(config(**changes), ERROR, here=False)


FREEDICT = {"tasks": {"lexicon_induction": {}}}


@pytest.mark.parametrize(
    ("changes", "key"),
    [
        *(
            ({"corpus": {"name": "h", "source": x}}, "corpus.path")
            for x in ("libreoffice_help", "debian_documentation")
        ),
        (FREEDICT, "tasks.lexicon_induction.dictionaries"),
        ({"dictionary": {"dictionaries": "freedict"}}, "dictionary.dictionaries"),
    ],
)
def test_what_debian_has_needs_apt_get_or_a_folder(monkeypatch, changes, key):
    monkeypatch.setattr(check.shutil, "which", lambda name: None)
    [said] = found(config(**changes), ERROR)
    assert said.startswith("apt-get") and key in said
    section, *_, last = key.split(".")
    if section == "corpus":
        assert not found(config(corpus=changes["corpus"] | {last: "folder"}), ERROR)
    monkeypatch.setattr(check.shutil, "which", lambda name: name)
    assert not found(config(**changes), ERROR)


def test_languages_that_are_not_known_to_have_help_pages(monkeypatch):
    monkeypatch.setattr(check.shutil, "which", lambda name: name)
    corpus = {"name": "h", "source": "libreoffice_help"}
    [said] = found(config(corpus=corpus, languages=["en", "xx", "de_at", "pt_br"]), WARNING)
    assert said.startswith("languages: no help pages in xx are known")
    assert not found(config(corpus=corpus | {"path": "folder"}, languages=["en", "xx"]), WARNING)
    assert not found(config(languages=["en", "xx"]), WARNING)


def test_names_of_languages_in_place_of_codes():
    [said] = found(config(languages=["en", "german", "zh_tw"]), WARNING)
    assert said.startswith("languages: ") and "'german'" in said


MADE = {"aligner": "eflomal", "sentences": {"path": "{language}.txt"}}


def test_an_aligner_that_is_not_installed(monkeypatch):
    monkeypatch.setattr(check.eflomal, "program", lambda: None)
    given = config(systems={"word_by_word": {}}, alignments=MADE)
    [said] = found(given, ERROR)
    assert said.startswith("alignments.aligner: eflomal")
    assert not found(given, ERROR, here=False)
    assert not found(config(alignments=MADE), ERROR)
    monkeypatch.setattr(check.eflomal, "program", lambda: "somewhere/eflomal")
    assert not found(given, ERROR)
