"""A task's own files: texts counted with the vocabulary of the corpus, and tables; stored."""

from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path

import pandas as pd
from scipy import sparse

from cr5.base.artefacts import Artefact, making
from cr5.base.errors import UserError
from cr5.counts.columns import count_known
from cr5.counts.tokens import Tokens, tokenise
from cr5.tasks.base import Texts

Records = Iterable[tuple[str, str] | tuple[str, str, str] | tuple[str, str, str, str]]
"""(id, text) of each text; or (id, text, concept) with the concept of the document that contains
it; or (id, text, concept, label)."""

KIND, TABLES = "texts of a task", "tables of a task"
TABLE = ".parquet"
MORE = ("concepts", "labels")  # optional fields of a text, in this order


def count(
    records: Mapping[str, Records], language: str, words: Sequence[str], tokens: Tokens = tokenise
) -> dict[str, Texts]:
    """Count the known words of texts, by a name that the task chooses."""
    numbers, counted = {word: i for i, word in enumerate(words)}, {}
    for name, rows in records.items():
        ids, texts, *more = list(zip(*rows, strict=True)) or ([], [])
        index = pd.Index(ids, dtype=str)
        if index.has_duplicates:
            twice = index[index.duplicated()][0]
            raise UserError(f"{name} in {language!r}: the id {twice!r} is there twice; rename one")
        others = {key: pd.Index(column, dtype=str) for key, column in zip(MORE, more, strict=False)}
        counts, n_distinct = count_known(texts, language, numbers, tokens)
        counted[name] = Texts(index, counts, n_words=n_distinct, **others)
    return counted


def save(folder: str | Path, texts: Mapping[str, Texts], **subject: str) -> None:
    """Write {name}.npz and {name}.parquet for each name."""
    with making(folder, KIND, **subject) as temporary:
        for name, each in texts.items():
            sparse.save_npz(temporary / f"{name}.npz", each.counts, compressed=False)
            others = {key[:-1]: getattr(each, key) for key in MORE} | {"n_words": each.n_words}
            columns = {key: x for key, x in others.items() if x is not None}
            table = pd.DataFrame({"id": each.ids, **columns})
            table.to_parquet(temporary / f"{name}{TABLE}", index=False)


def load(
    folder: str | Path, columns: sparse.csr_matrix | None = None, **subject: str
) -> dict[str, Texts]:
    """Read what `save` wrote; with the words of a model alone, see `counts.columns`."""
    artefact, found = Artefact(folder, KIND, **subject), {}
    for name, table in _tables(artefact):
        counts = sparse.load_npz(artefact.file(f"{name}.npz")).tocsr()
        others = {key: pd.Index(table[key[:-1]]) for key in MORE if key[:-1] in table}
        texts = Texts(pd.Index(table["id"]), counts, n_words=table["n_words"].to_numpy(), **others)
        found[name] = texts if columns is None else texts.known(columns)
    return found


def save_tables(folder: str | Path, tables: Mapping[str, pd.DataFrame], **subject: str) -> None:
    """Write {name}.parquet for each table."""
    with making(folder, TABLES, **subject) as temporary:
        for name, table in tables.items():
            table.to_parquet(temporary / f"{name}{TABLE}", index=False)


def load_tables(folder: str | Path, **subject: str) -> dict[str, pd.DataFrame]:
    """Read what `save_tables` wrote."""
    return dict(_tables(Artefact(folder, TABLES, **subject)))


def _tables(artefact: Artefact) -> Iterable[tuple[str, pd.DataFrame]]:
    for name in artefact.files:
        if name.endswith(TABLE):
            yield name.removesuffix(TABLE), pd.read_parquet(artefact.file(name))
