"""Import systems and tasks from their files, which may be the user's own."""

import importlib.util
import re
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from types import ModuleType

from cr5.base.errors import UserError

PACKAGE = Path(__file__).resolve().parents[1]
LOADED = "cr5_loaded_"  # before the name of a module that was imported from its file
BEFORE = re.compile(f"^{LOADED}([0-9a-f]{{8}}_)?")  # with the checksum of its path, or without


def load_module(path: str | Path, function: str | None = None) -> ModuleType:
    """Import a system or a task from its file.

    Args:
        path: the file.
        function: the one it must have: `fit` for a system, `searches` for a task; None for any.

    Raises:
        UserError: there is no such file, or the module lacks the function.
    """
    path = Path(path)
    if not path.is_file():
        raise UserError(f"{path}: no such file; expected a Python module")
    spec = importlib.util.spec_from_file_location(LOADED + path.stem, path)
    module = importlib.util.module_from_spec(spec)
    sys.modules[spec.name] = module
    with running(path):
        spec.loader.exec_module(module)
    if function and not callable(getattr(module, function, None)):
        raise UserError(f"{path}: expected a function {function}(...), as docs/extending.md says")
    return module


@contextmanager
def running(path: str | Path) -> Iterator[None]:
    """Run code of a module.

    Args:
        path: of the module.

    Raises:
        UserError: the module ended the program as if all were done; or one of the user's own lacks
            a package.
    """
    try:
        yield
    except SystemExit as error:
        if error.code:
            raise
        raise UserError(
            f"{path}: it ended the program; let it return, or raise an error"
        ) from error
    except ModuleNotFoundError as error:
        if Path(path).resolve().is_relative_to(PACKAGE):
            raise  # what of this package's is not installed, `extras` tells
        raise UserError(
            f"{path}: not installed: {error.name}; pip install {error.name}, or leave it out"
        ) from error
