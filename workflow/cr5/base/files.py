"""Outputs appear whole or not at all: written under a temporary name, then renamed."""

import glob
import shutil
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from cr5.base.errors import UserError


@contextmanager
def atomic_file(path: str | Path) -> Iterator[Path]:
    """Give a temporary path beside `path`, with the same ending; rename it on success."""
    path = Path(path)
    with _workplace(path) as temporary:
        yield temporary
        temporary.replace(path)


@contextmanager
def atomic_folder(path: str | Path) -> Iterator[Path]:
    """Give a temporary folder beside `path`; on success it takes the place of `path`."""
    path = Path(path)
    with _workplace(path) as temporary:
        temporary.mkdir()
        yield temporary
        if path.exists():
            shutil.rmtree(path)
        temporary.replace(path)


def check_free(path: str | Path) -> None:
    """Raise `UserError` where something is already: what a command writes replaces nothing."""
    if Path(path).exists():
        raise UserError(f"{path} is there already: remove it, or name another place")


@contextmanager
def scratch_file(path: str | Path) -> Iterator[Path]:
    """Give a temporary path beside `path`, for what is needed on the way to it only."""
    with _workplace(Path(path), "scratch") as temporary:
        yield temporary


@contextmanager
def _workplace(path: Path, purpose: str = "part") -> Iterator[Path]:
    """Give a path of the same name in a temporary folder beside `path`.

    What a killed job left there is removed: it may be large, and two jobs never write one output.
    """
    prefix = f".{path.name}.{purpose}-"
    path.parent.mkdir(parents=True, exist_ok=True)
    for left_over in path.parent.glob(f"{glob.escape(prefix)}*"):
        shutil.rmtree(left_over, ignore_errors=True)
    with tempfile.TemporaryDirectory(dir=path.parent, prefix=prefix) as folder:
        yield Path(folder) / path.name
