"""How near a text is to all documents of a language: r(y) of CSLS, by those that trained."""

import os

import numpy as np

from cr5.base.rows import Rows, check_norm
from cr5.models.bank import neighbours
from cr5.retrieval.embedder import Embedder
from cr5.search.best import best

NEIGHBOURS = 10  # k of CSLS, as in the evaluation
BATCH = 4096  # texts whose neighbours are searched at a time
LARGEST = 1.001  # norm of a row of length one in float16


def hubness(model: Embedder, rows: Rows) -> dict[str, np.ndarray]:
    """Return r(y) of texts for queries of each language, (n,) float32.

    Args:
        model: empty without training documents, or if it is directed.
        rows: of the texts, n x r.
    """
    if model.model.bank is None or model.model.directed:
        return {}
    return {language: _of_language(model, rows, language) for language in model.model.bank}


def mean(scores: np.ndarray) -> np.ndarray:
    """Mean of the finite scores of each row, (n,) float64."""
    there = np.isfinite(scores)
    return np.where(there, scores, 0).sum(axis=1) / np.maximum(there.sum(axis=1), 1)


def cores() -> int:
    """Return how many cores this process may use."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


def _of_language(model: Embedder, rows: Rows, language: str) -> np.ndarray:
    keys = neighbours(model.model, language, language)
    check_norm(keys, "l2", f"{model.place}, training documents of {language!r}")
    parts = (rows[start : start + BATCH] for start in range(0, rows.shape[0], BATCH))
    found = [
        mean(best(part, [keys], NEIGHBOURS, largest=LARGEST, threads=cores()).scores)
        for part in parts
    ]
    return np.concatenate([np.zeros(0), *found]).astype(np.float32)
