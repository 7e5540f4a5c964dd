"""The content of the user's files and folders, as a checksum: neither dates nor places count."""

import hashlib
import os
from collections.abc import Callable, Iterable, Iterator, Sequence
from pathlib import Path

from cr5.base.files import sha256

PREFIX = "sha256:"
TIMESTAMP = ".snakemake_timestamp"  # snakemake's, in each folder that a job made


def sha256_of_each(files: Iterable[Path]) -> list[str]:
    """Return the SHA-256 of each file, in hexadecimal."""
    return [sha256(file) for file in files]


def checksum(
    path: str | Path, digests_of: Callable[[Sequence[Path]], list[str]] = sha256_of_each
) -> str:
    """Return `sha256:` and the digits of the checksum of a file or a folder.

    A file has the digits that `sha256sum` prints. A folder has those of a list of its files, sorted
    by their paths within it: the path, a NUL, the digits of the file and a line feed for each.
    `digests_of` computes the digits of files.
    """
    path = Path(path)
    if not path.is_dir():
        [digest] = digests_of([path])
        return f"{PREFIX}{digest}"
    names = sorted(files_below(path), key=os.fsencode)
    digests = digests_of([path / name for name in names])
    of_folder = hashlib.sha256()
    for name, digest in zip(names, digests, strict=True):
        of_folder.update(os.fsencode(name) + b"\0" + digest.encode() + b"\n")
    return f"{PREFIX}{of_folder.hexdigest()}"


def files_below(folder: Path) -> list[str]:
    """Return the paths of a folder's files within it, also of those behind links to folders.

    Links to a folder above the link are not followed.
    """
    above = tuple(folder.resolve().parents)
    return [file.relative_to(folder).as_posix() for file in _files_below(folder, above)]


def _files_below(folder: Path, ancestors: tuple[Path, ...]) -> Iterator[Path]:
    """Yield the files below a folder, unless it is one of its ancestors, by a link."""
    here = folder.resolve()
    if here in ancestors:
        return
    for path in folder.iterdir():
        if path.is_dir():
            yield from _files_below(path, (*ancestors, here))
        elif path.is_file() and path.name != TIMESTAMP:
            yield path
