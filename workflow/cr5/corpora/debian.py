"""Debian packages as a source of text: download without root, read without dpkg."""

import bz2
import gzip
import hashlib
import io
import logging
import lzma
import os
import re
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import IO
from urllib.parse import unquote

from cr5.base import archives
from cr5.base.errors import UserError
from cr5.base.refusals import pass_on
from cr5.corpora import apt

log = logging.getLogger(__name__)

BY_HAND = (
    "download the packages on a machine with Debian or Ubuntu (`apt-get download`) or from a "
    "mirror of the Debian archive, and set `corpus.path` to the folder that holds the .deb files "
    "or what they unpack to"
)


def _zstd(file: IO[bytes]) -> IO[bytes]:
    import pyarrow as pa  # late: what plans jobs imports this module, too

    return pa.CompressedInputStream(file, "zstd")


DECOMPRESSORS = {
    "data.tar": lambda file: file,
    "data.tar.gz": gzip.open,
    "data.tar.bz2": bz2.open,
    "data.tar.xz": lzma.open,
    "data.tar.zst": _zstd,
}
DIGITS = re.compile(r"[0-9]{1,9}:")  # an epoch


def download(packages: Sequence[str], folder: str | Path, if_there: bool = False) -> list[Path]:
    """Fetch packages of this system's release with apt-get, without changing the system.

    apt-get verifies signatures and checksums; a package appears in `folder` only when whole.

    Args:
        packages: names; each becomes one .deb file.
        folder: where the files go; made if need be.
        if_there: skip packages that this release does not have.

    Returns:
        The files, in the order of `packages`.

    Raises:
        UserError: apt-get, the network or a package is missing.
    """
    folder = Path(folder).absolute()
    with apt.private(folder, ", ".join(packages), BY_HAND) as own:
        fetched = _fetched(packages, own, if_there)
        for file in fetched:
            log.info("%s: SHA-256 %s", file.name, hashlib.sha256(file.read_bytes()).hexdigest())
            file.replace(folder / file.name)
    return [folder / file.name for file in fetched]


def unpack(deb: Path) -> Iterator[tuple[str, bytes]]:
    """Read the regular files of a package one by one, in the order of data.tar.

    The compressed archive is held in memory, and one file of it at a time.

    Args:
        deb: a Debian binary package, format 2.0 (see deb(5)): an ar archive around data.tar.

    Yields:
        (path without a leading "./", content).

    Raises:
        UserError: not a package, truncated, damaged, or without data.tar; a file is repeated.
    """
    name, data = _data_member(deb)
    seen: set[str] = set()
    try:
        with DECOMPRESSORS[name](io.BytesIO(data)) as plain:
            for path, file in archives.regular_files(plain):
                if path in seen:
                    raise UserError(f"{deb}: {path!r} is in it twice; {_anew(deb)}")
                seen.add(path)
                yield path.removeprefix("./"), file.read()
    except archives.BROKEN as error:
        raise UserError(f"{deb}: {name} is damaged ({error}); {_anew(deb)}") from error


def version_key(deb: Path) -> tuple:
    """Sort key of a file name_version_architecture.deb, in the order of Debian Policy 5.6.12."""
    version = unquote(deb.name.split("_")[1])
    epoch, _, rest = version.rpartition(":") if DIGITS.match(version) else ("", "", version)
    upstream, _, revision = rest.rpartition("-") if "-" in rest else (rest, "", "")
    return int(epoch or 0), _part_key(upstream), _part_key(revision)


def _part_key(part: str) -> tuple:
    pieces = [*re.split(r"(\d+)", part), ""]  # text, number, text, number, ...
    pairs = zip(pieces[::2], pieces[1::2], strict=True)
    return tuple(((*map(_rank, text), 0), int(number or 0)) for text, number in pairs)


def _rank(character: str) -> int:
    """Sort tilde before the end of the string (0), letters before all other characters."""
    if character == "~":
        return -1
    return ord(character) + (0 if character.isalpha() else 256)


def _fetched(packages: Sequence[str], own: apt.Apt, if_there: bool) -> list[Path]:
    failed = own.update()
    if if_there and not failed:
        known = own.run("apt-cache", "pkgnames").stdout.split()
        packages = sorted({*packages}.intersection(known))
        if not packages:
            return []
    fetch = own.run("apt-get", "download", *packages)
    if fetch.returncode:
        raise own.unreachable(failed) if failed else UserError(_why(packages, fetch.stderr, own))
    return [_only_file(package, own.state) for package in packages]


def _why(packages: Sequence[str], said: str, own: apt.Apt) -> str:
    """Say why packages could not be fetched."""
    unknown = re.findall(r"(?:Unable to locate package|candidate found for '?)\s*([\w.+-]+)", said)
    if unknown:
        stem = unknown[0].rpartition("-")[0] + "-"
        there = ", ".join(sorted(own.run("apt-cache", "pkgnames", stem).stdout.split())) or "none"
        return (
            f"no package {', '.join(unknown)} in this system's release; packages {stem}* here: "
            f"{there}; choose among them or {BY_HAND}"
        )
    names = " ".join(packages)
    return f"apt-get download {names} failed ({apt.complaints(said)}); try again or {BY_HAND}"


def _only_file(package: str, folder: Path) -> Path:
    files = list(folder.glob(f"{package}_*.deb"))
    if len(files) != 1:
        raise UserError(
            f"apt-get download {package} left {len(files)} files instead of one; {BY_HAND}"
        )
    return files[0]


def _anew(deb: Path) -> str:
    """Advice to fetch again: a run fetches all packages together, only if the folder is missing."""
    return (
        "fetch it again (if a run fetched it, it does so after the folder of the packages is "
        f"deleted: {deb.parent})"
    )


def _data_member(deb: Path) -> tuple[str, bytes]:
    """Name and content of the ar member data.tar*."""
    try:
        with deb.open("rb") as file:
            if file.read(8) != b"!<arch>\n":
                raise UserError(
                    f"{deb}: not a Debian package (no ar archive); remove or replace it"
                )
            for name, size in _headers(file, deb):
                if name.startswith("data.tar"):
                    return _known(name, deb), _exactly(file, size, deb)
                file.seek(size + size % 2, os.SEEK_CUR)  # members start at even offsets
    except OSError as error:
        pass_on(error)
        raise UserError(f"{deb}: cannot be read ({error}); correct `corpus.path`") from error
    raise UserError(f"{deb}: a package without data.tar, or truncated; {_anew(deb)}")


def _headers(file: IO[bytes], deb: Path) -> Iterator[tuple[str, int]]:
    """Name and size of each ar member; the caller advances the file to the next header."""
    while header := file.read(60):
        size = header[48:58].strip()
        if len(header) != 60 or header[58:] != b"`\n" or not size.isdigit():
            raise UserError(f"{deb}: truncated or damaged package; {_anew(deb)}")
        yield header[:16].decode("ascii", "replace").rstrip().rstrip("/"), int(size)


def _known(name: str, deb: Path) -> str:
    if name not in DECOMPRESSORS:
        raise UserError(
            f"{deb}: {name} is compressed in an unknown way; known: {', '.join(DECOMPRESSORS)}"
        )
    return name


def _exactly(file: IO[bytes], size: int, deb: Path) -> bytes:
    if (missing := size - (os.fstat(file.fileno()).st_size - file.tell())) > 0:
        raise UserError(f"{deb}: truncated, {missing} bytes are missing; {_anew(deb)}")
    return file.read(size)
