"""A task's own files: texts counted with the vocabulary of the corpus, and tables; stored."""

from collections.abc import Iterable, Mapping, Sequence
from functools import partial
from pathlib import Path

import numpy as np
import pandas as pd
from scipy import sparse

from cr5.base.artefacts import NO_JOB, Artefact, Job
from cr5.base.errors import UserError
from cr5.contracts.vocabulary import Vocabulary
from cr5.counts.columns import count_known
from cr5.counts.tokens import Tokens, tokenise
from cr5.tasks.base import Texts

Records = Iterable[tuple[str, ...]]
"""(id, text) of each text and, perhaps, the concept of the document around it, and its label."""

KIND = "data of a task"
TABLE_SUFFIX = ".parquet"
COUNTS_SUFFIX = ".npz"
TEXTS_SUFFIX = ".texts"  # a file of Parquet, with the column `text`
REQUIRED = ("id", "text")
FIELDS = (*REQUIRED, "concept", "label")


class DistinctWords:
    """Finds the words of texts, and remembers how many different ones each has."""

    def __init__(self, tokens: Tokens) -> None:
        self._tokens = tokens
        self.numbers: list[int] = []

    def __call__(self, text: str, language: str) -> list[str]:
        """Return the words of the next text."""
        words = self._tokens(text, language)
        self.numbers.append(len(set(words)))
        return words


def count(
    records: Mapping[str, Records], language: str, words: Sequence[str], tokens: Tokens = tokenise
) -> dict[str, Texts]:
    """Count the known words of texts, by a name that the task chooses."""
    vocabulary = Vocabulary(words)
    counted = {}
    for name, records_of_name in records.items():
        columns = _columns(records_of_name)
        texts = columns.pop("text")
        about = pd.DataFrame(columns, dtype=str)
        for repeated in about.loc[about["id"].duplicated(), "id"]:
            raise UserError(
                f"{name} in {language!r}: the id {repeated!r} is there twice; rename one"
            )
        words_of = DistinctWords(tokens)
        counts = count_known(texts, language, vocabulary, words_of)
        texts_by_id = pd.Series(texts, pd.Index(about["id"]), dtype=str)
        read = partial(_of_ids, texts_by_id)
        n_words = np.array(words_of.numbers, np.int64)
        counted[name] = Texts(about.assign(n_words=n_words), counts, read=read)
    return counted


def _columns(records: Records) -> dict[str, list[str]]:
    """Return what records have of each of the `FIELDS` that there are."""
    rows = list(records)
    n_fields = len(REQUIRED)
    if rows:
        n_fields = len(rows[0])
    columns = {}
    for number, field in enumerate(FIELDS[:n_fields]):
        columns[field] = [row[number] for row in rows]
    return columns


def save(
    folder: str | Path,
    contents: Mapping[str, Texts] | Mapping[str, pd.DataFrame],
    job: Job = NO_JOB,
    **subject: str,
) -> None:
    """Write {name}.parquet of each table or texts, and two more files of texts.

    These are {name}.npz, their counts, and {name}.texts, what they say.
    """
    with job.making(folder, KIND, **subject) as temporary:
        for name, content in contents.items():
            if isinstance(content, Texts):
                _save_texts(temporary, name, content)
            else:
                content.to_parquet(temporary / f"{name}{TABLE_SUFFIX}", index=False)


def _save_texts(folder: Path, name: str, texts: Texts) -> None:
    texts.about.to_parquet(folder / f"{name}{TABLE_SUFFIX}", index=False)
    sparse.save_npz(folder / f"{name}{COUNTS_SUFFIX}", texts.counts, compressed=False)
    contents = pd.DataFrame({"text": texts.texts})
    contents.to_parquet(folder / f"{name}{TEXTS_SUFFIX}", index=False, compression="zstd")


def ids(folder: str | Path, **subject: str) -> dict[str, pd.Index]:
    """Read the ids of texts that `save` wrote, by name."""
    artefact = Artefact(folder, KIND, **subject)
    ids_by_name = {}
    for name in _names(artefact):
        path = artefact.file(f"{name}{TABLE_SUFFIX}")
        table = pd.read_parquet(path, columns=["id"])
        ids_by_name[name] = pd.Index(table["id"])
    return ids_by_name


def load(folder: str | Path, **subject: str) -> dict[str, Texts] | dict[str, pd.DataFrame]:
    """Read what `save` wrote."""
    artefact = Artefact(folder, KIND, **subject)
    contents = {}
    for name in _names(artefact):
        counts_file = f"{name}{COUNTS_SUFFIX}"
        table = pd.read_parquet(artefact.file(f"{name}{TABLE_SUFFIX}"))
        contents[name] = table
        if counts_file in artefact.files:
            counts = sparse.load_npz(artefact.file(counts_file))
            read = partial(_read, artefact.file(f"{name}{TEXTS_SUFFIX}"), table["id"])
            contents[name] = Texts(table, counts.tocsr(), read=read)
    return contents


def _read(file: Path, ids_of_file: pd.Series, chosen: pd.Index) -> list[str]:
    """Read the texts of a file that have the chosen ids, in their order."""
    texts = pd.read_parquet(file)["text"].set_axis(ids_of_file)
    return _of_ids(texts, chosen)


def _of_ids(texts: pd.Series, chosen: pd.Index) -> list[str]:
    return texts.loc[chosen].tolist()


def _names(artefact: Artefact) -> list[str]:
    return [
        file.removesuffix(TABLE_SUFFIX) for file in artefact.files if file.endswith(TABLE_SUFFIX)
    ]
