"""Documents, queries and judgements in the layouts of the field's collections.

    documents    JSON lines: id or _id, doc_id, docid, docno, concept; title, if any; text or
                 contents, body (BEIR, MIRACL, ir_datasets, Anserini, your own corpus)
                 TREC: <DOC> with <DOCNO>, all other elements are text
                 lines of id and text, with tabs between
    queries      JSON lines: id or _id, query_id, qid; text or query; or title and description
                 TREC: <top> with <num>, <title>, <desc>
                 lines of id and text, with tabs between (MIRACL)
    judgements   TREC: lines `query 0 document grade`, with white space between (MIRACL)
                 BEIR: below a line `query-id corpus-id score`, lines of these, with tabs between
                 JSON lines: query_id, doc_id, relevance (ir_datasets)
    all three    the JSON of SQuAD and XQuAD: each question has the paragraph that answers it; this
                 is named by the numbers of its article and of itself, from 0

The first line that is not empty tells which it is. TREC's elements begin on lines of their own;
markup alone on a line between them, such as <topics>, is passed over. All files are UTF-8, plain or
compressed.
"""

import html
import json
import math
import re
from collections.abc import Iterable, Iterator, Mapping
from itertools import chain
from pathlib import Path
from typing import Any

from cr5.base.errors import UserError
from cr5.base.text_files import UNSTORABLE, open_stream, parse, read_lines, storable, text

Lines = Iterable[tuple[str, str]]
Judgement = tuple[str, str, float, str]

LARGEST = 1e30  # grade: squares of larger ones may be infinite
IDS = ("id", "_id", "doc_id", "docid", "docno", "query_id", "qid", "concept")
TEXTS = ("text", "contents", "body", "query")
BEIR = ["query-id", "corpus-id", "score"]

SQUAD = "squad"
# An object that begins on a line of its own, or all of it on one line.
IS_SQUAD = re.compile(r'\s*\{\s*("(data|version)"\s*:.*)?')
MARK = "\ufeff"  # some translations of SQuAD have one
MARKUP = re.compile(r"\s*(<[^<>]*>\s*)+")
TAG = re.compile(r"<[^<>]*>")
DOCNO = re.compile(r"<DOCNO>(.*?)</DOCNO>", re.IGNORECASE | re.DOTALL)
FIELD = re.compile(r"<(num|title|desc|narr)>", re.IGNORECASE)
LABEL = re.compile(r"\s*(?:Number|Topic|Description|Narrative)\s*:", re.IGNORECASE)


def documents(path: str | Path) -> Iterator[tuple[str, str]]:
    """Read documents: id; text, with the title first, if there is one.

    Raises:
        UserError: with file and line.
    """
    start, lines = _begun(path)
    if start == SQUAD:
        yield from ((identity, context) for identity, context, _ in _paragraphs(path))
    elif start == "<":
        yield from (_document(*each) for each in _elements(lines, "DOC"))
    elif start == "{":
        for where, line in lines:
            entry = parse(line, where)
            title = entry.get("title")
            head = text("title", title, where) + "\n" if title else ""
            yield _id(entry, where), head + _text(entry, TEXTS, where)
    else:
        yield from (_fields(line, where, 2) for where, line in lines)


def queries(path: str | Path) -> Iterator[tuple[str, str]]:
    """Read queries: id and text, of topics their titles.

    Raises:
        UserError: with file and line.
    """
    start, lines = _begun(path)
    if start == SQUAD:
        yield from chain.from_iterable(asked for *_, asked in _paragraphs(path))
    elif start == "<":
        yield from (_topic(*each) for each in _elements(lines, "top"))
    elif start == "{":
        for where, line in lines:
            entry = parse(line, where)
            yield _id(entry, where), _text(entry, (*TEXTS, "title"), where)
    else:
        yield from (_fields(line, where, 2) for where, line in lines)


def judgements(path: str | Path) -> Iterator[Judgement]:
    """Read judgements: query, document, grade, and where they stand.

    Raises:
        UserError: with file and line.
    """
    start, lines = _begun(path)
    if start == SQUAD:
        for identity, _, asked in _paragraphs(path):
            yield from ((query, identity, 1.0, str(path)) for query, _ in asked)
    elif start == "{":
        for where, line in lines:
            entry = parse(line, where)
            found = (_name(entry, key, where) for key in ("query_id", "doc_id"))
            yield (*found, _grade(str(entry.get("relevance", "")), where), where)
    else:
        is_beir = None
        for where, line in lines:
            if is_beir is None and (is_beir := line.split("\t") == BEIR):
                continue
            fields = _fields(line, where, 3) if is_beir else _fields(line, where, 4, None)
            yield fields[0], fields[-2], _grade(fields[-1], where), where


def _begun(path: str | Path) -> tuple[str, Lines]:
    """`SQUAD` or the first character of a file's content, and all lines that are not empty."""
    lines = ((where, line) for where, line in read_lines(path) if line.strip())
    first = next(lines, None)
    if first is None:
        return "", ()
    start = SQUAD if IS_SQUAD.fullmatch(first[1]) else first[1].lstrip()[0]
    return start, chain([first], lines)


def _fields(line: str, where: str, n: int, separator: str | None = "\t") -> tuple[str, ...]:
    found = line.split(separator, n - 1)
    if len(found) != n:
        between = "white space" if separator is None else "tabs"
        raise UserError(f"{where}: expected {n} fields with {between} between, found {len(found)}")
    return tuple(found)


def _grade(grade: str, where: str) -> float:
    try:
        value = float(grade)
    except ValueError:
        value = math.nan
    if not abs(value) <= LARGEST:  # rejects nan too
        raise UserError(f"{where}: the grade {grade!r:.40} is too large or no number")
    return value


def _id(entry: Mapping[str, Any], where: str) -> str:
    return _name(entry, next((key for key in IDS if key in entry), IDS[0]), where)


def _name(entry: Mapping[str, Any], key: str, where: str) -> str:
    name = entry.get(key)
    if not isinstance(name, str | int) or UNSTORABLE.search(str(name)):
        raise UserError(f'{where}: expected "{key}", text or an integer, found {name!r:.40}')
    return str(name)


def _text(entry: Mapping[str, Any], keys: Iterable[str], where: str) -> str:
    key = next((key for key in keys if key in entry), None)
    if key is None:
        raise UserError(f"{where}: expected one of the keys {', '.join(keys)}")
    return text(key, entry[key], where)


def _elements(lines: Lines, name: str) -> Iterator[tuple[str, str]]:
    """(place of its first line, content) of each element that stands on lines of its own."""
    begin, end = (re.compile(rf"\s*<{x}{name}\b[^>]*>", re.IGNORECASE) for x in ("", "/"))
    place, content = "", []
    for where, line in lines:
        if begin.match(line):
            _check_ended(place, name)
            place, content = where, []
        if not place and MARKUP.fullmatch(line):
            continue
        if not place:
            raise UserError(f"{where}: expected <{name}>")
        content.append(line)
        if end.search(line):
            yield place, end.sub("", begin.sub("", "\n".join(content), count=1))
            place = ""
    _check_ended(place, name)


def _check_ended(place: str, name: str) -> None:
    if place:
        raise UserError(f"{place}: <{name}> has no end; is the file cut off?")


def _document(where: str, content: str) -> tuple[str, str]:
    found = DOCNO.search(content)
    if not found or not found[1].strip():
        raise UserError(f"{where}: the document has no <DOCNO>")
    return found[1].strip(), _plain(DOCNO.sub("", content))


def _topic(where: str, content: str) -> tuple[str, str]:
    parts = FIELD.split(content)
    fields = {
        name.lower(): _plain(LABEL.sub("", text, count=1))
        for name, text in zip(parts[1::2], parts[2::2], strict=True)
    }
    if missing := [name for name in ("num", "title") if not fields.get(name)]:
        raise UserError(f"{where}: the topic has no <{missing[0]}>")
    return fields["num"], fields["title"]


def _plain(markup: str) -> str:
    return html.unescape(TAG.sub(" ", markup)).strip()


def _paragraphs(path: str | Path) -> Iterator[tuple[str, str, list[tuple[str, str]]]]:
    """Id and text of each paragraph of SQuAD, and id and text of each question that it answers."""
    try:
        with open_stream(path) as file:
            articles = json.loads(file.read().decode("utf-8-sig"))["data"]
        for a, article in enumerate(articles):
            for p, paragraph in enumerate(article["paragraphs"]):
                asked = [(_squad(x["id"]), _squad(x["question"])) for x in paragraph["qas"]]
                yield f"{a}-{p}", _squad(paragraph["context"]), asked
    except (ValueError, LookupError, TypeError, AttributeError, RecursionError) as error:
        raise UserError(f"{path}: neither SQuAD's JSON nor JSON lines ({error!r:.200})") from error


def _squad(value: str) -> str:
    return storable(value.replace(MARK, ""))
