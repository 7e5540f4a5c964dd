"""Documents given as weights of numbered words, with a class each: no text, no words."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import zip_longest

from pydantic import Field, ValidationInfo, field_validator

from cr5.base.errors import UserError
from cr5.base.parts import Language, Source, each_once
from cr5.base.text_files import read_lines
from cr5.corpora.reading import LANGUAGE, file_of

ORIGINAL = "{original}"
SMALLEST, LARGEST = 1e-30, 1e30  # squares of others are 0 or infinite
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
    words. UTF-8, plain or compressed with gzip, xz or bzip2.
    """

    name = "weights of words of your own"
    has_text = False
    own_rules = "matrix.smk"

    path: str
    """The files, plain or compressed, with `{language}` in it; of translations with `{original}`
    too, or alone where all are in one language: that they were written in."""
    codes: dict[str, str] = Field(default_factory=dict)
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


@dataclass(frozen=True)
class Place:
    """A file of documents in one language.

    Attributes:
        name: prefix of its documents' concepts, before their numbers; the same in all languages.
        path: of the file.
        like: the file with the same documents in their original language; the same path if that is
            this language.
    """

    name: str
    path: str
    like: str


@dataclass(frozen=True)
class Document:
    """One line.

    Attributes:
        label: its class.
        weights: by word number, above 0.
    """

    label: str
    weights: Mapping[int, float]


def places(
    path: str, codes: Mapping[str, str], originals: Sequence[str], language: str, first: str
) -> list[Place]:
    """Return the files of a language.

    Args:
        path: with `{language}`, `{original}` or both.
        codes: names of languages in the path.
        originals: languages whose documents exist in all languages.
        language: of the files.
        first: the first language; without `{original}` all other files must match its file.
    """
    if ORIGINAL not in path:
        here, like = (file_of(path, x, codes) for x in (language, first))
        return [Place("", here, like)]
    found = []
    for original in [*originals, *([] if language in originals else [language])]:
        filled = path.replace(ORIGINAL, str(codes.get(original, original)))
        here, like = (file_of(filled, x, codes) for x in (language, original))
        found.append(Place(f"{original}:", here, like))
    return found


def prefix_of(path: str, language: str) -> str:
    """Return the prefix of a language's words: none if all languages have the same words."""
    return language if LANGUAGE in path else ""


def documents(place: Place) -> Iterator[tuple[str, Document]]:
    """Read a file; each concept is the place's name and a line number, from 1.

    Raises:
        UserError: with file and line: unreadable, of another layout, an invalid weight, documents
            that do not match those of the original file; no documents.
    """
    lines, number = _lines(place.path), 0
    if place.like != place.path:
        lines = _alike(lines, place)
    for number, (where, text) in enumerate(lines, start=1):
        yield f"{place.name}{number}", _document(text, where)
    if not number:
        raise UserError(f"{place.path}: no document; {FORM}")


def _lines(path: str) -> Iterator[tuple[str, str]]:
    return ((where, text) for where, text in read_lines(path) if text.strip())


def _alike(lines: Iterator[tuple[str, str]], place: Place) -> Iterator[tuple[str, str]]:
    """Refuse lines whose classes differ from those of the original file."""
    for mine, other in zip_longest(lines, _lines(place.like)):
        if mine is None or other is None:
            longer, shorter = (place.like, place.path)[:: 1 if mine is None else -1]
            raise UserError(
                f"{(mine or other)[0]}: {shorter} ends before; line k of {longer} and of {shorter} "
                "must be the same document: give two files of as many lines"
            )
        labels = [text.split(maxsplit=1)[0] for _, text in (mine, other)]
        if labels[0] != labels[1]:
            raise UserError(
                f"{mine[0]}: the class is {labels[0]!r}, but {labels[1]!r} at {other[0]}; the two "
                "must be the same document in two languages"
            )
        yield mine


def _document(text: str, where: str) -> Document:
    label, *fields = text.split()
    try:
        pairs = [(int(number), float(weight)) for number, weight in map(_split, fields)]
    except ValueError as error:
        raise UserError(f"{where}: {FORM} ({error})") from error
    if ":" in label:
        raise UserError(f"{where}: there is no class before {label!r}; {FORM}")
    weights = dict(pairs)
    if len(weights) < len(pairs):
        raise UserError(f"{where}: a word is there twice; {FORM}")
    _check(pairs, where)
    return Document(label, weights)


def _check(pairs: list[tuple[int, float]], where: str) -> None:
    for number, weight in pairs:
        if number >= NUMBERS:
            raise UserError(f"{where}: word {number}; numbers are from 0 to {NUMBERS - 1}")
        if number < 0 or not (SMALLEST <= weight <= LARGEST):  # rejects nan too
            raise UserError(
                f"{where}: word {number} has the weight {weight:g}; numbers are from 0 on, weights "
                f"above 0 ({SMALLEST} to {LARGEST})"
            )


def _split(field: str) -> list[str]:
    return field.split(":")
