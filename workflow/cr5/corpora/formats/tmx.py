"""TMX: translation memories. A unit is a row, with a text for each of its languages.

Its concept is the attribute `tuid`, or else its number in the file. Codes of formatting inside a
text (`bpt`, `ept`, `it`, `ph`, `ut`) are left out.
"""

from collections.abc import Collection, Iterator
from pathlib import Path
from typing import BinaryIO

from lxml import etree

from cr5.base import limits
from cr5.base.compressed import open_stream
from cr5.base.errors import UserError
from cr5.base.refusals import pass_on
from cr5.corpora.formats.catalogues import languages

LANGUAGE = "{http://www.w3.org/XML/1998/namespace}lang"
CODES = {"bpt", "ept", "it", "ph", "ut"}


def read(path: Path, wanted: Collection[str] = ()) -> Iterator[tuple[str, dict[str, str]]]:
    """Read a file, unit by unit; memory holds one.

    Raises:
        UserError: with file and line: it is not XML, or beyond the parser's limits.
    """
    try:
        with open_stream(path) as file:
            parts = _Parts(file, str(path))
            found = etree.iterparse(
                parts, tag="{*}tu", resolve_entities=False, no_network=True, load_dtd=False
            )
            for number, (_, unit) in enumerate(found, start=1):
                yield f"{path}, line {unit.sourceline}", _row(unit, number)
                _forget(unit)
                parts.size = 0
    except etree.XMLSyntaxError as error:
        pass_on(error)
        raise UserError(f"{path}: not a whole TMX file ({error}); get a whole copy") from error


class _Parts:
    """A file read in parts.

    Attributes:
        size: bytes read for the present unit.
    """

    def __init__(self, file: BinaryIO, where: str):
        self._file, self._where, self.size = file, where, 0

    def read(self, most: int) -> bytes:
        """Read a part; refuse a unit that is too large."""
        data = self._file.read(most)
        self.size += len(data)
        limits.check_whole(self.size, f"{self._where}: a unit")
        return data


def _row(unit, number: int) -> dict[str, str]:
    row = {"concept": unit.get("tuid") or str(number)}
    for variant in unit.iterfind("{*}tuv"):
        segment = variant.find("{*}seg")
        if segment is not None:
            code = variant.get(LANGUAGE) or variant.get("lang") or ""
            texts = languages(code, " ".join("".join(_texts(segment)).split()))
            row = texts | row  # of two variants of a language, the first
    return row


def _texts(element) -> Iterator[str]:
    yield element.text or ""
    for child in element:
        if isinstance(child.tag, str) and etree.QName(child).localname not in CODES:
            yield from _texts(child)
        yield child.tail or ""


def _forget(unit) -> None:
    unit.clear(keep_tail=False)
    while unit.getprevious() is not None:
        del unit.getparent()[0]
