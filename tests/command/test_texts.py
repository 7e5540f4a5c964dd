"""Texts that commands read, and rows that they print."""

import gzip
import io
import json

import pytest

from cr5 import cli_texts
from cr5.base.errors import UserError


class Pipe(io.TextIOWrapper):
    """Standard input that is no terminal."""


def read(monkeypatch, *given, files=(), pipe=b"", language="en", **columns):
    monkeypatch.setattr("sys.stdin", Pipe(io.BytesIO(pipe)))
    found = cli_texts.read(given, [str(x) for x in files], language, cli_texts.Columns(**columns))
    return [tuple(x) for x in found]


def test_words_of_the_command_line(monkeypatch):
    assert read(monkeypatch, "a cat", "a dog") == [("1", "a cat", ""), ("2", "a dog", "")]


def test_lines_of_a_file_and_of_a_pipe(monkeypatch, tmp_path):
    path = tmp_path / "a.txt"
    path.write_bytes(b"\xef\xbb\xbfa cat\r\n\n  a dog\n")
    expected = [("a.txt:1", "a cat", ""), ("a.txt:3", "a dog", "")]
    assert read(monkeypatch, files=[path]) == expected
    assert read(monkeypatch, pipe=b"a cat\n\na dog") == [("1", "a cat", ""), ("3", "a dog", "")]


def test_json_lines_with_and_without_ids(monkeypatch, tmp_path):
    lines = '{"concept": 7, "title": "T", "text": "hé"}\n{"text": "b"}\n'.encode()
    path = tmp_path / "a.jsonl.gz"
    path.write_bytes(gzip.compress(lines))
    expected = [("7", "hé", "T"), ("a.jsonl.gz:2", "b", "")]
    assert read(monkeypatch, files=[path]) == expected
    assert read(monkeypatch, files=["-"], pipe=lines) == [("7", "hé", "T"), ("2", "b", "")]


def test_nothing_given(monkeypatch):
    monkeypatch.setattr(Pipe, "isatty", lambda _: True)
    with pytest.raises(UserError, match="no text is given"):
        read(monkeypatch)


@pytest.mark.parametrize("start", [b"", b"\xef\xbb\xbf", b"\n", b"\xef\xbb\xbf \r\n", b"  "])
@pytest.mark.parametrize("name", [None, "a.json", "a.txt", "a.ndjson", "a.JSONL"])
def test_json_is_known_by_what_a_file_or_pipe_begins_with(monkeypatch, tmp_path, start, name):
    content = start + b'{"id": "x", "text": "a cat"}\n{"id": "y", "text": "b"}\n'
    if name is None:
        found = read(monkeypatch, pipe=content)
    else:
        (tmp_path / name).write_bytes(content)
        found = read(monkeypatch, files=[tmp_path / name])
    assert found == [("x", "a cat", ""), ("y", "b", "")]


TABLE = b'id,text,title\n7,"a ""cat"",\non two lines",T\n8,b,\n'


@pytest.mark.parametrize("name", ["a.csv", "a.CSV", "a.csv.gz"])
def test_a_table_is_read_by_its_columns(monkeypatch, tmp_path, name):
    """It was taken for one text a line."""
    pack = gzip.compress if name.endswith(".gz") else bytes
    (tmp_path / name).write_bytes(pack(TABLE))
    found = read(monkeypatch, files=[tmp_path / name])
    assert found == [("7", 'a "cat",\non two lines', "T"), ("8", "b", "")]


def test_columns_are_named(monkeypatch, tmp_path):
    (tmp_path / "a.csv").write_text("key,body,head\n7,cat,T\n")
    path = [tmp_path / "a.csv"]
    found = read(monkeypatch, files=path, text="body", id="key", title="head")
    assert found == [("7", "cat", "T")]
    with pytest.raises(UserError, match='"k" is missing'):
        read(monkeypatch, files=path, text="body", id="k")


def test_of_a_file_of_several_languages_one_is_read(monkeypatch, tmp_path):
    content = "concept\ttext_en\ttext_it\ttitle_it\nq\tcat\tgatto\tTitolo\nr\tdog\t\t\n"
    (tmp_path / "all.tsv").write_text(content)
    files = [tmp_path / "all.tsv"]
    assert read(monkeypatch, files=files, language="it") == [("q", "gatto", "Titolo")]
    assert [x for x, _, _ in read(monkeypatch, files=files, language="en")] == ["q", "r"]
    with pytest.raises(UserError, match=r"all\.tsv: "):
        read(monkeypatch, files=files, language="de")


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("texts.en.jsonl.xz", "en"),
        ("it.csv", "it"),
        ("messages-da.TSV", "da"),
        ("texts_vi", "vi"),
        ("pt_br=x.txt", "pt_br"),
    ],
)
def test_a_name_says_the_language_before_its_endings(name, expected):
    assert cli_texts.named(name) == (expected, name.rpartition("=")[2])


ROWS = [
    {"rank": 1, "score": 0.5, "id": "1e5", "title": "Two\nlines,\r\na\ttab"},
    {"rank": 2, "score": 12.25, "id": "0.10", "title": "\x1b[2Jone\u2028more"},
]


def test_a_row_of_a_table_is_one_line(capsys):
    cli_texts.write_table(ROWS)
    lines = capsys.readouterr().out.split("\n")
    assert [line.split() for line in (lines[0], *lines[2:])] == [
        ["rank", "score", "id", "title"],
        ["1", "0.500", "1e5", "Two", "lines,", "a", "tab"],
        ["2", "12.250", "0.10", "[2Jone", "more"],
        [],
    ]


def test_lines_for_programs_are_exact(capsys):
    cli_texts.write(ROWS)
    assert [json.loads(line) for line in capsys.readouterr().out.rstrip().split("\n")] == ROWS
