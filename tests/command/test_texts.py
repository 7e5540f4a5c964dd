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


LINES = '{"concept": 7, "title": "T", "text": "hé"}\n{"text": "b"}\n'.encode()
OBJECTS = b'{"id": "x", "text": "a cat"}\n{"id": "y", "text": "b"}\n'
TABLE = b'id,text,title\n7,"a ""cat"",\non two lines",T\n8,b,\n'
TABLE_ROWS = [("7", 'a "cat",\non two lines', "T"), ("8", "b", "")]
SEVERAL = b"concept\ttext_en\ttext_it\ttitle_it\nq\tcat\tgatto\tTitolo\nr\tdog\t\t\n"
OTHER = {"text": "body", "id": "key", "title": "head"}
CASES = [  # name of the file, its content, language and columns, texts; - is a pipe
    (
        "a.txt",
        b"\xef\xbb\xbfa cat\r\n\n  a dog\n",
        {},
        [("a.txt:1", "a cat"), ("a.txt:3", "a dog")],
    ),
    ("-", b"a cat\n\na dog", {}, [("1", "a cat"), ("3", "a dog")]),
    ("a.jsonl.gz", LINES, {}, [("7", "hé", "T"), ("a.jsonl.gz:2", "b")]),
    ("-", LINES, {}, [("7", "hé", "T"), ("2", "b")]),
    # JSON is known by what a file or a pipe begins with
    *(
        (name, start + OBJECTS, {}, [("x", "a cat"), ("y", "b")])
        for name in ("-", "a.json", "a.txt", "a.JSONL")
        for start in (b"", b"\xef\xbb\xbf \r\n", b"\n", b"  ")
    ),
    *((x, TABLE, {}, TABLE_ROWS) for x in ("a.csv", "a.CSV", "a.csv.gz")),
    ("-", gzip.compress(LINES, mtime=0), {}, [("7", "hé", "T"), ("2", "b")]),
    ("a.csv", b"key,body,head\n7,cat,T\n", OTHER, [("7", "cat", "T")]),
    ("a.tsv", SEVERAL, {"language": "it"}, [("q", "gatto", "Titolo")]),
    ("a.tsv", SEVERAL, {}, [("q", "cat"), ("r", "dog")]),
]


@pytest.mark.parametrize(("name", "content", "how", "expected"), CASES)
def test_texts_of_a_file_and_of_a_pipe(monkeypatch, tmp_path, name, content, how, expected):
    monkeypatch.chdir(tmp_path)
    packed = gzip.compress(content, mtime=0) if name.endswith(".gz") else content
    (tmp_path / name).write_bytes(packed)
    pipe = content if name == "-" else b""
    found = read(monkeypatch, files=[name], pipe=pipe, **how)
    assert found == [(*each, "")[:3] for each in expected]


def test_texts_of_the_command_line_or_else_of_a_pipe(monkeypatch):
    assert read(monkeypatch, "a cat", "a dog") == [("1", "a cat", ""), ("2", "a dog", "")]
    assert read(monkeypatch, pipe=b"a cat") == [("1", "a cat", "")]
    monkeypatch.setattr(Pipe, "isatty", lambda _: True)
    with pytest.raises(UserError, match="no text is given"):
        read(monkeypatch)


@pytest.mark.parametrize(
    ("name", "content", "text"),
    [
        ("t.csv", 'text\n"en\nhund"\n""\nkat\n', "en\nhund"),
        ("t.txt", "hund\n\nkat\n", "hund"),
    ],
)
def test_texts_without_concepts_go_by_their_numbers(tmp_path, name, content, text):
    """Of rows, whose fields may have several lines, and of lines; the second one has no text."""
    (tmp_path / name).write_text(content)
    found = cli_texts.of_languages([f"da={tmp_path / name}"], cli_texts.Columns())
    assert found == ({"da": [text, found[0]["da"][1], "kat"]}, {"da": None})
    assert not found[0]["da"][1]


@pytest.mark.parametrize(
    ("how", "said"), [({"id": "k"}, '"k" is missing'), ({"language": "de"}, r"a\.tsv: ")]
)
def test_what_a_file_lacks(monkeypatch, tmp_path, how, said):
    (tmp_path / "a.tsv").write_bytes(SEVERAL)
    with pytest.raises(UserError, match=said):
        read(monkeypatch, files=[tmp_path / "a.tsv"], **how)


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
