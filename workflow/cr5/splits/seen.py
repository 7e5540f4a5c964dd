"""Test and validation texts among text of other files that trains, such as sentences to align.

Texts are equal as those of documents, see `copies.folded`.
"""

from collections.abc import Collection, Iterable, Iterator, Mapping
from typing import Any

import pandas as pd

from cr5.base.errors import UserError
from cr5.contracts.task import Task
from cr5.splits.copies import folded

SHOWN = 60  # characters of a text


def texts_of_tests(
    task: Task, records_by_name: Mapping[str, Any], held_out: Collection[str]
) -> Iterator[str]:
    """Yield a task's test and validation texts of one language, and what is searched for them.

    Of texts that are parts of the corpus's documents, those of held-out concepts.
    """
    for name, records in records_by_name.items():
        if not task.tests_or_validates(name):
            continue
        for record in records:  # id, text, and of a part of a document its concept
            text = record[1]
            concept = record[2] if len(record) > 2 else ""
            if text and (not concept or concept in held_out):
                yield text


def describe_test_texts(texts: Iterable[str], tests: Collection[bytes]) -> str:
    """Describe the texts that are also in `tests`: their number and how the first one begins.

    The description is the subject of a sentence that the caller completes; it is empty if no text
    is in `tests`, which holds folded texts.
    """
    not_blank = (text for text in texts if text.strip())
    test_texts = [text for text in not_blank if folded(text) in tests]
    if not test_texts:
        return ""
    beginning = test_texts[0][:SHOWN]
    return f"{len(test_texts)} texts, such as {beginning!r},"


def check_sentences(sentences: pd.DataFrame, tests: Mapping[str, Collection[bytes]]) -> None:
    """Reject parallel sentences to train on that are test or validation texts, folded."""
    for language in tests:
        if language not in sentences:
            continue
        found = describe_test_texts(sentences[language].dropna(), tests[language])
        if found:
            raise UserError(
                f"alignments.sentences: {found} in {language} are test or validation texts, from "
                "which nothing may be learnt: leave their lines out of the files of all languages"
            )
