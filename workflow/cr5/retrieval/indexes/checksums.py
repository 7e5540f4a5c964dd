"""Whether files are what was written: SHA256SUMS in their folder, as `sha256sum --check` reads it.

Opening an index maps its files into memory and does not read them, so that a number that changed
on the disk goes unseen; these are read only where somebody asks.
"""

import hashlib
from collections.abc import Iterator
from pathlib import Path

FILE = "SHA256SUMS"


def write(folder: Path) -> None:
    """Note the checksum of each file in a folder."""
    lines = [f"{_of(path)}  {path.name}\n" for path in sorted(folder.iterdir())]
    (folder / FILE).write_text("".join(lines), encoding="utf-8")


def changed(folder: Path) -> Iterator[Path]:
    """Give the files that are not what was written, or are missing."""
    try:
        lines = (folder / FILE).read_text(encoding="utf-8").splitlines()
    except (OSError, ValueError):
        lines = []
    noted = dict(reversed(line.split("  ", 1)) for line in lines if "  " in line)
    if not noted:
        yield folder / FILE
    for name, checksum in noted.items():
        path = folder / Path(name).name
        if not path.is_file() or _of(path) != checksum:
            yield path


def _of(path: Path) -> str:
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()
