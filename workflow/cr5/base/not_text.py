"""What is no plain text, and is refused by name: archives, documents, other encodings, markup."""

import codecs
import re
from collections.abc import Iterable, Iterator
from itertools import chain

from cr5.base.errors import UserError

Line = tuple[str, str]
"""Where a line stands, and its text."""

HEAD = 512  # bytes that tell a format
TAR = slice(257, 262), b"ustar"
UNPACK = "unpack it and name the file that is in it"
SAVE = "save its text as plain text in UTF-8"
FORMATS = (  # what files begin with, what they are, and the remedy
    (b"PK\x03\x04", "a zip archive, as are documents of Word and Excel", f"{UNPACK}, or {SAVE}"),
    (b"7z\xbc\xaf\x27\x1c", "a 7z archive", UNPACK),
    (b"Rar!\x1a\x07", "a rar archive", UNPACK),
    (b"\x28\xb5\x2f\xfd", "compressed as zst", "unpack it, or compress it as gzip, xz or bzip2"),
    (b"%PDF-", "a PDF document", SAVE),
    (b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1", "a document of an old Office", SAVE),
    (b"{\\rtf", "an RTF document", SAVE),
)
# Characters that no text in UTF-8 has, their names, and what has them. Other control characters,
# which stand in text from PDF files and spreadsheets, are no letters, and end words as blanks do.
CONTROLS = (
    (0, "NUL", "UTF-16, UTF-32 or a file that is no text"),
    (14, "SO", "ISO-2022-KR"),
    (15, "SI", "ISO-2022-KR"),
    (27, "ESC", "ISO-2022-JP or a terminal's colours"),
)
# with their marks, the longer ones first
MARKS = {
    codecs.BOM_UTF32_LE: "UTF-32",
    codecs.BOM_UTF32_BE: "UTF-32",
    codecs.BOM_UTF16_LE: "UTF-16",
    codecs.BOM_UTF16_BE: "UTF-16",
}
FIRST_OF_MARKS = tuple(MARKS)
HTML = "html|head|body|title|meta|article|section|div|p|table|ul|ol|h[1-6]"
XML = "tmx|xliff|tei|mediawiki|xml|rss|feed|svg|docs?|corpus|srcset|refset|tstset|chapter|speaker"
MARKUP = tuple(  # how the first lines of a file begin, and what it is
    (re.compile(pattern, re.IGNORECASE), kind)
    for pattern, kind in (
        (rf"(<!doctype\s+html|<({HTML}))\b", "an HTML page"),
        (rf"<(\?xml|!doctype|!--|({XML})\b)", "XML, as TMX and other formats are"),
        (r'msg(id|ctxt)\s+"', "a PO file of translations"),
        (r"webvtt\b|\[script info\]|(\d+\n)?\d+:\d\d:\d\d[,.]\d+( +-->|,)", "a file of subtitles"),
    )
)
BEGINNING = 100  # lines that are searched for what is neither blank nor a comment


def refuse_formats(head: bytes, name: str) -> None:
    """Raise `UserError` for an archive or a document, by its first `HEAD` bytes."""
    place, mark = TAR
    if head[place] == mark:
        raise UserError(f"{name}: this is a tar archive; {UNPACK}")
    for start, kind, remedy in FORMATS:
        if head.startswith(start):
            raise UserError(f"{name}: this is {kind}; {remedy}")


def refuse_controls(line: bytes, where: str) -> None:
    """Raise `UserError` for control characters that only other encodings have, and no text."""
    for control, name, source in CONTROLS:
        if control in line:
            raise UserError(
                f"{where}: it has the control character {name}, a sign of {source}; convert the "
                "file to UTF-8, such as by iconv, or remove the character"
            )


def refuse_marks(line: bytes, where: str) -> None:
    """Raise `UserError` for the byte order mark of another encoding than UTF-8."""
    if line.startswith(FIRST_OF_MARKS):
        encoding = next(name for mark, name in MARKS.items() if line.startswith(mark))
        raise UserError(f"{where}: this is {encoding}; convert the file to UTF-8")


def plain(lines: Iterable[Line]) -> Iterator[Line]:
    """Pass lines of text on; `UserError` if the first of them are the beginning of markup.

    What stands further down is not looked at: a text may speak of `<html>`.
    """
    rest = iter(lines)
    beginning: list[Line] = []
    telling: list[Line] = []
    for where, line in rest:
        beginning.append((where, line))
        if line.strip() and not line.startswith("#"):
            telling.append((where, line.strip()))
        if len(telling) == 2 or len(beginning) == BEGINNING:
            break
    start = "\n".join(line for _, line in telling)
    for pattern, kind in MARKUP:
        if pattern.match(start):
            raise UserError(
                f"{telling[0][0]}: this is {kind}, whose markup would be read as words; save its "
                "texts alone, one a line"
            )
    yield from chain(beginning, rest)
