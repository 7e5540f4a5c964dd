"""Import systems and tasks from their files, which may be the user's own."""

import importlib
import importlib.util
import re
import sys
import traceback
import zlib
from functools import cache
from pathlib import Path
from types import ModuleType

from cr5.base.errors import UserError

PACKAGE = Path(__file__).resolve().parents[1]
LOADED = "cr5_loaded_"  # before the name of a module that was imported from its file
BEFORE = re.compile(f"^{LOADED}[0-9a-f]{{8}}_")  # with the checksum of its path


def load_module(source: Path) -> ModuleType:
    """Import a module of this package, or somebody's own under a name of its path.

    A program that fits a class of its own is not run again.

    Raises:
        UserError: there is no such file, or the module cannot be run.
    """
    if not source.is_file():
        raise UserError(f"{source}: no such file; expected a Python module")
    program = getattr(sys.modules["__main__"], "__file__", None)
    if program and Path(program).is_file() and source.samefile(program):
        return sys.modules["__main__"]
    if source.is_relative_to(PACKAGE):
        return importlib.import_module(
            ".".join(source.relative_to(PACKAGE.parent).with_suffix("").parts)
        )
    return _own(source.resolve(), source.stat().st_mtime_ns)


@cache  # a plan asks for a part many times; a file may change while a program runs
def _own(path: Path, changed: int) -> ModuleType:
    name = f"{LOADED}{zlib.crc32(str(path).encode()):08x}_{path.stem}"
    spec = importlib.util.spec_from_file_location(name, path)
    module = importlib.util.module_from_spec(spec)
    sys.modules[name] = module  # dataclasses and pydantic look there for annotations
    try:
        spec.loader.exec_module(module)
    except (Exception, SystemExit) as error:
        del sys.modules[name]
        frames = traceback.extract_tb(error.__traceback__)
        lines = [x.lineno for x in frames if x.filename == str(path)]
        place = f"{path}, line {lines[-1]}" if lines else str(path)
        raise UserError(
            f"{place}: {type(error).__name__}: {error}; see docs/extending.md"
        ) from error
    return module
