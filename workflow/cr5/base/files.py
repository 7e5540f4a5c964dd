"""Outputs appear complete or not at all: written under a temporary name, then renamed."""

import glob
import hashlib
import json
import shutil
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from cr5.base.errors import UserError


@contextmanager
def atomic_file(path: str | Path) -> Iterator[Path]:
    """Yield a temporary path beside `path`, with the same suffix; rename it on success."""
    with scratch(path) as temporary:
        yield temporary
        temporary.replace(path)


@contextmanager
def atomic_folder(path: str | Path) -> Iterator[Path]:
    """Yield a temporary folder beside `path`; on success it replaces `path`."""
    with scratch(path) as temporary:
        temporary.mkdir()
        yield temporary
        if Path(path).exists():
            Path(path).replace(temporary.with_name(f"{temporary.name}.old"))
        temporary.replace(path)


def sha256(path: str | Path) -> str:
    """Return the SHA-256 of a file, in hexadecimal."""
    with Path(path).open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def write_json(path: Path, content: Any) -> None:
    """Write a file of JSON, for people to read too."""
    path.write_text(json.dumps(content, indent=1, ensure_ascii=False) + "\n", encoding="utf-8")


def check_free(path: str | Path) -> None:
    """Raise `UserError` if `path` exists: commands overwrite nothing."""
    if Path(path).exists():
        raise UserError(f"{path} is there already: remove it, or name another place")


@contextmanager
def scratch(path: str | Path) -> Iterator[Path]:
    """Yield a path of the same name in a temporary folder beside `path`, removed at the end.

    Leftovers of a killed job are removed: they may be large, and no two jobs write one output.
    """
    path = Path(path)
    prefix = f".{path.name}.part-"
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
    except (FileExistsError, NotADirectoryError) as error:
        raise UserError(f"{path}: {path.parent} is no folder; name another place") from error
    for left_over in path.parent.glob(f"{glob.escape(prefix)}*"):
        shutil.rmtree(left_over, ignore_errors=True)
    with tempfile.TemporaryDirectory(dir=path.parent, prefix=prefix) as folder:
        yield Path(folder) / path.name


@contextmanager
def alone(folder: str | Path) -> Iterator[None]:
    """Lock a folder until this ends or its process dies; UserError if another has locked it."""
    import fcntl  # imported late: some systems have none, and read models all the same

    Path(folder).mkdir(parents=True, exist_ok=True)
    with Path(folder, ".lock").open("a") as file:
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            raise UserError(
                f"{folder}: another run writes there. Wait until it ends, or give this one a "
                "folder of its own (`results: FOLDER`)."
            ) from None
        except OSError:  # of a file system without locks, where nobody can be kept out
            pass
        yield
