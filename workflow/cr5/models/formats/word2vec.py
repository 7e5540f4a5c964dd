"""Word vectors as word2vec's text, one file per language, and the weights of words beside it.

{name}_{language}.vec           a header, the number of words and the dimension; a line per word
{name}_{language}.weights.tsv   word, tab, weight: float64, in the order of the vectors
"""

from collections.abc import Sequence
from pathlib import Path

import numpy as np
from scipy import sparse

from cr5.base.errors import UserError
from cr5.base.text_files import BOM
from cr5.models.contract import Model
from cr5.models.word_tables import WordTables

CHUNK = 1024


def write(folder: Path, model: Model, name: str) -> None:
    """Write two files per language, whose names start with `name`.

    Raises:
        UserError: the model has other tables than one dense vector a word, or a word that cannot
            stand before a space.
    """
    if type(model) is not WordTables or any(map(sparse.issparse, model.tables.values())):
        raise UserError(
            "word2vec holds one dense vector a word, and this model has other tables as well or "
            "instead (sparse, joined or directed ones, layers): export it as safetensors or packed"
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
                "export the model as safetensors or packed"
            )
    if words and words[0].startswith(BOM):  # which readers would skip
        raise UserError(f"the word {words[0]!r} cannot begin a file: export as safetensors")
