"""Files of text from users, plain or compressed: lines with their places, objects, names, texts."""

import gzip
import json
import logging
import lzma
import re
import tarfile
import unicodedata
import zlib
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from itertools import chain
from numbers import Integral
from pathlib import Path
from typing import Any, BinaryIO

from cr5.base import not_text
from cr5.base.characters import visible
from cr5.base.compressed import open_bz2, open_xz
from cr5.base.errors import UserError, pass_on

log = logging.getLogger(__name__)

OPENERS: dict[bytes, Callable] = {
    b"BZh": open_bz2,
    b"\x1f\x8b": gzip.open,
    b"\xfd7zXZ\0": open_xz,
}
LONGEST_MAGIC = 6
# what decompressors and tarfile raise for damaged files and other formats
BROKEN = (OSError, EOFError, lzma.LZMAError, zlib.error, tarfile.TarError)
BOM = "\ufeff"
CARRIAGE_RETURN = 13  # as a byte
# A lone surrogate cannot be stored as UTF-8; text cut in the middle of an emoji ends in one.
UNSTORABLE = re.compile("[\0\ud800-\udfff]")
REPLACEMENT = "\ufffd"
UNPRINTABLE = re.compile("[\0-\x1f\x7f\ud800-\udfff]")


@contextmanager
def open_stream(path: str | Path) -> Iterator[BinaryIO]:
    """Open a file to read bytes: plain, or in bzip2, gzip or xz, as its first bytes tell.

    UserError for archives and documents in other formats, by name.
    """
    path = Path(path)
    if path.exists() and not (path.is_file() or path.is_dir()):
        raise UserError(f"{path}: a pipe or a device, expected a file: write it to one")
    with named(path):
        with path.open("rb") as file:
            magic = file.read(LONGEST_MAGIC)
        opener = next((x for start, x in OPENERS.items() if magic.startswith(start)), open)
        with opener(path, "rb") as stream:
            not_text.refuse_formats(stream.read(not_text.HEAD), str(path))
            stream.seek(0)
            yield stream


@contextmanager
def named(where: str | Path) -> Iterator[None]:
    """Name the file in what a library raises of a damaged one."""
    try:
        yield
    except BROKEN as error:
        pass_on(error)
        raise UserError(f"{where}: {getattr(error, 'strerror', '') or error}") from error


def read_lines(path: str | Path, codec: str = "utf-8") -> Iterator[tuple[str, str]]:
    """Yield (`path, line n`, text without its line end) of each line, plain or compressed."""
    with open_stream(path) as file:
        yield from decoded(file, str(path), codec)


def decoded(lines: Iterable[bytes], name: str, codec: str = "utf-8") -> Iterator[tuple[str, str]]:
    """Yield the same as `read_lines`, of lines from a file of this name.

    Concatenated files may have byte order marks inside; they are dropped from any line's start.
    """
    for number, line in enumerate(_divided(lines, name), start=1):
        where = f"{name}, line {number}"
        yield where, decode(line, where, codec).removeprefix(BOM).rstrip("\r\n")


def _divided(lines: Iterable[bytes], name: str) -> Iterator[bytes]:
    """Yield the lines of a file, which ends them by line feeds, or all by carriage returns alone.

    Of parallel files the lines are counted by line feeds, so that where there are any, a carriage
    return within a line does not end it.
    """
    rest = iter(lines)
    beginning = [line for _, line in zip(range(2), rest, strict=False)]
    if len(beginning) == 1:
        own = beginning[0].removesuffix(b"\n").removesuffix(b"\r").split(b"\r")
        yield from own
        if len(own) > 1:  # told at the end: some read the first line alone, before they read all
            log.warning("%s: carriage returns end its %d lines", name, len(own))
        return
    n_within = 0
    first = 0
    for number, line in enumerate(chain(beginning, rest), start=1):
        if CARRIAGE_RETURN in line.rstrip(b"\r\n"):
            n_within += 1
            first = first or number
        yield line
    if n_within:
        message = "%s: carriage returns within lines end none (lines: %d, the first: line %d)"
        log.warning(message, name, n_within, first)


def decode(data: bytes, where: str, codec: str = "utf-8") -> str:
    """Return bytes as text; UserError with the place if they are not in this encoding."""
    not_text.refuse_marks(data, where)
    not_text.refuse_controls(data, where)
    try:
        return data.decode(codec)
    except UnicodeDecodeError as error:
        raise UserError(f"{where}: this is not UTF-8 ({error}); convert the file") from error


def parse(line: str, where: str) -> dict[str, Any]:
    """Read a line of JSON lines; UserError with the place if it is no JSON, or no object."""
    try:
        value = json.loads(line)
    except (ValueError, RecursionError) as error:
        raise UserError(f"{where}: not JSON, an object on each line ({error})") from error
    if not isinstance(value, dict):
        raise UserError(f"{where}: expected an object, {{...}}, got {type(value).__name__}")
    return value


def text(key: str, value: Any, where: str) -> str:
    """Check that a value is text; replace what cannot be stored by U+FFFD, which is no letter."""
    if not isinstance(value, str):
        raise UserError(f'{where}: "{key}" must be a string, got {type(value).__name__}')
    return storable(value)


def storable(value: str) -> str:
    """Replace what cannot be stored by U+FFFD."""
    return UNSTORABLE.sub(REPLACEMENT, value)


def is_missing(value: Any) -> bool:
    """Whether a text is not there: None, nan, or nothing but white space."""
    if isinstance(value, str):
        return not value.strip()
    return value is None or (isinstance(value, float) and value != value)


@dataclass
class Losses:
    """What is lost of texts while they are read, to be told at the end: how often, where first."""

    texts: int = 0
    missing: int = 0
    replaced: int = 0
    first_missing: str = ""
    first_replaced: str = ""

    def count(self, text: str | None, where: str) -> None:
        """Count a text, as `text` or `storable` returns it, or None for one that is missing."""
        self.texts += 1
        if text is None:
            self.missing += 1
            self.first_missing = self.first_missing or where
        elif REPLACEMENT in text:
            self.replaced += 1
            self.first_replaced = self.first_replaced or where

    def tell(self, source: str | Path, fate: str = "no documents") -> None:
        """Warn of what was lost; `fate` is what missing texts are."""
        if self.missing:
            missing = self.missing, self.texts, fate, self.first_missing
            log.warning("%s: %d of %d texts are missing, and %s; the first: %s", source, *missing)
        if self.replaced:
            log.warning(
                "%s: %d of %d texts have characters that were lost (U+FFFD); the first: %s",
                source,
                self.replaced,
                self.texts,
                self.first_replaced,
            )


def name(key: str, value: Any, where: str) -> str:
    """Read an id or a label, text or an integer, as `folded` text.

    What no table or message can hold is refused, not replaced: two names could become equal.
    """
    if isinstance(value, bool) or not isinstance(value, str | Integral):
        raise UserError(f'{where}: "{key}" must be text or an integer, got {type(value).__name__}')
    found = folded(str(value))
    if not found:
        raise UserError(f'{where}: "{key}" is empty; give one to each document')
    if UNPRINTABLE.search(found):
        raise UserError(f'{where}: "{key}": remove the character that cannot be kept: {found!a}')
    return found


def folded(name: str) -> str:
    """Return an id as ids are compared: in NFC, without what is not seen and white space around."""
    return unicodedata.normalize("NFC", visible(name)).strip()
