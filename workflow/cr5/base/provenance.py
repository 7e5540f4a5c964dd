"""What made a result: versions, settings, seed and source data."""

import hashlib
import importlib.metadata
import platform
import re
import tomllib
from collections.abc import Iterable
from contextlib import suppress
from importlib.metadata import PackageNotFoundError
from pathlib import Path
from typing import Any

from cr5 import __version__
from cr5.base import sealed_json
from cr5.base.errors import UserError

# Snakemake's, in folders that a run made: not content, and an interrupted run may lack them.
TIMESTAMP = ".snakemake_timestamp"
OF_A_RUN = ("fit", "workflow")  # extras
PYPROJECT = Path(__file__).parents[3] / "pyproject.toml"


def versions() -> dict[str, str]:
    """Return the versions of this package, of Python and of what can change results."""
    found = {"cr5": __version__, "python": platform.python_version()}
    names = {re.match(r"[\w.-]+", line)[0] for line in _requirements()} - {"cr5"}
    # these extras change results too: they find words, stem them and write them in Latin letters
    for package in (*sorted(names), "icu4py", "nltk", "snowballstemmer", "anyascii"):
        with suppress(PackageNotFoundError):
            found[package] = importlib.metadata.version(package)
    return found


def _requirements() -> list[str]:
    """Return what a run requires; a checkout need not be installed."""
    try:
        declared = importlib.metadata.requires("cr5") or []
    except PackageNotFoundError:
        if not PYPROJECT.is_file():  # only a copy of the package
            return []
        project = tomllib.loads(PYPROJECT.read_text(encoding="utf-8"))["project"]
        extras = project["optional-dependencies"]
        return [*project["dependencies"], *(line for extra in OF_A_RUN for line in extras[extra])]
    return [line for line in declared if _extra(line) in (None, *OF_A_RUN)]


def _extra(line: str) -> str | None:
    found = re.search(r"extra == ['\"](\w+)", line)
    return found and found[1]


def sha256(path: str | Path) -> str:
    """Return the SHA-256 of a file, in hexadecimal."""
    with Path(path).open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def folder(path: str | Path) -> dict[str, Any]:
    """Describe the files of a folder: how many, and one checksum of names and contents."""
    root, found = Path(path), hashlib.sha256()
    there = (file for file in root.rglob("*") if file.is_file() and file.name != TIMESTAMP)
    names = sorted(file.relative_to(root).as_posix() for file in there)
    for name in names:
        found.update(f"{sha256(root / name)}  {name}\n".encode())
    return {"name": root.name, "files": len(names), "sha256": found.hexdigest()}


def files(paths: Iterable[str | Path]) -> list[dict[str, Any]]:
    """Describe files by name, size in bytes and checksum; folders likewise."""
    return [folder(path) if path.is_dir() else _file(path) for path in map(Path, paths)]


def _file(path: Path) -> dict[str, Any]:
    return {"name": path.name, "bytes": path.stat().st_size, "sha256": sha256(path)}


def noted(path: str | Path) -> list[list[Any]]:
    """Return what identifies the files named in a language's notes, wherever they came from.

    Raises:
        UserError: the notes are missing or damaged.
    """
    try:
        named = sealed_json.read(path)["files"]
        return [[file.get(key) for key in ("bytes", "sha256", "checksum")] for file in named]
    except (LookupError, TypeError, AttributeError) as error:
        raise UserError(
            f"{path}: does not say from which files the documents are ({error}); remove it and "
            "run again"
        ) from error
