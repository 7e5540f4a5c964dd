"""Texts of a task's own files: counted with the vocabulary of the corpus, saved and loaded."""

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

KIND = "texts of a task"
TABLE = ".parquet"
MORE = ("concepts", "labels")  # optional fields of a text, in this order


def count(
    records: Mapping[str, Records],
    language: str,
    words: Sequence[str],
    tokens: Tokens = tokenise,
) -> dict[str, Texts]:
    """Count the known words of texts.

    Args:
        records: the texts, by a name the task chooses.
        language: of the texts.
        words: the vocabulary; other words are left out.
        tokens: how texts become words.

    Raises:
        UserError: an id is repeated.
    """
    numbers = {word: i for i, word in enumerate(words)}
    return {name: _count(name, found, language, numbers, tokens) for name, found in records.items()}


def _count(
    name: str, records: Records, language: str, numbers: Mapping[str, int], tokens: Tokens
) -> Texts:
    ids, texts, more = [], [], []
    for identity, text, *others in records:
        ids.append(identity)
        texts.append(text)
        more.append(others)
    index = pd.Index(ids, dtype=str)
    if index.has_duplicates:
        twice = index[index.duplicated()][0]
        raise UserError(f"{name} in {language!r}: the id {twice!r} is there twice; rename one")
    others = dict(
        zip(MORE, (pd.Index(x, dtype=str) for x in zip(*more, strict=True)), strict=False)
    )
    known = count_known(texts, language, numbers, tokens)
    return Texts(index, known.counts, n_words=known.n_distinct, **others)


def save(
    folder: str | Path,
    texts: Mapping[str, Texts],
    **subject: str,
) -> None:
    """Write {name}.npz and {name}.parquet for each name; the folder appears whole.

    Args:
        folder: of the texts.
        texts: by name.
        subject: task and language.
    """
    with making(folder, KIND, **subject) as temporary:
        for name, each in texts.items():
            sparse.save_npz(temporary / f"{name}.npz", each.counts, compressed=False)
            others = {key[:-1]: getattr(each, key) for key in MORE}
            others["n_words"] = each.n_words
            columns = {key: x for key, x in others.items() if x is not None}
            pd.DataFrame({"id": each.ids, **columns}).to_parquet(
                temporary / f"{name}.parquet", index=False
            )


def load(
    folder: str | Path, columns: sparse.csr_matrix | None = None, **subject: str
) -> dict[str, Texts]:
    """Read what `save` wrote.

    Args:
        folder: of the texts.
        columns: which words become which of the model, see `counts.columns`; None for all.
        subject: what they must be of, such as `language="en"`.

    Raises:
        UserError: they are of something else, or a file is missing or damaged.
    """
    found = Artefact(folder, KIND, **subject)
    names = (name.removesuffix(TABLE) for name in found.files if name.endswith(TABLE))
    return {name: _load(found, name, columns) for name in sorted(names)}


def _load(found: Artefact, name: str, words: sparse.csr_matrix | None) -> Texts:
    table = pd.read_parquet(found.file(name + TABLE))
    columns = {name: pd.Index(column) for name, column in table.items()}
    n_words = table["n_words"].to_numpy() if "n_words" in table else None
    counts = sparse.load_npz(found.file(f"{name}.npz")).tocsr()
    others = {key: columns.get(key[:-1]) for key in MORE}
    texts = Texts(columns["id"], counts, n_words=n_words, **others)
    return texts if words is None else texts.known(words)
