"""What formats have in common that keep a file of vectors per language.

A format of this kind is a module with

    ENDING                              of the names of its files; for folders empty
    write_vectors(path, part)           writes a `Part`
    read_vectors(path, dimension, weights) -> words, table
    check(model, kind)                  optional: in the place of `check_dense`

Beside the files of vectors lie what no such file can hold:

    cr5.json                            how vectors make a document's; what made the model
    {name}_{language}.weights.tsv       word, tab, weight: float64, in the order of the vectors
"""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from types import ModuleType
from typing import Any

import numpy as np
from scipy import sparse

from cr5.base.errors import UserError
from cr5.models.formats import sidecar, weights_file
from cr5.models.formats.sidecar import Sidecar
from cr5.models.word_tables import WordTables

DIMENSION = 300  # of vectors without a header, unless somebody says otherwise


@dataclass(frozen=True)
class Part:
    """One language of a model.

    Attributes:
        language: its code.
        words: p of them.
        table: p x r, float32.
        weights: (p,).
    """

    language: str
    words: Sequence[str]
    table: np.ndarray
    weights: np.ndarray


def check_dense(model: Any, kind: str) -> None:
    """Raise `UserError` unless each word of the model has one dense vector."""
    if type(model) is not WordTables or any(map(sparse.issparse, model.tables.values())):
        raise UserError(
            f"{kind} holds one dense vector a word, and this model has other tables as well or "
            "instead (sparse, joined or directed ones): export it as safetensors or packed"
        )


def write(folder: Path, kind: str, module: ModuleType, model: WordTables, about: Mapping) -> None:
    """Write a file of vectors and one of weights per language, and what goes with them."""
    getattr(module, "check", check_dense)(model, kind)
    name = sidecar.name_of(about)
    for language, words in model.words.items():
        table = np.asarray(model.tables[language], np.float32)
        part = Part(language, words, table, np.asarray(model.weights[language], np.float64))
        module.write_vectors(folder / f"{name}_{language}{module.ENDING}", part)
        weights_file.write(folder / weights_file.name(name, language), words, part.weights)
    sidecar.write(folder, Sidecar.of(model, kind, name, about))


def read(folder: Path, module: ModuleType) -> tuple[WordTables, dict]:
    """Read what `write` wrote: the model, and what made it.

    Raises:
        UserError: with the file, and the line or place.
    """
    known = sidecar.read(folder)
    words, tables, weights = {}, {}, {}
    for language in known.languages:
        path = folder / f"{known.name}_{language}{module.ENDING}"
        beside = folder / weights_file.name(known.name, language)
        expected, weights[language] = weights_file.read(beside)
        found = module.read_vectors(path, known.dimension, weights[language])
        words[language], tables[language] = found
        weights_file.check_same(words[language], expected, path, beside)
    return known.model(words, tables, weights), known.about


def read_foreign(
    path: Path, module: ModuleType, dimension: int | None = None
) -> tuple[WordTables, dict]:
    """Read vectors that another program wrote: all words weigh the same, counts enter as they are.

    Args:
        path: of a file, or of a folder with one per language; names end in _LANGUAGE and the
            ending of the format.
        module: of the format.
        dimension: of vectors, where files do not say it; `DIMENSION` if not given.

    Raises:
        UserError: with the file, and the line or place; or there is none with such a name.
    """
    files = _by_language(path, module.ENDING)
    found = {
        x: module.read_vectors(file, dimension or DIMENSION, None) for x, file in files.items()
    }
    model = WordTables(
        {x: words for x, (words, _) in found.items()},
        {x: table for x, (_, table) in found.items()},
        {x: np.ones(len(words)) for x, (words, _) in found.items()},
    )
    about = {"system": "imported", "languages": list(found)}
    return model, about | {"files": {x: file.name for x, file in files.items()}}


def _by_language(path: Path, ending: str) -> dict[str, Path]:
    there = sorted(path.iterdir()) if path.is_dir() else [path]
    plain = re.escape(ending.removesuffix(".gz"))
    names = re.compile(rf".*_([a-z]{{2,3}}){plain}(?:\.gz)?")
    named = [(match[1], file) for file in there if (match := names.fullmatch(file.name))]
    if not named:
        raise UserError(
            f"{path}: found no file NAME_LANGUAGE{ending}, such as vectors_en{ending}: rename "
            "them, so that their names say the languages"
        )
    found = dict(named)
    if len(found) < len(named):
        raise UserError(f"{path}: several files of a language: name one of them, or move them away")
    return found
