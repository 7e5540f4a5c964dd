"""Files in tar archives, read one after the other; nothing is written to disk.

Python's module ends silently at a damaged header, allocates whatever length a header claims for a
name, and makes up the zeros of sparse files.
"""

import lzma
import tarfile
import zlib
from collections.abc import Iterator
from typing import IO, BinaryIO

from cr5.base import limits
from cr5.base.errors import UserError

# what tarfile and decompressors raise for damaged files and other formats
BROKEN = (tarfile.TarError, OSError, EOFError, ValueError, LookupError, ArithmeticError)
BROKEN += (lzma.LZMAError, zlib.error)
HEADERS = (tarfile.InvalidHeaderError, tarfile.TruncatedHeaderError, tarfile.EmptyHeaderError)
PLAIN = (*tarfile.REGULAR_TYPES, tarfile.DIRTYPE, tarfile.LNKTYPE, tarfile.SYMTYPE)
PLAIN += (tarfile.CHRTYPE, tarfile.BLKTYPE, tarfile.FIFOTYPE)


class _Member(tarfile.TarInfo):
    """A member whose header is whole, and its name no longer than a name may be."""

    @classmethod
    def fromtarfile(cls, archive: tarfile.TarFile) -> "_Member":
        try:
            return super().fromtarfile(archive)
        except HEADERS as error:
            raise tarfile.ReadError(f"{error}, at byte {archive.offset}") from error

    def _proc_member(self, archive: tarfile.TarFile) -> tarfile.TarInfo:
        if self.type not in PLAIN and self.size > limits.NAME:
            raise tarfile.ReadError(f"a name of {self.size} bytes")
        return super()._proc_member(archive)


def regular_files(stream: BinaryIO, where: str) -> Iterator[tuple[str, int, IO[bytes]]]:
    """Read the regular files of an archive; folders, links and devices are passed over.

    Args:
        stream: the archive, unpacked; it is only read forward.
        where: its name, for messages.

    Yields:
        Name, size, and the content, which must be read before the next one is asked for. What is
        not UTF-8 in a name becomes U+FFFD.

    Raises:
        UserError: a file is sparse; of `BROKEN`, those of a damaged archive.
    """
    with tarfile.open(fileobj=stream, mode="r|", tarinfo=_Member) as archive:
        for member in archive:
            archive.members = []  # else all are kept
            if member.issparse():
                raise UserError(f"{where}: {member.name!a} is a sparse file; pack it without holes")
            if member.isreg():
                name = member.name.encode("utf-8", "surrogateescape").decode("utf-8", "replace")
                yield name, member.size, archive.extractfile(member)


class Unpacked:
    """What a decompressor gives, up to the expansion that a file may have."""

    def __init__(self, stream: BinaryIO, packed: int, where: str) -> None:
        """Take the stream, how many bytes it is packed in, and the name of the file."""
        self._stream, self._packed, self._where, self._given = stream, packed, where, 0

    def read(self, size: int) -> bytes:
        """Read some bytes; UserError where there are too many."""
        data = self._stream.read(size)
        self._given += len(data)
        limits.check_expansion(self._given, self._packed, self._where)
        return data
