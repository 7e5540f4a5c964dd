"""Read the files in tar archives one by one; nothing is written to disk.

Python's `tarfile` stops silently at a damaged header.
"""

import lzma
import tarfile
import zlib
from collections.abc import Iterator
from typing import IO, BinaryIO

# what tarfile and decompressors raise for damaged files and other formats
BROKEN = (tarfile.TarError, OSError, EOFError, ValueError, LookupError, ArithmeticError)
BROKEN += (lzma.LZMAError, zlib.error)
HEADERS = (tarfile.InvalidHeaderError, tarfile.TruncatedHeaderError, tarfile.EmptyHeaderError)


class _Member(tarfile.TarInfo):
    """A member with an intact header."""

    @classmethod
    def fromtarfile(cls, archive: tarfile.TarFile) -> "_Member":
        try:
            return super().fromtarfile(archive)
        except HEADERS as error:
            raise tarfile.ReadError(f"{error}, at byte {archive.offset}") from error


def regular_files(stream: BinaryIO) -> Iterator[tuple[str, IO[bytes]]]:
    """Read the regular files of an archive; folders, links and devices are skipped.

    Args:
        stream: the archive, unpacked; it is only read forward.

    Yields:
        Name and content; the content must be read before the next file is requested. Bytes
        of a name that are not UTF-8 become U+FFFD.

    Raises:
        one of `BROKEN`: the archive is damaged.
    """
    with tarfile.open(fileobj=stream, mode="r|", tarinfo=_Member) as archive:
        for member in archive:
            archive.members = []  # otherwise it keeps them all
            if member.isreg():
                name = member.name.encode("utf-8", "surrogateescape").decode("utf-8", "replace")
                yield name, archive.extractfile(member)
