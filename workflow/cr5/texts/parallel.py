"""Files of parallel text. Line k of one is the translation of line k of another.

Before the text of each line there may be its id and a tab: then all files have the same ids.

    path: data/{language}.devtest.xz                     a file for each language (FLORES)
    path: data/europarl-v7.{first}-{second}.{language}   two files for each pair (Moses, Tatoeba)
    path: data/{first}-{second}.txt.zip                  both in an archive, NAME.{language} (OPUS)

With an `address` the file is fetched; if `path` is also given, it is the file's name in the fetched
archive, of tar or zip.
"""

from collections.abc import Iterator, Mapping, Sequence
from itertools import combinations
from pathlib import Path
from typing import Annotated, NamedTuple

from pydantic import AfterValidator, Field, ValidationInfo

from cr5.base.errors import UserError
from cr5.base.languages import filled, halves, names_of, path_of
from cr5.contracts.keys import Codes, Encoding, PathText, Section

ALL = "all"
MEMBER_OF_LANGUAGE = "*.{language}"  # of an archive of OPUS


class Place(NamedTuple):
    """Where the sentences of a language are: a file, by path or address, or a member of it."""

    file: str
    member: str = ""


Bundles = dict[str, dict[str, Place]]
"""By a name, the places of languages whose sentences are aligned: those of a pair, or all.

The languages of a pair are in the order that its files have in their names.
"""


def _folded_pair(pair: str, info: ValidationInfo) -> str:
    """Return a pair with its codes as the configuration's languages have them: `pt_br-en`."""
    context = info.context or {}
    languages = context.get("languages", ())
    return "-".join(halves(pair, languages))


class ParallelText(Section):
    """Keys that say where parallel text is."""

    path: PathText = ""
    """Of parallel files; without it and `address`, the corpus's own paragraphs are taken."""
    address: PathText = ""
    """To fetch them from."""
    codes: Codes = Field(default_factory=dict)
    """What the files call a language."""
    encoding: Encoding = "utf-8"
    """Of the files."""
    pairs: tuple[Annotated[str, AfterValidator(_folded_pair)], ...] = ()
    """As the files name them, such as it-en; needed with an address."""

    @property
    def of_corpus(self) -> bool:
        """Whether it is the corpus's own paragraphs."""
        return not (self.path or self.address)


def bundles(
    options: ParallelText,
    languages: Sequence[str],
    section: str = "tasks.sentences",
    written: Mapping[str, str] = {},
) -> Bundles:
    """Return where the files of each bundle are.

    A pair that has no file, in either order of its languages, is left out. With an address the
    options have to name the pairs. UserError: the options are unusable, or no pair has a file.

    Args:
        options: the keys of a section of the configuration.
        languages: all that the configuration has.
        section: the name of that section, for messages.
        written: by language, how the configuration writes its code.
    """
    pattern = options.address + options.path  # either may have the placeholders
    pairs = [tuple(halves(pair, languages)) for pair in options.pairs]
    names = {language: names_of(language, written, options.codes) for language in languages}
    mistake = next(_mistakes(options, pattern, pairs, languages), "")
    if mistake:
        raise UserError(f"{section}: {mistake}")
    if "{first}" not in pattern:
        return {ALL: _places(options, tuple(languages), names)}
    pairs = pairs or list(_pairs_with_files(options, languages, names))
    if not pairs:
        raise UserError(
            f"{section}.path: no pair of {', '.join(languages)} has parallel files "
            f"{options.path}, in either order of its languages; correct `path`, or say in "
            "`codes` what files call a language"
        )
    return {"-".join(pair): _places(options, pair, names) for pair in pairs}


def _mistakes(
    options: ParallelText, pattern: str, pairs: Sequence[tuple], languages: Sequence[str]
) -> Iterator[str]:
    """Yield what is wrong with the options; `pattern` is their address and path together."""
    have_two_languages = [len(pair) == 2 and len(set(pair)) == 2 for pair in pairs]
    if not all(have_two_languages):
        named_pairs = ", ".join(options.pairs)
        yield f"pairs: expected two languages each, such as en-it, got {named_pairs}"
    named = set(options.codes).union(*pairs)
    unknown = sorted(named - set(languages))
    if unknown:
        known = ", ".join(languages)
        yield f"parallel text in {', '.join(unknown)}; expected some of the languages {known}"
    has_first = "{first}" in pattern
    has_second = "{second}" in pattern
    if has_first != has_second:
        yield f"{pattern!r} has one of {{first}} and {{second}}; give both"
    if "{language}" not in pattern and not _is_archive(options):
        yield f"{pattern!r} is the same for all languages; write {{language}} in it"
    if options.address and has_first and not pairs:
        yield "files of pairs at an address: name the `pairs`, in the order of the addresses"


def _is_archive(options: ParallelText) -> bool:
    """Whether files of pairs are archives that have a file of each language."""
    pattern = options.path or options.address
    return "{first}" in pattern and "{language}" not in pattern and pattern.endswith(".zip")


def _pairs_with_files(
    options: ParallelText, languages: Sequence[str], names: Mapping[str, list[str]]
) -> Iterator[tuple[str, str]]:
    """Yield the pairs that have a file, each in the order of languages of the file's name."""
    for pair in combinations(sorted(languages), 2):
        for order in (pair, pair[::-1]):
            places = _places(options, order, names).values()
            if any(Path(place.file).is_file() for place in places):
                yield order
                break


def _places(
    options: ParallelText, languages: tuple[str, ...], names: Mapping[str, list[str]]
) -> dict[str, Place]:
    """Return the place of each language; `names` has by language what files may call it."""
    names_in_pair = {}
    for key, language in zip(("first", "second"), languages, strict=False):
        names_in_pair[key] = names[language]
    member_pattern = ""
    if _is_archive(options):
        member_pattern = MEMBER_OF_LANGUAGE
    elif options.address:
        member_pattern = options.path
    places = {}
    for language in languages:
        names_by_key = {"language": names[language]} | names_in_pair
        member = filled(member_pattern, **names_by_key)[0]
        if options.address:
            file = filled(options.address, **names_by_key)[0]
        else:
            file = path_of(options.path, **names_by_key)
        places[language] = Place(file, member)
    return places
