"""Whatever else sentence-transformers reads, where it is installed: it brings PyTorch."""

from collections.abc import Sequence
from importlib.metadata import version
from pathlib import Path

import numpy as np

from cr5.models.encoders.contract import Encoder, weighted_mean


class SentenceTransformersEncoder(Encoder):
    """Texts by the library itself, in windows of as many tokens as the model takes."""

    package = "sentence-transformers"

    def __init__(self, folder: Path) -> None:
        """Read the encoder in a folder; nothing is fetched."""
        from sentence_transformers import SentenceTransformer

        self.version = version(self.package)
        self._model = SentenceTransformer(str(folder), device="cpu", local_files_only=True)
        prompts = self._model.prompts or {}
        default = prompts.get(self._model.default_prompt_name, "")
        self.query_prefix = prompts.get("query") or default
        self.document_prefix = prompts.get("document") or prompts.get("passage") or default

    def encode(self, texts: Sequence[str], prefix: str) -> np.ndarray:
        """Return the rows of texts, each by itself; see `Encoder.encode`."""
        rows = [self._row(prefix + text) for text in texts]
        return np.array(rows, np.float32).reshape(len(texts), -1)

    def _row(self, text: str) -> np.ndarray:
        windows = self._windows(text)
        rows = []
        lengths = []
        for window, length in windows:
            # an empty prompt: the prefix is part of the text
            [row] = self._model.encode([window], prompt="", show_progress_bar=False)
            rows.append(row)
            lengths.append(length)
        return weighted_mean(rows, lengths)

    def _windows(self, text: str) -> list[tuple[str, int]]:
        """Cut a text where its tokens end; return each window, with its number of tokens."""
        tokenizer = self._model.tokenizer
        longest = self._model.max_seq_length
        if not longest or not getattr(tokenizer, "is_fast", False):
            return [(text, 1)]
        encoding = tokenizer(
            text, add_special_tokens=False, return_offsets_mapping=True, verbose=False
        )
        offsets = encoding["offset_mapping"]
        size = int(longest) - tokenizer.num_special_tokens_to_add()
        windows = []
        for start in range(0, len(offsets), max(size, 1)):
            part = offsets[start : start + size]
            first, _ = part[0]
            _, end = part[-1]
            window = text[first:end]
            windows.append((window, len(part)))
        return windows or [(text, 1)]
