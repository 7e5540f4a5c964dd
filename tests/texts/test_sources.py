"""The contract of a source: every one of ours passes it."""

import inspect
import json
import re
from pathlib import Path

import pytest

from cr5.base.errors import UserError
from cr5.contracts.catalogue import SOURCES
from cr5.contracts.keys import PACKAGE
from cr5.counts import documents
from cr5.texts import aligned, reading
from tests.kit import layouts
from tests.kit.archives import deb

FOLDER = SOURCES.folder
EXAMPLE = Path(__file__).parent / "example_source.py"
GIMP = PACKAGE.parents[1] / "config/examples/gimp_help.py"
LANGUAGES = ("en", "da")


def pages(folder):
    layouts.help_pages(folder, LANGUAGES, 20)


def documentation(folder):
    pages(folder)
    layouts.descriptions(folder, LANGUAGES, 20)


def lines(path):
    path.write_text(json.dumps({"concept": 1, "text_en": "x", "text_da": "y"}) + "\n")


def documentation_folders(folder):
    for language in LANGUAGES:
        (folder / language).mkdir(parents=True)
        (folder / language / "a.md").write_text(f"# A page\n\nIn {language}.\n")


def almanac(path):
    path.write_text("1|en|New year\n1|da|Nytår\n2|en|A day\n")


def sittings(folder):
    folder.mkdir()
    (folder / "ep-00-01-17.txt").write_text("<CHAPTER ID=1>\n<SPEAKER ID=1>\nGood morning.\n")


def manuals(folder):
    """Pages of two packages, the second with one paragraph less in Danish, one left in English."""
    folder.mkdir()
    page = '<title>T</title><div class="navheader"><p>Next</p></div>{}'
    for language in LANGUAGES:
        texts = [f"{language} <b>{number}</b>" for number in range(20)] + ["the same"]
        files = {}
        for name, first in (("a", 0), ("b", int(language == "da"))):
            paragraphs = "".join(f"<p>{text}</p>" for text in texts[first:])
            files[f"./{language}/{name}.html"] = page.format(paragraphs).encode()
        (folder / f"gimp-help-{language}_1_all.deb").write_bytes(deb(files))


LAYOUTS = {
    FOLDER / "europarl.py": sittings,
    FOLDER / "libreoffice_help.py": pages,
    FOLDER / "debian_documentation.py": documentation,
    FOLDER / "files.py": lines,
    FOLDER / "folders.py": documentation_folders,
    EXAMPLE: almanac,
    GIMP: manuals,
}
IN_PLACE = {FOLDER / "folders.py": "/{language}"}  # what a path has below the place of the texts

KINDS = {reading.Document, reading.Paragraph, reading.Note}
PATHS = [FOLDER / f"{name}.py" for name in SOURCES.known()] + [EXAMPLE, GIMP]
NAMES = [path.stem for path in PATHS]


def kind_at(path):
    """The class of a source in a file."""
    return SOURCES.part_class(path.stem, {"source": str(path)})


@pytest.mark.parametrize("path", PATHS, ids=NAMES)
def test_a_source_says_what_its_keys_mean_and_its_licence(path):
    kind = kind_at(path)
    for name, key in kind.model_json_schema()["properties"].items():
        assert key.get("description"), f"the key {name} has no meaning"
    licence, sentence = kind.licence or ("other", "Own texts.")
    assert re.fullmatch(r"[a-z0-9.-]+", licence)
    assert sentence.endswith(".")


def check_documents(yielded):
    """They have strings, a concept each, and some of them a text."""
    for document in yielded:
        for value in document:
            assert isinstance(value, str)
        assert document.concept.strip()
    concepts = [document.concept for document in yielded]
    assert len(set(concepts)) == len(concepts), "a concept twice"
    assert any(document.text.strip() for document in yielded), "no text"


def records_in_any_order(source, place, language):
    """The records of a language, the same ones again and in whichever order languages are."""
    asked = reading.Reading(source, place, language, ["da", "en"])
    for file in reading.files(asked):
        assert file.exists()
    records = list(source.records(asked))
    again = list(source.records(asked))
    assert again == records
    turned = reading.Reading(source, place, language, ["en", "da"])
    assert list(source.records(turned)) == records
    return records


@pytest.mark.parametrize("path", PATHS, ids=NAMES)
def test_a_source_yields_documents_and_what_belongs_to_them(path, tmp_path):
    kind = kind_at(path)
    if kind.own_rules or not kind.has_text:
        return
    assert list(inspect.signature(kind.records).parameters) == ["self", "reading"]
    made = tmp_path / "texts"
    LAYOUTS[path](made)
    below = IN_PLACE.get(path, "")
    source = kind(path=f"{made}{below}")
    for language in LANGUAGES:
        place = Path(f"{made}{below.format(language=language)}")
        records = records_in_any_order(source, place, language)
        kinds = {type(record) for record in records}
        assert kinds <= KINDS
        assert reading.Paragraph in kinds or not source.parallel
        yielded = [record for record in records if isinstance(record, reading.Document)]
        check_documents(yielded)
        out = made.with_name(f"{language}.parquet")
        assert documents.write(out, yielded, language) == len(yielded)
    nowhere = reading.Reading(source, made.with_name("nowhere"), "en", ["da", "en"])
    with pytest.raises((UserError, FileNotFoundError), match=r"nowhere|corpus\.path|expected"):
        list(source.records(nowhere))


def checked(*records):
    return list(reading.Records("own.py").documents(records))


def test_concepts_of_any_source_are_compared_as_ids_are(tmp_path):
    documents = checked(("\ufeffe\u0301 ", "t", "x"), ("b\u200e", "t", "y"))
    assert [document.concept for document in documents] == ["\u00e9", "b"]
    paragraphs = [reading.Paragraph("b\u200e", "1", "y")]
    reading.write_paragraphs(tmp_path / "p", paragraphs, "en")
    assert aligned.of_paragraphs({"en": tmp_path / "p"})["concept"].tolist() == ["b"]
    with pytest.raises(UserError, match='record 1: "concept" is empty'):
        checked(("\u200e", "t", "x"))


def test_documents_are_passed_on_and_what_else_is_read_is_kept():
    records = reading.Records("own.py")
    paragraph = reading.Paragraph("a", "1", "x")
    yielded = [paragraph, reading.Document("a", "A", "x"), reading.Note("n", {"pages": 1})]
    assert list(records.documents(yielded)) == [("a", "A", "x")]
    assert records.paragraphs == [paragraph]
    assert records.notes == {"n": {"pages": 1}}


@pytest.mark.parametrize("record", [("a", "A"), ("a", "A", None), (" ", "A", "x"), "abc", None])
def test_what_is_no_document_is_refused_with_its_number(record):
    with pytest.raises(UserError, match=r"own\.py: record 2 is .*; expected Document\(concept"):
        checked(("a", "A", "x"), record)
