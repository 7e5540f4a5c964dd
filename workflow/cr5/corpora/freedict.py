r"""FreeDict's dictionaries (freedict.org), as Debian packages them for dictd.

    freedict-dan-eng.index     key, offset and length of its entries, separated by tabs; numbers
                               in base 64 (dictd(8), "Index File Format")
    freedict-dan-eng.dict.dz   the concatenated entries, UTF-8, gzip

The first line of an entry has the headword, its pronunciation and grammar; each further line is a
sense, with translations separated by commas:

    bank /ˈbanʔk/ <n>
    1. bank
    2. [penge] money box, piggy bank
       Synonym: {sparebøsse}
"""

import gzip
import io
import re
import string
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path

from cr5.base.archives import BROKEN
from cr5.base.compressed import open_stream
from cr5.base.errors import UserError
from cr5.base.languages import base_language
from cr5.corpora import debian

Pair = tuple[str, str]

# ISO 639-3 codes, as used by FreeDict, of languages with a shorter code.
LONG = {
    "af": "afr", "ar": "ara", "bg": "bul", "br": "bre", "ca": "cat", "cs": "ces", "cy": "cym",
    "da": "dan", "de": "deu", "el": "ell", "en": "eng", "eo": "epo", "es": "spa", "fi": "fin",
    "fr": "fra", "ga": "gle", "gd": "gla", "hi": "hin", "hr": "hrv", "hu": "hun", "id": "ind",
    "is": "isl", "it": "ita", "ja": "jpn", "ku": "kur", "la": "lat", "lt": "lit", "mk": "mkd",
    "nb": "nob", "nl": "nld", "nn": "nno", "no": "nor", "oc": "oci", "pl": "pol", "pt": "por",
    "ro": "ron", "ru": "rus", "sa": "san", "sk": "slk", "sl": "slv", "sr": "srp", "sv": "swe",
    "sw": "swh", "tr": "tur", "vi": "vie", "wo": "wol", "zh": "zho",
}  # fmt: skip
DIGITS = {
    x: i for i, x in enumerate(f"{string.ascii_uppercase}{string.ascii_lowercase}0123456789+/")
}
SPOKEN = re.compile(r" [/<\[(]")  # what follows the headword
REMARK = re.compile(r"^(\s{2,}|\s*\w+:\s)")  # Note:, Synonym:, examples, continued lines
NUMBER = re.compile(r"^\s*\d+\.\s+")
CLOSING = {"[": "]", "<": ">", "(": ")", "{": "}", '"': '"'}  # brackets around asides
OPENING = re.compile(r"[\[<({\"]")
LONGEST = 6  # digits of an offset in 64 GiB


def package(source: str, target: str) -> str:
    """Name of the Debian package for a pair of languages, such as `da` and `en`."""
    return f"dict-{_name(source, target)}"


def find(folder: str | Path, pairs: Iterable[Pair]) -> dict[Pair, Path]:
    """Find dictionaries in a folder of packages, or of unpacked packages.

    Returns:
        For each directed pair that has one, the newest .deb file, or else the .index file.
    """
    folder, found = Path(folder), {}
    indices = {path.stem: path for path in sorted(folder.rglob("freedict-*.index"))}
    for source, target in pairs:
        packages = list(folder.glob(f"{package(source, target)}_*.deb"))
        if packages:
            found[source, target] = max(packages, key=debian.version_key)
        elif _name(source, target) in indices:
            found[source, target] = indices[_name(source, target)]
    return found


def entries(path: Path) -> Iterator[tuple[str, str]]:
    """Read a dictionary returned by `find`: pairs of headword and translation, in file order.

    Raises:
        UserError: it is damaged, or has no entry.
    """
    index, texts = _package(path) if path.suffix == ".deb" else _files(path)
    places = _places(index, path)
    found = False
    for start, end in sorted(places):
        if end > len(texts):
            raise UserError(f"{path}: an entry ends at byte {end} of {len(texts)}; get it anew")
        for pair in _entry(texts[start:end].decode("utf-8", "replace")):
            found = True
            yield pair
    if not found:
        raise UserError(f"{path}: there is no entry in this dictionary; get another one")


def _name(source: str, target: str) -> str:
    codes = (LONG.get(base_language(x), base_language(x)) for x in (source, target))
    return f"freedict-{'-'.join(codes)}"


def _package(deb: Path) -> tuple[bytes, bytes]:
    content = {Path(name).name: data for name, data in debian.unpack(deb) if "/dictd/" in name}
    texts = _one(content, ".dict.dz", deb)
    try:
        with gzip.open(io.BytesIO(texts)) as plain:
            return _one(content, ".index", deb), plain.read()
    except BROKEN as error:
        raise UserError(f"{deb}: its .dict.dz is damaged ({error}); get it anew") from error


def _one(content: Mapping[str, bytes], suffix: str, deb: Path) -> bytes:
    found = [data for name, data in content.items() if name.endswith(suffix)]
    if len(found) != 1:
        raise UserError(f"{deb}: expected one file *{suffix} of dictd in it, found {len(found)}")
    return found[0]


def _files(index: Path) -> tuple[bytes, bytes]:
    beside = [index.with_suffix(suffix) for suffix in (".dict.dz", ".dict")]
    texts = next((path for path in beside if path.is_file()), beside[0])
    with open_stream(index) as first, open_stream(texts) as second:
        return first.read(), second.read()


def _places(index: bytes, path: Path) -> set[tuple[int, int]]:
    """Start and end of entries; several keys may share one, and some point to information on it."""
    places = set()
    lines = index.decode("utf-8", "replace").removesuffix("\n").split("\n")
    for number, line in enumerate(lines, start=1):
        key, *numbers = line.split("\t")
        if len(numbers) < 2 or not all(map(_is_number, numbers[:2])):
            raise UserError(f"{path}, line {number} of its index: no key, offset and length")
        if not key.startswith(("00database", "00-database")):
            start, length = map(_decoded, numbers[:2])
            places.add((start, start + length))
    return places


def _is_number(digits: str) -> bool:
    return len(digits) <= LONGEST and set(digits) <= set(DIGITS)


def _decoded(digits: str) -> int:
    number = 0
    for digit in digits:
        number = 64 * number + DIGITS[digit]
    return number


def _entry(text: str) -> Iterator[tuple[str, str]]:
    first, *senses = text.split("\n")
    headword = SPOKEN.split(first, maxsplit=1)[0].strip()
    for sense in senses:
        if not REMARK.match(sense):
            plain = _without_asides(NUMBER.sub("", sense))
            translations = (" ".join(x.split()) for x in re.split("[,;]", plain))
            yield from ((headword, x) for x in translations if x)


def _without_asides(text: str) -> str:
    """Blank each part in brackets or quotes; a bracket that is never closed is text."""
    kept, done, unclosed = [], 0, set()
    for opening in OPENING.finditer(text):
        bracket, start = opening[0], opening.start()
        if start < done or bracket in unclosed:
            continue
        end = text.find(CLOSING[bracket], start + 1)
        if end < 0:
            unclosed.add(bracket)  # not searched again: that could take forever
        else:
            kept.append(text[done:start])
            done = end + 1
    return " ".join([*kept, text[done:]])
