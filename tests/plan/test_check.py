import pytest

from cr5.plan import check, fingerprint
from cr5.plan.check import ERROR, OK, WARNING, Finding
from cr5.plan.config import validated

pytestmark = pytest.mark.usefixtures("folder")

WIKIPEDIA = {"name": "w", "source": "wikipedia", "contact": "me@example.org"}
IDENTICAL = {"module": "procrustes", "seeds": "identical"}


def config(**changes):
    corpus = {"name": "mine", "source": "files", "path": "{language}.jsonl"}
    return validated({"corpus": corpus, "languages": ["en", "da"], **changes})


def found(given, level, here=True):
    return [x.said for x in check.quick(given, here) if x.level == level]


def test_a_plain_configuration_has_nothing_wrong():
    assert not found(config(), ERROR)
    assert str(Finding(WARNING, "disk")) == "warning  disk"


def test_repetitions_without_a_draw_of_their_own_repeat_the_figures():
    given = {"systems": {"cr5": {}, "procrustes_identical": IDENTICAL}, "splits": {"redraw": False}}
    [said] = found(config(**given, repetitions=5), WARNING)
    assert said.startswith("splits.redraw: false: all 5 repetitions test the same queries")
    assert "so cr5 may as well be run once" in said
    assert not found(config(**given), WARNING)
    assert not found(config(**given | {"splits": {}}, repetitions=5), WARNING)
    random = given | {"systems": {"procrustes_identical": IDENTICAL}}
    assert not found(config(**random, repetitions=5), WARNING)


@pytest.mark.parametrize("contact", ["", "  ", "Jürgen"])
def test_a_contact_is_needed_for_wikimedia_s_server(contact):
    [said] = found(config(corpus=WIKIPEDIA | {"contact": contact}), ERROR)
    assert said.startswith("corpus.contact: Wikimedia asks")


def test_a_contact_is_not_needed_for_a_folder():
    assert not found(config(corpus=WIKIPEDIA | {"contact": "", "base": "mirror"}), ERROR)
    assert not found(config(corpus=WIKIPEDIA), ERROR)


def test_a_package_that_a_system_needs_is_missing(monkeypatch, folder):
    (folder / "mine.py").write_text("import not_there\n")
    given = config(systems={"mine": {"module": "mine.py"}})
    [said] = found(given, ERROR)
    assert said.startswith("systems.mine: its packages: not installed: not_there; pip install")
    assert not found(given, ERROR, here=False)


def test_a_package_that_a_source_of_one_s_own_needs_is_missing(folder):
    (folder / "mine.py").write_text("import not_there\nOPTIONS = {'path': ''}\n")
    [said] = found(config(corpus={"name": "x", "source": "mine.py", "path": "x"}), ERROR)
    assert said.startswith("corpus.source: its packages: not installed: not_there; pip install")


def test_vectors_need_gensim_and_chinese_needs_icu(monkeypatch):
    monkeypatch.setattr(fingerprint, "is_there", lambda name: name not in ("gensim", "icu4py"))
    systems = {"procrustes_identical": IDENTICAL, "lexical_overlap": {}}
    said = found(config(systems=systems, languages=["en", "zh", "cmn_hans"]), ERROR)
    assert [x.split(";")[0] for x in said] == [
        "systems.procrustes_identical: its packages: not installed: gensim",
        "words of 'zh': not installed: icu4py",
        "words of 'cmn_hans': not installed: icu4py",
    ]


def test_words_to_be_written_in_latin_letters_need_anyascii(monkeypatch):
    monkeypatch.setattr(fingerprint, "is_there", lambda name: name != "anyascii")
    systems = {"prefix_overlap": {"scripts": "latin"}, "cr5_spelling": {}}
    [said] = found(config(systems=systems), ERROR)
    assert said.startswith("systems.prefix_overlap: its packages: not installed: anyascii")


@pytest.mark.parametrize(
    ("key", "asked", "package"),
    [("stemmer", "snowball", "snowballstemmer"), ("tokens", "nltk", "nltk")],
)
def test_what_splits_and_stems_words_is_needed_where_it_is_asked_for(
    monkeypatch, key, asked, package
):
    monkeypatch.setattr(fingerprint, "is_there", lambda name: name != package)
    assert not found(config(), ERROR)
    [said] = found(config(bags={key: asked}), ERROR)
    assert said.startswith(f"bags.{key}: not installed: {package}")


@pytest.mark.parametrize(
    ("source", "what"),
    [
        ("libreoffice_help", "the help pages"),
        ("debian_documentation", "help pages, manuals and descriptions"),
    ],
)
def test_what_debian_has_needs_apt_get_or_a_folder(monkeypatch, source, what):
    monkeypatch.setattr(check.shutil, "which", lambda name: None)
    corpus = {"name": "h", "source": source}
    [said] = found(config(corpus=corpus), ERROR)
    assert f"apt-get, which fetches {what}, is not here: give a folder" in said
    assert "corpus.path" in said
    assert not found(config(corpus=corpus | {"path": "folder"}), ERROR)


def test_a_source_that_only_fetches_needs_apt_get_too(monkeypatch, folder):
    (folder / "own.py").write_text("FETCHES = 'the pages'\n")
    for program, n in (None, 1), ("/usr/bin/apt-get", 0):
        monkeypatch.setattr(check.shutil, "which", lambda name, program=program: program)
        assert len(found(config(corpus={"name": "h", "source": "own.py"}), ERROR)) == n


def test_languages_that_are_not_known_to_have_help_pages(monkeypatch):
    monkeypatch.setattr(check.shutil, "which", lambda name: name)
    corpus = {"name": "h", "source": "libreoffice_help"}
    [said] = found(config(corpus=corpus, languages=["en", "xx", "de_at", "pt_br"]), WARNING)
    assert said.startswith("languages: no help pages in xx are known; there are those in ca, cs, ")
    assert not found(config(corpus=corpus | {"path": "folder"}, languages=["en", "xx"]), WARNING)
    assert not found(config(languages=["en", "xx"]), WARNING)


def test_names_of_languages_in_place_of_codes():
    assert found(config(languages=["en", "german", "klingon", "zh_tw"]), WARNING) == [
        "languages: words are cut and stemmed by ISO 639-1 codes, such as en; 'german' is none",
        "languages: words are cut and stemmed by ISO 639-1 codes, such as en; 'klingon' is none",
    ]


@pytest.mark.parametrize(
    ("changes", "used"),
    [
        ({}, False),
        ({"systems": {"mono_xcnn": {}}}, True),
        ({"channels": {"train_vectors": True}}, False),
        ({"channels": {"train_vectors": True}, "systems": {"procrustes": IDENTICAL}}, True),
    ],
)
def test_channels_that_nothing_learns_from(changes, used):
    changes = {"channels": {"documents": "x"} | changes.get("channels", {})} | {
        key: x for key, x in changes.items() if key != "channels"
    }
    said = [x for x in found(config(**changes), WARNING) if x.startswith("channels")]
    assert len(said) == (not used)
    assert all("learns from them; mono_xcnn, xcnn do, and" in x for x in said)


MADE = {"aligner": "eflomal", "sentences": {"path": "{language}.txt"}}


@pytest.mark.parametrize("program", [None, "somewhere/eflomal"])
def test_an_aligner_that_is_not_installed(monkeypatch, program):
    monkeypatch.setattr(check.eflomal, "program", lambda: program)
    given = config(systems={"word_by_word": {}}, alignments=MADE)
    said = found(given, OK if program else ERROR)
    start = "alignments.aligner: eflomal"
    assert [x.startswith(start) for x in said].count(True) == 1
    if not program:
        assert "pip install eflomal==2.0.0 (it is compiled" in said[0]
        assert not found(given, ERROR, here=False)
    assert not [x for x in found(config(alignments=MADE), ERROR) if "eflomal" in x]


def test_debian_s_dictionaries_need_apt_unless_a_folder_has_them(monkeypatch, folder):
    monkeypatch.setattr(check.shutil, "which", lambda program: None)
    [said] = found(config(tasks={"lexicon_induction": {}}), ERROR)
    assert said.startswith(
        "apt-get, which fetches the dictionaries of lexicon_induction, is not here: "
    )
    assert "tasks.lexicon_induction.dictionaries" in said
    assert not found(config(tasks={"lexicon_induction": {"dictionaries": "."}}), ERROR)
    corpus = {"name": "h", "source": "libreoffice_help", "path": "."}
    assert not found(config(corpus=corpus, tasks={"lexicon_induction": {}}), ERROR)
