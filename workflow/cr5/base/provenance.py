"""What made a result: versions, settings, seed and the data it was made from."""

import hashlib
import importlib.metadata
import platform
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from cr5 import __version__

PACKAGES = ("numpy", "scipy", "pandas", "pyarrow", "gensim", "jax", "regex", "lxml")


def versions() -> dict[str, str]:
    """Return the versions of this package, of Python and of what results depend on."""
    found = {"cr5": __version__, "python": platform.python_version()}
    for package in PACKAGES:
        try:
            found[package] = importlib.metadata.version(package)
        except importlib.metadata.PackageNotFoundError:
            continue
    return found


def sha256(path: str | Path) -> str:
    """Return the checksum of a file, in hexadecimal."""
    with Path(path).open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def folder(path: str | Path, pattern: str) -> dict[str, Any]:
    """Describe the files of a folder together: how many, and one checksum of names and contents."""
    root, found = Path(path), hashlib.sha256()
    names = sorted(file.relative_to(root).as_posix() for file in root.rglob(pattern))
    for name in names:
        found.update(f"{sha256(root / name)}  {name}\n".encode())
    return {"name": root.name, "files": len(names), "sha256": found.hexdigest()}


def files(paths: Iterable[str | Path]) -> list[dict[str, Any]]:
    """Describe files by name, size in bytes and checksum."""
    return [
        {"name": Path(path).name, "bytes": Path(path).stat().st_size, "sha256": sha256(path)}
        for path in paths
    ]
