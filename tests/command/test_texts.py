"""Texts that commands read, and rows that they print."""

import gzip
import io
import json

import pandas as pd
import pytest

from cr5 import cli_texts
from cr5.base.errors import UserError
from cr5.given_texts import documents


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
MIXED = b"lang,concept,text\nen,q,cat\nit,q,gatto\nIT,r,cane\n"
BESIDE = b"concept,text,text_it\nq,cat,gatto\nr,dog,\n"
TRANSLATION = b'{"translation": {"en": "a cat", "it": "un gatto"}}\n'
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
    (
        "a.txt",
        b"text_pt-BR,title_PT_br\ngato,T\n",
        {"language": "pt-br"},
        [("a.txt:2", "gato", "T")],
    ),
    ("a.csv", MIXED, {"language": "it"}, [("q", "gatto"), ("r", "cane")]),
    ("a.csv", BESIDE, {"language": "it"}, [("q", "gatto")]),
    ("a.csv", BESIDE, {"language": "en"}, [("q", "cat"), ("r", "dog")]),
    ("a.tsv", SEVERAL, {}, [("q", "cat"), ("r", "dog")]),
    ("-", SEVERAL, {}, [("q", "cat"), ("r", "dog")]),  # a header is known without a name, too
    (
        "a.jsonl",
        b'{"_id": "x", "text": "a"}\n{"DOCNO": 2, "text": "b"}',
        {},
        [("x", "a"), ("2", "b")],
    ),
    ("a.jsonl", b'{"id": "x", "concept": "q", "text": "a"}\n', {}, [("x", "a")]),
    ("a.jsonl", TRANSLATION, {"language": "it"}, [("a.jsonl:1", "un gatto")]),
    ("a.jsonl", TRANSLATION, {"text": "translation.en"}, [("a.jsonl:1", "a cat")]),
    *(
        (name, content.encode("latin-1"), {"encoding": "latin-1"}, [(f"{name}:{line}", "é")])
        for name, content, line in (("a.txt", "é\n", 1), ("a.csv", "text\né\n", 2))
    ),
    # ids before a tab, as of BUCC
    (
        "a.it",
        b"it-1\tun gatto\r\n\nit-2\til mare\n",
        {},
        [("it-1", "un gatto"), ("it-2", "il mare")],
    ),
    ("-", b"it-1\tun gatto\nit-2\t \n", {}, [("it-1", "un gatto")]),
    ("a.txt", b"one\ttwo\nthree\n", {}, [("a.txt:1", "one\ttwo"), ("a.txt:2", "three")]),
    ("a.txt", b"one\ttwo\none\tthree\n", {}, [("a.txt:1", "one\ttwo"), ("a.txt:2", "one\tthree")]),
    ("a.txt", b"a cat\tb\n", {}, [("a.txt:1", "a cat\tb")]),
    ("a.txt", b"1\ten\ta cat\n", {}, [("a.txt:1", "1\ten\ta cat")]),
]


@pytest.mark.parametrize(("name", "content", "how", "expected"), CASES)
def test_texts_of_a_file_and_of_a_pipe(monkeypatch, tmp_path, name, content, how, expected):
    monkeypatch.chdir(tmp_path)
    packed = gzip.compress(content, mtime=0) if name.endswith(".gz") else content
    (tmp_path / name).write_bytes(packed)
    pipe = content if name == "-" else b""
    found = read(monkeypatch, files=[name], pipe=pipe, **how)
    assert found == [(*each, "")[:3] for each in expected]


def test_a_folder_has_a_text_in_each_page(monkeypatch, tmp_path):
    """Its id, and what pairs it, is its path in the folder, without the language."""
    contents = {"en/a.md": "# A\n\ncat", "en/x/b.en.html": "<p>dog</p>", "it/a.it.md": "gatto"}
    for name, content in contents.items():
        path = tmp_path / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(content)
    pages = [("a.md", "# A\n\ncat", "A"), ("x/b.html", "dog", "x/b.html")]
    assert read(monkeypatch, files=[tmp_path / "en"]) == pages
    assert read(monkeypatch, files=[tmp_path / "en" / "**" / "*.md"]) == pages[:1]
    folders = [f"en={tmp_path}/en", f"it={tmp_path}/it"]
    texts, concepts = cli_texts.of_languages(folders, cli_texts.Columns())
    assert texts == {"en": ["# A\n\ncat", "dog"], "it": ["gatto"]}
    assert concepts == {"en": ["a.md", "x/b.html"], "it": ["a.md"]}
    with pytest.raises(UserError, match=r"/it: no page of 'it' at \*\.rst; expected .* found none"):
        read(monkeypatch, files=[tmp_path / "it" / "*.rst"], language="it")


def test_that_lines_of_a_page_are_texts_is_told(monkeypatch, tmp_path, caplog):
    (tmp_path / "a.md").write_text("# A\ncat\n")
    assert len(read(monkeypatch, files=[tmp_path / "a.md"])) == 2
    [record] = caplog.records
    message = record.getMessage()
    assert message.startswith(f"{tmp_path}/a.md: each line is taken for a text; ")
    assert f"a path such as '{tmp_path}/*.md', each page is one" in message
    (tmp_path / "a.txt").write_text("# A\ncat\n")
    assert len(read(monkeypatch, files=[tmp_path / "a.txt"])) == 2
    assert caplog.records == [record]


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
        ("t.csv", "text\nhund\n\nkat\n\n", "hund"),
        ("t.tsv", "text\thint\nhund\t\n \nkat\t\n", "hund"),
        ("t.jsonl", '{"text": "hund"}\n\n{"text": "kat"}\n\n', "hund"),
    ],
)
def test_texts_without_concepts_go_by_their_numbers(tmp_path, name, content, text):
    """Of rows, whose fields may have several lines, and of lines; the second one has no text.

    Blank lines at the end of a table are no rows.
    """
    (tmp_path / name).write_text(content)
    found = cli_texts.of_languages([f"da={tmp_path / name}"], cli_texts.Columns())
    assert found == ({"da": [text, None, "kat"]}, {"da": None})


def test_a_table_with_a_column_for_each_language_is_read_by_their_names(tmp_path):
    (tmp_path / "t.csv").write_text("en,pt-BR\na dog,um cachorro\n")
    files = [f"en={tmp_path / 't.csv'}", f"pt_br={tmp_path / 't.csv'}"]
    with pytest.raises(UserError, match=r"--text .*, as \{language\} where its name is that of"):
        cli_texts.of_languages(files, cli_texts.Columns())
    found = cli_texts.of_languages(files, cli_texts.Columns(text="{language}"))
    assert found == ({"en": ["a dog"], "pt_br": ["um cachorro"]}, {"en": None, "pt_br": None})


@pytest.mark.parametrize(
    ("content", "said"),
    [
        (b"it-1\ta\nit-2\tb\n", "a.txt: what is before the tab of each line is its id, as 'it-1'"),
        (
            b"one\n\ntwo\tthree\n",
            "a.txt: tabs are white space in 1 of 2 lines, the first: a.txt, line 3",
        ),
        (
            b"one\n \ntwo\n",
            "a.txt, language 'en': 1 of 3 texts are missing, and no documents; the first: a.txt, ",
        ),
        (MIXED, "a.txt, language 'en': rows of other languages are left out: 'it' (1), 'IT' (1)"),
    ],
)
def test_what_lines_are_taken_for_is_told(monkeypatch, tmp_path, caplog, content, said):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "a.txt").write_bytes(content)
    read(monkeypatch, files=["a.txt"])
    assert any(x.getMessage().startswith(said) for x in caplog.records)


@pytest.mark.parametrize(
    ("pipe", "said"),
    [
        (b"it-1\ta\nit-2\tb\n", "what is before the tab of each line is its id, as 'it-1'"),
        (b"one\ntwo\tthree\n", "tabs are white space in 1 of 2 lines, the first: standard input"),
        (b"one\rtwo\r", "carriage returns end its 2 lines"),
        (b"one\rtwo\nthree\n", "carriage returns within lines end none"),
        (b'id\ttext\n1\ta\n2\t"b"\n', "fields in quotes"),
    ],
)
def test_what_is_said_of_a_pipe_names_no_copy(monkeypatch, caplog, pipe, said):
    read(monkeypatch, pipe=pipe)
    [message] = [record.getMessage() for record in caplog.records]
    assert message.startswith("standard input: ")
    assert said in message
    assert "/" not in message


def test_a_pipe_is_called_standard_input_in_messages(monkeypatch, caplog):
    with pytest.raises(UserError, match=r"^standard input, line 2: not JSON"):
        read(monkeypatch, pipe=b'{"id": 1, "text": "a"}\n{"id: 2}\n')
    with pytest.raises(UserError, match=r'^standard input, line 2: "text" must be a string'):
        read(monkeypatch, pipe=b'{"id": 1, "text": "a"}\n{"id": 2, "text": 2}\n')
    read(monkeypatch, pipe=b'{"id": 1, "text": "a"}\n{"id": 2, "text": "\\u0000"}\n')
    assert "standard input, language 'en': 1 of 2 texts have characters" in caplog.text
    assert caplog.text.endswith("the first: standard input, line 2\n")


def test_texts_without_ids_have_them_by_the_path_that_is_given(monkeypatch, tmp_path):
    monkeypatch.chdir(tmp_path)
    for folder in ("x", "y"):
        (tmp_path / folder).mkdir()
        (tmp_path / folder / "a.txt").write_text("a cat\n")
    (tmp_path / "b.txt").write_text("a dog\n")
    texts = read(monkeypatch, files=["x/a.txt", "y/a.txt", "b.txt"])
    assert [text_id for text_id, *_ in texts] == ["x/a.txt:1", "y/a.txt:1", "b.txt:1"]
    assert read(monkeypatch, files=["x/a.txt"]) == [("x/a.txt:1", "a cat", "")]


def test_an_id_that_is_there_twice_is_refused(monkeypatch, tmp_path):
    (tmp_path / "a.jsonl").write_text('{"id": 1, "text": "a"}\n{"id": "1 ", "text": "b"}\n')
    (tmp_path / "b.jsonl").write_text('{"id": "y", "text": "a"}\n')
    for files in (["a.jsonl"], ["b.jsonl", "b.jsonl"]):
        with pytest.raises(UserError, match=r"the id '[1y]' is there 2 times"):
            read(monkeypatch, files=[tmp_path / name for name in files])


def test_a_language_that_is_given_twice_to_a_fit_is_refused(tmp_path):
    (tmp_path / "a.csv").write_text("concept,text\nQ1,a cat\n")
    given = [f"en={tmp_path}/a.csv", f"en={tmp_path}/b.csv"]
    with pytest.raises(
        UserError, match=r"b\.csv: 'en' is there twice; give one file of a language"
    ):
        cli_texts.of_languages(given, cli_texts.Columns())


BOTH = '{{"id": "{0}", "concept": "{1}", "text": "{1} {0}"}}\n'.format
ONLY_ID = '{{"id": "{0}", "text": "{0} x"}}\n'.format
PAIRED = [  # files of two languages, and what pairs their texts, or what is said
    ([BOTH(1, "Q1") + BOTH(2, "Q2"), BOTH(9, "Q2") + BOTH(8, "Q1")], [["Q1", "Q2"], ["Q2", "Q1"]]),
    ([ONLY_ID("a") + ONLY_ID("b"), ONLY_ID("b")], [["a", "b"], ["b"]]),
    (["a\tone\nb\ttwo\n", "b\tdue\na\tuno\n"], [["a", "b"], ["b", "a"]]),
    (["one\ntwo\n", "uno\ndue\n"], [None, None]),
    ([BOTH(1, "Q1"), ONLY_ID("Q1")], "some texts have 'concept' and others 'id'"),
    (["en-1\tone\n", "it-1\tuno\n"], "no text has a counterpart: 'en' has 'en-1', 'it' has 'it-1'"),
    (["1\tone\n2\ttwo\n", "uno\ndue\n"], "'en' has concepts or ids, 'it' has none"),
    ([ONLY_ID("1"), "uno\ndue\n"], "'en' has concepts or ids, 'it' has none"),
    ([ONLY_ID("a").replace("id", "_id"), "Docid\ttext\na\tuno\n"], [["a"], ["a"]]),
    ([BOTH(1, "Q1").replace("concept", "Concept"), BOTH(2, "Q1")], [["Q1"], ["Q1"]]),
]


@pytest.mark.parametrize(("contents", "expected"), PAIRED)
def test_what_pairs_the_texts_of_a_fit(tmp_path, contents, expected):
    for language, content in zip(("en", "it"), contents, strict=True):
        (tmp_path / language).write_text(content)
    given = [f"{x}={tmp_path / x}" for x in ("en", "it")]
    if isinstance(expected, str):
        with pytest.raises(UserError, match=expected):
            documents(*cli_texts.of_languages(given, cli_texts.Columns()))
    else:
        found = cli_texts.of_languages(given, cli_texts.Columns())[1]
        assert [found["en"], found["it"]] == expected


@pytest.mark.parametrize("name", ["a.jsonl", "a.parquet"])
def test_rows_that_go_by_their_numbers_are_told_if_they_have_other_columns(tmp_path, caplog, name):
    frame = pd.DataFrame({"wikidata_id": ["Q1", "Q2"], "text": ["a", "b"]})
    if name == "a.parquet":
        frame.to_parquet(tmp_path / name)
    else:
        frame.to_json(tmp_path / name, orient="records", lines=True)
    found = cli_texts.of_languages([f"en={tmp_path / name}"], cli_texts.Columns())
    assert found == ({"en": ["a", "b"]}, {"en": None})
    assert "no row has an id" in caplog.text
    assert caplog.text.endswith("name it by --id: there is wikidata_id\n")


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
