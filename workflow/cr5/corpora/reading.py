"""What a source is asked for: the documents of one language; and which files it reads for them.

A source is a module. `records` is all that it must have:

    TITLE      a literal, what the text is, such as "Wikipedia"
    OPTIONS    a literal, its keys in `corpus`, see `cr5.base.options`; `path` unless it fetches
    FILES      a literal, the options among them that must be given, such as ("path",)
    LICENCE    a literal, SPDX's name of the texts' licence and a sentence about it
    FETCHES    a literal, what `fetch` gets by apt-get if no `path` is given
    fetch      (languages, folder): get the texts of some languages
    find       (path, language): the files in a folder that have the texts of a language
    entries    (file): what is in such a file, of which `./run --check` reads the first ones
    PARALLEL   a literal, True if `records` also fills `Reading.parallel`
    TOGETHER   a literal, True if the documents of a language depend on which others there are
    HAS_TEXT   a literal, False if documents are weights of numbered words
    records    (reading): yield (concept, title, text), the concept unique
    RULES      a literal, rules of its own in place of `fetch`, `find` and `records`
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from types import ModuleType
from typing import Any

from cr5.base.errors import UserError
from cr5.base.options import complete

LANGUAGE, PART = "{language}", "{part}"
ENDINGS = (".xz", ".gz", ".bz2")
Record = tuple[str, str, str]
"""Concept, title and text of a document."""


@dataclass(frozen=True)
class Reading:
    """The documents of one language, to be read.

    Attributes:
        path: the file or folder with the texts: the option `path`, or what was fetched.
        language: of the documents.
        languages: all of the run.
        options: of the source, with all defaults.
        notes: the source puts in it what `documents/{language}.json` says of what was read.
        parallel: if it is `PARALLEL`, it puts in it (concept, id, text) of paragraphs whose
            translations have the same concept and id.
    """

    path: Path
    language: str
    languages: Sequence[str] = ()
    options: Mapping[str, Any] = field(default_factory=dict)
    notes: dict[str, Any] = field(default_factory=dict)
    parallel: list[Record] = field(default_factory=list)


def records(source: ModuleType, path: str | Path, language: str, **options) -> Iterator[Record]:
    """Read the documents of one language, alone.

    Args:
        source: a module such as `cr5.corpora.sources.files`.
        path: of the file or folder with its texts.
        language: of the documents.
        options: of the source, if not the default.
    """
    return source.records(
        Reading(Path(path), language, (language,), complete(source.OPTIONS, options))
    )


def checked(found: Iterable[Any], source: str | Path) -> Iterator[Record]:
    """Yield the records of a source, which may be somebody's own.

    Raises:
        UserError: one is not three texts, or its concept is empty.
    """
    for number, record in enumerate(found, start=1):
        is_record = isinstance(record, tuple | list) and len(record) == 3
        if not is_record or not all(isinstance(x, str) for x in record) or not record[0].strip():
            raise UserError(
                f"{source}: record {number} is {record!r:.200}; expected (concept, title, text), "
                "all of them text, the concept not empty"
            )
        yield tuple(record)


def files(source: ModuleType, reading: Reading) -> list[Path]:
    """Return the files or folders that a source reads for a language.

    Raises:
        UserError: they are missing, or another language has the same: each text would be found by
            its own copy.
    """
    if not hasattr(source, "find"):
        return [reading.path]
    found = source.find(reading.path, reading.language)
    for other in reading.languages:
        if other != reading.language and _found(source, reading.path, other) == found:
            raise UserError(
                f"languages: {other!r} and {reading.language!r} have the same texts, "
                f"{', '.join(x.name for x in found)}; leave one of them out"
            )
    return found


def file_of(path: str, language: str, codes: Mapping[str, str], part: str = "") -> str:
    """Return the path of the file of a language and part.

    Args:
        path: with `{language}`, and with `{part}` if there are parts.
        language: of the file.
        codes: names of languages in the path, if different.
        part: what the path calls the part.

    Returns:
        The path filled in; if there is no such file, the same with another compression ending, or
        none, if that exists.
    """
    filled = path.replace(LANGUAGE, str(codes.get(language, language))).replace(PART, part)
    plain = next((filled.removesuffix(x) for x in ENDINGS if filled.endswith(x)), filled)
    names = (filled, plain, *(plain + ending for ending in ENDINGS))
    return next((name for name in names if Path(name).is_file()), filled)


def _found(source: ModuleType, path: Path, language: str) -> list[Path]:
    """Return the files of another language; its own job says so if they are missing."""
    with suppress(UserError):
        return source.find(path, language)
    return []
