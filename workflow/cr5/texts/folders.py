"""Folders of pages, a file a document: which files are those of a language, and what they say.

content/{language}/**/*.md       a folder for each language
content/**/*.{language}.md       or the language behind the names
content/{language}               all below a folder that are known by the endings of their names
"""

import logging
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from fnmatch import fnmatchcase
from pathlib import Path, PurePath

from cr5.base.contents import files_below
from cr5.base.errors import UserError
from cr5.base.languages import LANGUAGE, THREE_LETTERS, base_language, folded_code
from cr5.base.text_files import folded_name, read_lines, storable
from cr5.texts.markup.formats import READERS, pages
from cr5.texts.markup.page import PageRules
from cr5.texts.rows import Row

log = logging.getLogger(__name__)

WILDCARDS = "*?["
ALL = "**/*"
ALL_BELOW = "**"
SHOWN = 5  # endings
MOST_NAMED = 20  # folders
ENDINGS = ", ".join(READERS)


@dataclass(frozen=True)
class Pages:
    """The pages of one language.

    Attributes:
        folder: that has them.
        code: what names of files and folders call the language.
        rules: how each is read.
        pattern: of their paths in the folder, perhaps with `{language}`.
        encoding: of the files.
    """

    folder: Path
    code: str
    rules: PageRules
    pattern: str = ALL
    encoding: str = "utf-8"


def divided(path: str) -> tuple[str, str]:
    """Return the folder of a path with wildcards, perhaps with `{language}`, and the rest."""
    parts = PurePath(path).parts
    n_parts = len(parts)
    for number, part in enumerate(parts):
        if any(mark in part for mark in WILDCARDS):
            n_parts = number
            break
    folder = PurePath(*parts[:n_parts])
    return str(folder), "/".join(parts[n_parts:]) or ALL


def is_folder(path: str) -> bool:
    """Return whether this is a folder, or a path with wildcards that is no file."""
    if Path(path).exists():
        return Path(path).is_dir()
    return any(mark in path for mark in WILDCARDS)


def pages_at(path: str, language: str, encoding: str = "utf-8") -> Pages:
    """Return the pages of a language that are in a folder, or at a path with wildcards."""
    folder, pattern = divided(path)
    return Pages(Path(folder), language, PageRules(language), pattern, encoding)


def files(which: Pages) -> dict[str, Path]:
    """Return the files of a language by the concept of each: its path, without the language.

    Those with other endings are left out, and so are translations of a page of the language,
    whose names end in another one, `index.de.md` beside `index.md`; both are told. Names that begin
    with a dot are passed over.

    UserError: there is none, or two of one concept.
    """
    if not which.folder.is_dir():
        raise UserError(f"{which.folder}: {_instead_of(which)}")
    pattern = which.pattern.replace(LANGUAGE, "*")
    names = _names(which.folder, pattern)
    of_concepts: dict[str, Path] = {}
    unknown: Counter[str] = Counter()
    for name in names:
        path = which.folder / name
        concept = _concept(PurePath(name), which)
        if concept is None:
            continue
        ending = path.suffix.lower()
        if ending not in READERS:
            unknown[ending or path.name] += 1
        elif concept in of_concepts:
            raise UserError(
                f"{path}: its concept, {concept!r}, is that of {of_concepts[concept]} too; remove "
                "one of them"
            )
        else:
            of_concepts[concept] = path
    left_out = ", ".join(f"{ending} ({number})" for ending, number in unknown.most_common(SHOWN))
    if not of_concepts:
        raise UserError(
            f"{which.folder}: no page of {which.rules.language!r} at {which.pattern}; expected "
            f"files that end in {ENDINGS}, found {left_out or 'none'}"
        )
    if unknown:
        n_unknown = sum(unknown.values())
        log.warning("%s: %d files are no pages: %s", which.folder, n_unknown, left_out)
    return _without_translations(of_concepts, which.folder)


def _without_translations(of_concepts: dict[str, Path], folder: Path) -> dict[str, Path]:
    """Leave out pages whose names end in another language, where the page is there without it."""
    pages_of_language = {}
    translations: Counter[str] = Counter()
    for concept, path in of_concepts.items():
        name = PurePath(concept)
        stem, _, ending = name.stem.rpartition(".")
        original = name.parent / f"{stem}{name.suffix}"
        is_language = stem != "" and base_language(ending) in THREE_LETTERS
        if is_language and original.as_posix() in of_concepts:
            translations[ending] += 1
        else:
            pages_of_language[concept] = path
    if translations:
        n_translations = sum(translations.values())
        languages = ", ".join(sorted(translations))
        log.warning(
            "%s: %d pages are left out as translations, of languages that their names end in: %s",
            folder, n_translations, languages,
        )  # fmt: skip
    return pages_of_language


def _names(folder: Path, pattern: str) -> list[str]:
    """Return the paths below a folder that match a pattern, sorted."""
    wanted = PurePath(pattern).parts
    return sorted(name for name in files_below(folder) if _matches(PurePath(name).parts, wanted))


def _matches(parts: Sequence[str], wanted: Sequence[str]) -> bool:
    """Return whether the parts of a path match those of a pattern, of which `**` takes any number.

    Nothing but a dot matches one that a part begins with.
    """
    if not wanted:
        return not parts
    first, *others = wanted
    if first == ALL_BELOW and _matches(parts, others):
        return True
    if not parts or (parts[0].startswith(".") and not first.startswith(".")):
        return False
    if first == ALL_BELOW:
        return _matches(parts[1:], wanted)
    return fnmatchcase(parts[0], first) and _matches(parts[1:], others)


def _instead_of(which: Pages) -> str:
    """Say what is there in place of a folder."""
    above = which.folder.parent
    message = f"no folder with pages of {which.rules.language!r}"
    if above.is_dir():
        beside = sorted(path.name for path in above.iterdir() if path.is_dir())
        message += f"; beside it there are {', '.join(beside[:MOST_NAMED]) or 'none'}"
    return f"{message}; correct the path, or say in `codes` what folders call the language"


def _concept(name: PurePath, which: Pages) -> str | None:
    """Return a path without its language; None if it should say the language, and does not."""
    code = folded_code(which.code)
    stem, _, language = name.stem.rpartition(".")
    ends_in_language = stem != "" and folded_code(language) == code
    *folders, file = name.parts
    if ends_in_language:
        file = f"{stem}{name.suffix}"
    if LANGUAGE in which.pattern:
        others = [folder for folder in folders if folded_code(folder) != code]
        if not ends_in_language and len(others) == len(folders):
            return None
        folders = others
    return folded_name("/".join([*folders, file]))


def page_rows(which: Pages) -> Iterator[Row]:
    """Yield a row for each page, with `concept`, `title` and `text`; UserError with the file."""
    for concept, path in files(which).items():
        lines = [line for _, line in read_lines(path, which.encoding)]
        content = "\n".join(lines)
        for page in pages(path.suffix.lower(), content, str(path), which.rules):
            name = concept
            if page.part:
                name = f"{concept}#{page.part}"
            words_of_title = storable(page.title).split()
            title = " ".join(words_of_title) or concept
            fields = {"concept": name, "title": title, "text": page.text}
            yield Row(str(path), fields)
