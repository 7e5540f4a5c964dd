import argparse
import gzip
import io

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from cr5.app import texts
from cr5.base.errors import UserError


class Pipe(io.TextIOWrapper):
    """Standard input that is no terminal."""


def read(monkeypatch, *arguments, pipe=b"", language="en"):
    monkeypatch.setattr("sys.stdin", Pipe(io.BytesIO(pipe)))
    parser = argparse.ArgumentParser()
    parser.set_defaults(language=language)
    texts.add(parser)
    found = texts.read(parser.parse_args(arguments))
    return [(x.id, x.text, x.title) for x in found]


def test_words_of_the_command_line(monkeypatch):
    assert read(monkeypatch, "a cat", "a dog") == [("1", "a cat", ""), ("2", "a dog", "")]


def test_lines_of_a_file_and_of_a_pipe(monkeypatch, tmp_path):
    path = tmp_path / "a.txt"
    path.write_bytes(b"\xef\xbb\xbfa cat\r\n\n  a dog\n")
    expected = [("a.txt:1", "a cat", ""), ("a.txt:3", "a dog", "")]
    assert read(monkeypatch, "--file", str(path)) == expected
    assert read(monkeypatch, pipe=b"a cat\n\na dog") == [("1", "a cat", ""), ("3", "a dog", "")]


def test_json_lines_with_and_without_ids(monkeypatch, tmp_path):
    lines = '{"concept": 7, "title": "T", "text": "hé"}\n{"text": "b"}\n'.encode()
    path = tmp_path / "a.jsonl.gz"
    path.write_bytes(gzip.compress(lines))
    expected = [("7", "hé", "T"), ("a.jsonl.gz:2", "b", "")]
    assert read(monkeypatch, "--file", str(path)) == expected
    assert read(monkeypatch, "--file", "-", pipe=lines) == [("7", "hé", "T"), ("2", "b", "")]


def test_a_path_in_place_of_a_text_and_one_of_no_file(monkeypatch, tmp_path):
    (tmp_path / "a.txt").write_text("a")
    with pytest.raises(UserError, match=r"a\.txt.*--file"):
        read(monkeypatch, str(tmp_path / "a.txt"))
    with pytest.raises(UserError, match=r"none\.txt"):
        read(monkeypatch, "--file", str(tmp_path / "none.txt"))


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
        found = read(monkeypatch, "--file", str(tmp_path / name))
    assert found == [("x", "a cat", ""), ("y", "b", "")]


def test_a_brace_alone_makes_no_json(monkeypatch):
    assert read(monkeypatch, pipe=b"{ a cat }") == [("1", "{ a cat }", "")]


def test_an_empty_and_a_closed_pipe(monkeypatch):
    with pytest.raises(UserError, match="standard input: the file has no text"):
        read(monkeypatch, pipe=b"\n")
    monkeypatch.setattr(texts, "has_pipe", lambda: False)
    with pytest.raises(UserError, match="no text is given"):
        read(monkeypatch)


def test_a_format_is_known_by_content_whatever_the_name_says(monkeypatch, tmp_path):
    pq.write_table(pa.table({"id": ["x"], "text": ["a cat"]}), tmp_path / "a.txt")
    assert read(monkeypatch, "--file", str(tmp_path / "a.txt")) == [("x", "a cat", "")]
    for text in ("[1] a cat", "<b>a cat</b>", "{ a cat }", "id,text"):
        (tmp_path / "b.txt").write_text(text)
        assert read(monkeypatch, "--file", str(tmp_path / "b.txt")) == [("b.txt:1", text, "")]


TABLE = b'id,text,title\n7,"a ""cat"",\non two lines",T\n8,b,\n'


@pytest.mark.parametrize("name", ["a.csv", "a.CSV", "a.csv.gz"])
def test_a_table_is_read_by_its_columns(monkeypatch, tmp_path, name):
    """It was taken for one text a line."""
    pack = gzip.compress if name.endswith(".gz") else bytes
    (tmp_path / name).write_bytes(pack(TABLE))
    found = read(monkeypatch, "--file", str(tmp_path / name))
    assert found == [("7", 'a "cat",\non two lines', "T"), ("8", "b", "")]


def test_ids_of_a_table_without_them_are_its_lines(monkeypatch, tmp_path):
    (tmp_path / "a.tsv").write_bytes(b"text\tn\ncat\t1\ndog\t2\n")
    found = read(monkeypatch, "--file", str(tmp_path / "a.tsv"))
    assert found == [("a.tsv:2", "cat", ""), ("a.tsv:3", "dog", "")]


def test_two_files_of_one_name_would_share_ids(monkeypatch, tmp_path):
    for folder, line in (("a", '{"text": "cat"}'), ("b", '{"text": "dog"}')):
        (tmp_path / folder).mkdir()
        (tmp_path / folder / "x.jsonl").write_text(line)
    files = [arg for x in "ab" for arg in ("--file", str(tmp_path / x / "x.jsonl"))]
    with pytest.raises(UserError, match=r"a/x\.jsonl and .*b/x\.jsonl have one name, .* same ids"):
        read(monkeypatch, *files)
    with pytest.raises(UserError, match="is given twice"):
        read(monkeypatch, *files[:2], *files[:2])
    (tmp_path / "b/x.jsonl").write_text('{"id": "y", "text": "dog"}')
    assert [x for x, _, _ in read(monkeypatch, *files)] == ["x.jsonl:1", "y"]


def test_of_a_file_of_several_languages_one_is_read(monkeypatch, tmp_path):
    """They were refused for want of a column `text`."""
    content = "concept\ttext_en\ttext_it\ttitle_it\nq\tcat\tgatto\tTitolo\nr\tdog\t\t\n"
    (tmp_path / "all.tsv").write_text(content)
    file = ("--file", str(tmp_path / "all.tsv"))
    assert read(monkeypatch, *file, language="it") == [("q", "gatto", "Titolo")]
    assert [x for x, _, _ in read(monkeypatch, *file, language="en")] == ["q", "r"]
    with pytest.raises(UserError, match=r"all\.tsv: "):
        read(monkeypatch, *file, language="de")
