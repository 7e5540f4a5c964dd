"""What an index takes for its own in a folder: by names alone, as nothing else may be removed."""

import re
import shutil
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from cr5.base import lock
from cr5.base.errors import UserError
from cr5.retrieval.indexes.file import FILE, NAME, is_index, read_json

NAMES = {
    "segments": NAME.pattern,
    "removed": rf"{NAME.pattern}\.npy",
    "penalties": rf"{NAME.pattern}\..+\.[0-9a-f]{{12}}\.npy",
    "graphs": NAME.pattern,
}
"""By folder, what a writer calls the things in it; `atomic_file` writes .NAME.part-... first."""


def check(folder: Path) -> bool:
    """Say whether the folder has still to be made.

    Raises:
        UserError: no index is there, but other things are, or the segments of one.
    """
    if is_index(folder) or not folder.exists():
        return not folder.exists()
    inside = list(folder.iterdir()) if folder.is_dir() else [folder]
    others = [x.name for x in inside if not x.name.startswith(".") and not _is_left_empty(x)]
    if not others:
        return False
    if folder / lock.NAME in inside and any(x.parent.name == "segments" for x in own(folder)):
        raise UserError(
            f"{folder}: segments without an {FILE}: bring it back, or remove the folder and index "
            "again"
        )
    raise UserError(
        f"{folder}: something else is there already ({min(others)}); choose a new folder for the "
        "index"
    )


def own(folder: Path) -> Iterator[Path]:
    """Give what an index wrote to its folders, or was writing."""
    for name, pattern in NAMES.items():
        for path in list(folder.glob(f"{name}/*")):
            if re.fullmatch(rf"{pattern}|\.{pattern}\.part-\w+", path.name):
                yield path


def remove(path: Path) -> None:
    """Remove a file, a folder or a link, and not what the link leads to."""
    if path.is_dir() and not path.is_symlink():
        shutil.rmtree(path)
    else:
        path.unlink()


@contextmanager
def withdrawn(folder: Path, made: bool) -> Iterator[None]:
    """Leave nothing of an index that is begun and fails; the folder goes if it was `made` for it.

    To be used while the folder is locked.
    """
    begins = not is_index(folder)
    try:
        yield
    except BaseException:
        if begins and not (is_index(folder) and read_json(folder)["counter"]):
            with suppress(OSError):
                _withdraw(folder, made)
        raise


def _withdraw(folder: Path, made: bool) -> None:
    """Remove index.json last: whoever is killed here leaves an index without texts."""
    for path in own(folder):
        remove(path)
    for path in map(folder.joinpath, NAMES):
        if _is_left_empty(path):
            path.rmdir()
    (folder / FILE).unlink(missing_ok=True)
    if made and [x.name for x in folder.iterdir()] == [lock.NAME]:
        (folder / lock.NAME).unlink()
        folder.rmdir()


def _is_left_empty(path: Path) -> bool:
    return path.name in NAMES and path.is_dir() and not any(path.iterdir())
