"""Each format by its documentation: what is given, and the records that are read of it."""

import bz2
import csv
import gzip
import json
import lzma
from functools import partial

import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from cr5.base.errors import UserError
from cr5.corpora import dictionaries, translations
from cr5.corpora.formats import delimited
from cr5.corpora.formats.rows import labelled
from cr5.corpora.reading import Reading
from cr5.corpora.sources import matrix
from cr5.corpora.sources.europarl import Europarl
from cr5.corpora.sources.files import Files
from cr5.corpora.translations import Entry
from tests.kit.sources import records

zipped = partial(gzip.compress, mtime=0)  # the time would be in the names of tests


def written(path, content):
    path.write_bytes(content.encode() if isinstance(content, str) else content)
    return path


def lines(*entries):
    return "".join(json.dumps(entry) + "\n" for entry in entries)


# Documents of the source `files`: name of the file, its content, options, records.
WIDE = "concept,text_en,text_da,title_da\nQ1,one,en,Et\nQ2,two,,\nQ3,,tre,\n"
IN_ENGLISH = [("Q1", "Q1", "one"), ("Q2", "Q2", "two")]
IN_DANISH = [("Q1", "Et", "en"), ("Q3", "Q3", "tre")]
UNDER = {"codes": {"x": "da"}, "text": "text_{language}", "title": "title_{language}"}
COLUMNS = "more\tsaid\tn\tcalled\nx\tA run\t7\t\ny\t\t 8\tEight\n"
DECOMPOSED, COMPOSED = "Vie\u0323\u0302t Nam", "Vi\u1ec7t Nam"
ONE = lines({"concept": "Q1", "title": "Universe", "text": "all there is"})
READ_ONE = ("Q1", "Universe", "all there is")
TRANSLATED = lines(
    {"concept": 1, "translation": {"en": "one", "da": "en"}},
    {"concept": 2, "translation": {"en": "two"}},
)
DOCUMENTS = [
    (
        *("a", ONE + lines({"concept": "Q2", "text": "t", "category": ["x"]}), {}),
        [READ_ONE, ("Q2", "Q2", "t")],
    ),
    (
        *("a", ONE + lines({"concept": "Q3", "text": "", "title": None}), {}),
        [READ_ONE, ("Q3", "Q3", "")],
    ),
    ("a", lines({"concept": 64, "text": "t"}), {}, [("64", "64", "t")]),
    ("a", lines({"concept": f"\xa0{DECOMPOSED} \n", "text": "t"}), {}, [(COMPOSED, COMPOSED, "t")]),
    (
        *("a", f"\ufeff{ONE[:-1]}\r\n\r\n  \n" + '{"concept": "Q2", "text": "t"}', {}),
        [READ_ONE, ("Q2", "Q2", "t")],
    ),
    (
        *("a", '{"concept": "Q2", "title": "a\\u0000b", "text": "\\ud83d, \\ud83d\\ude00"}', {}),
        [("Q2", "a\ufffdb", "\ufffd, \U0001f600")],
    ),
    *((f"en.{x}", zipped(ONE.encode()), {}, [READ_ONE]) for x in ("jsonl", "xz", "gz")),
    ("en.bz2", ONE, {}, [READ_ONE]),
    (
        *("a.tsv", COLUMNS, {"concept": "n", "text": "said", "title": "called"}),
        [("7", "7", "A run"), ("8", "Eight", "")],
    ),
    *((x, WIDE, {"language": "en"}, IN_ENGLISH) for x in ("all.csv", "all")),
    *(("all", WIDE, x, IN_DANISH) for x in ({"language": "da"}, {"language": "x", **UNDER})),
    (
        *("a", TRANSLATED, {"language": "en", "text": "translation"}),
        [("1", "1", "one"), ("2", "2", "two")],
    ),
    ("a", TRANSLATED, {"language": "da", "text": "translation"}, [("1", "1", "en")]),
]


@pytest.mark.parametrize(("name", "content", "options", "expected"), DOCUMENTS)
def test_documents_of_files(tmp_path, name, content, options, expected):
    options = {"language": "en"} | options
    path = written(tmp_path / name, content)
    assert list(records(Files, path, **options)) == expected


def test_documents_come_one_by_one(tmp_path):
    found = records(Files, written(tmp_path / "a", ONE + "not JSON\n"), "en")
    assert next(found) == READ_ONE
    with pytest.raises(UserError, match="line 2"):
        next(found)


def test_words_that_begin_with_a_capital_letter_are_dropped(tmp_path):
    text = (
        "Ada Lovelace skrev et program; Åse så McDonald's æble. (Øl) iPhone 3D ǅungla E\u0301mile"
    )
    path = written(tmp_path / "a", lines({"concept": "Q1", "title": "Ada Lovelace", "text": text}))
    [(concept, title, left)] = records(Files, path, "en", capitalised="drop")
    assert (concept, title) == ("Q1", "Ada Lovelace")
    # the s behind an apostrophe is a word of its own to the tokeniser, too
    assert left.split() == ["skrev", "et", "program;", "så", "'s", "æble.", "(", ")", "iPhone", "3"]


# Rows with separators: name of the file, its content, the columns asked for, rows.
QUOTED = ['1\t"She said ""yes"", twice."', '2\t"so" and "so"', '3\t"', '4\tabout 5"', '5\t""']
UNQUOTED = ['She said "yes", twice.', '"so" and "so"', '"', 'about 5"', ""]


def between(by):
    """A table with a separator in fields; the columns asked for, and their rows."""
    content = 'id|text\n1|"a|b"\n2|"so ""it""\n\nends|"\n"3"|"x\ny"'
    found = [["1", "a|b"], ["2", 'so "it"\n\nends|'], ["3", "x\ny"]]
    return content.replace("|", by), "id text", [[x.replace("|", by) for x in y] for y in found]


OPEN = 'id\ttext\tn\n1\t"We have mice\t2\n2\t"it," she said\t3\n3\t"so\t"on\n'
IN_ORDER = "text\tmore\tid\nOne day\tx\t7\n\nTwo\t\t8\n"
ROWS = [
    ("a.tsv", IN_ORDER, "id text", [["7", "One day"], ["8", "Two"]]),
    ("a.tsv", IN_ORDER, "more", [["x"], [""]]),
    ("a.tsv", "\n".join(["id\ttext", *QUOTED]), "text", [[x] for x in UNQUOTED]),
    *(("a", *between(by)) for by in "\t,;"),
    ("a.tsv", OPEN, "text", [['"We have mice'], ['"it," she said'], ['"so']]),  # nobody closed them
    ("a.tsv", "\ufeffid\ttext\r\n1\tx\r\n", "id text", [["1", "x"]]),
    # one column has no separator by which to tell it from a TSV file, where quotes may be text
    ("a.csv", 'text\n"x, y\nz"\nw\n', "text", [["x, y\nz"], ["w"]]),
    ("a.tsv", 'text\n"x, y\nz\n', "text", [['"x, y'], ["z"]]),
]


@pytest.mark.parametrize(("name", "content", "columns", "expected"), ROWS)
def test_rows_with_separators(tmp_path, name, content, columns, expected):
    found = delimited.read(written(tmp_path / name, content), columns.split())
    assert [[row[x] for x in columns.split()] for _, row in found] == expected


def test_the_place_of_a_row_is_its_first_line(tmp_path):
    path = written(tmp_path / "a.csv", 'id,text\n1,"a\nb"\n\n2,c\n')
    assert [where for where, _ in delimited.read(path)] == [f"{path}, line 2", f"{path}, line 5"]


@pytest.mark.parametrize("separator", ["\t", ","])
@pytest.mark.parametrize("quoting", [csv.QUOTE_MINIMAL, csv.QUOTE_ALL])
def test_what_pandas_writes_is_read_back(tmp_path, separator, quoting):
    text = st.text(st.sampled_from("ab\"\t,;\n ' å"), max_size=12)

    @settings(derandomize=True, database=None, deadline=None, max_examples=150)
    @given(st.lists(st.tuples(text, text), min_size=1, max_size=5))
    def round_trip(rows):
        # two columns of texts between others, so that no line of a text looks like a row
        frame = pd.DataFrame([(1, *row, 2, 3, 4) for row in rows], columns=list("abcdef"))
        frame.to_csv(tmp_path / "a", sep=separator, quoting=quoting, index=False)
        assert [(x["b"], x["c"]) for _, x in delimited.read(tmp_path / "a")] == rows

    round_trip()


LABELLED = "index_id\tcategory\ttext\n7\tsports\tA run\n8\ttravel\tA hill\n"
HEAD, *REST = (x.split("\t") for x in LABELLED.splitlines())


@pytest.mark.parametrize(
    "content",
    [
        *(LABELLED, lzma.compress(LABELLED.encode())),
        lines(*(dict(zip(HEAD, x, strict=True)) for x in REST)),
    ],
)
def test_labels_in_columns_and_in_lines_of_json(tmp_path, content):
    path = written(tmp_path / "a", content)
    assert list(labelled(path, *HEAD)) == [("7", "A run", "sports"), ("8", "A hill", "travel")]
    assert list(labelled(path, *HEAD[:2])) == [("7", "", "sports"), ("8", "", "travel")]


# Dictionaries of MUSE, Dinu et al. and others.
PAIRS = [("the", "el"), ("the", "las"), ("ElCid", "Cid")]
DICTIONARIES = [
    ("the el\nthe  las\n\nElCid Cid\n", PAIRS),
    ("the\tel\nthe\tlas\nElCid\tCid\n", PAIRS),
    ("el @ the\nlas @ the\nCid @ ElCid\n", PAIRS),
    ("\ufeffthe el\r\nlas @ the\r\nElCid\tCid", PAIRS),
    (lzma.compress(b"ice cream\thelado\n"), [("ice cream", "helado")]),
    ("helado de nata @ ice cream\n", [("ice cream", "helado de nata")]),
    ("a\tb @ c\n", [("a", "b @ c")]),
    ("a\u00a0b c\n", [("a\u00a0b", "c")]),
    ("x y\na\0 b\n", [("x", "y"), ("a\ufffd", "b")]),
]


@pytest.mark.parametrize(("content", "expected"), DICTIONARIES)
def test_dictionaries(tmp_path, content, expected):
    assert list(dictionaries.entries(written(tmp_path / "en-es.txt", content))) == expected


# Descriptions of Debian's packages.
DANISH = """\
Package: hello
Description-md5: 0123
Description-da: En hilsen: kort
 Siger hej.
 .
  * på én linje
 Ny linje: ikke et felt.

Package: tom
Description-md5: 4567
Description-da: Intet mere

"""
LONG = ("Siger hej.", ".", " * på én linje", "Ny linje: ikke et felt.")
# as some French ones have between paragraphs
BLANK = DANISH.replace(" .\n", " \u00a0 \n")


@pytest.mark.parametrize(
    ("content", "second"),
    [
        *((pack(DANISH.encode()), ".") for pack in (bytes, bz2.compress, zipped)),
        (f"\n\n{DANISH.rstrip()}\n", "."),
        (BLANK, "\u00a0 "),
    ],
)
def test_descriptions(tmp_path, content, second):
    assert list(translations.entries(written(tmp_path / "Translation-da", content))) == [
        Entry("hello", "0123", "En hilsen: kort", (LONG[0], second, *LONG[2:])),
        Entry("tom", "4567", "Intet mere", ()),
    ]


# Multilingual Reuters: classes and weights of numbered words.
WEIGHTED = [
    ("CCAT 3:0.5 17:2e-1\n\nE21\n", [("CCAT", {3: 0.5, 17: 0.2}), ("E21", {})]),
    (zipped(b"X 2147483647:1\nY 0:1"), [("X", {2147483647: 1.0}), ("Y", {0: 1.0})]),
]


@pytest.mark.parametrize(("content", "expected"), WEIGHTED)
def test_weighted_words(tmp_path, content, expected):
    path = str(written(tmp_path / "a", content))
    found = list(matrix.documents(matrix.Place("en:", path, path)))
    assert [(x.label, x.weights) for _, x in found] == expected
    assert [name for name, _ in found] == ["en:1", "en:2"]


# Europarl: the layout of release 7, in made-up words; that of release 2 below.
SITTING = """\
<CHAPTER ID="001">
Resumption of the session
<SPEAKER ID="1" NAME="President">
I declare the session open.
<P>
Two lines of a paragraph
go on here.
<SPEAKER ID="2" LANGUAGE="ES" NAME="O'Neill, María" AFFILIATION="PPE">
(Applause)
Thank you.
<SPEAKER ID="3" LANGUAGE="ES" NAME="Silent">
<P>
<CHAPTER ID="002">
Agenda
<SPEAKER ID="1">
Another <BRK> chapter.
"""
DAY = "ep-00-01-17"
PRESIDENT = "I declare the session open.\nTwo lines of a paragraph\ngo on here."
SPEECHES = [
    (f"{DAY}/001/1", "President", PRESIDENT),
    (f"{DAY}/001/2", "O'Neill, María", "(Applause)\nThank you."),
    (f"{DAY}/002/1", f"{DAY}/002/1", "Another   chapter."),
]
OLD = "<CHAPTER ID=4>\nApertura\n<SPEAKER ID=7 NAME=Sánchez>\nSeñora Presidenta.\n<P>\n"
NEXT = zipped(OLD.replace("ID=4", "ID=1").encode())
SENORA = ("Sánchez", "Señora Presidenta.")
SITTINGS = [
    ({f"{DAY}.txt": SITTING, "readme.txt": "no sitting"}, {}, SPEECHES),
    (  # speeches of one number are left out
        *({f"{DAY}.txt": SITTING.replace('ID="2"', 'ID="1"')}, {}, SPEECHES[2:]),
    ),
    (
        *({"ep-07-01-15-002.txt": OLD, "ep-07-01-15-001.txt.gz": NEXT}, {}),
        [("ep-07-01-15-001/1/7", *SENORA), ("ep-07-01-15-002/4/7", *SENORA)],
    ),
    (
        *({"ep-96-04-15.txt": OLD.encode("latin-1")}, {"encoding": "latin-1"}),
        [("ep-96-04-15/4/7", *SENORA)],
    ),
]


@pytest.mark.parametrize(("contents", "options", "expected"), SITTINGS)
def test_speeches(tmp_path, contents, options, expected):
    for name, content in contents.items():
        written(tmp_path / name, content)
    assert list(records(Europarl, tmp_path, "es", **options)) == expected


def test_paragraphs_of_speeches_have_the_same_id_where_languages_have_as_many(tmp_path):
    written(tmp_path / f"{DAY}.txt", SITTING)
    asked = Reading(Europarl(path=str(tmp_path)), tmp_path, "es")
    assert len(list(asked.source.records(asked))) == 3
    assert asked.parallel == [
        (f"{DAY}/001/1", "1 of 2", "I declare the session open."),
        (f"{DAY}/001/1", "2 of 2", "Two lines of a paragraph go on here."),
        (f"{DAY}/001/2", "1 of 1", "(Applause) Thank you."),
        (f"{DAY}/002/1", "1 of 1", "Another   chapter."),
    ]
