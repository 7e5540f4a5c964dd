"""The JSON of SQuAD and XQuAD: paragraphs of articles, and the questions about each.

A paragraph is named by the numbers of its article and of itself, from 0, in the file of the
judgements: files of other languages may have another order.
"""

import json
import re
from collections.abc import Iterable, Iterator, Mapping
from functools import cached_property
from pathlib import Path
from typing import Any

from cr5.base.errors import UserError
from cr5.base.text_files import checked_name, each_key_once, open_stream, read_lines

# An object that begins on a line of its own, or all of it on one line.
IS_SQUAD = re.compile(r'\s*\{\s*("(data|version)"\s*:.*)?')
BYTE_ORDER_MARK = "\ufeff"  # some translations of SQuAD have one within their texts

Entry = Mapping[str, Any]


def is_squad(path: str | Path) -> bool:
    """Whether the first line that is not blank begins an object as SQuAD does."""
    first = next((line for _, line in read_lines(path) if line.strip()), "")
    return IS_SQUAD.fullmatch(first) is not None


class ParagraphNames:
    """The names of a SQuAD file's paragraphs: of those in the judgements with the same questions.

    A paragraph whose questions the judgements do not know has a name of its own.
    """

    def __init__(self, path: Path, qrels: str | Path) -> None:
        self._path = path
        self._qrels = qrels

    @cached_property
    def _judged_paragraphs(self) -> dict[str, str] | None:
        """Return by question its paragraph in the judgements; None if these are not SQuAD's."""
        if not (self._qrels and is_squad(self._qrels)):
            return None
        paragraph_of_question = {}
        for paragraph, questions in paragraphs(self._qrels):
            for question in questions:
                paragraph_of_question[question["id"]] = paragraph["id"]
        return paragraph_of_question

    def name(self, paragraph: Entry, questions: Iterable[Entry]) -> str:
        """Return the name of a paragraph; UserError if its questions are of several."""
        judged_paragraphs = self._judged_paragraphs
        if judged_paragraphs is None:
            return paragraph["id"]
        ids = {question["id"] for question in questions}
        judged_ids = ids & judged_paragraphs.keys()
        names = sorted({judged_paragraphs[question] for question in judged_ids})
        if len(names) > 1:
            raise UserError(
                f"{self._path}: paragraph {paragraph['id']} holds questions that are of the "
                f"paragraphs {', '.join(names)} in {self._qrels}; give files that have the same "
                "questions in one paragraph"
            )
        if names:
            return names[0]
        return f"{self._path.name}:{paragraph['id']}"


def paragraphs(path: str | Path) -> Iterator[tuple[Entry, list[Entry]]]:
    """Yield each paragraph of SQuAD, and its questions with id, text and whether it answers."""
    asked_before: set[str] = set()
    try:
        with open_stream(path) as file:
            content = file.read().decode("utf-8-sig")
        articles = json.loads(content, object_pairs_hook=each_key_once)["data"]
        for article_number, article in enumerate(articles):
            for number, paragraph in enumerate(article["paragraphs"]):
                questions = [_question(fields, str(path)) for fields in paragraph["qas"]]
                for question in questions:
                    _check_new(question["id"], asked_before, str(path))
                entry = {
                    "id": f"{article_number}-{number}",
                    "text": _unmarked(paragraph["context"]),
                }
                yield entry, questions
    except (ValueError, LookupError, TypeError, AttributeError, RecursionError) as error:
        raise UserError(f"{path}: neither SQuAD's JSON nor JSON lines ({error!r:.200})") from error


def _check_new(question: str, asked_before: set[str], path: str) -> None:
    if question in asked_before:
        raise UserError(f"{path}: two questions have the id {question!r}; rename or remove one")
    asked_before.add(question)


def _question(fields: Entry, path: str) -> Entry:
    """Return id, text and whether it is answered, of a question's fields."""
    is_impossible = fields.get("is_impossible") or False
    if not isinstance(is_impossible, bool):
        raise UserError(
            f'{path}: "is_impossible" of the question {fields["id"]!r} must be true or false, '
            f"got {is_impossible!r:.40}"
        )
    return {
        "id": _unmarked(checked_name("id", fields["id"], path)),
        "text": _unmarked(fields["question"]),
        "is_answered": not is_impossible,
    }


def _unmarked(text: str) -> str:
    return text.replace(BYTE_ORDER_MARK, "")
