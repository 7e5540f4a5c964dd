"""Read the files in tar archives one by one; nothing is written to disk.

Python's `tarfile` stops silently at a damaged header, allocates whatever length a header claims
for a name, and fills in the zeros of sparse files.
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
    """A member with an intact header and a name within `limits.NAME`."""

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
    """Read the regular files of an archive; folders, links and devices are skipped.

    Args:
        stream: the archive, unpacked; it is only read forward.
        where: the archive's name, for messages.

    Yields:
        Name, size and content; the content must be read before the next file is requested. Bytes
        of a name that are not UTF-8 become U+FFFD.

    Raises:
        UserError: a file is sparse.
        one of `BROKEN`: the archive is damaged.
    """
    with tarfile.open(fileobj=stream, mode="r|", tarinfo=_Member) as archive:
        for member in archive:
            archive.members = []  # otherwise it keeps them all
            if member.issparse():
                raise UserError(f"{where}: {member.name!a} is a sparse file; pack it without holes")
            if member.isreg():
                name = member.name.encode("utf-8", "surrogateescape").decode("utf-8", "replace")
                yield name, member.size, archive.extractfile(member)


class Unpacked:
    """A decompressor's output, with a limit on how far a file may expand."""

    def __init__(self, stream: BinaryIO, packed: int, where: str) -> None:
        """Take the decompressed stream, its compressed size in bytes and the file's name."""
        self._stream, self._packed, self._where, self._given = stream, packed, where, 0

    def read(self, size: int) -> bytes:
        """Read some bytes; raise UserError if the file has expanded too far."""
        data = self._stream.read(size)
        self._given += len(data)
        limits.check_expansion(self._given, self._packed, self._where)
        return data
