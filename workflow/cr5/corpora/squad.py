"""Questions and the paragraphs that answer them, in the JSON of SQuAD, XQuAD and MLQA.

A paragraph is named by the numbers of its article and of itself, from 0, as a file has no names for
them: files of several languages with the same articles agree.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from cr5.base import json_lines
from cr5.base.compressed import open_stream
from cr5.base.errors import UserError

MARK = "\ufeff"  # some translations begin with one


@dataclass(frozen=True)
class Paragraph:
    """A paragraph.

    Attributes:
        identity: of the paragraph.
        text: of the paragraph.
        questions: id and text of each that it answers.
    """

    identity: str
    text: str
    questions: tuple[tuple[str, str], ...]


def paragraphs(path: str | Path) -> Iterator[Paragraph]:
    """Read the paragraphs of a file, plain or compressed.

    Raises:
        UserError: the file cannot be read, or is not in this form.
    """
    with open_stream(path) as file:
        content = file.read()
    try:
        articles = json_lines.loads(content.decode("utf-8-sig"))["data"]
        for a, article in enumerate(articles):
            for p, paragraph in enumerate(article["paragraphs"]):
                asked = tuple((_text(x["id"]), _text(x["question"])) for x in paragraph["qas"])
                yield Paragraph(f"{a}-{p}", _text(paragraph["context"]), asked)
    except (ValueError, KeyError, TypeError, RecursionError) as error:
        raise UserError(
            f"{path}: expected SQuAD's JSON, data: [{{paragraphs: [{{context, qas: [{{id, "
            f"question}}]}}]}}] ({error!r:.200}); get a whole copy of the file, or, of other "
            "objects, one on each line, as `jq -c .` writes them"
        ) from error


def _text(value: Any) -> str:
    if not isinstance(value, str):
        raise TypeError(f"{value!r:.40} is not text")
    return json_lines.storable(value.replace(MARK, ""))
