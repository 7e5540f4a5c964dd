"""Common parts of formats with one file of vectors per language.

Other files hold the rest:

    cr5.json                            how vectors make a document's; how the model was made
    {name}_{language}.weights.tsv       word, tab, weight: float64, in the order of the vectors
"""

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from scipy import sparse

from cr5.base.compressed import open_stream
from cr5.base.errors import UserError
from cr5.base.lines import BOM, bounded, decode
from cr5.models.formats import sidecar
from cr5.models.formats.sidecar import Sidecar
from cr5.models.word_tables import WordTables

WEIGHTS = ".weights.tsv"


@dataclass(frozen=True)
class Part:
    """One language of a model.

    Attributes:
        language: its code.
        words: p words.
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
            "instead (sparse, joined or directed ones, layers): export it as safetensors or packed"
        )


@dataclass(frozen=True)
class Form:
    """A format with one file of vectors per language.

    Attributes:
        ending: of its file names; empty for folders.
        write: writes a `Part` to a path.
        read: returns words and table, given a path, and the dimension and weights if known.
        check: raises `UserError` for a model that the format cannot hold.
    """

    ending: str
    write: Callable[[Path, Part], None]
    read: Callable[[Path, int | None, np.ndarray | None], tuple[list[str], np.ndarray]]
    check: Callable[[Any, str], None] = check_dense


def write(folder: Path, kind: str, form: Form, model: WordTables, about: Mapping) -> None:
    """Write a file of vectors and one of weights per language, and cr5.json."""
    form.check(model, kind)
    name = sidecar.name_of(about)
    for language, words in model.words.items():
        table = np.asarray(model.tables[language], np.float32)
        part = Part(language, words, table, np.asarray(model.weights[language], np.float64))
        form.write(folder / f"{name}_{language}{form.ending}", part)
        write_weights(folder / f"{name}_{language}{WEIGHTS}", words, part.weights)
    sidecar.write(folder, Sidecar.of(model, kind, name, about))


def read(folder: Path, form: Form) -> tuple[WordTables, dict]:
    """Read what `write` wrote: the model, and how it was made.

    Raises:
        UserError: with the file, and the line or place.
    """
    known = sidecar.read(folder)
    words, tables, weights = {}, {}, {}
    for language in known.languages:
        path = folder / f"{known.name}_{language}{form.ending}"
        beside = folder / f"{known.name}_{language}{WEIGHTS}"
        expected, weights[language] = read_weights(beside)
        words[language], tables[language] = form.read(path, known.dimension, weights[language])
        _check_same(words[language], expected, path, beside)
    return known.model(words, tables, weights), known.about


def read_foreign(path: Path, form: Form) -> tuple[WordTables, dict]:
    """Read vectors written by another program: equal word weights, raw counts.

    Args:
        path: of a file, or of a folder with one per language; names end in _LANGUAGE and the
            ending of the format.
        form: the format.

    Raises:
        UserError: with the file, and the line or place; or no file, or not each, has such a name.
    """
    files = _by_language(path, form.ending)
    found = {x: form.read(file, None, None) for x, file in files.items()}
    model = WordTables(
        {x: words for x, (words, _) in found.items()},
        {x: table for x, (_, table) in found.items()},
        {x: np.ones(len(words)) for x, (words, _) in found.items()},
    )
    about = {"system": "imported", "languages": list(found)}
    return model, about | {"files": {x: file.name for x, file in files.items()}}


def _by_language(path: Path, ending: str) -> dict[str, Path]:
    there = sorted(path.iterdir()) if path.is_dir() else [path]
    end = rf"{re.escape(ending)}(?:\.gz)?"
    names, like = re.compile(rf".*_([a-z]{{2,3}}){end}"), re.compile(rf".*_[^_]*{end}")
    named = [(match[1], file) for file in there if (match := names.fullmatch(file.name))]
    if not named:
        raise UserError(
            f"{path}: found no file NAME_LANGUAGE{ending}, such as vectors_en{ending}: rename "
            "them, so that their names say the languages"
        )
    found = dict(named)
    used = {file for _, file in named}
    if others := [x.name for x in there if x not in used and like.fullmatch(x.name)]:
        raise UserError(
            f"{path}: {', '.join(others)}: the name does not say the language, as NAME_en{ending} "
            "does: rename it, or move it away"
        )
    if len(found) < len(named):
        raise UserError(f"{path}: several files of a language: name one of them, or move them away")
    return found


def write_weights(path: Path, words: Sequence[str], weights: np.ndarray) -> None:
    """Write words and weights; numbers have enough digits to be read back exactly.

    Raises:
        UserError: a word contains a tab or line end, or the first one a byte order mark, which
            readers would skip.
    """
    if words and words[0].startswith(BOM.decode()):
        raise UserError(f"the word {words[0]!r} cannot begin {path.name}: export as safetensors")
    with path.open("w", encoding="utf-8", newline="\n") as file:
        for word, weight in zip(words, weights.tolist(), strict=True):
            if set("\t\r\n") & set(word):
                raise UserError(f"the word {word!r} cannot stand in a line of {path.name}")
            file.write(f"{word}\t{weight!r}\n")


def read_weights(path: Path) -> tuple[list[str], np.ndarray]:
    """Read what `write_weights` wrote.

    Raises:
        UserError: with file and line.
    """
    words, weights = [], []
    with open_stream(path) as file:
        for number, line in enumerate(bounded(file, str(path)), start=1):
            where = f"{path}, line {number}"
            word, tab, weight = decode(line, where).rstrip("\r\n").rpartition("\t")
            words.append(word)
            weights.append(_number(weight, where, bool(tab)))
    return words, np.array(weights)


def _check_same(words: Sequence[str], expected: Sequence[str], path: Path, beside: Path) -> None:
    """Raise `UserError` unless the words of a vector file are those with weights."""
    if len(words) != len(expected):
        raise UserError(
            f"{path} has {len(words)} words and {beside} has {len(expected)}: one of them is cut "
            "off or of another export; export the model again"
        )
    for number, (word, other) in enumerate(zip(words, expected, strict=True), start=1):
        if word != other:
            raise UserError(
                f"{path}: word {number} is {word!r}, but {beside}, line {number}, has {other!r}: "
                "they are of different exports; export the model again"
            )


def _number(text: str, where: str, is_entry: bool) -> float:
    try:
        number = float(text) if is_entry else np.nan
    except ValueError:
        number = np.nan
    if not np.isfinite(number):
        raise UserError(f"{where}: expected a word, a tab and a number")
    return number
