"""Files of parallel text. Line k of one is the translation of line k of another.

    path: data/{language}.devtest.xz                     a file for each language (FLORES)
    path: data/europarl-v7.{first}-{second}.{language}   two files for each pair (Moses, Tatoeba)

`columns` says in which column, between tabs, the text of a language is; without it, it is all of
the line. Several languages may be columns of one file.

With an `address` the file is fetched; if `path` is also given, it is the file's name in the fetched
archive.
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import chain, combinations
from pathlib import Path
from typing import Any

from cr5.base.errors import UserError
from cr5.texts.reading import file_of

ALL = "all"


@dataclass(frozen=True)
class Place:
    """Where the sentences of a language are.

    Attributes:
        file: a path or an address.
        member: name within the file, if that is an archive.
        column: tab-separated, from 1; 0 for whole lines.
    """

    file: str
    member: str = ""
    column: int = 0


@dataclass(frozen=True)
class Bundle:
    """Languages whose sentences are aligned with one another.

    Attributes:
        name: used for folders.
        places: by language, in the order used by the file names.
    """

    name: str
    places: Mapping[str, Place]


def bundles(
    options: Mapping[str, Any], languages: Sequence[str], place: str = "tasks.sentences"
) -> list[Bundle]:
    """Resolve the options to bundles.

    A pair without a file for either order of its languages has no sentences; with an address, pairs
    have to be given.

    Args:
        options: path, address, codes, columns, pairs; see `cr5.tasks.sentences`.
        languages: of the configuration.
        place: of the options, for messages.

    Raises:
        UserError: an option names an unknown language, a pattern does not distinguish languages, or
            no pair has a file.
    """
    pattern = options["address"] + options["path"]
    pairs = [tuple(x.split("-")) for x in options["pairs"]]
    for mistake in _mistakes(options, pattern, pairs, languages):
        raise UserError(f"{place}: {mistake}")
    if "{first}" not in pattern:
        return [Bundle(ALL, _places(options, tuple(languages)))]
    pairs = pairs or list(_there(options, languages))
    if not pairs:
        raise UserError(
            f"{place}.path: no pair of {', '.join(languages)} has parallel files "
            f"{options['path']}, in either order of its languages; correct `path`, or say in "
            "`codes` what files call a language"
        )
    return [Bundle("-".join(pair), _places(options, pair)) for pair in pairs]


def fetched_name(address: str) -> str:
    """Return the file name for an address: the address without characters unsafe in a path."""
    return re.sub(r"[^\w.-]+", "_", address.split("://", 1)[-1])


def _mistakes(
    options: Mapping[str, Any], pattern: str, pairs: Sequence[tuple], languages: Sequence[str]
) -> Iterator[str]:
    codes, columns, known = options["codes"], options["columns"], ", ".join(languages)
    if any(len(set(pair)) != 2 or len(pair) != 2 for pair in pairs):
        yield f"pairs: expected two languages each, such as en-it, got {options['pairs']}"
    if strange := sorted({*codes, *columns, *chain(*pairs)} - set(languages)):
        yield f"parallel text in {', '.join(strange)}; expected some of the languages {known}"
    if ("{first}" in pattern) != ("{second}" in pattern):
        yield f"{pattern!r} has one of {{first}} and {{second}}; give both"
    if "{language}" not in pattern and not {*chain(*pairs or [languages])} <= {*columns}:
        yield f"{pattern!r} has several languages; say in `columns` which column each has"
    if options["address"] and "{first}" in pattern and not pairs:
        yield "files of pairs at an address: name the `pairs`, in the order of the addresses"


def _there(options: Mapping[str, Any], languages: Sequence[str]) -> Iterator[tuple[str, str]]:
    for pair in combinations(sorted(languages), 2):
        for order in (pair, pair[::-1]):
            if any(Path(place.file).is_file() for place in _places(options, order).values()):
                yield order
                break


def _places(options: Mapping[str, Any], languages: tuple[str, ...]) -> dict[str, Place]:
    found = {}
    for language in languages:
        names = [_filled(options[key], options, languages, language) for key in ("address", "path")]
        file, member = names if names[0] else (file_of(names[1], language, {}), "")
        found[language] = Place(file, member, options["columns"].get(language, 0))
    return found


def _filled(pattern: str, options: Mapping[str, Any], languages, language: str) -> str:
    codes = options["codes"]
    for part, of in zip(("{first}", "{second}"), languages, strict=False):
        pattern = pattern.replace(part, codes.get(of, of))
    return pattern.replace("{language}", codes.get(language, language))
