import bz2
import gzip
import json
import lzma
import random
import re
from pathlib import Path

import pytest

from cr5.base.errors import UserError
from cr5.corpora import reading
from cr5.corpora.sources import files

BIOGRAPHIES = Path(__file__).parents[3] / "../shared/data/wikipedia_bios_en_es"
GOOD = b'{"concept": "Q1", "title": "Universe", "text": "all there is"}\n'
COMPRESSORS = {".gz": gzip.compress, ".xz": lzma.compress, ".bz2": bz2.compress}


def records(path, language="en", **options):
    return reading.records(files, path, language, **options)


@pytest.fixture
def read(tmp_path):
    def read_bytes(content, name="en.jsonl", language="en", **options):
        path = tmp_path / name
        path.write_bytes(content if isinstance(content, bytes) else content.encode())
        return list(records(path, language, **options))

    return read_bytes


def line(**entry):
    return json.dumps(entry).encode() + b"\n"


def test_title_is_optional_and_other_keys_are_ignored(read):
    content = (
        GOOD
        + line(concept="Q2", text="t", category=["x"])
        + line(concept="Q3", text="", title=None)
    )
    assert read(content) == [
        ("Q1", "Universe", "all there is"),
        ("Q2", "Q2", "t"),
        ("Q3", "Q3", ""),
    ]


def test_an_integer_is_a_concept_and_equals_its_digits(read):
    assert read(line(concept=64, text="t")) == [("64", "64", "t")]
    with pytest.raises(UserError, match="line 2: the concept '64' was already on line 1"):
        read(line(concept=64, text="t") + line(concept="64", text="t"))


def test_spaces_at_the_ends_and_the_unicode_form_of_a_concept_do_not_count(read):
    decomposed, composed = "Vie\u0323\u0302t Nam", "Vi\u1ec7t Nam"
    assert read(line(concept=f"\u00a0{decomposed} \n", text="t")) == [(composed, composed, "t")]
    with pytest.raises(UserError, match=f"line 2: the concept '{composed}' was already on line 1"):
        read(line(concept=decomposed, text="t") + line(concept=f"{composed} ", text="t"))


@pytest.mark.parametrize("ending", COMPRESSORS)
def test_truncated_compressed_file(read, ending):
    rng = random.Random(0)  # incompressible, so that half of the file holds some lines
    noise = b"".join(line(concept=i, text=f"{rng.getrandbits(4000):x}") for i in range(200))
    content = COMPRESSORS[ending](noise)
    with pytest.raises(UserError, match=r"truncated or damaged.*good up to line \d+\)"):
        read(content[: len(content) // 2], f"en.jsonl{ending}")


@pytest.mark.parametrize("ending", [*COMPRESSORS, ""])
@pytest.mark.parametrize("pack", [*COMPRESSORS.values(), bytes])
def test_the_content_says_how_a_file_is_compressed_not_its_ending(read, pack, ending):
    assert read(pack(GOOD), f"en.jsonl{ending}") == read(GOOD)


def test_byte_order_mark_blank_lines_and_windows_line_ends(read):
    content = (
        b"\xef\xbb\xbf"
        + GOOD.replace(b"\n", b"\r\n")
        + b"\r\n  \n"
        + line(concept="Q2", text="t").rstrip(b"\n")
    )
    assert [concept for concept, _, _ in read(content)] == ["Q1", "Q2"]
    with pytest.raises(UserError, match="line 6, column 1: not JSON"):
        read(content + b"\n\nnothing\n")


def test_a_missing_file(tmp_path):
    with pytest.raises(UserError, match=r"no such file.* language 'it'.* `corpus\.path`"):
        list(records(tmp_path / "it.jsonl", "it"))


def test_lone_surrogates_and_nul_become_replacement_characters(read):
    raw = b'{"concept": "Q2", "title": "a\\u0000b", "text": "cut \\ud83d, whole \\ud83d\\ude00"}'
    assert read(raw) == [("Q2", "a\ufffdb", "cut \ufffd, whole \U0001f600")]


def test_documents_come_one_by_one(tmp_path):
    path = tmp_path / "en.jsonl"
    path.write_bytes(GOOD + b"not JSON\n")
    found = records(path)
    assert next(found)[0] == "Q1"
    with pytest.raises(UserError, match="line 2"):
        next(found)


def test_progress_is_logged(read, monkeypatch, caplog):
    monkeypatch.setattr(files, "PROGRESS", 2)
    with caplog.at_level("INFO"):
        read(b"".join(line(concept=i, text="t") for i in range(5)))
    counts = [re.search(r"(\d+) documents", message)[1] for message in caplog.messages]
    assert counts == ["2", "4", "5"]


@pytest.mark.skipif(not BIOGRAPHIES.is_dir(), reason="the biographies are not on this machine")
def test_real_biographies():
    """Counts from the provenance of the data."""
    concepts = {
        language: {
            concept for concept, _, _ in records(BIOGRAPHIES / f"{language}.jsonl.xz", language)
        }
        for language in ("en", "es")
    }
    assert [len(concepts["en"]), len(concepts["es"])] == [781, 441]
    assert len(concepts["en"] & concepts["es"]) == 419


def test_columns_by_name(read):
    content = "more\tsaid\tn\tcalled\nx\tA run\t7\t\ny\t\t 8\tEight\n"
    found = read(content, "en.tsv", concept="n", text="said", title="called")
    assert found == [("7", "7", "A run"), ("8", "Eight", "")]


def test_a_table_without_a_row_names_the_columns_that_are_read(read):
    with pytest.raises(UserError, match=r"no document .*; expected rows with 'n' and 'said' or"):
        read("n\tsaid\n", "a", concept="n", text="said")


WIDE = "concept,text_en,text_da,title_da\nQ1,one,en,Et\nQ2,two,,\nQ3,,tre,\n"


@pytest.mark.parametrize("name", ["all.csv", "all"])
def test_a_column_for_each_language(read, name):
    assert read(WIDE, name, "en") == [("Q1", "Q1", "one"), ("Q2", "Q2", "two")]
    assert read(WIDE, name, "da") == [("Q1", "Et", "en"), ("Q3", "Q3", "tre")]
    same = read(WIDE, name, "danish", codes={"danish": "da"}, text="text_{language}")
    assert [text for _, _, text in same] == ["en", "tre"]
    with pytest.raises(UserError, match=r"no document for language 'it'; .* 'text' or 'text_it'"):
        read(WIDE, name, "it")


def test_translations_in_one_value(read):
    lines = line(concept=1, translation={"en": "one", "da": "en"}) + line(
        concept=2, translation={"en": "two"}
    )
    assert read(lines, language="en", text="translation") == [("1", "1", "one"), ("2", "2", "two")]
    assert read(lines, language="da", text="translation") == [("1", "1", "en")]


def test_words_that_begin_with_a_capital_letter_are_dropped(read):
    text = (
        "Ada Lovelace skrev et program; Åse så McDonald's æble. (Øl) iPhone 3D ǅungla E\u0301mile"
    )
    content = line(concept="Q1", title="Ada Lovelace", text=text)
    [(concept, title, left)] = read(content, capitalised="drop")
    assert (concept, title) == ("Q1", "Ada Lovelace")
    # the s behind an apostrophe is a word of its own to the tokeniser, too
    assert left.split() == ["skrev", "et", "program;", "så", "'s", "æble.", "(", ")", "iPhone", "3"]
