"""A static model, as read by model2vec and sentence-transformers: a folder per language.

Such a model takes the mean of its tokens' vectors and scales it to length one. If f is the raw
counts, that is Cr5's row, with vectors of words times their weights; for other models it is an
approximation, as `losses` says.

Words with the same spelling have different vectors in each language, hence separate folders.
"""

import json
from collections.abc import Sequence
from pathlib import Path

import numpy as np
from scipy import sparse

from cr5.base.errors import UserError
from cr5.models.contract import Model
from cr5.models.formats import static_tokenizer, tensors
from cr5.models.joined_tables import JoinedTables
from cr5.models.word_tables import WordTables

TENSOR = "embeddings"
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
            "directed ones, layers): export it as safetensors or packed"
        )
    for language in model.words:
        static_tokenizer.check(language)
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
    tensors.write_file(path / "model.safetensors", {TENSOR: rows}, {})
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
    _write(path / "tokenizer.json", static_tokenizer.of(language, words))


def _folded(table: np.ndarray, weights: np.ndarray) -> np.ndarray:
    return (np.asarray(table) * np.asarray(weights, np.float64)[:, None]).astype(np.float32)


def _write(path: Path, content: dict | list) -> None:
    path.write_text(json.dumps(content, ensure_ascii=False, indent=1) + "\n", encoding="utf-8")
