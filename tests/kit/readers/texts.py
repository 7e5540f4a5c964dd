"""Readers of text: documents, labels, judgements, dictionaries, parallel files, tables of words."""

import bz2
import gzip
import io
import lzma
from collections.abc import Callable
from functools import partial
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq

from cr5 import cli_texts
from cr5.base.lines import read_lines
from cr5.corpora import aligned, dictionaries, eflomal, translations
from cr5.corpora.formats.rows import labelled
from cr5.corpora.parallel import Place
from cr5.corpora.sources import matrix
from cr5.corpora.sources.europarl import Europarl
from cr5.corpora.sources.files import Files
from cr5.fitting import contract
from cr5.tasks import ad_hoc
from cr5.tasks.ad_hoc import AdHoc
from tests.kit.readers.target import Target, through
from tests.kit.sources import records

JSONL = (
    '\ufeff{"concept": "Q64", "title": "Berlin", "text": "Berlin er hovedstaden 😀 \\ud83d"}\r\n'
    '\n{"concept": 7, "title": null, "text": "", "more": [{"a": [1e5, true]}]}\n'
).encode()
TSV = b'index_id\tcategory\ttext\n548\tsports\tDue to "x"\n549\tscience\t"said ""no"""\n'
LABELLED = b'{"index_id": 548, "category": "sports", "text": "Due"}\n'
WIDE = b'concept,text_da,title_da\nQ64,"By, og ""mere""\n\nher",Berlin\nQ65,,\nQ66,x,\n'
MATRIX = b"CCAT 3:0.0421 17:0.1102 8051:0.0377\nECAT 0:1 5:2e-3\n"
DICTIONARY = b"hus house\n\nby\ttown\nvilla @ house\n"
DOCUMENTS = b'{"id": "d1", "title": "A", "text": "b c"}\n{"id": 2, "text": "x"}\n'
SQUAD = b'{"data": [{"paragraphs": [{"context": "b", "qas": [{"id": "q", "question": "c"}]}]}]}'
TREC = b"<DOC>\n<DOCNO> d1 </DOCNO>\n<TEXT>\nb &amp; c\n</TEXT>\n</DOC>\n"
EUROPARL = (
    '<CHAPTER ID=1>\nÅbning\n<SPEAKER ID=1 NAME="Formand">\nMødet er åbnet.\n<P>\nTak.\n'
    '<SPEAKER ID="2" LANGUAGE="EN">\nJa\n'
).encode()
QUERIES = "q1\thvor er å\nq2\tx y\n".encode()
TOPICS = b"<top>\n<num> Number: 301\n<title> Crime\n\n<desc> Description:\nWhat\n</top>\n"
QRELS = b"q1 0 d1 2\nq1 0 2 0\nq2 0 2 1.5\n"
BEIR = b"query-id\tcorpus-id\tscore\nq1\td1\t2\n"
RELEVANCE = b'{"query_id": "q1", "doc_id": "d1", "relevance": 2}\n'
DESCRIPTIONS = (
    "Package: hello\nDescription-md5: c8f4\nDescription-da: En opsummering\n"
    " Den lange. Beskrivelse! på flere\n - linjer\n .\n Nyt afsnit.\n\n"
    "Package: x\nDescription-md5: d\nDescription-da: y\n\n"
).encode()
PARALLEL = b"Et hus.\tA house.\nTo\tTwo\n"
TABLE = b"hus\thouse\t0.75\nby\ttown\t1\n"
LINKS = b"0-0 2-1\n1-0\n"
PAIRS = [([1, 2, 3], [4, 5]), ([1, 2], [3])]


def _documents(path: Path, **options) -> None:
    through(records(Files, path, "da", **options))


def packed_table(write: Callable) -> bytes:
    """A table in a file, as `write` makes it."""
    buffer = io.BytesIO()
    write(pa.table({"concept": ["Q64", "7"], "text": ["Berlin", ""]}), buffer)
    return buffer.getvalue()


def _judged(path: Path) -> None:
    files = {"documents": path, "queries": path.parent / "queries"}
    through(AdHoc().records(files, "en")["documents"])


def _queries(path: Path) -> None:
    files = {"documents": path.parent / "documents", "queries": path}
    through(AdHoc().records(files, "en")["queries"])


def _descriptions(path: Path) -> None:
    through(x for entry in translations.entries(path) for x in translations.sentences(entry.lines))


def _parallel(path: Path) -> None:
    aligned.read({"da": Place(str(path), "", 1), "en": Place(str(path), "", 2)}, 100)


def _matrix(path: Path) -> None:
    like = str(path.parent / "like")
    through(matrix.documents(matrix.Place("", str(path), str(path))))
    through(matrix.documents(matrix.Place("", str(path), like)))


def _packed(path: Path) -> None:
    through(read_lines(path))


TARGETS = [
    Target("jsonl", "da.jsonl", _documents, (JSONL,)),
    Target("tsv", "da.tsv", partial(_documents, concept="index_id"), (TSV,)),
    Target("csv", "all.csv", _documents, (WIDE,), tokens=(b'"', b'""', b",")),
    Target("parquet", "da.parquet", _documents, (packed_table(pq.write_table),)),
    Target(
        "labelled",
        "da.tsv",
        lambda path: through(labelled(path, "index_id", "category", "text")),
        (TSV, LABELLED),
    ),
    Target(
        "europarl",
        "ep-00-01-17.txt",
        lambda path: through(records(Europarl, path.parent, "da")),
        (EUROPARL,),
        tokens=(b"<SPEAKER ID=", b"<CHAPTER ", b'"', b">"),
    ),
    Target("matrix", "da", _matrix, (MATRIX,), {"like": MATRIX}),
    Target("dictionary", "da-en.txt", lambda x: through(dictionaries.entries(x)), (DICTIONARY,)),
    Target("judged", "documents", _judged, (DOCUMENTS, TREC, SQUAD)),
    Target("queries", "queries", _queries, (QUERIES, TOPICS)),
    Target("judgements", "qrels", ad_hoc.judgements, (QRELS, BEIR, RELEVANCE)),
    Target("descriptions", "Translation-da", _descriptions, (DESCRIPTIONS,)),
    Target("parallel", "da-en.tsv", _parallel, (PARALLEL,)),
    Target("word_table", "da-en.tsv", lambda x: through(contract.alignment_entries(x)), (TABLE,)),
    Target("links", "links", lambda path: eflomal._read(path, PAIRS), (LINKS,)),
    Target(
        "texts",
        "texts.txt",
        lambda path: through(cli_texts.read_file(str(path), "en")),
        (JSONL, QUERIES, LABELLED),
    ),
    Target(
        "compressed",
        "lines",
        _packed,
        (
            gzip.compress(QRELS, mtime=0) + gzip.compress(QRELS, mtime=0) + b"\0\0",
            bz2.compress(QRELS) * 2,
            lzma.compress(QRELS),
            QRELS,
        ),
    ),
]
