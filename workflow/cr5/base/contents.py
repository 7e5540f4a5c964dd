"""The content of the user's files and folders, as a checksum: neither dates nor places count."""

import hashlib
import os
from collections.abc import Callable, Iterable, Iterator, Sequence
from pathlib import Path

from cr5.base.files import sha256

KIND = "sha256:"
TIMESTAMP = ".snakemake_timestamp"  # snakemake's, in each folder that a job made


def sha256_of_each(files: Iterable[Path]) -> list[str]:
    """Return the SHA-256 of each file, in hexadecimal."""
    return [sha256(file) for file in files]


def checksum(
    path: str | Path, digests_of: Callable[[Sequence[Path]], list[str]] = sha256_of_each
) -> str:
    """Return `sha256:` and digits: of a file as `sha256sum` tells them.

    Those of a folder are of its files, sorted by their paths within it: of each the path, a NUL,
    the digits of the file, and a line feed. `digests_of` gives the digits of files.
    """
    path = Path(path)
    if not path.is_dir():
        [digest] = digests_of([path])
        return f"{KIND}{digest}"
    names = sorted(files_below(path), key=os.fsencode)
    digests = digests_of([path / name for name in names])
    whole = hashlib.sha256()
    for name, digest in zip(names, digests, strict=True):
        whole.update(os.fsencode(name) + b"\0" + digest.encode() + b"\n")
    return f"{KIND}{whole.hexdigest()}"


def files_below(folder: Path) -> list[str]:
    """Return the paths of a folder's files within it, also of those behind links to folders."""
    return [file.relative_to(folder).as_posix() for file in _files_below(folder, ())]


def _files_below(folder: Path, above: tuple[Path, ...]) -> Iterator[Path]:
    """Yield files; `above` are the folders on the way, to one of which a link may lead back."""
    here = folder.resolve()
    if here in above:
        return
    for path in folder.iterdir():
        if path.is_dir():
            yield from _files_below(path, above + (here,))
        elif path.is_file() and path.name != TIMESTAMP:
            yield path
