"""Arrays for the page: little-endian bytes in base64, tables of vectors rounded to int8."""

import base64
import json
from pathlib import Path
from typing import Any

import numpy as np
from scipy import sparse

LEVELS = 127
DECIMALS = 4


def array(values: np.ndarray) -> dict[str, str]:
    """Return an array as its type and its bytes."""
    little = np.ascontiguousarray(values, values.dtype.newbyteorder("<"))
    return {"type": values.dtype.name, "data": base64.b64encode(little.tobytes()).decode()}


def table(rows: np.ndarray) -> dict[str, Any]:
    """Round each row to multiples of 1/127 of its largest number.

    The error is at most half of that; cosines of documents were off by less than .003.
    """
    rows = np.asarray(rows, np.float32)
    scales = np.abs(rows).max(axis=1, initial=0) / LEVELS
    steps = np.divide(rows, scales[:, None], out=np.zeros_like(rows), where=scales[:, None] > 0)
    return {
        "width": rows.shape[1],
        "scales": array(scales.astype(np.float32)),
        "values": array(np.clip(np.rint(steps), -LEVELS, LEVELS).astype(np.int8)),
    }


def matrix(rows: sparse.csr_matrix, dtype: type) -> dict[str, Any]:
    """Return a sparse matrix by rows, with column numbers in as few bytes as possible."""
    rows = rows.tocsr()
    small = np.uint16 if rows.shape[1] <= 1 << 16 else np.uint32
    limit = np.iinfo(dtype).max if np.issubdtype(dtype, np.integer) else np.inf
    return {
        "starts": array(rows.indptr.astype(np.uint32)),
        "columns": array(rows.indices.astype(small)),
        "values": array(np.minimum(rows.data, limit).astype(dtype)),
    }


def rounded(values: np.ndarray) -> list:
    """Round numbers to `DECIMALS` places, nan as null."""
    values = np.round(np.asarray(values, np.float64), DECIMALS)
    return np.where(np.isnan(values), None, values).tolist()


def write(folder: Path, name: str, content: Any) -> None:
    """Write a data file: a script, as pages opened from disk can load nothing else."""
    text = json.dumps(content, ensure_ascii=False, separators=(",", ":"))
    (folder / f"{name}.js").write_text(f'put("{name}",{text});\n', encoding="utf-8")
