"""The beginnings of files that the configuration names."""

import json

import pytest

from cr5.plan import check
from cr5.plan.check import ERROR, OK, WARNING, Finding
from cr5.plan.check_files import files
from cr5.plan.config import validated

pytestmark = pytest.mark.usefixtures("folder")

WIKIPEDIA = {"name": "w", "source": "wikipedia", "contact": "me@example.org"}
MADE = {"aligner": "eflomal", "sentences": {"path": "{language}.txt"}}
NOWHERE = {"dictionaries": "no/{source}-{target}.txt"}


def config(**changes):
    corpus = {"name": "mine", "source": "files", "path": "{language}.jsonl"}
    return validated({"corpus": corpus, "languages": ["en", "da"], **changes})


def documents(*concepts):
    return "".join(json.dumps({"concept": x, "text": "x"}) + "\n" for x in concepts)


def test_first_documents_are_read(folder):
    (folder / "en.jsonl").write_text(json.dumps({"concept": "Q1", "text": "x"}) + "\n")
    (folder / "da.jsonl").write_text('{"concept": "Q1"}\n')
    good, bad = files(config())
    assert good == Finding(OK, "corpus.path: en.jsonl, its first documents in 'en'")
    assert bad.level == ERROR and 'da.jsonl, line 1: "text" is missing' in bad.said
    (folder / "da.jsonl").unlink()
    [missing] = [x for x in files(config()) if x.level == ERROR]
    assert missing.said.startswith("corpus.path: there is no file or folder da.jsonl for language")
    misspelt = config(corpus={"name": "mine", "source": "files", "path": "{lang}.jsonl"})
    found = [x.said for x in files(misspelt) if x.level == ERROR]
    assert len(found) == 2
    assert all(x.endswith(" {lang} stands for nothing; write {language}.") for x in found)


def test_stop_words_are_looked_for(folder):
    (folder / "stop.en.txt").write_text("the\n")
    given = config(bags={"stop_words": "stop.{language}.txt"})
    missing, there = [x for x in files(given) if x.said.startswith("bags")]
    assert there == Finding(OK, "bags.stop_words: stop.en.txt")
    assert missing.level == ERROR and missing.said.endswith("there is no file stop.da.txt")


def test_channels_are_read(folder):
    (folder / "titles.en").write_text("1\tnews\n")
    (folder / "titles.da").write_text("no tab\n")
    given = config(channels={"documents": "titles.{language}"})
    english, danish = [x for x in files(given) if x.said.startswith("channels")]
    assert english == Finding(OK, "channels: its files in 'en'")
    assert danish.level == ERROR and "titles.da, line 1: expected 2 fields" in danish.said
    (folder / "titles.da").unlink()
    assert "there is no file titles.da" in [x.said for x in files(given)][3]
    given = config(channels={"documents": "titles.{language}", "languages": ["en"]})
    assert [x.level for x in files(given) if x.said.startswith("channels")] == [OK]


def test_the_same_text_in_several_languages(folder):
    both = {"name": "mine", "source": "files", "path": "all.jsonl"}
    (folder / "all.jsonl").write_text(documents("a"))
    found = [x for x in files(config(corpus=both)) if x.level == ERROR]
    assert len(found) == 2
    assert "all.jsonl, line 1: the file is that of 'da' too, and its column 'text'" in found[0].said
    (folder / "all.jsonl").write_text('{"concept": "a", "text_en": "x", "text_da": "y"}')
    assert all(x.level == OK for x in files(config(corpus=both)))
    for language in ("en", "da"):
        (folder / f"{language}.jsonl").write_text(documents("a"))
    [found] = [x for x in files(config()) if x.level == ERROR]
    assert found.said.startswith("corpus.path: en.jsonl and da.jsonl are the same text: each docu")


def test_sentences_that_candidates_leave_for_validation(folder):
    """Three lines, of which `candidates`, 200,000 by default, takes all."""
    for language in ("en", "da"):
        (folder / f"{language}.txt").write_text("a\nb\nc\n")

    def found(**options):
        tasks = {"sentences": {"path": "{language}.txt", "validation": 1, **options}}
        [said] = [x for x in files(config(tasks=tasks)) if x.said.startswith("tasks")]
        return said

    assert found().level == ERROR
    assert "left for validation: of 3 lines 200000 are candidates; lower" in found().said
    assert found(candidates=2).level == OK
    assert found(candidates=3).level == ERROR
    assert "for the idf of 'da': of 3 lines" in found(candidates=2, idf="own", idf_lines=1).said


def test_translation_tables_are_read_in_both_directions(folder):
    given = config(systems={"word_by_word": {}}, alignments={"path": "{source}-{target}.tsv"})
    (folder / "en-da.tsv").write_text("a\tb\t0.5\n")
    (folder / "da-en.tsv").write_text("a b\n")
    of_tables = [x for x in files(given) if x.said.startswith("alignments")]
    assert [x.level for x in of_tables] == [ERROR, OK]
    assert "da-en.tsv, line 1" in of_tables[0].said


def test_parallel_files_of_the_aligner_are_read(folder):
    given = config(systems={"word_by_word": {}}, alignments=MADE)
    (folder / "en.txt").write_text("a\n")
    [bad] = [x for x in files(given) if x.said.startswith("alignments")]
    assert bad.level == ERROR
    assert "alignments.sentences: there is no file da.txt" in bad.said
    (folder / "da.txt").write_text("a\n")
    assert Finding(OK, "alignments.sentences: its parallel files") in list(files(given))


def test_files_of_tasks_are_read(folder):
    options = {"documents": "d_{language}", "queries": "q", "qrels": "j"}
    given = config(tasks={"ad_hoc": options})
    (folder / "d_en").write_text('{"id": "1", "text": "x"}\n')
    (folder / "q").write_text("no tab\n")
    (folder / "j").write_text("")

    def found():
        return [x.said for x in files(given) if x.said.startswith("tasks")]

    english, danish = found()
    assert "q, line 1: expected 2 fields" in english
    assert "documents: there is no file d_da" in danish
    (folder / "q").write_text("en-1\tx\n")
    (folder / "j").write_text("1 0 1 1\n")
    assert (
        "j: judgements of none of the queries in 'en', such as '1', and none of 'en-1'"
        in found()[0]
    )
    (folder / "j").write_text("1 0 1\n")
    assert "j, line 1" in found()[0]
    (folder / "j").write_text("en-1 0 1 1\n")
    assert found()[0] == "tasks.ad_hoc: its files in 'en'"


def test_files_of_systems_are_read(folder):
    given = config(systems={"pretrained": {"path": "v_{language}", "dimension": 2}})
    (folder / "v_en").write_text("house 1 2\n" * 100 + "beyond what is looked at\n")
    (folder / "v_da").write_text("hus 1 2\nbil 1\n")
    english, danish = [x for x in files(given) if x.said.startswith("systems")]
    assert english == Finding(OK, "systems.pretrained: its files in 'en'")
    assert danish.level == ERROR
    assert "v_da, line 2: expected a word and 2 numbers" in danish.said


@pytest.mark.parametrize(
    ("section", "key"),
    [
        ({"tasks": {"lexicon_induction": NOWHERE}}, "tasks.lexicon_induction.dictionaries"),
        ({"dictionary": NOWHERE}, "dictionary.dictionaries"),
    ],
)
def test_dictionaries_that_are_not_there_are_one_finding_among_others(folder, section, key):
    assert all(x.level != ERROR for x in check.quick(config(**section)))
    told = list(files(config(**section)))
    [said] = [x for x in told if "corpus.path" not in x.said]
    assert said.level == ERROR and f"{key}: there is no file no/" in said.said
    assert len(told) > 1


def test_dictionaries_are_read_and_pairs_without_one_named(folder):
    given = {"dictionaries": "{source}-{target}.txt"}
    (folder / "da-en.txt").write_text("og and\nrød\n")
    for kind in ("tasks.lexicon_induction", "dictionary"):

        def found(kind=kind, **options):
            section = given | options
            of_task = {"tasks": {"lexicon_induction": section}}
            changes = of_task if kind.startswith("tasks") else {"dictionary": section}
            return [x for x in files(config(**changes)) if x.said.startswith(kind)]

        wrong, missing = found()
        assert wrong.level == ERROR and "da-en.txt, line 2: expected a word and its" in wrong.said
        assert missing.level == WARNING and "no dictionary for en-da" in missing.said
        assert [x.level for x in found(invert=True)] == [ERROR]  # the same file, turned round


def test_files_of_parallel_text_are_read(folder):
    given = config(tasks={"sentences": {"path": "{language}.txt"}, "two": {"module": "sentences"}})
    (folder / "en.txt").write_text("a\n")

    def found():
        return [x for x in files(given) if x.said.startswith("tasks")]

    missing, none = found()
    assert missing.said.endswith("tasks.sentences: there is no file da.txt")
    assert "a corpus of the source files has no parallel paragraphs; give the `path`" in none.said
    (folder / "da.txt").write_bytes(b"\xff\n")
    assert "da.txt, line 1: this is not UTF-8" in found()[0].said
    (folder / "da.txt").write_text("x\n")
    assert found()[0] == Finding(OK, "tasks.sentences: its parallel files")


def test_files_of_every_language_are_looked_for(folder):
    (folder / "given").mkdir()
    (folder / "given" / "libreoffice-help-da_7.deb").write_text("")
    (folder / "given" / "Translation-da").write_text("Package: a\nsomething else\n")

    def found(source):
        return files(config(corpus={"name": "h", "source": source, "path": "given"}))

    english, danish = found("libreoffice_help")
    assert english.level == ERROR and "no help pages in 'en'" in english.said
    assert danish.level == OK
    english, danish = found("debian_descriptions")
    assert english.level == ERROR and "Translation-en for language 'en'" in english.said
    assert danish.level == ERROR and "Translation-da, line 2: before it, " in danish.said


def test_vectors_of_different_length_are_named_with_their_files(folder):
    (folder / "en.vec").write_text("the 1 2 3\n")
    (folder / "da.vec").write_text("og 1 2\n")
    given = config(vectors={"path": "{language}.vec"})
    [ok, wrong] = [x for x in files(given) if x.said.startswith("vectors.path")]
    assert (ok.level, wrong.level) == (OK, ERROR)
    assert "da.vec, line 1: vectors must be of one length" in wrong.said
    assert "en.vec: 3, da.vec: 2" in wrong.said
