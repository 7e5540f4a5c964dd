"""Transformers exported to ONNX, with their tokenizer: by onnxruntime, without PyTorch."""

from collections.abc import Sequence
from importlib.metadata import version
from pathlib import Path
from typing import Any

import numpy as np

from cr5.base.errors import UserError
from cr5.base.rows import unit_rows
from cr5.models.encoders.contract import Encoder, threads_of_job, weighted_mean
from cr5.models.encoders.settings import Settings

PLACES = ("model.onnx", "onnx/model.onnx")  # where exporters write it
# Outputs that rows are made of, the first that is there: of texts, of their tokens, of texts.
OUTPUTS = ("sentence_embedding", "last_hidden_state", "token_embeddings", "pooler_output")
INTEGERS = {"tensor(int64)": np.int64, "tensor(int32)": np.int32}


class OnnxEncoder(Encoder):
    """A text's windows, of as many tokens as the model takes, are averaged by their lengths."""

    package = "onnxruntime"

    def __init__(self, path: Path, settings: Settings) -> None:
        """Read the model at a path, and the tokenizer."""
        import onnxruntime  # heavy, and needed by such encoders alone
        from tokenizers import Tokenizer

        self.version = version(self.package)
        self.query_prefix = settings.query_prefix
        self.document_prefix = settings.document_prefix
        self._settings = settings
        options = onnxruntime.SessionOptions()
        options.intra_op_num_threads = threads_of_job()
        options.inter_op_num_threads = 1
        options.use_deterministic_compute = True
        cpu = ["CPUExecutionProvider"]
        self._session = onnxruntime.InferenceSession(str(path), options, providers=cpu)
        self._inputs = {node.name: node.type for node in self._session.get_inputs()}
        self._output = _output(path, self._session)
        self._tokenizer = Tokenizer.from_file(str(settings.tokenizer(path.parent)))
        self._tokenizer.no_padding()
        self._tokenizer.enable_truncation(settings.longest)

    def encode(self, texts: Sequence[str], prefix: str) -> np.ndarray:
        """Return the rows of texts, each by itself; see `Encoder.encode`."""
        rows = np.array([self._row(prefix + text) for text in texts], np.float32)
        if self._settings.has_unit_rows:
            return unit_rows(rows)
        return rows

    def _row(self, text: str) -> np.ndarray:
        """Return the mean of a text's windows, (r,), weighted by their numbers of tokens."""
        encoding = self._tokenizer.encode(text)
        rows = []
        lengths = []
        for window in [encoding, *encoding.overflowing]:
            n_special = sum(window.special_tokens_mask)
            n_tokens = len(window.ids) - n_special
            rows.append(self._row_of_window(window))
            lengths.append(max(n_tokens, 1))
        return weighted_mean(rows, lengths)

    def _row_of_window(self, window: Any) -> np.ndarray:
        values = {
            "input_ids": window.ids,
            "attention_mask": window.attention_mask,
            "token_type_ids": window.type_ids,
            "position_ids": range(len(window.ids)),
        }
        feed = {}
        for name, kind in self._inputs.items():
            if name in values:
                dtype = INTEGERS.get(kind, np.int64)
                feed[name] = np.array([values[name]], dtype)
        [output] = self._session.run([self._output], feed)
        if output.ndim == 2:  # texts x r
            return output[0]
        return pooled(output[0], self._settings.pooling)


def pooled(rows: np.ndarray, pooling: str) -> np.ndarray:
    """Return one row, (r,), for the rows of a window's tokens, tokens x r."""
    if pooling == "cls":
        return rows[0]
    if pooling == "lasttoken":
        return rows[-1]
    if pooling == "max":
        return rows.max(axis=0)
    return rows.mean(axis=0)


def onnx_file(folder: Path) -> Path | None:
    """Return the file of the model in a folder; None if there is none; UserError if many."""
    for place in PLACES:
        path = folder / place
        if path.is_file():
            return path
    others = sorted(folder.glob("*.onnx")) + sorted(folder.glob("onnx/*.onnx"))
    if not others:
        return None
    if len(others) > 1:
        names = ", ".join(path.name for path in others)
        raise UserError(f"{folder}: expected one model.onnx, found {names}; keep one of them")
    return others[0]


def _output(path: Path, session: Any) -> str:
    """Return the name of the output that rows are made of."""
    names = [node.name for node in session.get_outputs()]
    for name in OUTPUTS:
        if name in names:
            return name
    if len(names) == 1:
        return names[0]
    expected = ", ".join(OUTPUTS)
    found = ", ".join(names)
    raise UserError(f"{path}: expected one of the outputs {expected}, found {found}")
