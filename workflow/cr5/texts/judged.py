"""Documents, queries and judgements in the layouts of the field's collections.

    documents    JSON lines: id or _id, doc_id, docid, docno, concept; title, if any; text or
                 contents, body (BEIR, MIRACL, ir_datasets, Anserini, your own corpus)
                 TREC: <DOC> with <DOCNO>, all other elements are text, but scripts and styles
                 lines of id and text with a tab between, or below a line that names the columns
    queries      JSON lines: id or _id, query_id, qid; text or query, title
                 NeuCLIR: JSON lines with topic_id and, for each language, topics
                 TREC: <top> with <num>, <title>
                 CLEF: <top> with <num>, <EN-title>; <topic> with <identifier>, <title>
                 lines of id and text, as of documents (MIRACL)
    judgements   TREC: lines `query 0 document grade`, with white space between (MIRACL)
                 BEIR: below a line `query-id corpus-id score`, lines of these, with tabs between
                 JSON lines: query_id, doc_id, relevance (ir_datasets)
                 lines of query and document with a tab between (BUCC)
    all three    the JSON of SQuAD and XQuAD: each question, unless it is impossible, has the
                 paragraph that answers it; this is named by the numbers of its article and of
                 itself, from 0, in the file of the judgements: files of other languages may have
                 another order, and theirs are those that hold the same questions

The first line that is not empty tells which it is; whichever it is, it is read as if it were JSON
lines. Markup between TREC's elements, such as <topics>, is passed over. All files are UTF-8,
unless another encoding is given, plain or compressed.
"""

import html
import math
import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import partial
from itertools import chain, islice
from pathlib import Path
from typing import Any

from cr5.base.errors import UserError
from cr5.base.languages import base_language
from cr5.base.losses import Losses
from cr5.base.text_files import (
    checked_name,
    checked_text,
    is_missing,
    parse_number,
    parse_object,
    read_lines,
)
from cr5.texts import squad
from cr5.texts.squad import Entry

Lines = Iterable[tuple[str, str]]
Judgement = tuple[str, str, float, str]
"""Query, document, grade, and where they stand."""
OfLines = Callable[[Lines, str], Iterator[tuple[str, Entry]]]
"""Makes entries of a file that is not in JSON: of all its lines and of the first."""

MOST_NAMED = 12  # keys or tags that a message names
LARGEST = 1e30  # grade: squares of larger ones may be infinite
IDS = ("id", "_id", "doc_id", "docid", "docno", "query_id", "qid", "topic_id", "concept")
TEXTS = ("text", "contents", "body", "query")
TEXTS_OR_TITLE = (*TEXTS, "title")
BEIR = ["query-id", "corpus-id", "score"]
JUDGED = ("query_id", "doc_id", "relevance")
PAIR = ("query_id", "doc_id")
TOPIC_ID = "num|identifier"  # of TREC, and of CLEF from 2008
TITLE = "title"
TITLE_IN = re.compile(r"<([a-z]{2,3})-title\b", re.IGNORECASE)  # CLEF's have the language
TOPICS = "topics"  # a topic in several languages, of NeuCLIR
BY_PEOPLE = ("original", "human translation")  # what is taken first
TREC = ("query_id", "iteration", "doc_id", "relevance")

QUOTED = re.compile(r'".*"', re.DOTALL)
PAIR_OF_IDS = re.compile(r"[^\s{<]\S*\t\S+")
MARKUP = re.compile(r"\s*(<[^<>]*>\s*)+")
# Of markup, rather than of `a < b and c > d`, <name@host.org> or <http://host>.
ELEMENT = re.compile(r"</?([a-z][\w.-]*(?::[\w.-]+)?)(?:[\s/][^<>]*)?>", re.IGNORECASE)
UNREAD = re.compile(r"<!--.*?-->|<(script|style)\b[^<>]*>.*?</\1\s*>", re.IGNORECASE | re.DOTALL)
DECLARATION = re.compile(r"<[!?][a-z][^<>]*>", re.IGNORECASE)
DOCNO = re.compile(r"<DOCNO>(.*?)</DOCNO>", re.IGNORECASE | re.DOTALL)
LABEL = re.compile(r"\s*(?:Number|Topic|Description|Narrative)\s*:", re.IGNORECASE)


def documents(
    path: str | Path, qrels: str | Path = "", encoding: str = "utf-8"
) -> Iterator[tuple[str, str]]:
    """Yield documents: id; text, below the title, if any; UserError with file and line.

    `qrels` are the judgements, if any, whose names SQuAD's paragraphs have. A document without a
    text stays one, which is never found; they are counted and told.
    """
    names = squad.ParagraphNames(Path(path), qrels)
    losses = Losses()

    def of_squad(paragraph: Entry, questions: list[Entry]) -> list[Entry]:
        name_of_paragraph = names.name(paragraph, questions)
        return [{**paragraph, "id": name_of_paragraph}]

    of_lines = partial(_texts_of_lines, tag="DOC", of_element=_document)
    for place, entry in _entries(path, of_squad, of_lines, encoding):
        content = _text(entry, TEXTS, place)
        title = entry.get("title")
        if title:
            first_line = checked_text("title", title, place)
            content = f"{first_line}\n{content}"
        _count(losses, content, place)
        yield _id(entry, place), content
    losses.tell(path, "never found")


def queries(
    path: str | Path, language: str = "", encoding: str = "utf-8"
) -> Iterator[tuple[str, str]]:
    """Yield queries: id and text, of topics their titles; UserError with file and line.

    Of files that have each topic in several languages, those of this language; those that say they
    are in another one are refused.
    """
    losses = Losses()
    of_element = partial(_topic, language=language)
    of_lines = partial(_texts_of_lines, tag="top(?:ic)?", of_element=of_element)
    for place, entry in _entries(path, _questions, of_lines, encoding):
        if TOPICS in entry:
            entry = _in_language(entry, language, place)
        content = _text(entry, TEXTS_OR_TITLE, place)
        _count(losses, content, place)
        yield _id(entry, place), content
    losses.tell(path, "find nothing")


def judgements(path: str | Path) -> Iterator[Judgement]:
    """Yield query, document, grade, and where they stand; UserError with file and line."""
    for place, entry in _entries(path, _answers, _judgements_of_lines):
        if not all(key in entry for key in JUDGED):
            raise UserError(f"{place}: expected the keys {', '.join(JUDGED)}; {_there(entry)}")
        query = checked_name("query_id", entry["query_id"], place)
        document = checked_name("doc_id", entry["doc_id"], place)
        relevance = str(entry["relevance"])
        yield query, document, _grade(relevance, place), place


def _count(losses: Losses, content: str, place: str) -> None:
    """Count a text, which is missing if it is blank."""
    losses.count(content if content.strip() else None, place)


def _entries(
    path: str | Path,
    of_squad: Callable[[Entry, list[Entry]], Iterable[Entry]],
    of_lines: OfLines,
    encoding: str = "utf-8",
) -> Iterator[tuple[str, Entry]]:
    """Yield place and keys of each entry of a file.

    `of_squad` makes entries of a paragraph and its questions.
    """
    lines = ((place, line) for place, line in read_lines(path, encoding) if line.strip())
    first = next(lines, None)
    if first is None:
        return
    all_lines = chain([first], lines)
    _, first_line = first
    if squad.IS_SQUAD.fullmatch(first_line):
        for paragraph, questions in squad.paragraphs(path):
            for entry in of_squad(paragraph, questions):
                yield str(path), entry
    elif first_line.lstrip().startswith("{"):
        for place, line in all_lines:
            yield place, parse_object(line, place)
    else:
        yield from of_lines(all_lines, first_line)


def _texts_of_lines(
    lines: Lines, first_line: str, tag: str, of_element: Callable[[str, str], Entry]
) -> Iterator[tuple[str, Entry]]:
    """Yield documents or queries: elements of TREC, or a line each, perhaps below columns."""
    if first_line.lstrip().startswith("<"):
        for place, content in _elements(lines, tag):
            yield place, of_element(content, place)
        return
    columns = _columns(first_line)
    for place, line in lines:
        if not columns:
            yield place, _fields(line, place, ("id", "text"), "\t")
        elif line != first_line:  # which is there again in files that were joined
            yield place, _fields(line, place, columns, "\t")


def _judgements_of_lines(lines: Lines, first_line: str) -> Iterator[tuple[str, Entry]]:
    """Yield judgements of BEIR's table, TREC's lines, or BUCC's pairs."""
    is_beir = first_line.split("\t") == BEIR
    is_pair = PAIR_OF_IDS.fullmatch(first_line) is not None
    for place, line in lines:
        if is_pair:
            yield place, dict(_fields(line, place, PAIR, "\t"), relevance=1)
        elif not is_beir:
            yield place, _fields(line, place, TREC)
        elif line != first_line:
            yield place, _fields(line, place, JUDGED, "\t")


def _columns(line: str) -> list[str]:
    """Return the names of columns, in lower case, if the first line holds some; else none."""
    fields = _unquoted(line.split("\t"))
    names = [field.lower() for field in fields]
    has_text = any(name in TEXTS_OR_TITLE for name in names[1:])
    if names[0] in IDS and has_text:
        return names
    return []


def _fields(line: str, place: str, names: Sequence[str], separator: str | None = None) -> Entry:
    fields = _unquoted(line.split(separator))
    if len(fields) != len(names):
        between = "tabs" if separator else "white space"
        hint = ""
        if "text" in names:
            hint = (
                "; name the columns in the first line, such as id, title, text, or put a space for "
                "each further tab"
            )
        raise UserError(
            f"{place}: expected {', '.join(names)} with {between} between, got {len(fields)} "
            f"fields, {line!r:.80}{hint}"
        )
    return dict(zip(names, fields, strict=True))


def _unquoted(fields: Sequence[str]) -> list[str]:
    """Take the quotes of a spreadsheet off, which are around all fields of a line."""
    if not all(QUOTED.fullmatch(field) for field in fields):
        return list(fields)
    inside = [field[1:-1] for field in fields]
    return [field.replace('""', '"') for field in inside]


def _grade(grade: str, place: str) -> float:
    try:
        value = parse_number(grade)
    except ValueError:
        value = math.nan
    if not abs(value) <= LARGEST:  # rejects nan too
        raise UserError(f"{place}: the grade {grade!r:.40} is too large or no number")
    return value


def _id(entry: Entry, place: str) -> str:
    key = _first_key(entry, IDS, place)
    return checked_name(key, entry[key], place)


def _text(entry: Entry, keys: Iterable[str], place: str) -> str:
    key = _first_key(entry, keys, place)
    if is_missing(entry[key]):
        return ""
    return checked_text(key, entry[key], place)


def _first_key(entry: Entry, keys: Iterable[str], place: str) -> str:
    """Return the first of some keys that an entry has; UserError if it has none."""
    for key in keys:
        if key in entry:
            return key
    raise UserError(f"{place}: expected one of the keys {', '.join(keys)}; {_there(entry)}")


def _there(keys: Iterable[str]) -> str:
    shown = [repr(key) for key in islice(keys, MOST_NAMED)]
    listed = ", ".join(shown) or "nothing"
    return f"there is {listed}"


def _elements(lines: Lines, tag: str) -> Iterator[tuple[str, str]]:
    """Yield place and content of each element, several of which may be on one line."""
    edge = re.compile(rf"(</?{tag}(?:\s[^<>]*)?>)", re.IGNORECASE)
    beginning = ""  # the place of an element that is open
    content: list[str] = []
    for place, line in lines:
        for piece in edge.split(line):
            is_edge = edge.fullmatch(piece) is not None
            if is_edge and piece[1] != "/":
                _refuse_open(beginning, tag)
                beginning = place
                content = []
            elif is_edge and beginning:
                yield beginning, "".join(content)
                beginning = ""
            elif beginning:
                content.append(piece)
            elif piece.strip() and not MARKUP.fullmatch(piece):
                raise UserError(f"{place}: expected <{tag.partition('(')[0]}>")
        content.append("\n")
    _refuse_open(beginning, tag)


def _refuse_open(beginning: str, tag: str) -> None:
    """Raise `UserError` if an element has begun before."""
    if beginning:
        raise UserError(f"{beginning}: <{tag.partition('(')[0]}> has no end; is the file cut off?")


def _document(content: str, place: str) -> Entry:
    names = DOCNO.findall(content)
    if len(names) != 1:
        raise UserError(
            f"{place}: expected one <DOCNO>...</DOCNO> in <DOC>, got {len(names)}; {_tags(content)}"
        )
    beside_name = DOCNO.sub("", content)
    return {"id": names[0].strip(), "text": _plain(beside_name)}


def _topic(content: str, place: str, language: str) -> Entry:
    return {
        "id": _field(TOPIC_ID, content, place),
        "title": _field(_tag_of_title(content, language), content, place),
    }


def _tag_of_title(content: str, language: str) -> str:
    """Return the tag of a title in a language; of any if no language is asked for."""
    codes = list(dict.fromkeys(TITLE_IN.findall(content)))
    base = base_language(language)
    of_language = [code for code in codes if base_language(code) == base]
    if of_language:
        return f"{of_language[0]}-title"
    if codes and language:
        return f"{TITLE}|{language}-title"
    return "|".join([TITLE, *(f"{code}-title" for code in codes)])


def _in_language(entry: Entry, language: str, place: str) -> Entry:
    """Return the topic of one language: what people wrote, or else its only translation."""
    topics = [topic for topic in entry[TOPICS] if _is_in_language(topic, language)]
    by_source = {topic.get("source"): topic for topic in topics}
    for source in BY_PEOPLE:
        if source in by_source:
            topics = [by_source[source]]
            break
    if len(topics) != 1:
        raise UserError(
            f"{place}: expected one topic in {language!r}, found {len(topics)}; write a line "
            '{"id": ..., "text": ...} for each topic'
        )
    return {"id": entry.get("topic_id"), "title": topics[0].get("topic_title")}


def _is_in_language(topic: Any, language: str) -> bool:
    if not isinstance(topic, Mapping):
        return False
    code = str(topic.get("lang"))
    return base_language(code) == base_language(language)


def _field(tag: str, content: str, place: str) -> str:
    """Return the text of a topic's element: to its end, or if it has none, to the next element."""
    opening = re.compile(rf"<(?:{tag})(?:\s[^<>]*)?>", re.IGNORECASE)
    beginnings = list(opening.finditer(content))
    name_of_tag = tag.replace("|", "> or <")
    if len(beginnings) != 1:
        raise UserError(
            f"{place}: expected one <{name_of_tag}> in <top>, got {len(beginnings)}; "
            f"{_tags(content)}"
        )
    field = content[beginnings[0].end() :]
    end = re.search(rf"</(?:{tag})\s*>", field, re.IGNORECASE) or ELEMENT.search(field)
    if end:
        field = field[: end.start()]
    field = _plain(LABEL.sub("", field, count=1))
    if not field:
        raise UserError(f"{place}: <{name_of_tag}> is empty; give one to each topic")
    return field


def _tags(content: str) -> str:
    names = [tag[1] for tag in ELEMENT.finditer(content)]
    distinct_names = dict.fromkeys(names)
    return _there(distinct_names)


def _plain(markup: str) -> str:
    for pattern in (UNREAD, ELEMENT, DECLARATION):
        markup = pattern.sub(" ", markup)
    return html.unescape(markup).strip()


def _questions(_: Entry, questions: list[Entry]) -> list[Entry]:
    """Return the queries of a paragraph of SQuAD."""
    return questions


def _answers(paragraph: Entry, questions: Iterable[Entry]) -> list[Entry]:
    """Return the judgements of a paragraph of SQuAD."""
    answers = []
    for question in questions:
        answer = {
            "query_id": question["id"],
            "doc_id": paragraph["id"],
            "relevance": int(question["is_answered"]),
        }
        answers.append(answer)
    return answers
