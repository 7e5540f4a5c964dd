"""Documents, queries and judgements in the layouts of the field's collections.

    documents    JSON lines: id or _id, doc_id, docid, docno, concept; title, if any; text or
                 contents, body (BEIR, MIRACL, ir_datasets, Anserini, your own corpus)
                 TREC: <DOC> with <DOCNO>, all other elements are text, but scripts and styles
                 lines of id and text with a tab between, or below a line that names the columns
    queries      JSON lines: id or _id, query_id, qid; text or query, title
                 TREC: <top> with <num>, <title>
                 lines of id and text, as of documents (MIRACL)
    judgements   TREC: lines `query 0 document grade`, with white space between (MIRACL)
                 BEIR: below a line `query-id corpus-id score`, lines of these, with tabs between
                 JSON lines: query_id, doc_id, relevance (ir_datasets)
    all three    the JSON of SQuAD and XQuAD: each question, unless it is impossible, has the
                 paragraph that answers it; this is named by the numbers of its article and of
                 itself, from 0, in the file of the judgements: files of other languages may have
                 another order, and theirs are those that hold the same questions

The first line that is not empty tells which it is; whichever it is, it is read as if it were JSON
lines. Markup between TREC's elements, such as <topics>, is passed over. All files are UTF-8, plain
or compressed.
"""

import html
import json
import math
import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import cached_property, partial
from itertools import chain, islice
from pathlib import Path
from typing import Any

from cr5.base.errors import UserError
from cr5.base.text_files import (
    Losses,
    each_key_once,
    is_missing,
    name,
    number,
    open_stream,
    parse,
    read_lines,
    text,
)

Entry = Mapping[str, Any]
Lines = Iterable[tuple[str, str]]
Judgement = tuple[str, str, float, str]

MOST_NAMED = 12  # keys or tags that a message names
LARGEST = 1e30  # grade: squares of larger ones may be infinite
IDS = ("id", "_id", "doc_id", "docid", "docno", "query_id", "qid", "concept")
TEXTS = ("text", "contents", "body", "query")
BEIR = ["query-id", "corpus-id", "score"]
JUDGED = ("query_id", "doc_id", "relevance")

# An object that begins on a line of its own, or all of it on one line.
IS_SQUAD = re.compile(r'\s*\{\s*("(data|version)"\s*:.*)?')
MARK = "\ufeff"  # some translations of SQuAD have one
MARKUP = re.compile(r"\s*(<[^<>]*>\s*)+")
# Of markup, rather than of `a < b and c > d`, <name@host.org> or <http://host>.
ELEMENT = re.compile(r"</?([a-z][\w.-]*(?::[\w.-]+)?)(?:[\s/][^<>]*)?>", re.IGNORECASE)
UNREAD = re.compile(r"<!--.*?-->|<(script|style)\b[^<>]*>.*?</\1\s*>", re.IGNORECASE | re.DOTALL)
DECLARATION = re.compile(r"<[!?][a-z][^<>]*>", re.IGNORECASE)
DOCNO = re.compile(r"<DOCNO>(.*?)</DOCNO>", re.IGNORECASE | re.DOTALL)
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
        if not {*JUDGED} <= {*entry}:
            raise UserError(f"{where}: expected the keys {', '.join(JUDGED)}; {_there(entry)}")
        query, document = (name(x, entry[x], where) for x in ("query_id", "doc_id"))
        yield query, document, _grade(str(entry["relevance"]), where), where


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
        columns = _columns(first[1])
        if columns:  # as in each of the files that were joined
            lines = ((where, line) for where, line in lines if line != first[1])
        read = partial(_fields, names=columns or ("id", "text"), separator="\t")
    elif first[1].split("\t") == BEIR:
        lines = ((where, line) for where, line in lines if line != first[1])
        read = partial(_fields, names=JUDGED, separator="\t")
    else:
        read = partial(_fields, names=("query_id", "iteration", "doc_id", "relevance"))
    yield from ((where, read(line, where)) for where, line in lines)


def _columns(line: str) -> list[str]:
    """The names of columns, in lower case, if that is what the first line holds; else none."""
    names = [field.lower() for field in _unquoted(line.split("\t"))]
    has_text = not {*TEXTS, "title"}.isdisjoint(names[1:])
    return names if names[0] in IDS and has_text else []


def _fields(line: str, where: str, names: Sequence[str], separator: str | None = None) -> Entry:
    found = _unquoted(line.split(separator))
    if len(found) != len(names):
        between = "tabs" if separator else "white space"
        remedy = "name the columns in the first line, such as id, title, text"
        hint = f"; {remedy}, or put a space for each further tab" if "text" in names else ""
        raise UserError(
            f"{where}: expected {', '.join(names)} with {between} between, got {len(found)} "
            f"fields, {line!r:.80}{hint}"
        )
    return dict(zip(names, found, strict=True))


def _unquoted(fields: Sequence[str]) -> list[str]:
    """Take the quotes of a spreadsheet off, which are around all fields of a line."""
    if all(len(field) > 1 and field[0] == field[-1] == '"' for field in fields):
        return [field[1:-1].replace('""', '"') for field in fields]
    return [*fields]


def _grade(grade: str, where: str) -> float:
    try:
        value = number(grade)
    except ValueError:
        value = math.nan
    if not abs(value) <= LARGEST:  # rejects nan too
        raise UserError(f"{where}: the grade {grade!r:.40} is too large or no number")
    return value


def _id(entry: Entry, where: str) -> str:
    key = next((key for key in IDS if key in entry), None)
    if key is None:
        raise UserError(f"{where}: expected one of the keys {', '.join(IDS)}; {_there(entry)}")
    return name(key, entry[key], where)


def _text(entry: Entry, keys: Iterable[str], where: str) -> str:
    key = next((key for key in keys if key in entry), None)
    if key is None:
        raise UserError(f"{where}: expected one of the keys {', '.join(keys)}; {_there(entry)}")
    return "" if is_missing(entry[key]) else text(key, entry[key], where)


def _there(keys: Iterable[str]) -> str:
    return f"there is {', '.join(map(repr, islice(keys, MOST_NAMED))) or 'nothing'}"


def _elements(lines: Lines, tag: str) -> Iterator[tuple[str, str]]:
    """(place of its beginning, content) of each element, several of which may be on one line."""
    edge = re.compile(rf"(</?{tag}(?:\s[^<>]*)?>)", re.IGNORECASE)
    place = ""
    content: list[str] = []
    for where, line in lines:
        for piece in edge.split(line):
            is_edge = edge.fullmatch(piece)
            if is_edge and piece[1] != "/":
                if place:
                    raise UserError(f"{place}: <{tag}> has no end; is the file cut off?")
                place = where
                content = []
            elif is_edge and place:
                yield place, "".join(content)
                place = ""
            elif place:
                content.append(piece)
            elif piece.strip() and not MARKUP.fullmatch(piece):
                raise UserError(f"{where}: expected <{tag}>")
        content.append("\n")
    if place:
        raise UserError(f"{place}: <{tag}> has no end; is the file cut off?")


def _document(content: str, where: str) -> Entry:
    names = DOCNO.findall(content)
    if len(names) != 1:
        raise UserError(
            f"{where}: expected one <DOCNO>...</DOCNO> in <DOC>, got {len(names)}; {_tags(content)}"
        )
    return {"id": names[0].strip(), "text": _plain(DOCNO.sub("", content))}


def _topic(content: str, where: str) -> Entry:
    return {"id": _field("num", content, where), "title": _field("title", content, where)}


def _field(tag: str, content: str, where: str) -> str:
    """The text of a topic's element: to its end, or if it has none, to the next element."""
    beginnings = [*re.finditer(rf"<{tag}(?:\s[^<>]*)?>", content, re.IGNORECASE)]
    if len(beginnings) != 1:
        raise UserError(
            f"{where}: expected one <{tag}> in <top>, got {len(beginnings)}; {_tags(content)}"
        )
    rest = content[beginnings[0].end() :]
    end = re.search(rf"</{tag}\s*>", rest, re.IGNORECASE) or ELEMENT.search(rest)
    found = _plain(LABEL.sub("", rest[: end.start()] if end else rest, count=1))
    if not found:
        raise UserError(f"{where}: <{tag}> is empty; give one to each topic")
    return found


def _tags(content: str) -> str:
    return _there(dict.fromkeys(tag[1] for tag in ELEMENT.finditer(content)))


def _plain(markup: str) -> str:
    for pattern in (UNREAD, ELEMENT, DECLARATION):
        markup = pattern.sub(" ", markup)
    return html.unescape(markup).strip()


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
    asked_before: set[str] = set()
    try:
        with open_stream(path) as file:
            content = file.read().decode("utf-8-sig")
        articles = json.loads(content, object_pairs_hook=each_key_once)["data"]
        for a, article in enumerate(articles):
            for p, paragraph in enumerate(article["paragraphs"]):
                asked = [_question(x, str(path)) for x in paragraph["qas"]]
                for question in asked:
                    _check_new(question["id"], asked_before, str(path))
                yield {"id": f"{a}-{p}", "text": _unmarked(paragraph["context"])}, asked
    except (ValueError, LookupError, TypeError, AttributeError, RecursionError) as error:
        raise UserError(f"{path}: neither SQuAD's JSON nor JSON lines ({error!r:.200})") from error


def _check_new(question: str, asked_before: set[str], path: str) -> None:
    if question in asked_before:
        raise UserError(f"{path}: two questions have the id {question!r}; rename or remove one")
    asked_before.add(question)


def _question(given: Entry, path: str) -> Entry:
    is_impossible = given.get("is_impossible") or False
    if not isinstance(is_impossible, bool):
        raise UserError(
            f'{path}: "is_impossible" of the question {given["id"]!r} must be true or false, '
            f"got {is_impossible!r:.40}"
        )
    return {
        "id": _unmarked(name("id", given["id"], path)),
        "text": _unmarked(given["question"]),
        "is_answered": not is_impossible,
    }


def _unmarked(text: str) -> str:
    return text.replace(MARK, "")


def _answers(paragraph: Entry, asked: Iterable[Entry]) -> list[Entry]:
    return [
        {"query_id": x["id"], "doc_id": paragraph["id"], "relevance": int(x["is_answered"])}
        for x in asked
    ]
