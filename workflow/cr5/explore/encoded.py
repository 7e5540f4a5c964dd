"""Data files of the page."""

import json
from pathlib import Path
from typing import Any

import numpy as np

DECIMALS = 4


def rounded(values: np.ndarray) -> list:
    """Round numbers to `DECIMALS` places, nan as null."""
    values = np.round(np.asarray(values, np.float64), DECIMALS)
    return np.where(np.isnan(values), None, values).tolist()


def write(folder: Path, name: str, content: Any) -> None:
    """Write a data file: a script, as pages opened from disk can load nothing else."""
    text = json.dumps(content, ensure_ascii=False, separators=(",", ":"))
    (folder / f"{name}.js").write_text(f'put("{name}",{text});\n', encoding="utf-8")
