"""Gettext's catalogues of translated messages: PO as translators write it, MO as programs read it.

A row is a message: `concept`, a checksum of its context and original, the same in all languages;
`title`, its original; and a text in each of two languages, such as `text_da`, by the catalogue's
header `Language` (`text` where it has none), and `text_en`, the original (or as the header
`X-Source-Language` says). Fuzzy and obsolete messages are left out, as msgfmt does; of a message
with plurals the singular counts.
"""

import hashlib
import re
import struct
from collections.abc import Collection, Iterator
from pathlib import Path

from cr5.base import limits
from cr5.base.compressed import open_stream
from cr5.base.errors import UserError
from cr5.base.lines import read_lines

MAGIC = (b"\xde\x12\x04\x95", b"\x95\x04\x12\xde")  # of MO in either order of bytes
LINE = re.compile(r'(?:(msgctxt|msgid|msgid_plural|msgstr(?:\[\d{1,3}\])?)\s*)?"(.*)"')
ESCAPE = re.compile(r"\\(.)")
ESCAPED = {"n": "\n", "t": "\t", "r": "\r"}
HEADER = re.compile(r"^(Language|X-Source-Language|Content-Type):[ \t]*(.*)$", re.MULTILINE)
CONTEXT = "\x04"  # between context and original in MO
FORM = 'expected lines such as msgid "..." and msgstr "..."'

Rows = Iterator[tuple[str, dict[str, str]]]
Message = tuple[str, str, str, str]  # file and line, context, original, translation


def po(path: Path, wanted: Collection[str] = ()) -> Rows:
    """Read a PO file, message by message.

    Raises:
        UserError: with file and line: not UTF-8, or not of this form.
    """
    return _rows(_po(path))


def mo(path: Path, wanted: Collection[str] = ()) -> Rows:
    """Read a MO file, which is held in memory.

    Raises:
        UserError: it is damaged, or not in UTF-8.
    """
    with open_stream(path) as file:
        return _rows(_mo(limits.whole(file, str(path)), path))


def languages(code: str, text: str) -> dict[str, str]:
    """Return the columns of a text: by its language, `text_pt_br`, and without variant."""
    name = re.sub(r"\W+", "_", code.strip().lower()).strip("_")
    return {f"text_{name.partition('_')[0]}": text, f"text_{name}": text}


def _rows(messages: Iterator[Message]) -> Rows:
    target = source = ""
    for where, context, original, translation in messages:
        if not (original or context):
            told = {key: value.strip() for key, value in HEADER.findall(translation)}
            target, source = told.get("Language", ""), told.get("X-Source-Language", "")
            continue
        digest = hashlib.sha256(f"{context}{CONTEXT}{original}".encode(errors="replace"))
        row = languages(source or "en", original)
        if translation:
            row |= languages(target, translation) if target else {"text": translation}
        title = " ".join(original.split())
        yield where, {"concept": digest.hexdigest()[:16], "title": title, **row}


def _po(path: Path) -> Iterator[Message]:
    found: dict[str, list[str]] = {}  # of the message that is read
    begins, key, is_fuzzy, flagged = str(path), "", False, False
    for where, line in read_lines(path):
        text = line.strip()
        if text.startswith("#,"):
            flagged |= "fuzzy" in text
        if not text or text.startswith("#"):
            continue
        named, content = _parts(text, where)
        if named in ("msgctxt", "msgid") and "msgstr" in found:
            yield from _message(found, begins, is_fuzzy)
            found = {}
        if not found:
            begins, is_fuzzy, flagged = where, flagged, False
        key = named or key
        if not key or (named and named in found) or len(found.get(key, ())) > limits.STANZA:
            raise UserError(f"{where}: {named or 'a text'} out of place; {FORM}")
        found.setdefault(key, []).append(content)
    yield from _message(found, begins, is_fuzzy)


def _parts(line: str, where: str) -> tuple[str, str]:
    """Return the keyword of a line, if any, and its text."""
    found = LINE.fullmatch(line)
    if not found:
        raise UserError(f"{where}: found {line[:80]!r}; {FORM}")
    text = ESCAPE.sub(lambda x: ESCAPED.get(x[1], x[1]), found[2])
    return (found[1] or "").replace("[0]", ""), text


def _message(found: dict[str, list[str]], where: str, is_fuzzy: bool) -> Iterator[Message]:
    context, original, translation = (
        "".join(found.get(x, ())) for x in ("msgctxt", "msgid", "msgstr")
    )
    if found and not (is_fuzzy and original):  # a fuzzy header still names the language
        yield where, context, original, translation


def _mo(data: bytes, path: Path) -> Iterator[Message]:
    order = "<" if data.startswith(MAGIC[0]) else ">"
    try:
        n, *tables = struct.unpack_from(f"{order}3I", data, 8)
        places = [struct.unpack_from(f"{order}{2 * n}I", data, x) for x in tables]
        if sum(sum(x[::2]) for x in places) > limits.OVERLAP * len(data):
            raise ValueError("its messages lie over each other")
        for number in range(n):
            texts = [_slice(data, *x[2 * number : 2 * number + 2]) for x in places]
            original, translation = (x.partition(b"\0")[0].decode() for x in texts)
            context, _, original = original.rpartition(CONTEXT)
            yield f"{path}, message {number + 1}", context, original, translation
    except (struct.error, ValueError) as error:  # one of Unicode's, too
        raise UserError(
            f"{path}: not a whole MO file in UTF-8 ({error}); make it again, by `msgfmt` of a PO "
            "file in UTF-8"
        ) from error


def _slice(data: bytes, size: int, start: int) -> bytes:
    if start + size > len(data):
        raise ValueError(f"a message ends at byte {start + size} of {len(data)}")
    return data[start : start + size]
