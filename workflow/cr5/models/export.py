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

import re
import unicodedata
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np
from safetensors.numpy import save

from cr5.base import characters
from cr5.base.errors import UserError
from cr5.base.files import atomic_folder, check_free, write_json
from cr5.base.languages import base_language
from cr5.base.text_files import BOM
from cr5.counts.cutting import WITHOUT_SPACES, is_cut
from cr5.counts.tokens import DOTLESS
from cr5.models import store
from cr5.models.contract import Model
from cr5.models.word_tables import WordTables
from cr5.texts.reading import licence_of

PACKED = "packed"
UNKNOWN = "[UNK]"  # brackets, so that it is never a word of a text
LETTER = r"[\p{L}\p{M}]"
WITHIN = "['’.:·]"  # some punctuation that does not end a word for Unicode's Final_Sigma
FINAL_SIGMA = rf"(?<={LETTER}|{LETTER}{WITHIN})Σ(?!(?:\p{{M}}|{WITHIN})*\p{{L}})"
OF_STATIC = "sentence_transformers.models."
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

{lost}

## Licence

{licence}
"""
LEFT_OUT = (
    "Left out of the model, if it has them: how counts enter, a vector that is added to every "
    "document, tables beside those of vectors, rows of an encoder, the second stage of searches, "
    "and training documents, by which searches correct hubs."
)
HALVED = "Vectors are in float16: 11 bits of each number."


def write(
    kind: str, path: str | Path, model: Model, about: Mapping[str, Any], exact: bool = False
) -> tuple[Model, str]:
    """Write a model and its card: a folder, or for `packed` a file, of all bits if it is `exact`.

    Returns what was written, and a sentence on what is left out.
    """
    if kind == PACKED:
        lost = "" if exact else HALVED
        store.pack(path, model, about, not exact, _card(model, about, lost))
        return model, lost
    check_free(path)
    with atomic_folder(path) as folder:
        vectors, name = _vectors(model, kind), _name(about)
        WRITERS[kind](folder, vectors, name)
        for place in (folder, *(x for x in folder.iterdir() if x.is_dir())):
            (place / "README.md").write_text(_card(vectors, about, LEFT_OUT), encoding="utf-8")
    return vectors, LEFT_OUT


def _vectors(model: Model, kind: str) -> WordTables:
    """Words and their vectors alone; other programs would take a vector of zeros for a word's."""
    if not isinstance(model, WordTables) or model.directed or model.is_sparse:
        raise UserError(
            f"{kind} holds one dense vector a word, and this model has other tables (sparse, "
            "directed ones, layers): export it packed"
        )
    kept = {x: np.flatnonzero(np.any(table, axis=1)) for x, table in model.tables.items()}
    return WordTables(
        words={x: [model.words[x][row] for row in rows] for x, rows in kept.items()},
        tables={x: model.tables[x][rows] for x, rows in kept.items()},
        weights={x: np.asarray(model.weights[x])[rows] for x, rows in kept.items()},
        measures=model.measures,
    )


def _card(model: Model, about: Mapping[str, Any], lost: str) -> str:
    name, licence = licence_of(about)
    return CARD.format(
        license=name,
        codes="\n".join(f"- {x}" for x in model.words),
        system=about.get("system", "model"),
        corpus=about.get("corpus", {}).get("name", "unknown texts"),
        measures=" or ".join(model.measures),
        words="\n".join(f"| {x} | {len(words)} |" for x, words in model.words.items()),
        lost=lost,
        licence=licence,
    )


def _name(about: Mapping[str, Any]) -> str:
    return re.sub(r"[^A-Za-z0-9]+", "_", str(about.get("system", ""))).strip("_") or "model"


def _write_word2vec(folder: Path, model: WordTables, name: str) -> None:
    """Write two files per language; numbers with the digits that float32 needs."""
    for language, words in model.words.items():
        _check_words(words)
        table, weights = model.tables[language].astype(np.float32), model.weights[language].tolist()
        with (folder / f"{name}_{language}.vec").open("w", encoding="utf-8", newline="\n") as file:
            file.write(f"{len(words)} {table.shape[1]}\n")
            for word, row in zip(words, table, strict=True):
                file.write(f"{word} {' '.join(row.astype(str).tolist())}\n")
        lines = (f"{word}\t{weight!r}\n" for word, weight in zip(words, weights, strict=True))
        (folder / f"{name}_{language}.weights.tsv").write_text("".join(lines), encoding="utf-8")


def _check_words(words: Sequence[str]) -> None:
    odd = [x for x in words if x.split() != [x] or "\0" in x or x[0] == BOM]
    if odd:
        raise UserError(
            f"the word {odd[0]!r} cannot be written as word2vec, where a space ends a word: export "
            "the model packed"
        )


def _write_static(folder: Path, model: WordTables, name: str) -> None:
    """Write a folder per language; its first row, of zeros, is for other words."""
    for language, words in model.words.items():
        n_cut = sum(map(is_cut, words))
        if base_language(language) in WITHOUT_SPACES or 2 * n_cut > len(words):
            raise UserError(
                f"{language!r} is written without spaces, and its words are found by a dictionary "
                "that a tokenizer.json cannot hold: export the model in another format"
            )
        place = folder / f"{name}_{language}"
        place.mkdir()
        rows = model.tables[language] * model.weights[language].astype(np.float64)[:, None]
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
        modules = [
            {"idx": i, "name": str(i), "path": path, "type": f"{OF_STATIC}{kind}"}
            for i, (path, kind) in enumerate(
                [(".", "StaticEmbedding"), ("1_Normalize", "Normalize")]
            )
        ]
        contents = {"config": config, "modules": modules, "tokenizer": tokenizer(language, words)}
        for file, content in contents.items():
            write_json(place / f"{file}.json", content)


WRITERS = {"word2vec": _write_word2vec, "static": _write_static}


def tokenizer(language: str, words: Sequence[str]) -> dict[str, Any]:
    """Return the contents of tokenizer.json: `UNKNOWN` is 0, the words follow in order.

    The library tokenizers then finds the same words as `counts.tokens`. Two differences are
    corrected: it lower-cases a Greek sigma without checking whether the word ends, and Turkish has
    a rule of its own. What remains: raised letters, single ones of Hangul, and a few more count as
    what NFKC makes of them; runs of scripts without spaces are not cut; and code points unassigned
    in one of the two Unicode versions.
    """
    normalizers = [
        _replace("Regex", f"[{''.join(characters.unseen())}]", ""),
        # of signs, NFKC would make letters
        _replace("Regex", f"[{''.join(characters.blanks_and_signs())}]", " "),
        {"type": "NFKC"},
    ]
    if base_language(language) in ("tr", "az"):
        normalizers += [_replace("String", chr(x), y) for x, y in DOTLESS.items()]
    normalizers += [_replace("Regex", FINAL_SIGMA, "ς"), {"type": "Lowercase"}, {"type": "NFC"}]
    vocabulary: dict[str, int] = {}
    for number, word in enumerate([UNKNOWN, *words]):
        vocabulary.setdefault(unicodedata.normalize("NFKC", word), number)
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
