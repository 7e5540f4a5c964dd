"""Models for other programs, and as one file to share.

word2vec    {name}_{language}.vec: the number of words and the dimension; a line per word;
            {name}_{language}.weights.tsv: word, tab, weight (float64), in the order of the vectors
static      a folder for each language, {name}_{language}, as model2vec and sentence-transformers
            read them: words with the same spelling have different vectors in each language
packed      the whole model, see `models.store`

A static model takes the mean of its tokens' vectors and scales it to length one. If f is the raw
counts, that is Cr5's row, with vectors of words times their weights; for other models it is an
approximation.
"""

import json
import re
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
from safetensors.numpy import save

from cr5.base.errors import UserError
from cr5.base.files import atomic_folder, check_free
from cr5.base.languages import base_language
from cr5.base.text_files import BOM
from cr5.counts.tokens import DOTLESS, SOFT_HYPHEN, WITHOUT_SPACES
from cr5.models import store
from cr5.models.contract import Model
from cr5.models.word_tables import WordTables
from cr5.texts.reading import licence_of

PACKED = "packed"
FORMATS = {
    "word2vec": "a text file of vectors per language, which gensim reads, too",
    "static": "a static model of model2vec and sentence-transformers per language",
    PACKED: "the whole model in one file to share, in float16",
}
CHUNK = 1024

UNKNOWN = "[UNK]"  # brackets, so that it is never a word of a text
LETTER = r"[\p{L}\p{M}]"
WITHIN = "['’.:·]"  # some punctuation that does not end a word for Unicode's Final_Sigma
FINAL_SIGMA = rf"(?<={LETTER}|{LETTER}{WITHIN})Σ(?!(?:\p{{M}}|{WITHIN})*\p{{L}})"
MODULES = [
    {"idx": 0, "name": "0", "path": ".", "type": "sentence_transformers.models.StaticEmbedding"},
    {
        "idx": 1,
        "name": "1",
        "path": "1_Normalize",
        "type": "sentence_transformers.models.Normalize",
    },
]
CARD = """---
license: {license}
language:
{codes}
tags:
- cross-lingual
- document-embeddings
- cr5
---

# {system}, fitted on {corpus}

Vectors of documents in these languages, in one space: near are those about the same thing, whatever
their language. Compare them by {measures}.

| language | words |
|---|---|
{words}
{more}
## Licence

{licence}
"""
MORE = {
    "word2vec": "A file `.weights.tsv` says how much each word's vector counts in a document's.",
    "static": "A static model takes the mean of its words' vectors, and scales it to length one.",
    PACKED: """With the package cr5:

```python
import cr5
model = cr5.load("{name}.cr5")
vectors = model.embed(["a text", "another"], "{language}")
```""",
}
LEFT_OUT = (
    "Left out of the model, if it has them: how counts enter, a vector that is added to every "
    "document, tables beside those of vectors, the second stage of searches, and training "
    "documents, by which searches correct hubs."
)
HALVED = "Vectors are in float16: 11 bits of each number."


def write(
    kind: str, path: str | Path, model: Model, about: Mapping[str, Any], exact: bool = False
) -> tuple[Model, str]:
    """Write a model and its card: a folder, or for `packed` a file. It appears whole.

    Args:
        kind: of `FORMATS`.
        path: must not exist yet.
        model: of a class that the format can hold.
        about: how it was made; JSON-serialisable.
        exact: whether a packed model has all bits of its tables.

    Returns:
        What was written, without words of zero vectors; and a sentence on what is left out.

    Raises:
        UserError: the path exists; or the format cannot hold the model.
    """
    if kind == PACKED:
        lost = "" if exact else HALVED
        store.pack(path, model, about, not exact, card(model, about, kind, lost))
        return model, lost
    check_free(path)
    model = without_zeros(model)  # other programs would take a zero vector for a word's
    with atomic_folder(path) as folder:
        (_write_static if kind == "static" else _write_word2vec)(folder, model, name_of(about))
        for place in (folder, *(x for x in folder.iterdir() if x.is_dir())):
            (place / "README.md").write_text(card(model, about, kind, LEFT_OUT), encoding="utf-8")
    return model, LEFT_OUT


def without_zeros(model: Model) -> Model:
    """Leave out words of zero vectors, of which the model has learned nothing.

    A model is returned as it is if all words have a vector, or if it has other tables than one
    dense one per language.
    """
    if type(model) is not WordTables or not _has_vectors(model):
        return model
    rows = {x: np.flatnonzero(np.any(table, axis=1)) for x, table in model.tables.items()}
    if all(len(rows[x]) == len(words) for x, words in model.words.items()):
        return model
    return replace(
        model,
        words={x: [model.words[x][row] for row in kept] for x, kept in rows.items()},
        tables={x: model.tables[x][kept] for x, kept in rows.items()},
        weights={x: model.weights[x][kept] for x, kept in rows.items()},
    )


def _has_vectors(model: Model) -> bool:
    """Whether it has one dense vector a word, beside whatever else."""
    return isinstance(model, WordTables) and not (model.directed or model.is_sparse)


def card(model: Model, about: Mapping[str, Any], kind: str, lost: str = "") -> str:
    """Return an export's card in Markdown, with a sentence on what it leaves out."""
    corpus = about.get("corpus")
    more = MORE[kind].format(name=name_of(about), language=next(iter(model.words)))
    return CARD.format(
        license=licence_of(about).id,
        codes="\n".join(f"- {x}" for x in model.words),
        system=about.get("system", "model"),
        corpus=(isinstance(corpus, Mapping) and corpus.get("name")) or "unknown texts",
        measures=" or ".join(model.measures),
        words="\n".join(f"| {x} | {len(words)} |" for x, words in model.words.items()),
        more="".join(f"\n{part}\n" for part in (more, lost)),
        licence=_licence(about),
    )


def name_of(about: Mapping[str, Any]) -> str:
    """Return the name of a model's files: its system's name."""
    return re.sub(r"[^A-Za-z0-9]+", "_", str(about.get("system", ""))).strip("_") or "model"


def _licence(about: Mapping[str, Any]) -> str:
    files = about.get("data", {}).get("files", [])
    names = ", ".join(str(x.get("name", x)) if isinstance(x, Mapping) else str(x) for x in files)
    more = f"\n\nThe system also read {names}, which have licences of their own." if names else ""
    return licence_of(about).text + more


def _write_word2vec(folder: Path, model: Model, name: str) -> None:
    """Write two files per language, whose names start with `name`."""
    if type(model) is not WordTables or not _has_vectors(model):
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


def _write_static(folder: Path, model: Model, name: str) -> None:
    """Write a folder per language; its first row, of zeros, is for other words."""
    if not _has_vectors(model):
        raise UserError(
            "static holds one dense vector a word, and this model has other tables (sparse, "
            "directed ones, layers): export it packed"
        )
    for language in model.words:
        if base_language(language) in WITHOUT_SPACES:
            raise UserError(
                f"{language!r} is written without spaces, and its words are found by a dictionary "
                "that a tokenizer.json cannot hold: export the model in another format"
            )
    for language, words in model.words.items():
        place = folder / f"{name}_{language}"
        place.mkdir()
        rows = model.tables[language] * np.asarray(model.weights[language], np.float64)[:, None]
        rows = np.vstack([np.zeros((1, rows.shape[1])), rows]).astype(np.float32)
        (place / "model.safetensors").write_bytes(save({"embeddings": rows}))
        config = {
            "model_type": "model2vec",
            "architectures": ["StaticModel"],
            "hidden_dim": rows.shape[1],
            "normalize": True,
            "max_length": None,
            "embedding_dtype": "float32",
        }
        contents = {"config": config, "modules": MODULES, "tokenizer": tokenizer(language, words)}
        for file, content in contents.items():
            text = json.dumps(content, ensure_ascii=False, indent=1) + "\n"
            (place / f"{file}.json").write_text(text, encoding="utf-8")


def tokenizer(language: str, words: Sequence[str]) -> dict[str, Any]:
    """Return the contents of tokenizer.json: `UNKNOWN` is 0, the words follow in order.

    The library tokenizers then finds the same words as `counts.tokens`. Two differences are
    corrected: it lower-cases a Greek sigma without checking whether the word ends, and Turkish has
    a rule of its own. What remains are code points unassigned in one of the two Unicode versions.
    """
    normalizers = [{"type": "NFC"}, _replace("String", SOFT_HYPHEN, "")]
    if base_language(language) in ("tr", "az"):
        normalizers += [_replace("String", chr(x), y) for x, y in DOTLESS.items()]
    normalizers += [_replace("Regex", FINAL_SIGMA, "ς"), {"type": "Lowercase"}, {"type": "NFC"}]
    vocabulary = {word: number for number, word in enumerate([UNKNOWN, *words])}
    return {
        "version": "1.0",
        "truncation": None,
        "padding": None,
        "added_tokens": [],
        "normalizer": {"type": "Sequence", "normalizers": normalizers},
        "pre_tokenizer": {
            "type": "Split",
            "pattern": {"Regex": rf"[^{LETTER[1:]}+"},
            "behavior": "Removed",
            "invert": False,
        },
        "post_processor": None,
        "decoder": None,
        "model": {"type": "WordLevel", "vocab": vocabulary, "unk_token": UNKNOWN},
    }


def _replace(kind: str, pattern: str, content: str) -> dict[str, Any]:
    return {"type": "Replace", "pattern": {kind: pattern}, "content": content}
