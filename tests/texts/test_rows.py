"""Rows of each format, and documents of files of one's own."""

import csv
import gzip
import json
import math
import re
from zipfile import ZipFile

import pandas as pd
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from cr5.base.errors import UserError
from cr5.base.languages import path_of
from cr5.contracts.source import Reading
from cr5.texts.rows import labelled, rows
from cr5.texts.sources.files import Files
from tests.kit.inside import records


def written(path, content):
    path.write_bytes(content.encode() if isinstance(content, str) else content)
    return path


def lines(*entries):
    return "".join(json.dumps(entry) + "\n" for entry in entries)


ROWS = [{"concept": "a", "text": "Én, to\n3"}, {"concept": "b", "text": 'said "no"'}]
FRAME = pd.DataFrame(ROWS)
FORMATS = {
    "a.jsonl": lambda path: written(path, lines(*ROWS)),
    "a": lambda path: written(path, lines(*ROWS)),
    "a.csv": lambda path: FRAME.to_csv(path, index=False),
    "index.csv": lambda path: FRAME.to_csv(path),
    "a.tsv": lambda path: FRAME.to_csv(path, index=False, sep="\t", quoting=csv.QUOTE_ALL),
    "b": lambda path: FRAME.to_csv(path, index=False, sep=";"),
    "a.csv.gz": lambda path: FRAME.to_csv(path, index=False),
    "a.parquet": FRAME.to_parquet,
    "c": FRAME.to_parquet,
}


@pytest.mark.parametrize("name", FORMATS)
def test_the_same_rows(tmp_path, name):
    FORMATS[name](tmp_path / name)
    concepts_and_texts = []
    for row in rows(tmp_path / name, ["concept", "text"]):
        concepts_and_texts.append({"concept": row.fields["concept"], "text": row.fields["text"]})
        assert row.where.startswith(str(tmp_path / name))
    assert concepts_and_texts == ROWS


def test_a_table_in_a_zip_archive_is_known_by_its_own_name(tmp_path):
    """Its columns are none of those that are looked for."""
    with ZipFile(tmp_path / "a.zip", "w") as archive:
        archive.writestr("inside.tsv", "key\tbody\n1\ta b\n")
    [row] = rows(tmp_path / "a.zip", ["id", "text"], otherwise=pytest.fail)
    assert row.fields == {"key": "1", "body": "a b"}


def test_parquet_is_read_as_it_is_and_not_unpacked(tmp_path):
    FRAME.to_parquet(tmp_path / "a.parquet")
    packed = gzip.compress((tmp_path / "a.parquet").read_bytes())
    (tmp_path / "a.parquet.gz").write_bytes(packed)
    with pytest.raises(UserError, match=r"a\.parquet\.gz: a compressed Parquet file"):
        list(rows(tmp_path / "a.parquet.gz", ["text"]))


def test_strings_of_parquet_that_are_not_utf_8_are_refused(tmp_path):
    strings = pa.array([b"hund", b"k\xe5t"]).view(pa.string())
    pq.write_table(pa.table({"text": strings}), tmp_path / "a.parquet")
    with pytest.raises(UserError, match=r"a\.parquet: "):
        list(rows(tmp_path / "a.parquet", ["text"]))


def test_two_columns_of_parquet_that_have_one_name_are_refused(tmp_path):
    columns = [pa.array(["Q1"]), pa.array(["a"]), pa.array(["b"])]
    table = pa.Table.from_arrays(columns, ["concept", "text", "text"])
    pq.write_table(table, tmp_path / "a.parquet")
    with pytest.raises(UserError, match=r"a\.parquet: more than one column 'text'; rename one"):
        list(rows(tmp_path / "a.parquet", ["concept", "text"]))


# Tables: name of the file, its content, the columns asked for, rows, and where the last begins.
OPEN = 'id\ttext\n1\t"We have mice\n\n2\t"it," she said\n3\tabout 5"\n'
LONG = "x" * 200_000
TABLES = [
    ("a.tsv", "\ufeffid\ttext\r\n1\tx\r\n", "id text", [["1", "x"]], 2),
    ("a.tsv", "text\tmore\tid\nOne\tx\t7\n\nTwo\t\t8\n", "id more", [["7", "x"], ["8", ""]], 4),
    ("a.tsv", OPEN, "text", [['"We have mice'], ['"it," she said'], ['about 5"']], 5),
    ("a.csv", 'text\n"x, y\nz"\n\nw\n', "text", [["x, y\nz"], ["w"]], 5),
    ("a.csv", 'id,text\n1,"so ""it""\n\nends,"\n', "text", [['so "it"\n\nends,']], 2),
    # as Excel says what is between fields, and where more than the header has to tell it
    ("a.csv", "sep=;\r\nid;text\r\n1;a, b\r\n", "id text", [["1", "a, b"]], 3),
    ("a", "sep=|\nid|text\n1|a\n", "id text", [["1", "a"]], 3),
    ("a.csv", 'id;text;"source, place"\n1;a;x, y\n', "id text", [["1", "a"]], 2),
    ("a.csv", 'id,text,"a\ttab"\n1,a,x\n', "id text", [["1", "a"]], 2),
    ("a.csv", "id,text\r1,a\r2,b\r", "id text", [["1", "a"], ["2", "b"]], 3),
    ("a.csv", f"id,text\n1,{LONG}\n", "id text", [["1", LONG]], 2),
]


@pytest.mark.parametrize(("name", "content", "columns", "expected", "last"), TABLES)
def test_rows_with_separators(tmp_path, name, content, columns, expected, last):
    names = columns.split()
    fields = []
    for row in rows(written(tmp_path / name, content), names):
        fields.append([row.fields[column] for column in names])
    assert fields == expected
    assert row.where == f"{tmp_path / name}, line {last}"


def test_a_long_text_on_the_first_line_names_no_columns(tmp_path):
    def of_lines(path, wanted):
        yield f"{path}, line 1", {"text": path.read_text()}

    [row] = rows(written(tmp_path / "a", LONG), ["id", "text"], of_lines)
    assert row.text("text") == LONG


# Tables that are read as they stand, with a word about what may have been meant: where.
DOUBTFUL = [
    ("a.tsv", OPEN, "line 2"),
    ("a.tsv", 'id\ttext\n1\tx\n2\t"a ""b"", c"\n3\t"so" he "said"\n', "line 3"),
    ("a.csv", 'id,text\n1,"open\n2,second\n3,closed"\n4,x\n', "line 2"),
    ("a.csv", 'id,text\n1,x\n2,"a text\nof two, three, four lines"\n', None),
]


@pytest.mark.parametrize(("name", "content", "where"), DOUBTFUL)
def test_quotes_that_may_be_open_are_told(tmp_path, caplog, name, content, where):
    path = written(tmp_path / name, content)
    list(rows(path, ["id", "text"]))
    messages = [record.getMessage() for record in caplog.records]
    assert len(messages) == bool(where)
    assert all(message.endswith(f": {path}, {where}") for message in messages)


@pytest.mark.parametrize("name", ["a.tsv", "a.csv"])
def test_what_a_database_writes_for_nothing_is_told(tmp_path, caplog, name):
    separator = "\t" if name == "a.tsv" else ","
    table = [["id", "text"], ["1", r"one\nline"], ["2", r"\N"], ["3", "three"], ["4", r"\N"]]
    path = written(tmp_path / name, "".join(separator.join(row) + "\n" for row in table))
    texts = [row.text("text") for row in rows(path, ["id", "text"])]
    assert texts == [r"one\nline", r"\N", "three", r"\N"]
    [message] = caplog.messages
    assert message.startswith(rf"{path}: \N, by which databases mean")
    assert message.endswith(f": 2; the first: {path}, line 3")


def test_of_pandas_fields_of_several_lines_it_is_said_how_to_write_them(tmp_path):
    path = tmp_path / "a.tsv"
    FRAME.to_csv(path, index=False, sep="\t")
    with pytest.raises(UserError, match=r"a\.tsv, line 3: .*csv\.QUOTE_ALL"):
        list(rows(path, ["concept", "text"]))


WIDE = "concept,text_en,text_da,title_da\nQ1,one,en,Et\nQ2,two,,\nQ3,,tre,\n"
IN_ENGLISH = [("Q1", "Q1", "one"), ("Q2", "Q2", "two")]
IN_DANISH = [("Q1", "Et", "en"), ("Q3", "Q3", "tre")]
UNDER = {"codes": {"xx": "da"}, "text": "text_{language}", "title": "title_{language}"}
SPELT = {  # columns named by a code as people write it
    "csv": "concept,text_en,text_pt-BR\nQ1,one,um\n",
    "tsv": "concept\ttext_PT_BR\ttext_pt\nQ1\tum\tdois\n",
    "jsonl": lines({"concept": "Q1", "text_pt-br": "um"}),
}
PAIRS = lines({"id": 7, "translation": {"en": "a red house", "pt-BR": "uma casa vermelha"}})
NESTED = lines({"title": "T", "meta": {"key": "k", "said": {"en": "a cat", "it": "un gatto"}}})
COLUMNS = "more\tsaid\tn\tcalled\nx\tA run\t7\t\ny\tB\t 8\tEight\n"
DECOMPOSED = "Vie\u0323\u0302t Nam"
COMPOSED = "Vi\u1ec7t Nam"
ONE = lines({"concept": "Q1", "title": "Universe", "text": "all there is"})
READ_ONE = ("Q1", "Universe", "all there is")
WITHOUT_TITLE = lines({"concept": "Q3", "text": "a", "title": None, "category": ["x"]})
WITH_SPACES = lines({"concept": f"\xa0{DECOMPOSED} \n", "text": "t"})
WITH_BLANK_LINES = f"\ufeff{ONE[:-1]}\r\n\r\n  \n" + '{"concept": "Q2", "text": "t"}'
ESCAPED = '{"concept": "Q2", "title": "a\\u0000b", "text": "\\ud83d, \\ud83d\\ude00"}'
BLANK_ROWS = "concept,text\nQ1,x\n,\nQ2,y\n,\n"
OF_PANDAS = ",concept,text_en\n7,Q1,x\n"  # the column without a name is that of pandas' index
OF_LANGUAGES = "language,concept,text\nen,Q1,a\nde,Q1,b\n"
GERMAN = "concept,text\nQ1,Grüße – 1\n".encode("cp1252")
GERMAN_LINES = '{"concept": "Q1", "text": "Grüße – 1"}\n'.encode("cp1252")
READ_GERMAN = [("Q1", "Q1", "Grüße – 1")]
CP1252 = {"encoding": "cp1252"}
PT_BR = {"language": "pt_br"}
OF_COLUMNS = {"concept": "n", "text": "said", "title": "called"}
OF_OBJECTS = {"concept": "meta.key", "text": "meta.said.{language}"}
DOCUMENTS = [  # name of the file, its content, options, records
    ("a", ONE + WITHOUT_TITLE, {}, [READ_ONE, ("Q3", "Q3", "a")]),
    ("a", lines({"concept": 64, "text": "t"}), {}, [("64", "64", "t")]),
    ("a", WITH_SPACES, {}, [(COMPOSED, COMPOSED, "t")]),
    ("a", WITH_BLANK_LINES, {}, [READ_ONE, ("Q2", "Q2", "t")]),
    ("a", ESCAPED, {}, [("Q2", "a\ufffdb", "\ufffd, \U0001f600")]),
    ("en.jsonl", gzip.compress(ONE.encode(), mtime=0), {}, [READ_ONE]),
    ("a.tsv", COLUMNS, OF_COLUMNS, [("7", "7", "A run"), ("8", "Eight", "B")]),
    ("a.csv", BLANK_ROWS, {}, [("Q1", "Q1", "x"), ("Q2", "Q2", "y")]),
    ("a.csv", OF_PANDAS, {"text": "text_{language}"}, [("Q1", "Q1", "x")]),
    ("all.csv", WIDE, {"language": "en"}, IN_ENGLISH),
    ("all", WIDE, {"language": "en"}, IN_ENGLISH),
    ("all", WIDE, {"language": "da"}, IN_DANISH),
    ("all", WIDE, {"language": "xx"} | UNDER, IN_DANISH),
    ("all.csv", OF_LANGUAGES, {}, [("Q1", "Q1", "a")]),
    ("all.csv", "concept,text,text_en\nQ1,b,a\n", {}, [("Q1", "Q1", "a")]),
    ("a.csv", GERMAN, CP1252, READ_GERMAN),
    ("a.jsonl", GERMAN_LINES, CP1252, READ_GERMAN),
    ("a.csv", "concept,text\nQ1,é\n", {"encoding": "UTF8"}, [("Q1", "Q1", "é")]),
    ("a.jsonl", PAIRS, {"concept": "id"}, [("7", "7", "a red house")]),
    ("a.jsonl", PAIRS, {"concept": "id"} | PT_BR, [("7", "7", "uma casa vermelha")]),
    ("a.jsonl", NESTED, OF_OBJECTS, [("k", "T", "a cat")]),
    ("a.csv", "concept,meta.said\nQ1,x\n", {"text": "meta.said"}, [("Q1", "Q1", "x")]),
    ("all.csv", SPELT["csv"], PT_BR, [("Q1", "Q1", "um")]),
    ("all.tsv", SPELT["tsv"], PT_BR, [("Q1", "Q1", "um")]),
    ("all.jsonl", SPELT["jsonl"], PT_BR, [("Q1", "Q1", "um")]),
]


@pytest.mark.parametrize(("name", "content", "options", "expected"), DOCUMENTS)
def test_documents_of_files(tmp_path, name, content, options, expected):
    options = {"language": "en"} | options
    path = written(tmp_path / name, content)
    assert list(records(Files, path, **options)) == expected


MISSED = [
    {"concept": "Q0", "text": "one"},
    {"concept": "Q1", "text": None},
    {"concept": "Q2", "text": math.nan},
    {"concept": "Q3", "text": ""},
    {"concept": "Q4", "text": " \n\u3000"},
    {"concept": "Q5"},
    {"concept": "Q6", "text": "two"},
]
CELLS = pd.DataFrame(MISSED)
FILES = {
    "a.jsonl": lambda path: written(path, lines(*MISSED)),
    "a.csv": lambda path: CELLS.to_csv(path, index=False),
    "a.tsv": lambda path: CELLS.to_csv(path, index=False, sep="\t", quoting=csv.QUOTE_ALL),
    "a.parquet": lambda path: CELLS.to_parquet(path),
    "wide.csv": lambda path: CELLS.rename(columns={"text": "text_en"}).to_csv(path, index=False),
}


@pytest.mark.parametrize("name", FILES)
def test_missing_texts_are_no_documents_in_any_format(tmp_path, caplog, name):
    FILES[name](tmp_path / name)
    expected = [("Q0", "Q0", "one"), ("Q6", "Q6", "two")]
    assert list(records(Files, tmp_path / name, "en")) == expected
    [told] = [record.getMessage() for record in caplog.records]
    assert f"{name}, language 'en': 5 of 7 texts are missing" in told
    assert re.search(rf"{name}, (line|row) [23]$", told)


def test_characters_that_are_lost_are_counted(tmp_path, caplog):
    path = written(
        tmp_path / "a", lines({"concept": 1, "text": "a\0b"}, {"concept": 2, "text": "c"})
    )
    assert [text for *_, text in records(Files, path, "en")] == ["a\ufffdb", "c"]
    assert (
        f"1 of 2 texts have characters that were lost (U+FFFD); the first: {path}, line 1"
        in caplog.text
    )
    text = "it\u2019s".encode("cp1252").decode("latin-1")
    written(path, lines({"concept": 1, "text": "a\x85b"}, {"concept": 2, "text": text}))
    assert len(list(records(Files, path, "en"))) == 2
    assert "1 of 2 texts have characters such as U+0093 or" in caplog.text
    assert caplog.text.endswith(f"{path}, line 2\n")


def test_labels_that_differ_by_case_alone_are_told(tmp_path, caplog):
    content = "id,label,text\n1,Sport,a\n2,travel,b\n3,sport,c\n4,sport,d\n"
    path = written(tmp_path / "a.csv", content)
    labels = [label for _, _, label in labelled(path, "id", "label", "text")]
    assert labels == ["Sport", "travel", "sport", "sport"]
    [message] = caplog.messages
    assert message.startswith(f"{path}: 'Sport' and 'sport' are different labels")


def test_the_names_of_columns_in_a_further_row_are_no_document_and_told(tmp_path, caplog):
    """As where files were joined; rows that are paired by their numbers do not count them."""
    path = written(tmp_path / "a.csv", "concept,text\nQ1,a\nconcept,text\nQ2,concept\n")
    expected = [("Q1", "Q1", "a"), ("Q2", "Q2", "concept")]
    assert list(records(Files, path, "en")) == expected
    [message] = caplog.messages
    assert message.endswith(f"are left out: 1; the first: {path}, line 3")


@pytest.mark.parametrize("content", ['[{"concept": 1, "text": "a"}]', '[\n{"concept": 1}\n]'])
def test_of_a_json_array_it_is_said_how_to_make_lines(tmp_path, content):
    path = written(tmp_path / "a.json", content)
    with pytest.raises(
        UserError, match=rf"{path}, line 1: a JSON array, .*: write .* jq -c '.\[\]'"
    ):
        list(records(Files, path, "en"))


def test_a_column_of_parquet_and_two_that_are_one_language(tmp_path):
    path = tmp_path / "all.parquet"
    twice = tmp_path / "all.csv"
    pd.DataFrame({"concept": ["Q1"], "text_pt-BR": ["um"], "n": [1]}).to_parquet(path)
    assert list(records(Files, path, "pt_br")) == [("Q1", "Q1", "um")]
    twice.write_text("concept,text_pt-BR,text_pt_br\nQ1,um,dois\n")
    with pytest.raises(UserError, match=r"line 2: 'text_pt-BR' and 'text_pt_br' are the same"):
        list(records(Files, twice, "pt_br"))


def test_translations_in_a_struct_of_parquet(tmp_path):
    """As hubs of data sets hand out pairs of sentences."""
    path = tmp_path / "a.parquet"
    translations = [{"en": "a red house", "it": "una casa rossa"}, {"en": "a cat", "it": None}]
    pd.DataFrame({"id": ["0", "1"], "n": 1, "translation": translations}).to_parquet(path)
    italian = list(records(Files, path, "it", concept="id"))
    assert italian == [("0", "0", "una casa rossa")]
    english = list(records(Files, path, "en", concept="id", text="translation.en"))
    assert english == [("0", "0", "a red house"), ("1", "1", "a cat")]


def test_of_an_object_in_place_of_a_text_it_is_said_how_its_keys_are_named(tmp_path):
    path = written(tmp_path / "a", lines({"concept": 1, "text": {"en": "a", "it": "b"}}))
    with pytest.raises(UserError, match=r'line 1: "text" must be .*, such as "text\.en"'):
        list(records(Files, path, "en"))


@pytest.mark.parametrize("keys", [{"path": "x.csv"}, {"codes": {"en": "x", "da": "x"}}])
def test_one_text_for_all_languages_is_refused_in_a_job_too(tmp_path, keys):
    path = written(tmp_path / "x.csv", "concept,text\nQ1,one\n")
    source = Files(**{"path": "{language}.csv", **keys})
    with pytest.raises(UserError, match="line 2: the file is that of several languages"):
        list(source.records(Reading(source, path, "en")))


def test_words_that_begin_with_a_capital_letter_are_dropped(tmp_path):
    text = (
        "Ada Lovelace skrev et program; Åse så McDonald's æble. (Øl) iPhone 3D ǅungla E\u0301mile "
        "Hy\u00adper"
    )
    path = written(tmp_path / "a", lines({"concept": "Q1", "title": "Ada Lovelace", "text": text}))
    [(concept, title, words)] = records(Files, path, "en", capitalised="drop")
    assert (concept, title) == ("Q1", "Ada Lovelace")
    # the s behind an apostrophe is a word of its own to the tokeniser, too
    assert words.split() == [
        "skrev",
        "et",
        "program;",
        "så",
        "'s",
        "æble.",
        "(",
        ")",
        "iPhone",
        "3",
    ]


@pytest.mark.parametrize(
    ("path", "part", "expected"),
    [
        ("{language}/{part}.tsv", "train", "eng/train.tsv.xz"),
        ("{language}/{part}.tsv", "test", "eng/test.tsv.gz"),
        ("{language}/{part}.tsv.xz", "dev", "eng/dev.tsv"),
        # the name that was given is taken where there are several, and where there is none
        ("{language}/{part}.tsv", "both", "eng/both.tsv"),
        ("{language}/{part}.tsv.xz", "both", "eng/both.tsv.xz"),
        ("{language}/{part}.tsv.xz", "none", "eng/none.tsv.xz"),
    ],
)
def test_a_file_is_found_compressed_or_not(tmp_path, monkeypatch, path, part, expected):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "eng").mkdir()
    for name in ("train.tsv.xz", "dev.tsv", "test.tsv.gz", "both.tsv", "both.tsv.xz"):
        (tmp_path / "eng" / name).touch()
    assert path_of(path, language=["eng"], part=[part]) == expected
