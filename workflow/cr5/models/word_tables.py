"""The artefact that linear systems share: per language a vector and a weight for each word."""

import json
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
from scipy import sparse

from cr5.base.files import atomic_folder
from cr5.base.rows import Rows, unit_rows
from cr5.counts.weighting import term_frequency

CHUNK = 4096


@dataclass(frozen=True)
class WordTable:
    """One language of a fitted linear system.

    Attributes:
        words: (p,) in the order of the columns of the bags.
        weights: (p,) float64, the idf of the training documents.
        vectors: p x r float32; dense, or sparse where most of it is zero.
        term_frequency: how counts enter: `raw`, `log` or `binary`.
    """

    words: list[str]
    weights: np.ndarray
    vectors: Rows
    term_frequency: str


def embed(counts: sparse.csr_matrix, table: WordTable) -> Rows:
    """Embed documents: the L2-normalised weighted sum of their words' vectors.

    Args:
        counts: documents x p.
        table: of the same language.

    Returns:
        documents x r, unit rows, float32; sparse if the vectors are. A document without any
        known word is a row of zeros.
    """
    weighted = (term_frequency(counts, table.term_frequency) @ sparse.diags(table.weights)).tocsr()
    vectors = table.vectors.astype(np.float64)
    starts = range(0, max(weighted.shape[0], 1), CHUNK)
    parts = [
        unit_rows(weighted[start : start + CHUNK] @ vectors).astype(np.float32) for start in starts
    ]
    return sparse.vstack(parts).tocsr() if sparse.issparse(vectors) else np.vstack(parts)


def save(folder: str | Path, tables: Mapping[str, WordTable], fit: Mapping[str, Any]) -> None:
    """Write a model: fit.json and, per language, words.parquet and vectors.npy or .npz.

    Args:
        folder: of the model; appears whole.
        tables: by language.
        fit: settings, seed, versions, convergence: whatever explains the model; JSON-able.
    """
    with atomic_folder(folder) as temporary:
        for language, table in tables.items():
            part = temporary / language
            part.mkdir()
            frame = pd.DataFrame({"word": table.words, "weight": table.weights})
            frame.to_parquet(part / "words.parquet", index=False)
            if sparse.issparse(table.vectors):
                sparse.save_npz(part / "vectors.npz", table.vectors, compressed=False)
            else:
                np.save(part / "vectors.npy", table.vectors)
        content = {**fit, "term_frequency": {k: t.term_frequency for k, t in tables.items()}}
        text = json.dumps(content, indent=2, ensure_ascii=False)
        (temporary / "fit.json").write_text(text + "\n", encoding="utf-8")


def load(folder: str | Path, language: str) -> WordTable:
    """Read one language of a model; dense vectors are mapped into memory, not read."""
    part = Path(folder) / language
    frame = pd.read_parquet(part / "words.parquet")
    vectors: Rows
    if (part / "vectors.npz").exists():
        vectors = sparse.load_npz(part / "vectors.npz").tocsr()
    else:
        vectors = np.load(part / "vectors.npy", mmap_mode="r")
    fit = json.loads((Path(folder) / "fit.json").read_text(encoding="utf-8"))
    return WordTable(
        frame["word"].tolist(), frame["weight"].to_numpy(), vectors, fit["term_frequency"][language]
    )
