"""A static model, as read by model2vec and sentence-transformers: a folder per language.

Such a model takes the mean of its tokens' vectors and scales it to length one. If f is the raw
counts, that is Cr5's row, with vectors of words times their weights; for other models it is an
approximation, as `losses` says. When cr5 itself reads it back, it takes
the other settings of the model from cr5.json and gives the model's own rows.

Words with the same spelling have different vectors in each language, hence separate folders.
"""

import json
from pathlib import Path

import numpy as np
from scipy import sparse

from cr5.base.errors import UserError
from cr5.models.contract import Model
from cr5.models.formats import static_tokenizer, tensors
from cr5.models.formats.vector_files import Form, Part
from cr5.models.formats.word2vec import check_dimension
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


def check(model: Model, kind: str) -> None:
    """Raise `UserError` for models without dense vectors, or languages without spaces."""
    if type(model) not in (WordTables, JoinedTables) or any(
        map(sparse.issparse, model.tables.values())
    ):
        raise UserError(
            f"{kind} holds one dense vector a word, and this model has other tables (sparse, "
            "directed ones, layers): export it as safetensors or packed"
        )
    for language in model.words:
        static_tokenizer.check(language)


def losses(model: WordTables) -> list[str]:
    """Describe what a mean of vectors leaves out of a model."""
    found = []
    if model.term_frequency in FREQUENCIES:
        counted = FREQUENCIES[model.term_frequency]
        found.append(f"a word counts as often as it is there; in the model it enters as {counted}")
    if model.offsets is not None:
        found.append("the vector that the model adds to every document of a language is left out")
    if isinstance(model, JoinedTables):
        found.append("the sparse tables beside the vectors are left out, also where cr5 opens it")
    if model.norm != "l2":
        found.append(
            f"documents are brought to length one; in the model their norm is {model.norm}"
        )
    return found


def write_vectors(path: Path, part: Part) -> None:
    """Write the folder of one language; its first row, of zeros, is for unknown words."""
    path.mkdir()
    rows = _folded(part.table, part.weights)
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
    _write(path / "tokenizer.json", static_tokenizer.of(part.language, part.words))


def read_vectors(
    path: Path, dimension: int, weights: np.ndarray | None
) -> tuple[list[str], np.ndarray]:
    """Read the folder of one language.

    Returns:
        Words, and their vectors with weights divided out, up to float32 precision.

    Raises:
        UserError: a file is missing or damaged, or weights are.
    """
    words = static_tokenizer.words(path / "tokenizer.json")
    rows, _ = tensors.read_file(path / "model.safetensors")
    table = rows.get(TENSOR, np.zeros((0, 0)))
    if table.ndim != 2 or len(table) != len(words) + 1:
        raise UserError(
            f"{path}/model.safetensors: expected {len(words) + 1} rows {TENSOR!r} for the words "
            f"of tokenizer.json, found shape {table.shape}; export the model again"
        )
    if weights is None:
        return words, table[1:]
    check_dimension(path / "model.safetensors", table.shape[1], dimension)
    scale = np.divide(1, weights, out=np.zeros(len(weights)), where=weights != 0)
    if len(scale) != len(words):
        raise UserError(f"{path}: {len(words)} words, but {len(scale)} weights; export again")
    return words, (table[1:] * scale[:, None]).astype(np.float32)


def _folded(table: np.ndarray, weights: np.ndarray) -> np.ndarray:
    return (np.asarray(table) * np.asarray(weights, np.float64)[:, None]).astype(np.float32)


def _write(path: Path, content: dict | list) -> None:
    path.write_text(json.dumps(content, ensure_ascii=False, indent=1) + "\n", encoding="utf-8")


FORM = Form("", write_vectors, read_vectors, check)
