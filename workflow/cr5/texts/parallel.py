"""Files of parallel text. Line k of one is the translation of line k of another.

    path: data/{language}.devtest.xz                     a file for each language (FLORES)
    path: data/europarl-v7.{first}-{second}.{language}   two files for each pair (Moses, Tatoeba)

With an `address` the file is fetched; if `path` is also given, it is the file's name in the fetched
archive.
"""

from collections.abc import Iterator, Sequence
from itertools import chain, combinations
from pathlib import Path
from typing import NamedTuple

from pydantic import Field

from cr5.base.errors import UserError
from cr5.base.parts import Section
from cr5.texts.reading import file_of

ALL = "all"


class Place(NamedTuple):
    """Where the sentences of a language are: a path or an address; if an archive, a file in it."""

    file: str
    member: str = ""


Bundles = dict[str, dict[str, Place]]
"""By name, languages whose sentences are aligned with one another, as file names order them."""


class ParallelText(Section):
    """Keys that say where parallel text is."""

    path: str = ""
    """Of parallel files; without it and `address`, the corpus's own paragraphs are taken."""
    address: str = ""
    """To fetch them from."""
    codes: dict[str, str] = Field(default_factory=dict)
    """What the files call a language."""
    pairs: tuple[str, ...] = ()
    """As the files name them, such as it-en; needed with an address."""

    @property
    def of_corpus(self) -> bool:
        """Whether it is the corpus's own paragraphs."""
        return not (self.path or self.address)


def bundles(
    options: ParallelText, languages: Sequence[str], place: str = "tasks.sentences"
) -> Bundles:
    """Say where the files are; `place` is that of the options, for messages.

    A pair without a file for either order of its languages has no sentences; with an address, pairs
    have to be given.
    """
    pattern = options.address + options.path
    pairs = [tuple(x.split("-")) for x in options.pairs]
    for mistake in _mistakes(options, pattern, pairs, languages):
        raise UserError(f"{place}: {mistake}")
    if "{first}" not in pattern:
        return {ALL: _places(options, tuple(languages))}
    pairs = pairs or list(_there(options, languages))
    if not pairs:
        raise UserError(
            f"{place}.path: no pair of {', '.join(languages)} has parallel files "
            f"{options.path}, in either order of its languages; correct `path`, or say in "
            "`codes` what files call a language"
        )
    return {"-".join(pair): _places(options, pair) for pair in pairs}


def _mistakes(
    options: ParallelText, pattern: str, pairs: Sequence[tuple], languages: Sequence[str]
) -> Iterator[str]:
    if any(len(set(pair)) != 2 or len(pair) != 2 for pair in pairs):
        yield f"pairs: expected two languages each, such as en-it, got {', '.join(options.pairs)}"
    if strange := sorted({*options.codes, *chain(*pairs)} - set(languages)):
        there = ", ".join(languages)
        yield f"parallel text in {', '.join(strange)}; expected some of the languages {there}"
    if ("{first}" in pattern) != ("{second}" in pattern):
        yield f"{pattern!r} has one of {{first}} and {{second}}; give both"
    if "{language}" not in pattern:
        yield f"{pattern!r} is the same for all languages; write {{language}} in it"
    if options.address and "{first}" in pattern and not pairs:
        yield "files of pairs at an address: name the `pairs`, in the order of the addresses"


def _there(options: ParallelText, languages: Sequence[str]) -> Iterator[tuple[str, str]]:
    for pair in combinations(sorted(languages), 2):
        for order in (pair, pair[::-1]):
            if any(Path(place.file).is_file() for place in _places(options, order).values()):
                yield order
                break


def _places(options: ParallelText, languages: tuple[str, ...]) -> dict[str, Place]:
    found = {}
    for language in languages:
        address, path = (_filled(options, x, languages, language) for x in ("address", "path"))
        found[language] = Place(address, path) if address else Place(file_of(path, language, {}))
    return found


def _filled(options: ParallelText, key: str, languages: tuple[str, ...], language: str) -> str:
    filled = getattr(options, key)
    for part, of in zip(("{first}", "{second}"), languages, strict=False):
        filled = filled.replace(part, options.codes.get(of, of))
    return filled.replace("{language}", options.codes.get(language, language))
