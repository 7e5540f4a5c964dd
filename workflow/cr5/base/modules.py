"""Import systems and tasks from their files, which may be the user's own."""

import importlib.util
import sys
from pathlib import Path
from types import ModuleType

from cr5.base.errors import UserError

LOADED = "cr5_loaded_"  # before the name of a module that was imported from its file


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
    spec.loader.exec_module(module)
    if function and not callable(getattr(module, function, None)):
        raise UserError(f"{path}: expected a function {function}(...), as CONTRIBUTING.md says")
    return module
