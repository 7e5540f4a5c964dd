"""What is read of small files in the layouts of the field."""

import gzip
import json

import pytest

from cr5.base.errors import UserError
from cr5.texts import dictionaries, judged, rows
from cr5.texts.sources import matrix

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
SQUAD2 = """{"data": [{"paragraphs": [{"context": "a", "qas": [
{"id": 1, "question": "b?", "is_impossible": false}, {"id": 2, "question": "c?",
"is_impossible": true, "plausible_answers": [{"text": "a"}]}]}]}]}
""".replace("\n", "")
SQUADS = [json.dumps(SQUAD), json.dumps(SQUAD, indent=2)]
JSON_LINES = """\ufeff{"id": 7, "title": "A b", "text": "c"}

{"id": "x", "title": null, "text": ""}
{"id": "y", "text": null}
"""
BEIR = """{"_id": "d1", "title": "A b", "text": "c", "metadata": {"url": "u"}}
{"_id": "d2", "title": "", "text": "e"}
"""
MIRACL = '{"docid": "12#0", "title": "Anarchism", "text": "Anarchism is"}\n'
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
MARKED = """<TEXT>a < b and c > d</TEXT><!-- x
<p> --><h:p class="y">e</h:p> <f@g.org> <http://h>
<style>p {x}</style><Script type=y>
x < y; </script><img/> i"""
DOCUMENTS = [
    (JSON_LINES, [("7", "A b c"), ("x", ""), ("y", "")]),
    (BEIR, [("d1", "A b c"), ("d2", "e")]),
    (MIRACL, [("12#0", "Anarchism Anarchism is")]),
    ('{"doc_id": "a", "text": "b", "url": "c"}\n', [("a", "b")]),
    ('{"id": "a", "contents": "b"}\n', [("a", "b")]),
    ('{"concept": "Q64", "title": "Berlin", "text": "a"}\n', [("Q64", "Berlin a")]),
    (TREC, [("FT911-3", "Tea & milk One two"), ("x", "three")]),
    ("<DOC><DOCNO>1</DOCNO>a</DOC> <DOC><DOCNO>2</DOCNO>\nb</DOC>", [("1", "a"), ("2", "b")]),
    (f"<DOC><DOCNO>1</DOCNO>{MARKED}</DOC>\n", [("1", "a < b and c > d e <f@g.org> <http://h> i")]),
    ("d1\tb c\r\n\r\nd2\t\r\n", [("d1", "b c"), ("d2", "")]),
    ("ID\ttext\n1\ta\nID\ttext\n2\tb\n", [("1", "a"), ("2", "b")]),  # two files, joined
    ('id\ttext\ttitle\turl\n1\ta "b"\tT\thttp://c\n', [("1", 'T a "b"')]),
    ('"id"\t"text"\n"1"\t"a ""b"""\n2\t"c"\n', [("1", 'a "b"'), ("2", '"c"')]),
    ("\n", []),
]
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
# CLEF's, FIRE's and TREC's: of other tags, with attributes, two on a line, without ends
OTHER_TOPICS = """<top><num>C1</num><title lang="en">A <i>b</i> c</title><EN-desc>x</EN-desc></top>
<top> <num> 051 <dom> Domain: Intl
<title> Topic:  Airbus
<smry> Summary: x <con> Concepts: y <author>z </top> <top><num>3<title>d < e</top>
"""
CLEF_TOPICS = """<top>
<num> C001 </num>
<EN-title> Towers in Paris </EN-title>
<EN-desc> Find documents about towers. </EN-desc>
</top>
"""
LATER_TOPICS = """<?xml version="1.0"?><topics><topic lang="en">
<identifier>10.2452/701-AH</identifier><title>Towers</title><description>x</description>
</topic></topics>
"""
NEUCLIR_TOPICS = """{"topic_id": "101", "topics": [
{"lang": "eng", "source": "original", "topic_title": "Towers", "topic_description": "x"},
{"lang": "zho", "source": "google translation", "topic_title": "y"},
{"lang": "zho", "source": "human translation", "topic_title": "\u5854"},
{"lang": "rus", "source": "google translation", "topic_title": "\u0411\u0430\u0448\u043d\u0438"}
]}""".replace("\n", " ")
FIELDS = '{"query_id": "5", "title": "T", "description": "D", "narrative": "N"}'
QUERIES = [
    (FIRE_TOPICS, [("126", "Swine flu vaccine")]),
    (SQUAD2, [("1", "b?"), ("2", "c?")]),
    (OTHER_TOPICS, [("C1", "A b c"), ("051", "Airbus"), ("3", "d < e")]),
    ("q1\ta b\r\n\r\nq2\t\r\n", [("q1", "a b"), ("q2", "")]),
    ('{"_id": "1", "text": "a b", "metadata": {}}', [("1", "a b")]),
    ('{"query_id": 1, "text": "a b"}', [("1", "a b")]),
    ('{"qid": "1", "query": "a b"}', [("1", "a b")]),
    (FIELDS, [("5", "T")]),
    (CLEF_TOPICS, [("C001", "Towers in Paris")]),
    (LATER_TOPICS, [("10.2452/701-AH", "Towers")]),
    (TREC_TOPICS, [("301", "International Organized Crime"), ("126", "Swine flu")]),
]
BEIR_QRELS = "query-id\tcorpus-id\tscore\nq 1\td 1\t2\nq2\td1\t0\n"
JUDGEMENTS = [
    (SQUAD2, [("1", "0-0", 1), ("2", "0-0", 0)]),
    (
        "q1 0 d1 1\n\nq1\t0\td2  2\nq2 Q0 d1 -1\n",
        [("q1", "d1", 1), ("q1", "d2", 2), ("q2", "d1", -1)],
    ),
    (BEIR_QRELS, [("q 1", "d 1", 2), ("q2", "d1", 0)]),
    ('{"query_id": "q1", "doc_id": "d1", "relevance": 2, "iteration": "0"}', [("q1", "d1", 2)]),
    ("q1 0 d1 1.5\n", [("q1", "d1", 1.5)]),
    ("de-1\ten-7\nde-2\ten-3\n", [("de-1", "en-7", 1), ("de-2", "en-3", 1)]),
]
ENTRIES = [("the", "el"), ("the", "las"), ("ElCid", "Cid")]
DICTIONARIES = [  # of MUSE, Dinu et al. and others
    ("the el\nthe  las\n\nElCid Cid\n", ENTRIES),
    ("the\tel\nthe\tlas\nElCid\tCid\n", ENTRIES),
    ("el @ the\nlas @ the\nCid @ ElCid\n", ENTRIES),
    ("\ufeffthe el\r\nlas @ the\r\nElCid\tCid", ENTRIES),
    ("ice cream\thelado\n", [("ice cream", "helado")]),
    ("helado de nata @ ice cream\n", [("ice cream", "helado de nata")]),
    ("a\tb @ c\n", [("a", "b @ c")]),
    (
        "# comment\n# of words\nSource\tTarget\na b\n# c\nsource target\n",
        [("a", "b"), ("source", "target")],
    ),
    ("#a b\n#\tc\nd @ #\n# @ e\n", [("#a", "b"), ("#", "c"), ("#", "d"), ("e", "#")]),
    ("a\u00a0b c\n", [("a\u00a0b", "c")]),
    ("hus\thouse\rby\ttown\r", [("hus", "house"), ("by", "town")]),
]
REUTERS = [  # classes and weights of numbered words
    (
        "C\u00adCAT\u200b 3:0.5 17:2e-1\n\nE21\n",
        [("en:1", "CCAT", {3: 0.5, 17: 0.2}), ("en:3", "E21", {})],  # the numbers of their lines
    ),
    (
        gzip.compress(b"X 2147483647:1\nY 0:1", mtime=0),
        [("en:1", "X", {2147483647: 1.0}), ("en:2", "Y", {0: 1.0})],
    ),
]
LABELLED = [
    (
        "index_id\tcategory\ttext\n7\tsports\tA run\n9\tsports\t \n8\ttravel\tA hill\n",
        [("7", "A run", "sports"), ("8", "A hill", "travel")],
    )
]


def words(texts):
    """White space between words means nothing."""
    return [(name, " ".join(text.split())) for name, text in texts]


READERS = {
    "documents": lambda path: words(judged.documents(path)),
    "queries": lambda path: words(judged.queries(path)),
    "judgements": lambda path: [judgement[:3] for judgement in judged.judgements(path)],
    "dictionary": dictionaries.entries,
    "matrix": lambda path: matrix.documents("en:", str(path)),
    "labelled": lambda path: rows.labelled(path, "index_id", "category", "text"),
}


for squad in SQUADS:
    DOCUMENTS.append((squad, [("0-0", "a b"), ("1-0", "c"), ("1-1", "e")]))
    QUERIES.append((squad, [("x", "d?"), ("y", "f?")]))
    JUDGEMENTS.append((squad, [("x", "1-0", 1), ("y", "1-1", 1)]))
CASES = {
    "documents": DOCUMENTS,
    "queries": QUERIES,
    "judgements": JUDGEMENTS,
    "dictionary": DICTIONARIES,
    "matrix": REUTERS,
    "labelled": LABELLED,
}


def all_cases():
    """Which reader it is, the content of a file, and what is read."""
    for name, cases in CASES.items():
        for content, expected in cases:
            yield name, content, expected


@pytest.mark.parametrize(("name", "content", "expected"), list(all_cases()))
def test_what_is_read(name, content, expected, tmp_path):
    path = tmp_path / "file"
    if isinstance(content, str):
        content = content.encode()
    path.write_bytes(content)
    read = READERS[name]
    assert list(read(path)) == expected


def test_topics_of_clef_are_read_in_the_language_of_their_tags(tmp_path):
    topics = CLEF_TOPICS.replace("<EN-desc>", "<IT-title> Torri </IT-title><EN-desc>")
    path = tmp_path / "topics"
    path.write_text(topics)
    assert list(judged.queries(path, "en")) == [("C001", "Towers in Paris")]
    assert list(judged.queries(path, "it")) == [("C001", "Torri")]
    path.write_text(CLEF_TOPICS)
    expected = r"line 1: expected one <title> or <de-title> in <top>, got 0; there is .*'EN-title'"
    with pytest.raises(UserError, match=expected):
        list(judged.queries(path, "de"))


TOPICS_IN = [("en", "Towers"), ("zh_tw", "\u5854"), ("rus", "\u0411\u0430\u0448\u043d\u0438")]


@pytest.mark.parametrize(("language", "title"), TOPICS_IN)
def test_topics_in_several_languages_are_read_in_one(language, title, tmp_path):
    """Those that people wrote before those that a machine did."""
    (tmp_path / "topics").write_text(NEUCLIR_TOPICS, encoding="utf-8")
    assert list(judged.queries(tmp_path / "topics", language)) == [("101", title)]
    with pytest.raises(UserError, match="line 1: expected one topic in 'fr', found 0; write"):
        list(judged.queries(tmp_path / "topics", "fr"))


def test_collections_in_another_encoding_are_read_if_it_is_named(tmp_path):
    path = tmp_path / "documents"
    path.write_bytes("<DOC><DOCNO>1</DOCNO>Grüße</DOC>\n".encode("latin-1"))
    assert list(judged.documents(path, encoding="latin-1")) == [("1", "Grüße")]
    path.write_bytes("q\tGrüße\n".encode("latin-1"))
    assert list(judged.queries(path, encoding="latin-1")) == [("q", "Grüße")]
    with pytest.raises(UserError, match=r"documents, line 1: this is not UTF-8"):
        list(judged.queries(path))


def squad(*articles):
    """Paragraphs by article, each a text and the ids of its questions."""
    data = []
    for article in articles:
        paragraphs = []
        for text, ids in article:
            questions = [{"id": question, "question": "?"} for question in ids]
            paragraphs.append({"context": text, "qas": questions})
        data.append({"paragraphs": paragraphs})
    return json.dumps({"data": data})


def test_paragraphs_of_two_languages_are_those_that_hold_the_same_questions(tmp_path):
    """Articles in another order, a question that one language lacks, a paragraph without any."""
    qrels = tmp_path / "en.json"
    italian = tmp_path / "it.json"
    qrels.write_text(squad([("River", ["r1", 7])], [("Tower", ["t1"]), ("Hill", ["h1"])]))
    italian.write_text(squad([("Torre", ["t1"]), ("Mare", [])], [("Fiume", [7, "x1"])]))
    assert dict(judged.documents(qrels, qrels)) == {"0-0": "River", "1-0": "Tower", "1-1": "Hill"}
    documents = dict(judged.documents(italian, qrels))
    assert documents == {"1-0": "Torre", "it.json:0-1": "Mare", "0-0": "Fiume"}
    (tmp_path / "trec").write_text("t1 0 0-0 1\n")
    assert list(dict(judged.documents(italian, tmp_path / "trec"))) == ["0-0", "0-1", "1-0"]
    italian.write_text(squad([("Torre e fiume", ["t1", "r1"])]))
    with pytest.raises(UserError, match=r"it.json: paragraph 0-0 .* 0-0, 1-0 in .*en.json"):
        list(judged.documents(italian, qrels))
