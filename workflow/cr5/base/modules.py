"""Import systems and tasks from their files, which may be the user's own."""

import importlib.util
import sys
from pathlib import Path
from types import ModuleType

from cr5.base.errors import UserError


def load_module(path: str | Path, function: str) -> ModuleType:
    """Import a system or a task from its file.

    Args:
        path: the file.
        function: the one it must have: `fit` for a system, `searches` for a task.

    Raises:
        UserError: the module lacks it.
    """
    path = Path(path)
    spec = importlib.util.spec_from_file_location(f"cr5_loaded_{path.stem}", path)
    module = importlib.util.module_from_spec(spec)
    sys.modules[spec.name] = module
    spec.loader.exec_module(module)
    if not callable(getattr(module, function, None)):
        raise UserError(f"{path}: expected a function {function}(...), as CONTRIBUTING.md says")
    return module
