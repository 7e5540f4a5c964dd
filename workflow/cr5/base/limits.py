"""Limits for untrusted input: how large, deep and long it may be.

All readers take their limits from here. Input over a limit is rejected, with its file and place,
before memory or time is spent on it. The comments end with what real files have, if known.
"""

from typing import BinaryIO

from cr5.base.errors import UserError

MIB = 1 << 20

LINE = 64 * MIB  # bytes of a line; 138 KB in biographies, 2 MiB in MediaWiki's longest article
EXPANSION, EXPANDED = 1000, 256 * MIB  # times the compressed size, beyond so many bytes; 14
DICTIONARY = 1024 * MIB  # bytes that xz may need to unpack; 65 MiB of `xz -9`
PAGE = 256 * MIB  # bytes of XML between the ends of two pages; 0.1 MB, 2 MiB by MediaWiki's rule
WHOLE = 256 * MIB  # bytes of a file held in memory whole, also one in an archive
NAME = MIB  # bytes of a file's name and attributes in an archive
STANZA = 100_000  # lines of a paragraph of `Name: value`; about a hundred in Debian's
NUMBERS = 1 << 16  # of a vector; 300 in most files, 16,384 in the largest language models
ANSWER = 64 * MIB  # bytes of a listing, a list of checksums or a dump's status; 3 MB
DIGITS = 18  # of an integer written out; no file can mean a longer one
WEIGHTS = (1e-30, 1e30)  # smallest and largest: squares of others are 0 or infinite
CONFIGURATION = MIB  # bytes; 4 KB
NESTING = 50  # levels of lists and objects in a configuration; 5
VALUES = 100_000  # of a configuration, including all repetitions by `*`; 400
OVERLAP = 16  # dictionary entries with the same text, on average; 1


def check_expansion(given: int, packed: int, where: str) -> None:
    """Reject a file that expands too far.

    Args:
        given: bytes unpacked so far.
        packed: compressed bytes these came from.
        where: the file's name.

    Raises:
        UserError: it cannot be a text file.
    """
    if given > EXPANDED and given > EXPANSION * max(1, packed):
        raise UserError(
            f"{where}: {packed} bytes unpack to {given} and more, over {EXPANSION} times as many: "
            "no text does; remove the file, or unpack it and give what is in it"
        )


def whole(stream: BinaryIO, where: str) -> bytes:
    """Read all of a stream.

    Raises:
        UserError: it has more than `WHOLE` bytes.
    """
    data = stream.read(WHOLE + 1)
    check_whole(len(data), where)
    return data


def check_whole(size: int, where: str) -> None:
    """Reject a file of more than `WHOLE` bytes that would be held in memory whole."""
    if size > WHOLE:
        raise UserError(
            f"{where}: more than {WHOLE} bytes in one piece; is it the right file? If so, cut it "
            "into smaller ones"
        )


def check_numbers(dimension: int, where: str) -> None:
    """Reject vectors that are empty or longer than `NUMBERS`."""
    if not 0 < dimension <= NUMBERS:
        raise UserError(
            f"{where}: expected vectors of 1 to {NUMBERS} numbers, found {dimension}; is it a file "
            "of word vectors? Then get a whole copy"
        )
