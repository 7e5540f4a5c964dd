"""Paragraphs apart: who owns one, and what becomes of the help pages of several languages."""

import hashlib
import itertools
from collections import Counter

import pytest

from cr5.corpora.comparable import owner
from cr5.corpora.sources.libreoffice_help import LibreofficeHelp

FOUR = ["da", "en", "it", "vi"]


def test_the_owner_is_the_hash_of_page_and_id_modulo_the_languages():
    for identity, text in (("par_id1", "par_id1"), (None, "")):
        number = int(hashlib.sha256(f"a/b\n{text}".encode()).hexdigest(), 16)
        assert owner("a/b", identity, FOUR) == FOUR[number % 4]


def test_owners_depend_on_no_order_and_each_has_its_share():
    drawn = Counter(owner(f"p{i % 9}", f"id{i}", FOUR) for i in range(4000))
    assert set(drawn) == set(FOUR)
    assert all(abs(n - 1000) < 5 * 27 for n in drawn.values())  # 27: the standard deviation
    for order in itertools.permutations(FOUR):
        assert all(owner("p", f"{i}", order) == owner("p", f"{i}", FOUR) for i in range(50))


def translated(language, n_pages=12):
    """Pages with the same ids everywhere: one id twice, and two paragraphs without id.

    Each text says what it is a translation of, and sections are in another order in Italian.
    """
    contents = {}
    for number in range(n_pages):
        keys = [*range(20), 7, "none", "none"]
        keys = sorted(keys, key=str, reverse=language == "it")
        tags = ["<p>" if key == "none" else f'<p id="{key}">' for key in keys]
        paragraphs = [f"{tag}{language} {key}</p>" for tag, key in zip(tags, keys, strict=True)]
        contents[f"p{number}"] = "".join(paragraphs)
    return contents


def write_pages(folder, contents):
    folder.mkdir(parents=True)
    for name, body in contents.items():
        (folder / f"{name}.html").write_text(f'<title>T</title><div id="DisplayArea">{body}</div>')


def test_paragraphs_in_parallel_are_all_but_left_overs_whoever_keeps_them(tmp_path, read):
    """Ids that a page has twice, or none, are given one that no other language has."""
    body = {
        "en": '<p id="1">one</p><p id="2">two</p><p id="2">three</p><p>four</p><p id="5">left</p>',
        "da": '<p id="1">en</p><p id="2">to</p><p id="2">tre</p><p>fire</p><p id="5">left</p>',
    }
    for language, html in body.items():
        write_pages(tmp_path / ("en-US" if language == "en" else language) / "text", {"p": html})
    found = {}
    for language in ("en", "da"):
        documents, reading = read(LibreofficeHelp, tmp_path, language, ("da", "en"))
        rows = found[language] = reading.parallel
        kept = {line for _, _, text in documents for line in text.split("\n")}
        assert kept < {text for _, _, text in rows}
    assert [text for _, _, text in found["en"]] == ["one", "two", "three", "four", "left"]
    assert [text for _, _, text in found["da"]] == ["en", "to", "tre", "fire"]
    ids = {language: {(page, x) for page, x, _ in rows} for language, rows in found.items()}
    assert (len(ids["en"]), len(ids["da"])) == (5, 4)
    assert ids["en"] & ids["da"] == {("p", "1")}


def test_paragraphs_as_documents_once_each(tmp_path, read):
    body = {
        "en": '<p id="1">one</p><p id="2">two</p><p id="3">one</p><p id="4">left</p>',
        "da": '<p id="1">en</p><p id="2">to</p><p id="3">tre</p><p id="4">left</p>',
    }
    for language, html in body.items():
        write_pages(tmp_path / ("en-US" if language == "en" else language) / "text", {"p": html})
    options = {"paragraphs": "documents"}
    documents, reading = read(LibreofficeHelp, tmp_path, "en", ("da", "en"), **options)
    assert documents == [("p#1", "T", "one"), ("p#2", "T", "two"), ("p#4", "T", "left")]
    assert reading.parallel == [("p#1", "", "one"), ("p#2", "", "two"), ("p#4", "", "left")]
    assert "paragraphs" not in reading.notes  # none is dropped or put apart
    documents, _ = read(LibreofficeHelp, tmp_path, "da", ("da", "en"), **options)
    assert [concept for concept, *_ in documents] == ["p#1", "p#2", "p#3"]


def read_apart(read, folder, languages):
    """Per language (page, key) of the paragraphs kept, and the counts."""
    kept, counts = {}, {}
    for x in languages:
        documents, reading = read(LibreofficeHelp, folder, x, languages)
        counts[x] = reading.notes["paragraphs"]
        lines = [(page, line) for page, _, text in documents for line in text.split("\n")]
        assert all(line.startswith(f"{x} ") for _, line in lines)
        kept[x] = Counter((page, line.removeprefix(f"{x} ")) for page, line in lines)
    return kept, counts


@pytest.mark.parametrize("languages", [FOUR, ["it", "da"]])
def test_apart_each_paragraph_is_in_one_language_and_none_is_lost(tmp_path, languages, read):
    for x in FOUR:
        write_pages(tmp_path / ("en-US" if x == "en" else x) / "text", translated(x))
    kept, counts = read_apart(read, tmp_path, languages)
    for a, b in itertools.combinations(languages, 2):
        assert not kept[a].keys() & kept[b].keys()
    together = sum(kept.values(), Counter())
    keys = [(f"p{i}", str(key)) for i in range(12) for key in [*range(20), 7, "none", "none"]]
    assert together == Counter(keys)
    for x in languages:
        assert kept[x].total() == counts[x]["kept"] == 12 * 23 - counts[x]["apart"] > 0
        assert (counts[x]["paragraphs"], counts[x]["dropped"]) == (12 * 23, 0)
