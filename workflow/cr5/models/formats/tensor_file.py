"""Files of the library safetensors, an optional dependency."""

from collections.abc import Mapping
from pathlib import Path
from types import ModuleType

import numpy as np

from cr5.base.errors import UserError
from cr5.base.refusals import DAMAGED, pass_on


def write(path: Path, arrays: Mapping[str, np.ndarray], texts: Mapping[str, str]) -> None:
    """Write arrays by name, and texts beside them."""
    contiguous = {name: np.ascontiguousarray(array) for name, array in arrays.items()}
    # the library writes texts in an order of its own, another one each time: one text has none
    path.write_bytes(_library().numpy.save(contiguous, metadata=dict(texts) or None))


def read(path: Path) -> tuple[dict[str, np.ndarray], dict[str, str]]:
    """Read what `write` wrote.

    Raises:
        UserError: the file is missing, truncated or damaged.
    """
    library = _library()
    try:
        with library.safe_open(path, framework="numpy") as file:
            return {name: file.get_tensor(name) for name in file.keys()}, file.metadata() or {}  # noqa: SIM118
    except (*DAMAGED, MemoryError, library.SafetensorError) as error:
        pass_on(error)
        raise UserError(
            f"{path}: not a whole file of safetensors ({error}); get a whole copy"
        ) from error


def _library() -> ModuleType:
    try:
        import safetensors
        import safetensors.numpy
    except ImportError as error:
        raise UserError(
            "this format is read and written by the library safetensors, which is not installed: "
            "install the extra `export` of this package (pip install safetensors)"
        ) from error
    return safetensors
