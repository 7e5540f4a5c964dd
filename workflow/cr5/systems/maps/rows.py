"""Rows of unit length, centred or mapped.

Light, as plans read what imports it.
"""

import numpy as np


def unit(rows: np.ndarray) -> np.ndarray:
    """Scale rows to unit length."""
    from cr5.base.rows import unit_rows

    return unit_rows(rows)


def subtract_mean(rows: np.ndarray) -> np.ndarray:
    """Subtract the mean of rows (n x d, float32)."""
    return rows - rows.mean(axis=0, dtype=np.float64).astype(np.float32)


def centred(rows: np.ndarray) -> np.ndarray:
    """Subtract the mean of rows, and scale them to unit length."""
    return unit(subtract_mean(rows))


def apply_map(rows: np.ndarray, W: np.ndarray) -> np.ndarray:
    """Map rows (n x d) and rescale them to unit length: W may be only nearly orthogonal."""
    return unit((rows @ W).astype(np.float32))
