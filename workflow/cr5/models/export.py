"""Models for other programs, and as one file to share.

word2vec    {name}_{language}.vec: the number of words and the dimension; a line per word;
            {name}_{language}.weights.tsv: word, tab, weight (float64), in the order of the vectors
static      a folder for each language, see `models.static`
packed      the whole model, see `models.store`
"""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
from scipy import sparse

from cr5.base.errors import UserError
from cr5.base.files import atomic_folder, check_free
from cr5.base.text_files import BOM
from cr5.models import static, store
from cr5.models.card import name_of
from cr5.models.contract import Model
from cr5.models.joined_tables import JoinedTables
from cr5.models.word_tables import DirectedWordTables, WordTables

PACKED = "packed"
FORMATS = {
    "word2vec": "a text file of vectors per language, which gensim reads, too",
    "static": "a static model of model2vec and sentence-transformers per language",
    PACKED: "the whole model in one file to share, in float16",
}
CHUNK = 1024


def write(
    kind: str,
    path: str | Path,
    model: Model,
    about: Mapping[str, Any],
    readme: str = "",
    half: bool = False,
) -> None:
    """Write a model in a format: a folder, or for `packed` a file. It appears whole.

    Args:
        kind: of `FORMATS`.
        path: must not exist yet.
        model: of a class that the format can hold.
        about: how it was made; JSON-serialisable.
        readme: the card.
        half: store tables in float16; only of `packed`.

    Raises:
        UserError: the path exists; or the format cannot hold the model.
    """
    if kind == PACKED:
        store.pack(path, model, about, half, readme)
        return
    check_free(path)
    with atomic_folder(path) as folder:
        (static.write if kind == "static" else _write_word2vec)(folder, model, name_of(about))
        for place in (folder, *(x for x in folder.iterdir() if x.is_dir())):
            (place / "README.md").write_text(readme, encoding="utf-8")


def without_zeros(model: Model) -> Model:
    """Leave out words of zero vectors, of which the model has learned nothing.

    A model is returned as it is if all words have a vector, or if it has other tables than one
    dense one per language.
    """
    if not isinstance(model, WordTables) or isinstance(model, DirectedWordTables | JoinedTables):
        return model
    if any(map(sparse.issparse, model.tables.values())):
        return model
    rows = {x: np.flatnonzero(np.any(table, axis=1)) for x, table in model.tables.items()}
    if all(len(rows[x]) == len(words) for x, words in model.words.items()):
        return model
    return _with_rows(model, rows)


def _with_rows(model: WordTables, rows: dict[str, np.ndarray]) -> WordTables:
    changed: dict[str, Any] = {
        name: {x: part[rows[x]] for x, part in getattr(model, name).items()}
        for name in _by_word(model)
    }
    words = {x: [model.words[x][row] for row in kept] for x, kept in rows.items()}
    return replace(model, words=words, **changed)


def _by_word(model: WordTables) -> tuple[str, ...]:
    """Fields with an entry for each word."""
    both = ("tables", "weights")
    return (*both, "beside", "beside_weights") if isinstance(model, JoinedTables) else both


def _write_word2vec(folder: Path, model: Model, name: str) -> None:
    """Write two files per language, whose names start with `name`."""
    if type(model) is not WordTables or any(map(sparse.issparse, model.tables.values())):
        raise UserError(
            "word2vec holds one dense vector a word, and this model has other tables as well or "
            "instead (sparse, joined or directed ones, layers): export it packed"
        )
    for language, words in model.words.items():
        _check_words(words)
        path = folder / f"{name}_{language}"
        _write_vectors(path.with_name(f"{path.name}.vec"), words, model.tables[language])
        weights = zip(words, np.asarray(model.weights[language]).tolist(), strict=True)
        text = "".join(f"{word}\t{weight!r}\n" for word, weight in weights)
        path.with_name(f"{path.name}.weights.tsv").write_text(text, encoding="utf-8")


def _write_vectors(path: Path, words: Sequence[str], table: np.ndarray) -> None:
    """Write a line per word: the word and its numbers, with the digits that float32 needs."""
    with path.open("w", encoding="utf-8", newline="\n") as file:
        file.write("{} {}\n".format(*table.shape))
        for start in range(0, len(words), CHUNK):
            numbers = np.asarray(table[start : start + CHUNK], np.float32).astype(str).tolist()
            rows = zip(words[start : start + CHUNK], numbers, strict=True)
            file.writelines(f"{word} {' '.join(row)}\n" for word, row in rows)


def _check_words(words: Sequence[str]) -> None:
    for word in words:
        if not word or "\0" in word or any(character.isspace() for character in word):
            raise UserError(
                f"the word {word!r} cannot be written as word2vec, where a space ends a word: "
                "export the model packed"
            )
    if words and words[0].startswith(BOM):  # which readers would skip
        raise UserError(f"the word {words[0]!r} cannot begin a file: export the model packed")
