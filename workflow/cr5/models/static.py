"""A static model, as read by model2vec and sentence-transformers: a folder per language.

Such a model takes the mean of its tokens' vectors and scales it to length one. If f is the raw
counts, that is Cr5's row, with vectors of words times their weights; for other models it is an
approximation, as `losses` says.

Words with the same spelling have different vectors in each language, hence separate folders.
"""

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
from safetensors.numpy import save
from scipy import sparse

from cr5.base.errors import UserError
from cr5.base.languages import base_language
from cr5.counts.tokens import DOTLESS, SOFT_HYPHEN, WITHOUT_SPACES
from cr5.models.contract import Model
from cr5.models.joined_tables import JoinedTables
from cr5.models.word_tables import WordTables

UNKNOWN = "[UNK]"  # brackets, so that it is never a word of a text
LETTER = r"[\p{L}\p{M}]"
WITHIN = "['’.:·]"  # some punctuation that does not end a word for Unicode's Final_Sigma
FINAL_SIGMA = rf"(?<={LETTER}|{LETTER}{WITHIN})Σ(?!(?:\p{{M}}|{WITHIN})*\p{{L}})"
FREQUENCIES = {
    "log": "ln(1 + count)",
    "sqrt": "the square root of the count",
    "binary": "1, however often it is there",
}
MODULES = [
    {"idx": 0, "name": "0", "path": ".", "type": "sentence_transformers.models.StaticEmbedding"},
    {
        "idx": 1,
        "name": "1",
        "path": "1_Normalize",
        "type": "sentence_transformers.models.Normalize",
    },
]


def write(folder: Path, model: Model, name: str) -> None:
    """Write a folder per language, {name}_{language}; its first row, of zeros, is for other words.

    Raises:
        UserError: the model has other tables than dense vectors, or a language without spaces.
    """
    if type(model) not in (WordTables, JoinedTables) or any(
        map(sparse.issparse, model.tables.values())
    ):
        raise UserError(
            "static holds one dense vector a word, and this model has other tables (sparse, "
            "directed ones, layers): export it packed"
        )
    for language in model.words:
        _check_language(language)
    for language, words in model.words.items():
        rows = _folded(model.tables[language], model.weights[language])
        _write_language(folder / f"{name}_{language}", language, words, rows)


def losses(model: WordTables) -> list[str]:
    """Describe what a mean of vectors leaves out of a model."""
    found = []
    if model.term_frequency in FREQUENCIES:
        counted = FREQUENCIES[model.term_frequency]
        found.append(f"a word counts as often as it is there; in the model it enters as {counted}")
    if model.offsets is not None:
        found.append("the vector that the model adds to every document of a language is left out")
    if isinstance(model, JoinedTables):
        found.append("the sparse tables beside the vectors are left out")
    if model.norm != "l2":
        found.append(
            f"documents are brought to length one; in the model their norm is {model.norm}"
        )
    return found


def _write_language(path: Path, language: str, words: Sequence[str], rows: np.ndarray) -> None:
    path.mkdir()
    rows = np.vstack([np.zeros((1, rows.shape[1]), np.float32), rows])
    (path / "model.safetensors").write_bytes(save({"embeddings": rows}))
    config = {
        "model_type": "model2vec",
        "architectures": ["StaticModel"],
        "hidden_dim": rows.shape[1],
        "normalize": True,
        "max_length": None,
        "embedding_dtype": "float32",
    }
    _write(path / "config.json", config)
    _write(path / "modules.json", MODULES)
    _write(path / "tokenizer.json", tokenizer(language, words))


def _folded(table: np.ndarray, weights: np.ndarray) -> np.ndarray:
    return (np.asarray(table) * np.asarray(weights, np.float64)[:, None]).astype(np.float32)


def _write(path: Path, content: dict | list) -> None:
    path.write_text(json.dumps(content, ensure_ascii=False, indent=1) + "\n", encoding="utf-8")


def _check_language(language: str) -> None:
    if base_language(language) in WITHOUT_SPACES:
        raise UserError(
            f"{language!r} is written without spaces, and its words are found by a dictionary "
            "that a tokenizer.json cannot hold: export the model in another format"
        )


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
