"""Sentence encoders in a folder, by the libraries that read them: each is imported when needed."""

from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from cr5.base import extras
from cr5.base.errors import UserError

Encode = Callable[[Sequence[str]], np.ndarray]
BATCH = 32  # texts
ONNX = ("model.onnx", "onnx/model.onnx")
TOKENIZER = "tokenizer.json"
PACKAGES = {
    "model2vec": "model2vec",
    "sentence_transformers": "sentence-transformers",
    "onnx": "onnxruntime",
}


def library_of(folder: Path) -> str:
    """Return which library reads a folder.

    Raises:
        UserError: none does.
    """
    if any((folder / name).is_file() for name in ONNX):
        return "onnx"
    modules = folder / "modules.json"
    if modules.is_file():
        is_static = "StaticEmbedding" in modules.read_text(encoding="utf-8")
        return "model2vec" if is_static else "sentence_transformers"
    raise UserError(
        f"{folder}: not the folder of an encoder. Expected model.onnx and tokenizer.json (ONNX), "
        "or modules.json (sentence-transformers, model2vec)"
    )


def opened(folder: Path, library: str, pooling: str, most_tokens: int) -> Encode:
    """Read an encoder.

    Args:
        folder: of the encoder.
        library: a key of `LIBRARIES`.
        pooling: of ONNX states, see `pooled`.
        most_tokens: of a text, with ONNX; the rest of the text is left out.

    Returns:
        A function from n texts to n x r, float32.

    Raises:
        UserError: the library is not installed, or cannot read the folder.
    """
    try:
        return LIBRARIES[library](folder, pooling, most_tokens)
    except extras.MissingError as error:
        raise UserError(f"{folder}: {error}") from error


def pooled(states: np.ndarray, mask: np.ndarray, pooling: str) -> np.ndarray:
    """Make a vector of the states of a text's tokens.

    Args:
        states: texts x tokens x r.
        mask: texts x tokens, 1 for a token, 0 for padding.
        pooling: `mean` or `max` over the tokens, or the `first`.

    Returns:
        texts x r; zeros for a text without tokens.
    """
    if pooling == "first":
        return states[:, 0] * mask[:, :1]
    here = mask[:, :, None].astype(states.dtype)
    if pooling == "mean":
        return (states * here).sum(axis=1) / np.maximum(here.sum(axis=1), 1)
    highest = np.where(here > 0, states, -np.inf).max(axis=1)
    return np.where(np.isfinite(highest), highest, 0)


def _model2vec(folder: Path, *_: Any) -> Encode:
    with extras.needed("encoders"):
        from model2vec import StaticModel

    model = StaticModel.from_pretrained(str(folder))

    def encode(texts: Sequence[str]) -> np.ndarray:
        return model.encode(list(texts), use_multiprocessing=False)

    return encode


def _sentence_transformers(folder: Path, *_: Any) -> Encode:
    try:
        from sentence_transformers import SentenceTransformer
    except ModuleNotFoundError as error:
        raise UserError(
            f"{folder}: needs the package {error.name}, which is not installed: pip install "
            "sentence-transformers (it brings PyTorch)"
        ) from error
    model = SentenceTransformer(str(folder), device="cpu", local_files_only=True)

    def encode(texts: Sequence[str]) -> np.ndarray:
        return model.encode(list(texts), batch_size=BATCH, show_progress_bar=False)

    return encode


def _onnx(folder: Path, pooling: str, most_tokens: int) -> Encode:
    with extras.needed("encoders"):
        import onnxruntime
        from tokenizers import Tokenizer

    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = options.inter_op_num_threads = 1  # the same bytes everywhere
    file = next(folder / name for name in ONNX if (folder / name).is_file())
    session = onnxruntime.InferenceSession(str(file), options, providers=["CPUExecutionProvider"])
    tokenizer = Tokenizer.from_file(str(folder / TOKENIZER))
    tokenizer.enable_truncation(most_tokens)
    tokenizer.enable_padding()
    names = {each.name for each in session.get_inputs()}

    def batches(texts: Sequence[str]) -> Iterator[np.ndarray]:
        for start in range(0, len(texts), BATCH):
            found = tokenizer.encode_batch(list(texts[start : start + BATCH]))
            given = {
                "input_ids": np.array([x.ids for x in found], np.int64),
                "attention_mask": np.array([x.attention_mask for x in found], np.int64),
                "token_type_ids": np.array([x.type_ids for x in found], np.int64),
            }
            states = session.run(None, {name: given[name] for name in names & given.keys()})[0]
            is_pooled = states.ndim == 2
            yield states if is_pooled else pooled(states, given["attention_mask"], pooling)

    return lambda texts: np.concatenate(list(batches(texts)))


LIBRARIES: dict[str, Callable[[Path, str, int], Encode]] = {
    "model2vec": _model2vec,
    "sentence_transformers": _sentence_transformers,
    "onnx": _onnx,
}
