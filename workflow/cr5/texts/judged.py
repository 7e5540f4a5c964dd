"""Documents, queries and judgements in the layouts of the field's collections.

    documents    JSON lines: id or _id, doc_id, docid, docno, concept; title, if any; text or
                 contents, body (BEIR, MIRACL, ir_datasets, Anserini, your own corpus)
                 TREC: <DOC> with <DOCNO>, all other elements are text
                 lines of id and text, with tabs between
    queries      JSON lines: id or _id, query_id, qid; text or query, title
                 TREC: <top> with <num>, <title>
                 lines of id and text, with tabs between (MIRACL)
    judgements   TREC: lines `query 0 document grade`, with white space between (MIRACL)
                 BEIR: below a line `query-id corpus-id score`, lines of these, with tabs between
                 JSON lines: query_id, doc_id, relevance (ir_datasets)
    all three    the JSON of SQuAD and XQuAD: each question, unless it is impossible, has the
                 paragraph that answers it; this is named by the numbers of its article and of
                 itself, from 0, in the file of the judgements: files of other languages may have
                 another order, and theirs are those that hold the same questions

The first line that is not empty tells which it is; whichever it is, it is read as if it were JSON
lines. TREC's elements begin on lines of their own; markup alone on a line between them, such as
<topics>, is passed over. All files are UTF-8, plain or compressed.
"""

import html
import json
import math
import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import cached_property, partial
from itertools import chain
from pathlib import Path
from typing import Any

from cr5.base.errors import UserError
from cr5.base.text_files import Losses, is_missing, name, open_stream, parse, read_lines, text

Entry = Mapping[str, Any]
Lines = Iterable[tuple[str, str]]
Judgement = tuple[str, str, float, str]

LARGEST = 1e30  # grade: squares of larger ones may be infinite
IDS = ("id", "_id", "doc_id", "docid", "docno", "query_id", "qid", "concept")
TEXTS = ("text", "contents", "body", "query")
BEIR = ["query-id", "corpus-id", "score"]

# An object that begins on a line of its own, or all of it on one line.
IS_SQUAD = re.compile(r'\s*\{\s*("(data|version)"\s*:.*)?')
MARK = "\ufeff"  # some translations of SQuAD have one
MARKUP = re.compile(r"\s*(<[^<>]*>\s*)+")
TAG = re.compile(r"<[^<>]*>")
DOCNO = re.compile(r"<DOCNO>(.*?)</DOCNO>", re.IGNORECASE | re.DOTALL)
FIELD = re.compile(r"<(num|title|desc|narr)>", re.IGNORECASE)
TOPIC = {"num": "id", "title": "title"}
LABEL = re.compile(r"\s*(?:Number|Topic|Description|Narrative)\s*:", re.IGNORECASE)


def documents(path: str | Path, qrels: str | Path = "") -> Iterator[tuple[str, str]]:
    """Yield documents: id; text, below the title, if any; UserError with file and line.

    `qrels` are the judgements, if any, whose names SQuAD's paragraphs have. A document without a
    text stays one, which is never found; they are counted and told.
    """

    def of_squad(paragraph: Entry, asked: list[Entry]) -> list[Entry]:
        return [{**paragraph, "id": names.name(paragraph, asked)}]

    names = _Paragraphs(Path(path), qrels)
    losses = Losses()
    for where, entry in _entries(path, of_squad, ("DOC", _document)):
        title = entry.get("title")
        head = text("title", title, where) + "\n" if title else ""
        content = head + _text(entry, TEXTS, where)
        losses.count(content if content.strip() else None, where)
        yield _id(entry, where), content
    losses.tell(path, "never found")


def queries(path: str | Path) -> Iterator[tuple[str, str]]:
    """Yield queries: id and text, of topics their titles; UserError with file and line."""
    losses = Losses()
    for where, entry in _entries(path, lambda _, asked: asked, ("top", _topic)):
        content = _text(entry, (*TEXTS, "title"), where)
        losses.count(content if content.strip() else None, where)
        yield _id(entry, where), content
    losses.tell(path, "find nothing")


def judgements(path: str | Path) -> Iterator[Judgement]:
    """Yield query, document, grade, and where they stand; UserError with file and line."""
    for where, entry in _entries(path, _answers):
        query, document = (name(x, entry.get(x), where) for x in ("query_id", "doc_id"))
        yield query, document, _grade(str(entry.get("relevance", "")), where), where


def _entries(
    path: str | Path,
    of_squad: Callable[[Entry, list[Entry]], Iterable[Entry]],
    element: tuple[str, Callable[[str, str], Entry]] | None = None,
) -> Iterator[tuple[str, Entry]]:
    """Yield place and keys of each entry of a file; without an element of TREC, of judgements."""
    lines = ((where, line) for where, line in read_lines(path) if line.strip())
    if (first := next(lines, None)) is None:
        return
    lines, start = chain([first], lines), first[1].lstrip()[0]
    if IS_SQUAD.fullmatch(first[1]):
        for paragraph, asked in _paragraphs(path):
            yield from ((str(path), entry) for entry in of_squad(paragraph, asked))
        return
    if start == "{":
        read = parse
    elif element and start == "<":
        tag, read = element
        lines = _elements(lines, tag)
    elif element:
        read = partial(_fields, names=("id", "text"), separator="\t")
    elif first[1].split("\t") == BEIR:
        next(lines)
        read = partial(_fields, names=("query_id", "doc_id", "relevance"), separator="\t")
    else:
        read = partial(_fields, names=("query_id", "iteration", "doc_id", "relevance"))
    yield from ((where, read(line, where)) for where, line in lines)


def _fields(line: str, where: str, names: Sequence[str], separator: str | None = None) -> Entry:
    found = line.split(separator, len(names) - 1)
    if len(found) != len(names):
        between = "tabs" if separator else "white space"
        raise UserError(
            f"{where}: expected {', '.join(names)} with {between} between, got {line!r:.80}"
        )
    return dict(zip(names, found, strict=True))


def _grade(grade: str, where: str) -> float:
    try:
        value = float(grade)
    except ValueError:
        value = math.nan
    if not abs(value) <= LARGEST:  # rejects nan too
        raise UserError(f"{where}: the grade {grade!r:.40} is too large or no number")
    return value


def _id(entry: Entry, where: str) -> str:
    key = next((key for key in IDS if key in entry), IDS[0])
    return name(key, entry.get(key), where)


def _text(entry: Entry, keys: Iterable[str], where: str) -> str:
    key = next((key for key in keys if key in entry), None)
    if key is None:
        raise UserError(f"{where}: expected one of the keys {', '.join(keys)}")
    return "" if is_missing(entry[key]) else text(key, entry[key], where)


def _elements(lines: Lines, tag: str) -> Iterator[tuple[str, str]]:
    """(place of its first line, content) of each element that stands on lines of its own."""
    begin, end = (re.compile(rf"\s*<{x}{tag}\b[^>]*>", re.IGNORECASE) for x in ("", "/"))
    place, content = "", []
    for where, line in chain(lines, [("", f"<{tag}>")]):  # the last ends what has no end
        if begin.match(line):
            if place:
                raise UserError(f"{place}: <{tag}> has no end; is the file cut off?")
            place, content = where, []
        if not place and MARKUP.fullmatch(line):
            continue
        if not place:
            raise UserError(f"{where}: expected <{tag}>")
        content.append(line)
        if end.search(line):
            yield place, end.sub("", begin.sub("", "\n".join(content), count=1))
            place = ""


def _document(content: str, _: str) -> Entry:
    found = DOCNO.search(content)
    return {"id": (found and found[1].strip()) or None, "text": _plain(DOCNO.sub("", content))}


def _topic(content: str, _: str) -> Entry:
    _, *parts = FIELD.split(content)
    fields = zip(parts[::2], parts[1::2], strict=True)
    plain = {field.lower(): _plain(LABEL.sub("", x, count=1)) for field, x in fields}
    return {key: plain[field] for field, key in TOPIC.items() if plain.get(field)}


def _plain(markup: str) -> str:
    return html.unescape(TAG.sub(" ", markup)).strip()


def _is_squad(path: str | Path) -> bool:
    first = next((line for _, line in read_lines(path) if line.strip()), "")
    return IS_SQUAD.fullmatch(first) is not None


class _Paragraphs:
    """The names of a SQuAD file's paragraphs: of those in the judgements with the same questions.

    A paragraph whose questions the judgements do not know has a name of its own.
    """

    def __init__(self, path: Path, qrels: str | Path) -> None:
        self._path = path
        self._qrels = qrels

    @cached_property
    def _of_questions(self) -> dict[str, str] | None:
        """By question the paragraph in the judgements; None if these are not SQuAD's."""
        if not (self._qrels and _is_squad(self._qrels)):
            return None
        found = {}
        for paragraph, asked in _paragraphs(self._qrels):
            found |= {question["id"]: paragraph["id"] for question in asked}
        return found

    def name(self, paragraph: Entry, asked: Iterable[Entry]) -> str:
        """Return the name of a paragraph; UserError if its questions are of several."""
        judged = self._of_questions
        if judged is None:
            return paragraph["id"]
        names = sorted({judged[x["id"]] for x in asked if x["id"] in judged})
        if len(names) > 1:
            raise UserError(
                f"{self._path}: paragraph {paragraph['id']} holds questions that are of the "
                f"paragraphs {', '.join(names)} in {self._qrels}; give files that have the same "
                "questions in one paragraph"
            )
        return names[0] if names else f"{self._path.name}:{paragraph['id']}"


def _paragraphs(path: str | Path) -> Iterator[tuple[Entry, list[Entry]]]:
    """Each paragraph of SQuAD and the questions about it, with id, text and whether it answers."""
    try:
        with open_stream(path) as file:
            articles = json.loads(file.read().decode("utf-8-sig"))["data"]
        for a, article in enumerate(articles):
            for p, paragraph in enumerate(article["paragraphs"]):
                asked = [_question(x, str(path)) for x in paragraph["qas"]]
                yield {"id": f"{a}-{p}", "text": _unmarked(paragraph["context"])}, asked
    except (ValueError, LookupError, TypeError, AttributeError, RecursionError) as error:
        raise UserError(f"{path}: neither SQuAD's JSON nor JSON lines ({error!r:.200})") from error


def _question(given: Entry, path: str) -> Entry:
    return {
        "id": _unmarked(name("id", given["id"], path)),
        "text": _unmarked(given["question"]),
        "is_answered": not given.get("is_impossible"),
    }


def _unmarked(text: str) -> str:
    return text.replace(MARK, "")


def _answers(paragraph: Entry, asked: Iterable[Entry]) -> list[Entry]:
    return [
        {"query_id": x["id"], "doc_id": paragraph["id"], "relevance": int(x["is_answered"])}
        for x in asked
    ]
