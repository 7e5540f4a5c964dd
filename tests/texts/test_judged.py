"""Small files in the layouts of the field's collections, as their own pages show them."""

import json

import pytest

from cr5.texts import judged

JSON_LINES = """\ufeff{"id": 7, "title": "A b", "text": "c"}

{"id": "x", "title": null, "text": ""}
"""
BEIR = """{"_id": "d1", "title": "A b", "text": "c", "metadata": {"url": "u"}}
{"_id": "d2", "title": "", "text": "e"}
"""
MIRACL = '{"docid": "12#0", "title": "Anarchism", "text": "Anarchism is"}\n'
IR_DATASETS = '{"doc_id": "a", "text": "b", "url": "c"}\n'
ANSERINI = '{"id": "a", "contents": "b"}\n'
TREC = """<DOC>
<DOCNO> FT911-3 </DOCNO>
<HEADLINE>Tea &amp; milk</HEADLINE>
<TEXT>
One
two
</TEXT>
</DOC>

<doc id="2"><docno>x</docno>three</doc>
"""
FIRE_TOPICS = """<?xml version="1.0" encoding="UTF-8" standalone="yes"?>
<topics>
<top lang="en">
<num>126</num>
<title>Swine flu vaccine</title>
<desc>Find documents about it.</desc>
<narr>Relevant are</narr>
</top>
</topics>
"""
SQUAD = {
    "version": "1.1",
    "data": [
        {"title": "A", "paragraphs": [{"context": "\ufeffa b", "qas": []}]},
        {
            "paragraphs": [
                {"context": "c", "qas": [{"id": "x", "question": "d?", "answers": []}]},
                {"context": "e", "qas": [{"id": "y", "question": "f?"}]},
            ]
        },
    ],
}
SQUADS = [json.dumps(SQUAD), json.dumps(SQUAD, indent=2)]
DOCUMENTS = [
    *((squad, [("0-0", "a b"), ("1-0", "c"), ("1-1", "e")]) for squad in SQUADS),
    (JSON_LINES, [("7", "A b\nc"), ("x", "")]),
    (BEIR, [("d1", "A b\nc"), ("d2", "e")]),
    (MIRACL, [("12#0", "Anarchism\nAnarchism is")]),
    (IR_DATASETS, [("a", "b")]),
    (ANSERINI, [("a", "b")]),
    ('{"concept": "Q64", "title": "Berlin", "text": "a"}\n', [("Q64", "Berlin\na")]),
    (TREC, [("FT911-3", "Tea & milk One two"), ("x", "three")]),
    ("d1\tA\tb c\r\n\r\nd2\t\r\n", [("d1", "A b c"), ("d2", "")]),
    ("", []),
]

FIELDS = '{"query_id": "5", "title": "T", "description": "D", "narrative": "N"}'
TREC_TOPICS = """<top>
<num> Number: 301
<title> International Organized Crime

<desc> Description:
Identify organizations
that participate.

<narr> Narrative:
A relevant document
</top>
<top lang="hi">
<num>126</num>
<title>Swine flu</title>
<desc>Find documents</desc>
</top>
"""
QUERIES = [
    (FIRE_TOPICS, [("126", "Swine flu vaccine")]),
    *((squad, [("x", "d?"), ("y", "f?")]) for squad in SQUADS),
    ("q1\ta\tb\r\n\r\nq2\t\r\n", [("q1", "a b"), ("q2", "")]),
    ('{"_id": "1", "text": "a b", "metadata": {}}', [("1", "a b")]),
    ('{"query_id": 1, "text": "a b"}', [("1", "a b")]),
    ('{"qid": "1", "query": "a b"}', [("1", "a b")]),
    (FIELDS, [("5", "T")]),
    (TREC_TOPICS, [("301", "International Organized Crime"), ("126", "Swine flu")]),
]

JUDGEMENTS = [
    *((squad, [("x", "1-0", 1), ("y", "1-1", 1)]) for squad in SQUADS),
    (
        "q1 0 d1 1\n\nq1\t0\td2  2\nq2 Q0 d1 -1\n",
        [("q1", "d1", 1), ("q1", "d2", 2), ("q2", "d1", -1)],
    ),
    ("query-id\tcorpus-id\tscore\nq 1\td 1\t2\nq2\td1\t0\n", [("q 1", "d 1", 2), ("q2", "d1", 0)]),
    ('{"query_id": "q1", "doc_id": "d1", "relevance": 2, "iteration": "0"}', [("q1", "d1", 2)]),
    ("q1 0 d1 1.5\n", [("q1", "d1", 1.5)]),
]


@pytest.fixture
def path(tmp_path):
    """A function: a file with the content."""

    def make(content):
        path = tmp_path / "given"
        path.write_text(content, encoding="utf-8", newline="")
        return path

    return make


def words(found):
    """White space between words means nothing."""
    return [(name, " ".join(text.split())) for name, text in found]


@pytest.mark.parametrize(("content", "expected"), DOCUMENTS)
def test_documents(path, content, expected):
    given = path(content or "\n")
    assert words(judged.documents(given)) == words(expected)


@pytest.mark.parametrize(("content", "expected"), QUERIES)
def test_queries(path, content, expected):
    assert words(judged.queries(path(content))) == expected


@pytest.mark.parametrize(("content", "expected"), JUDGEMENTS)
def test_judgements(path, content, expected):
    assert [found[:3] for found in judged.judgements(path(content))] == expected
