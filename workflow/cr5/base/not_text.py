"""Refuse what is not plain text, and say what it is: archives, documents, encodings, markup."""

import codecs
import re
from collections.abc import Iterable, Iterator
from contextlib import suppress
from itertools import chain

from cr5.base.errors import UserError

Line = tuple[str, str]
"""Where a line stands, and its text."""

HEAD_SIZE = 512  # bytes that tell a format
TAR_MARK = b"ustar"
TAR_MARK_PLACE = slice(257, 262)
TAR_CHECKSUM = slice(148, 156)  # of a member's header, in octal digits; older archives have it too
UNPACK = "unpack it and name the file that is in it"
COMPRESS = "unpack it, or compress it as gzip, xz, bzip2 or zstd"
SAVE = "save its text as plain text in UTF-8"
FORMATS = (  # what files begin with, what they are, and the remedy
    (b"7z\xbc\xaf\x27\x1c", "a 7z archive", UNPACK),
    (b"Rar!\x1a\x07", "a rar archive", UNPACK),
    (b"%PDF-", "a PDF document", SAVE),
    (b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1", "a document of an old Office", SAVE),
    (b"{\\rtf", "an RTF document", SAVE),
    (b"%!PS", "a PostScript document", SAVE),
    (b"!<arch>\n", "an ar archive, as are Debian's packages", UNPACK),
    (b"WARC/", "an archive of web pages", SAVE),
    (b"]\0\0", "compressed as lzma", COMPRESS),
    (b"\x04\x22\x4d\x18", "compressed as lz4", COMPRESS),
    (b"\x1f\x9d", "compressed as Z", COMPRESS),
    # `open_stream` has already decompressed one layer of these
    (b"\x1f\x8b", "compressed twice", COMPRESS),
    (b"BZh", "compressed twice", COMPRESS),
    (b"\xfd7zXZ\0", "compressed twice", COMPRESS),
    (b"\x28\xb5\x2f\xfd", "compressed twice", COMPRESS),
    (b"PK\x03\x04", "a zip archive, compressed again", UNPACK),
)
# Characters that no text in UTF-8 has, their names, and what has them. Other control characters,
# which stand in text from PDF files and spreadsheets, are no letters, and end words as blanks do.
CONTROLS = (
    (0, "NUL", "UTF-16, UTF-32 or a file that is no text"),
    (14, "SO", "ISO-2022-KR"),
    (15, "SI", "ISO-2022-KR"),
    (27, "ESC", "ISO-2022-JP or a terminal's colours"),
)
# Chinese letters of two bytes each, between ~{ and ~}
HZ = re.compile(rb"~\{([\x21-\x77][\x21-\x7e])+~\}")
# The longer ones first: the mark of UTF-32-LE begins with that of UTF-16-LE.
BYTE_ORDER_MARKS = {
    codecs.BOM_UTF32_LE: "UTF-32",
    codecs.BOM_UTF32_BE: "UTF-32",
    codecs.BOM_UTF16_LE: "UTF-16",
    codecs.BOM_UTF16_BE: "UTF-16",
}
MARK_BYTES = tuple(BYTE_ORDER_MARKS)
HTML_TAGS = "html|head|body|title|meta|article|section|div|p|table|ul|ol|li|br|b|i|h[1-6]"
EMAIL_HEADERS = "return-path|received|message-id|mime-version|delivered-to|from|to|subject|date"
XML = "XML, as TMX and other formats are"
SUBTITLES = "a file of subtitles"
MARKUP = tuple(  # how the first lines of a file begin, and what it is
    (re.compile(pattern, re.IGNORECASE), kind)
    for pattern, kind in (
        (rf"<!doctype\s+html\b|<({HTML_TAGS})\b[^<>]*>", "an HTML page"),
        (r"<\?php\b", "a program in PHP"),
        (r"<(\?xml|!doctype|!--|[a-z][\w:.-]*(\s[^<>]*)?/?>|[a-z][\w:.-]*\s+[\w:-]+\s*=)", XML),
        (r'(msg(id|ctxt)|domain)\s+"', "a PO file of translations"),
        (r"webvtt\b|\[script info\]|(\d+\n)?\d+:\d\d:\d\d[,.]\d+( +-->|,)", SUBTITLES),
        (r"\[\d+:\d\d([.:]\d+)?\]|\{\d+\}\{\d+\}", SUBTITLES),
        (r"[^\n]*\S \|\|\| \S", "a file of sentences and their translations"),
        (rf"(from \S+@\S+ |({EMAIL_HEADERS}|x-[\w-]+):[^\n]*\n[a-z]+(-[a-z]+)*: )", "an e-mail"),
    )
)
MAX_SEARCHED = 100  # lines among which the first two that are neither blank nor comments are sought


def refuse_formats(head: bytes, name: str) -> None:
    """Raise `UserError` for an archive or a document, by its first `HEAD_SIZE` bytes."""
    if head[TAR_MARK_PLACE] == TAR_MARK or _is_old_tar(head):
        raise UserError(f"{name}: this is a tar archive; {UNPACK}")
    if name.lower().endswith(".br") and not _may_be_utf8(head):  # which has no mark
        raise UserError(f"{name}: this is compressed as br; {COMPRESS}")
    for start, kind, remedy in FORMATS:
        if head.startswith(start):
            raise UserError(f"{name}: this is {kind}; {remedy}")


def _may_be_utf8(head: bytes) -> bool:
    with suppress(UnicodeDecodeError):
        codecs.getincrementaldecoder("utf-8")().decode(head)
        return True
    return False


def _is_old_tar(head: bytes) -> bool:
    """Return whether the checksum of a tar header fits; it counts its own bytes as spaces."""
    checksum_field = head[TAR_CHECKSUM]
    digits = checksum_field.strip(b" \0")
    if len(head) < HEAD_SIZE or not re.fullmatch(b"[0-7]+", digits):
        return False
    sum_of_others = sum(head) - sum(checksum_field)
    sum_of_spaces = len(checksum_field) * ord(" ")
    return int(digits, 8) == sum_of_others + sum_of_spaces


def refuse_controls(line: bytes, where: str) -> None:
    """Raise `UserError` for control characters that stand in other encodings, but in no text."""
    for control, name, source in CONTROLS:
        if control in line:
            raise UserError(
                f"{where}: it has the control character {name}, a sign of {source}; convert the "
                "file to UTF-8, such as by iconv, or remove the character"
            )
    if HZ.search(line):
        raise UserError(f"{where}: this is HZ, an encoding of Chinese; convert the file to UTF-8")


def refuse_byte_order_marks(line: bytes, where: str) -> None:
    """Raise `UserError` for the byte order mark of another encoding than UTF-8."""
    if line.startswith(MARK_BYTES):
        encoding = next(name for mark, name in BYTE_ORDER_MARKS.items() if line.startswith(mark))
        raise UserError(f"{where}: this is {encoding}; convert the file to UTF-8")


def refusing_markup(lines: Iterable[Line]) -> Iterator[Line]:
    """Yield the lines unchanged; raise `UserError` if the first ones begin markup.

    Only the beginning is checked: further down, a text may speak of `<html>`.
    """
    following = iter(lines)
    beginning: list[Line] = []
    first_lines: list[Line] = []  # neither blank nor comments
    for where, line in following:
        beginning.append((where, line))
        if line.strip() and not line.startswith("#"):
            first_lines.append((where, line.strip()))
        if len(first_lines) == 2 or len(beginning) == MAX_SEARCHED:
            break
    start = "\n".join(line for _, line in first_lines)
    for pattern, kind in MARKUP:
        if pattern.match(start):
            where, _ = first_lines[0]
            raise UserError(
                f"{where}: this is {kind}, whose markup would be read as words; save its "
                "texts alone, one a line"
            )
    yield from chain(beginning, following)
