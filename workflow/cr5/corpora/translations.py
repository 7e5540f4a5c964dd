"""Debian's files Translation-LANGUAGE: the descriptions of all packages, in one language.

    Package: hello
    Description-md5: c8f4c5d4f6a7...
    Description-da: En summering på en linje
     Den lange beskrivelse, på flere linjer.
     .
     Et nyt afsnit.

The checksum is that of the English description, in every language: packages with the same
description share it, and it identifies descriptions that are translations of each other.
"""

import logging
import re
import shutil
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from cr5.base.compressed import TruncatedError, open_stream, renewal
from cr5.base.errors import UserError
from cr5.base.lines import bounded, decoded
from cr5.corpora import apt

log = logging.getLogger(__name__)

# apt names files by address: deb.debian.org_debian_dists_bookworm_main_i18n_Translation-da
NAME = re.compile(r"(?:.*_)?Translation-([A-Za-z]+(?:_[A-Za-z]+)?)(?:\.(?:bz2|gz|xz))?")
OFFERED = re.compile(r"/i18n/Translation-([A-Za-z_]+)\b")  # in a release's list of its files
IN_FOLDER = "/i18n/"  # in every address of such a file, including those by checksum
ITEM = re.compile(r"\s*[-*+•·–—]+\s+")
END = re.compile(r"[.!?…][\"')\]»”]*\s+|[。！？।]\s*")
SETTINGS = """\
Acquire::Languages {{ {languages} }};
Acquire::GzipIndexes "false";
Acquire::IndexTargets::deb::Packages::DefaultEnabled "false";
"""
BY_HAND = (
    "copy Translation-LANGUAGE files of a mirror of the Debian archive "
    "(dists/RELEASE/main/i18n/, plain or .bz2, .gz, .xz) to a folder, that of English among them, "
    "and set `corpus.path` to it"
)


@dataclass(frozen=True)
class Entry:
    """The description of a package.

    Attributes:
        package: its name.
        checksum: of the English description.
        summary: its first line.
        lines: the rest, without leading blanks; a paragraph ends with `.`.
    """

    package: str
    checksum: str
    summary: str
    lines: tuple[str, ...]


def code(language: str) -> str:
    """Return what Debian calls a language: `da`, `pt_BR` for pt_br."""
    base, _, variant = language.replace("-", "_").partition("_")
    return f"{base.lower()}_{variant.upper()}" if variant else base.lower()


def file_name(language: str) -> str:
    """Name of the file of a language, without a compression ending."""
    return f"Translation-{code(language)}"


def fetch(languages: Iterable[str], folder: str | Path) -> list[Path]:
    """Fetch the files of this system's release with apt-get, without changing the system.

    apt-get verifies signatures and checksums.

    Args:
        languages: as `code` takes them.
        folder: for the files, uncompressed and named after their addresses; made if need be.

    Returns:
        The files, sorted by name; a language may have several.

    Raises:
        UserError: apt-get, the network or the file of a language is missing.
    """
    codes = sorted({code(x) for x in languages})
    folder = Path(folder).absolute()
    settings = SETTINGS.format(languages=" ".join(f'"{x}";' for x in codes))
    with apt.private(folder, _named(codes), BY_HAND, settings) as own:
        failed = own.update()
        found = {x: _of(own.state / "lists", x) for x in codes}
        missing = [x for x in codes if not found[x]]
        # of several files of a language all are needed, or none
        if failed and (missing or IN_FOLDER in failed):
            raise own.unreachable(failed, _named(missing or codes))
        if missing:
            raise UserError(_why(missing, own.state))
        if failed:
            log.warning("apt-get update: %s", apt.complaints(failed))
        files = [file for x in codes for file in found[x]]
        return sorted(Path(shutil.copyfile(x, folder / x.name)) for x in files)


def find(folder: str | Path, language: str) -> list[Path]:
    """Return the files of a language in a folder and its subfolders, sorted by name.

    Raises:
        UserError: there are none; lists the languages found.
    """
    if files := _of(Path(folder), code(language)):
        return files
    there = {match[1] for file in Path(folder).rglob("*") if (match := NAME.fullmatch(file.name))}
    raise UserError(
        f"{folder}: no file {file_name(language)} for language {language!r}; there are files for "
        f"{_listed(there)}. Correct `corpus.path` or the list of languages"
    )


def entries(path: Path) -> Iterator[Entry]:
    """Read a file returned by `find`.

    Raises:
        UserError: with file and line: it is truncated, not UTF-8, not of this form, or in another
            language than its name says.
    """
    field = f"Description-{NAME.fullmatch(path.name)[1]}"
    with open_stream(path) as file:
        stanza: list[str] = []
        where = str(path)
        for where, line in decoded(_whole(bounded(file, str(path)), path), str(path)):
            if line.strip(" \t\r"):  # not a line of no-break spaces, which French has
                stanza.append(line)
            elif stanza:
                yield _entry(stanza, field, where)
                stanza = []
        if stanza:
            yield _entry(stanza, field, where)


def sentences(lines: Iterable[str]) -> Iterator[str]:
    """Split the lines of a description into sentences.

    A paragraph ends at a line `.`, and before a list item. A sentence ends with its paragraph, or
    at a full stop, question mark or exclamation mark, unless a lower-case letter follows.
    """
    for paragraph in _paragraphs(lines):
        start = 0
        for end in END.finditer(paragraph):
            if not paragraph[end.end() : end.end() + 1].islower():
                yield paragraph[start : end.end()].strip()
                start = end.end()
        if rest := paragraph[start:].strip():
            yield rest


def _of(folder: Path, its: str) -> list[Path]:
    files = (x for x in folder.rglob("*Translation-*") if x.is_file())
    return sorted(x for x in files if (match := NAME.fullmatch(x.name)) and match[1] == its)


def _why(missing: Sequence[str], state: Path) -> str:
    lists = sorted((state / "lists").glob("*Release"))
    texts = (x.read_text(encoding="utf-8", errors="replace") for x in lists)
    there = {name for text in texts for name in OFFERED.findall(text)}
    return (
        f"no descriptions in {', '.join(missing)} in this system's release; there are some in "
        f"{_listed(there)}; choose among them or {BY_HAND}"
    )


def _named(codes: Iterable[str]) -> str:
    return f"Translation-{{{','.join(codes)}}}"


def _listed(codes: Iterable[str]) -> str:
    return ", ".join(sorted(codes)) or "no language"


def _whole(lines: Iterable[bytes], path: Path) -> Iterator[bytes]:
    for number, line in enumerate(lines, start=1):
        if not line.endswith(b"\n"):
            raise TruncatedError(f"{path}, line {number}: the file ends in it: {renewal(path)}")
        yield line


def _entry(stanza: Sequence[str], field: str, where: str) -> Entry:
    """Make an entry from the lines of a stanza, which ends before `where`."""
    fields: dict[str, list[str]] = {}
    lines: list[str] = []
    for line in stanza:
        name, colon, value = line.partition(":")
        if line[0] in " \t":
            lines.append(line[1:])
        elif colon and name not in fields:
            fields[name] = lines = [value.strip()]
        else:
            raise UserError(
                f"{where}: before it, {line!r} is no field `Name: value`; {_form(field)}"
            )
    try:
        summary, *rest = fields[field]
        return Entry(fields["Package"][0], fields["Description-md5"][0], summary, tuple(rest))
    except KeyError as error:
        raise UserError(
            f"{where}: the description before it has no field {error.args[0]}, but "
            f"{', '.join(fields)}; {_form(field)}"
        ) from error


def _form(field: str) -> str:
    return f"expected Package, Description-md5 and {field}: get a whole copy of the file"


def _paragraphs(lines: Iterable[str]) -> Iterator[str]:
    paragraph: list[str] = []
    for line in lines:
        is_end, item = line.strip() in ("", "."), ITEM.match(line)
        if is_end or item:
            yield " ".join(paragraph)
            paragraph = []
        if not is_end:
            paragraph += line[item.end() if item else 0 :].split()
    yield " ".join(paragraph)
