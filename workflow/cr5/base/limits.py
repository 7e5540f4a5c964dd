"""Limits for untrusted input: how large, deep and long it may be.

Every reader takes its limits from here. What exceeds one is refused, with its file and place,
before memory or time is spent on it. The comments say what real files have, as far as we know.
"""

from typing import BinaryIO

from cr5.base.errors import UserError

MIB = 1 << 20

LINE = 64 * MIB  # bytes of a line; 138 KB in biographies, 2 MiB are MediaWiki's longest article
EXPANSION, EXPANDED = 1000, 256 * MIB  # times what is compressed, beyond so much; 14 times
DICTIONARY = 1024 * MIB  # bytes that xz may need to unpack; 65 MiB of `xz -9`
PAGE = 256 * MIB  # bytes of XML between the ends of two pages; 0.1 MB, 2 MiB by MediaWiki's rule
WHOLE = 256 * MIB  # bytes of a file that is held as a whole, also in an archive
NAME = MIB  # bytes of a file's name and attributes in an archive
STANZA = 100_000  # lines of a paragraph of `Name: value`; Debian's have some hundred
NUMBERS = 1 << 16  # of a vector; 300 in most files, 16,384 of the largest language models
ANSWER = 64 * MIB  # bytes of a listing, a list of checksums, the status of a dump; 3 MB
DIGITS = 18  # of a whole number that is written out; what has more is none that a file can mean
WEIGHTS = (1e-30, 1e30)  # the smallest and the largest: squares of others are 0 or infinite
CONFIGURATION = MIB  # bytes; 4 KB
NESTING = 50  # lists and objects within each other in a configuration; 5
VALUES = 100_000  # of a configuration, all that `*` repeats counted in; 400
OVERLAP = 16  # times that entries of a dictionary may have the same text, on average; 1


def check_expansion(given: int, packed: int, where: str) -> None:
    """Refuse a file that unpacks without end.

    Args:
        given: bytes that it has given so far.
        packed: bytes of it that these were in.
        where: its name.

    Raises:
        UserError: it cannot be a file of text.
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
    """Refuse to hold more than `WHOLE` bytes of a file as a whole."""
    if size > WHOLE:
        raise UserError(
            f"{where}: more than {WHOLE} bytes in one piece; is it the right file? If so, cut it "
            "into smaller ones"
        )


def check_numbers(dimension: int, where: str) -> None:
    """Refuse vectors that are empty or longer than `NUMBERS`."""
    if not 0 < dimension <= NUMBERS:
        raise UserError(
            f"{where}: expected vectors of 1 to {NUMBERS} numbers, found {dimension}; is it a file "
            "of word vectors? Then get a whole copy"
        )
