"""Documents given as weights of numbered words, with a class each: no text, no words."""

import logging
from collections.abc import Iterator, Mapping

from pydantic import Field, ValidationInfo, field_validator

from cr5.base.errors import UserError
from cr5.base.languages import LANGUAGE, names_of, path_of
from cr5.base.text_files import checked_name, read_lines
from cr5.contracts.keys import Codes, Language, PathText, each_once
from cr5.contracts.source import Source

log = logging.getLogger(__name__)

ORIGINAL = "{original}"
SMALLEST = 1e-30  # squares of smaller ones are 0
LARGEST = 1e30  # squares of larger ones are infinite
NUMBERS = 2**31  # limit of word numbers; a matrix has no more columns
FORM = "expected a class and `number:weight` of each word, such as `CCAT 3:0.0421 17:0.1102`"


class Matrix(Source):
    """Documents given as weights of numbered words, with a class each: no text, no words.

        CCAT 3:0.0421 17:0.1102 8051:0.0377

    One document per line: its class, then `number:weight` for each word. This is the format of
    Multilingual Reuters (UCI 259), with a file for each original language and each language
    translated to: line k of `EN/Index_EN-EN` and line k of `SP/Index_EN-SP` are the same document,
    machine translated. With a path that names only the original language, such as
    `EN/Index_{original}-EN`, all documents are in one language, whose numbers then mean the same
    words. UTF-8, plain or compressed with gzip, xz, bzip2, zstd or zip.
    """

    name = "weights of words of your own"
    has_text = False

    path: PathText
    """The files, plain or compressed, with `{language}` in it; of translations with `{original}`
    too, or alone where all are in one language: that they were written in."""
    codes: Codes = Field(default_factory=dict)
    """What the path calls a language."""
    originals: tuple[Language, ...] = ()
    """Languages whose documents exist in all languages, by translation; needed where the path has
    `{original}` in it."""

    @field_validator("path")
    @classmethod
    def _has_a_place_for_languages(cls, path: str) -> str:
        if LANGUAGE not in path and ORIGINAL not in path:
            raise ValueError(f"Input should be a path with {LANGUAGE} or {ORIGINAL} in it")
        return path

    @field_validator("originals")
    @classmethod
    def _are_in_the_path(cls, originals: tuple[str, ...], info: ValidationInfo) -> tuple[str, ...]:
        if (ORIGINAL in info.data.get("path", "")) != bool(originals):
            raise ValueError(f"Input should be given if the path has {ORIGINAL} in it, only then")
        return each_once(originals)

    def files(self, language: str, written: Mapping[str, str] = {}) -> dict[str, str]:
        """Return the files of a language, by the prefix of their documents' concepts.

        Line k is the same document in the files of the same prefix.
        """
        names = names_of(language, written, self.codes)
        if ORIGINAL not in self.path:
            return {"": path_of(self.path, language=names)}
        paths = {}
        for original in dict.fromkeys([*self.originals, language]):
            of_original = names_of(original, written, self.codes)
            paths[f"{original}:"] = path_of(self.path, original=of_original, language=names)
        return paths

    def prefix_of(self, language: str) -> str:
        """Return the prefix of a language's words: none if all languages have the same words."""
        return language if LANGUAGE in self.path else ""


def documents(prefix: str, path: str) -> Iterator[tuple[str, str, dict[int, float]]]:
    """Yield the concept (prefix and number of the line), class and weights of each document."""
    n_blank = 0
    is_empty = True
    for number, (place, line) in enumerate(read_lines(path), start=1):
        if not line.strip():  # it is counted, as line k is the same document in all files
            n_blank += 1
            continue
        is_empty = False
        label, *fields = line.split()
        try:
            if ":" in label:
                raise ValueError(f"there is no class before {label!r}")
            weights = dict(_weight(field) for field in fields)
            if len(weights) < len(fields):
                raise ValueError("a word is there twice")
        except ValueError as error:
            raise UserError(f"{place}: {FORM} ({error})") from error
        yield f"{prefix}{number}", checked_name("class", label, place), weights
    if is_empty:
        raise UserError(f"{path}: no document; {FORM}")
    if n_blank:
        log.warning("%s: blank lines are no documents: %d", path, n_blank)


def _weight(field: str) -> tuple[int, float]:
    """Return the number of a word, and its weight; ValueError if they are none."""
    if "_" in field:  # Python would take `1_0` for 10
        raise ValueError(f"{field}: write numbers without `_`")
    number, weight = field.split(":")
    word = int(number)
    value = float(weight)
    if not (0 <= word < NUMBERS and SMALLEST <= value <= LARGEST):  # rejects nan too
        raise ValueError(
            f"{field}: numbers are from 0 to {NUMBERS - 1}, weights from {SMALLEST} to {LARGEST}"
        )
    return word, value
