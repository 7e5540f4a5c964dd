"""Files of text from users, plain or compressed: lines with their places, objects, names, texts."""

import codecs
import gzip
import json
import logging
import lzma
import re
import tarfile
import unicodedata
import zlib
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager, suppress
from itertools import chain, islice
from numbers import Integral, Real
from pathlib import Path
from typing import Any, BinaryIO

from cr5.base import not_text
from cr5.base.characters import visible
from cr5.base.compressed import open_bz2, open_xz, open_zip, open_zstd
from cr5.base.errors import UserError, pass_on

log = logging.getLogger(__name__)

OPENERS: dict[bytes, Callable] = {
    b"BZh": open_bz2,
    b"\x1f\x8b": gzip.open,
    b"\xfd7zXZ\0": open_xz,
    b"PK\x03\x04": open_zip,
    b"PK\x05\x06": open_zip,  # without a file in it
    b"\x28\xb5\x2f\xfd": open_zstd,
}
LONGEST_MAGIC = 6
PIECE = 1 << 20  # bytes
MAGIC = {".bz2": b"BZh", ".gz": b"\x1f\x8b"}  # by the ending of a name
# what decompressors and tarfile raise for damaged files and other formats
BROKEN = (OSError, EOFError, lzma.LZMAError, zlib.error, tarfile.TarError)
BOM = "\ufeff"
UTF_8 = "utf-8"
ARRAY = "a JSON array, expected an object on each line: write them by jq -c '.[]' FILE"
FLOATS_OF_PANDAS = (
    "; pandas makes floats of integers beside a missing one: leave out the rows that lack it, then "
    'convert the column by .astype("Int64")'
)
CARRIAGE_RETURN = 13  # as a byte
# A lone surrogate cannot be stored as UTF-8; text cut in the middle of an emoji ends in one.
UNSTORABLE = re.compile("[\0\ud800-\udfff]")
REPLACEMENT = "\ufffd"
UNPRINTABLE = re.compile("[\0-\x1f\x7f\ud800-\udfff]")


@contextmanager
def open_stream(path: str | Path) -> Iterator[BinaryIO]:
    """Open a file to read bytes: plain, or in bzip2, gzip, xz, zstd or zip, by its first bytes.

    UserError for other archives and documents in other formats, by name.
    """
    path = Path(path)
    if path.exists() and not (path.is_file() or path.is_dir()):
        raise UserError(f"{path}: a pipe or a device, expected a file: write it to one")
    with naming_file(path):
        with path.open("rb") as file:
            magic = file.read(LONGEST_MAGIC)
        opener = _opener(magic)
        with opener(path, "rb") as stream:
            not_text.refuse_formats(stream.read(not_text.HEAD_SIZE), str(path))
            stream.seek(0)
            try:
                yield stream
            except UserError:
                if opener is not open:
                    _read_on(stream)
                raise


def _read_on(stream: BinaryIO) -> None:
    """Read what is compressed to its end, where a checksum tells whether it is damaged.

    Then what was found in it was no mistake of its writer's.
    """
    while stream.read(PIECE):
        pass


def check_beginning(path: str | Path) -> None:
    """Refuse what is not compressed as its name says, or cannot be read even at its beginning.

    As a page that says why there is no file, saved under its name. Not more than one block is
    decompressed. UserError.
    """
    path = Path(path)
    magic = MAGIC.get(path.suffix, b"")
    with path.open("rb") as file:
        beginning = file.read(LONGEST_MAGIC)
    if not beginning.startswith(magic):
        raise UserError(
            f"{path}: not compressed as its name says: it begins with {beginning!r}; get the whole "
            "file again"
        )
    with open_stream(path):
        pass


def _opener(magic: bytes) -> Callable:
    """Return the function that opens a file with these first bytes."""
    for start, opener in OPENERS.items():
        if magic.startswith(start):
            return opener
    return open


@contextmanager
def naming_file(where: str | Path) -> Iterator[None]:
    """Turn errors of libraries about a damaged file into a `UserError` that names the file."""
    try:
        yield
    except BROKEN as error:
        pass_on(error)
        message = f"{where}: {getattr(error, 'strerror', '') or error}"
        if isinstance(error, EOFError):
            message += "; it is cut off: get the whole file again"
        elif getattr(error, "errno", None) is None:  # of a decompressor, not of the machine
            message += "; it may be damaged: get the whole file again"
        raise UserError(message) from error


def read_lines(path: str | Path, codec: str = "utf-8", name: str = "") -> Iterator[tuple[str, str]]:
    """Yield (`path, line n`, text without its line end) of each line, plain or compressed.

    If a name is given, it is that of the file in messages.
    """
    with open_stream(path) as file:
        yield from decoded(file, name or str(path), codec)


def decoded(lines: Iterable[bytes], name: str, codec: str = "utf-8") -> Iterator[tuple[str, str]]:
    """Yield the same as `read_lines`, for the undecoded lines of the file `name`.

    Concatenated files may have byte order marks inside; they are dropped from any line's start.
    """
    is_checked = codec == "utf-8"
    for number, line in enumerate(_divided(lines, name), start=1):
        where = f"{name}, line {number}"
        if not is_checked and not line.isascii():
            is_checked = True
            _check_codec(line, where, codec)
        yield where, decode(line, where, codec).removeprefix(BOM).rstrip("\r\n")


def checked_encoding(encoding: str) -> str:
    """Accept an encoding in which lines end by the same bytes as in ASCII; else ValueError."""
    ascii_bytes = bytes(range(128))
    with suppress(LookupError, UnicodeError):
        if ascii_bytes.decode(encoding) == ascii_bytes.decode("ascii"):
            is_utf8 = codecs.lookup(encoding).name.startswith(UTF_8)
            return UTF_8 if is_utf8 else encoding
    raise ValueError(
        "Input should be an encoding that has ASCII's characters as they are, such as latin-1, "
        "cp1252, shift_jis or gb18030; convert files in UTF-16 and others"
    )


def _check_codec(line: bytes, where: str, codec: str) -> None:
    """Raise `UserError` if a line is UTF-8 though another codec was given: hardly by chance."""
    with suppress(UnicodeDecodeError):
        line.decode()
        raise UserError(f"{where}: this is UTF-8, not {codec}; correct the encoding that is given")


def _divided(lines: Iterable[bytes], name: str) -> Iterator[bytes]:
    """Yield the lines of a file; if it has no line feeds, carriage returns end its lines.

    Lines of parallel files correspond by their numbers, which count line feeds; so where a file has
    line feeds, a carriage return within a line does not end it.
    """
    following = iter(lines)
    beginning = list(islice(following, 2))
    if len(beginning) == 1:
        divided = beginning[0].removesuffix(b"\n").removesuffix(b"\r").split(b"\r")
        yield from divided
        # warned of only now: some callers read the first line alone before they read all
        if len(divided) > 1:
            log.warning("%s: carriage returns end its %d lines", name, len(divided))
        return
    n_within = 0
    first = 0
    for number, line in enumerate(chain(beginning, following), start=1):
        if CARRIAGE_RETURN in line.rstrip(b"\r\n"):
            n_within += 1
            first = first or number
        yield line
    if n_within:
        message = "%s: carriage returns within lines end none (lines: %d, the first: line %d)"
        log.warning(message, name, n_within, first)


def decode(data: bytes, where: str, codec: str = "utf-8") -> str:
    """Return bytes as text; UserError with the place if they are not in this encoding."""
    not_text.refuse_byte_order_marks(data, where)
    not_text.refuse_controls(data, where)
    try:
        return data.decode(codec)
    except UnicodeDecodeError as error:
        raise UserError(
            f"{where}: this is not {codec.upper()} ({error}); convert the file, or, if it has "
            "texts, name their encoding: --encoding of a command, `corpus.encoding` of a "
            "configuration"
        ) from error


def parse_object(line: str, where: str) -> dict[str, Any]:
    """Read a line of JSON lines; UserError with the place if it is no JSON, or no object."""
    try:
        value = json.loads(line, object_pairs_hook=each_key_once)
    except (ValueError, RecursionError) as error:
        if line.lstrip().startswith("["):
            raise UserError(f"{where}: {ARRAY}") from error
        raise UserError(f"{where}: not JSON, an object on each line ({error})") from error
    if isinstance(value, list):
        raise UserError(f"{where}: {ARRAY}")
    if not isinstance(value, dict):
        raise UserError(f"{where}: expected an object, {{...}}, got {type(value).__name__}")
    return value


def each_key_once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    """Return the pairs of a JSON object as a dict; ValueError if a key occurs twice."""
    value_by_key = dict(pairs)
    if len(value_by_key) < len(pairs):
        keys = [key for key, _ in pairs]
        repeated = next(key for key in keys if keys.count(key) > 1)
        raise ValueError(f"the key {repeated!r} is there twice in one object; leave one")
    return value_by_key


def parse_number(written: str) -> float:
    """Read a number; ValueError if it is none, or has `_` in it, which Python would accept."""
    if "_" in written:
        raise ValueError(f"{written!r} is no number")
    return float(written)


def checked_text(key: str, value: Any, where: str) -> str:
    """Check that a value is text; replace what cannot be stored by U+FFFD, which is no letter."""
    if isinstance(value, dict) and value:
        hint = f'name a key in it by a dot, such as "{key}.{next(iter(value))}"'
        raise UserError(f'{where}: "{key}" must be a string, got an object; {hint}')
    if not isinstance(value, str):
        raise UserError(f'{where}: "{key}" must be a string, got {type(value).__name__}')
    return storable(value)


def storable(value: str) -> str:
    """Replace what cannot be stored by U+FFFD."""
    return UNSTORABLE.sub(REPLACEMENT, value)


def is_missing(value: Any) -> bool:
    """Return whether a text is not there: None, nan, or nothing but white space."""
    if isinstance(value, str):
        return not value.strip()
    return value is None or (isinstance(value, float) and value != value)


def checked_name(key: str, value: Any, where: str) -> str:
    """Read an id or a label, text or an integer, as `folded` text.

    What no table or message can hold is refused, not replaced: two names could become equal.
    """
    if isinstance(value, bool) or not isinstance(value, str | int | Integral):  # int is quick
        message = f'{where}: "{key}" must be text or an integer, got {type(value).__name__}'
        if _is_float_for_integer(value):
            message += FLOATS_OF_PANDAS
        raise UserError(message)
    text_id = folded_name(str(value))
    if not text_id:
        raise UserError(f'{where}: "{key}" is empty; give one to each document')
    if UNPRINTABLE.search(text_id):
        raise UserError(f'{where}: "{key}": remove the character that cannot be kept: {text_id!a}')
    return text_id


def _is_float_for_integer(value: Any) -> bool:
    """Return whether this is a float without a fraction, or nan."""
    is_float = isinstance(value, Real) and not isinstance(value, bool)
    return is_float and not value % 1 > 0


def folded_name(name: str) -> str:
    """Return an id in the form in which ids are compared.

    It is in NFC, without invisible characters and without white space around it.
    """
    return unicodedata.normalize("NFC", visible(name)).strip()
