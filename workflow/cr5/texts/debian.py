"""Debian's packages and descriptions of packages: fetched by apt-get without root, read without it.

apt's lists, caches and state are private and temporary here, so nothing of the system changes; its
sources, keys and proxies apply, and apt verifies signatures and checksums.
"""

import io
import logging
import os
import re
import shutil
import subprocess
import tarfile
import tempfile
from collections.abc import Collection, Iterable, Iterator
from itertools import chain
from pathlib import Path

import regex

from cr5.base.errors import UserError
from cr5.base.languages import SHORT
from cr5.base.text_files import naming_file, read_lines

log = logging.getLogger(__name__)

# Read after the system's settings. Hooks are cleared because they may tidy or index its folders.
CONF = """\
#clear APT::Update::Pre-Invoke;
#clear APT::Update::Post-Invoke;
#clear APT::Update::Post-Invoke-Success;
#clear DPkg::Pre-Invoke;
#clear DPkg::Post-Invoke;
Dir::State "{state}";
Dir::State::lists "{state}/lists";
Dir::State::status "{state}/status";
Dir::Cache "{state}/cache";
Dir::Cache::archives "{state}/cache/archives";
Dir::Log "{state}/log";
APT::Sandbox::User "root";
Acquire::Retries "2";
Acquire::http::Timeout "30";
Acquire::https::Timeout "30";
Acquire::GzipIndexes "false";
#clear Acquire::Languages;
Acquire::Languages {{ {languages} }};
"""
BY_HAND = (
    "download the packages, and lists of descriptions, on a machine with Debian or Ubuntu or from "
    "a mirror of the Debian archive, and set `corpus.path` to the folder that holds them"
)
# apt names lists by address: deb.debian.org_debian_dists_bookworm_main_i18n_Translation-da
LIST = re.compile(r"(?:.*_)?Translation-([A-Za-z]+(?:_[A-Za-z]+)?)(?:\.(?:bz2|gz|xz))?")
ITEM = re.compile(r"\s*[-*+•·–—]+\s+")
# A sentence ends with a full stop, question mark or exclamation mark, unless a lower-case letter
# follows.
END = regex.compile(r"(?:(?<=[.!?…][\"')\]»”]*)\s++|(?<=[。！？।])\s*+)(?!\p{Lowercase})")


def download(
    packages: Collection[str],
    folder: str | Path,
    if_there: bool = False,
    descriptions: Iterable[str] = (),
) -> list[Path]:
    """Fetch packages of this system's release, or those there are, and return their files.

    Beside them lie the files `Translation-LANGUAGE` of descriptions in some languages. UserError:
    apt-get, the network, a package or a language is missing.
    """
    if shutil.which("apt-get") is None:
        raise UserError(f"apt-get was not found, so packages cannot be fetched here; {BY_HAND}")
    folder = Path(folder).absolute()
    codes = [_code(language) for language in descriptions]
    folder.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(dir=folder, prefix=".apt.") as name:
        state = Path(name)
        _prepare(state, codes)
        update = _run(state, "apt-get", "update")
        complaints = ""
        # it succeeds even if it could not fetch some or all lists
        if update.returncode or "Failed to fetch" in update.stderr:
            complaints = update.stderr
        if if_there and not complaints:
            known = _run(state, "apt-cache", "pkgnames").stdout.split()
            packages = sorted(set(packages).intersection(known))
        complaints_of_download = ""
        if packages:
            complaints_of_download = _run(state, "apt-get", "download", *packages).stderr
        all_complaints = complaints + complaints_of_download
        fetched = [_only(state, wanted, all_complaints) for wanted in packages]
        for code in codes:
            lists = _lists(state / "lists", code)
            if not lists:
                raise UserError(f"no descriptions in {code} ({_complaints(complaints)}); {BY_HAND}")
            for path in lists:
                shutil.copyfile(path, folder / path.name)
        return [path.replace(folder / path.name) for path in fetched]


def _prepare(state: Path, codes: Collection[str]) -> None:
    """Make the folders of apt's state, and its configuration with some languages."""
    for name in ("lists/partial", "cache/archives/partial", "log"):
        folder = state / name
        folder.mkdir(parents=True)
    status = state / "status"
    status.touch()
    languages = " ".join(f'"{code}";' for code in codes or ["none"])
    configuration = CONF.format(state=state, languages=languages)
    file = state / "apt.conf"
    file.write_text(configuration, "utf-8")


def package(folder: Path, name: str) -> list[Path]:
    """Return the file of a package in a folder, if there is one; UserError if there are several."""
    paths = sorted(folder.glob(f"{name}_*.deb"))
    if len(paths) > 1:
        raise UserError(f"{folder}: {', '.join(path.name for path in paths)}; keep one of them")
    return paths


def unpack(deb: Path) -> Iterator[tuple[str, bytes]]:
    """Yield path, without a leading "./", and content of the regular files of a package, deb(5)."""
    with (
        naming_file(deb),
        _data(deb) as member,
        tarfile.open(fileobj=member, mode="r|*") as archive,
    ):
        for entry in archive:
            if entry.isreg():
                yield entry.name.removeprefix("./"), archive.extractfile(entry).read()


def descriptions_in(folder: Path, language: str) -> list[Path]:
    """Return the files with descriptions in a language; UserError if there are none."""
    paths = _lists(folder, _code(language))
    if not paths:
        raise UserError(
            f"{folder}: no file Translation-{_code(language)}, of descriptions in {language!r}; "
            "correct `corpus.path` or the list of languages"
        )
    return paths


def descriptions(path: Path) -> Iterator[tuple[str, list[str]]]:
    """Read a file returned by `descriptions_in`.

        Package: hello
        Description-md5: c8f4c5d4f6a7...
        Description-da: En summering på en linje
         Den lange beskrivelse, på flere linjer.
         .
         Et nyt afsnit.

    Yields the checksum of the English description, which translations share; and the summary and
    the sentences of the rest.
    """
    field = f"Description-{LIST.fullmatch(path.name)[1]}:"
    is_empty = True
    checksum = ""
    lines: list[str] = []
    for _, line in chain(read_lines(path), [("", "")]):  # a blank line ends a description
        if line.startswith("Description-md5:"):
            checksum = line.partition(":")[2].strip()
        elif line.startswith(field):
            lines = [line.partition(":")[2].strip()]
            is_empty = False
        elif line[:1] in (" ", "\t") and line.strip(" \t\r") and lines:
            lines.append(line[1:])
        elif not line.strip(" \t\r") and lines:
            yield checksum, [lines[0], *_sentences(lines[1:])]
            lines = []
    if is_empty:
        raise UserError(f"{path}: no description; expected fields {field}")


def _run(state: Path, program: str, *arguments: str) -> subprocess.CompletedProcess:
    return subprocess.run(
        [program, "-c", f"{state}/apt.conf", *arguments],
        cwd=state,
        env=os.environ | {"LC_ALL": "C"},  # the messages are parsed
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        errors="replace",
    )


def _only(state: Path, package: str, complaints: str) -> Path:
    """Return the one file of a package; UserError with what apt complained of if there is none."""
    files = list(state.glob(f"{package}_*.deb"))
    if len(files) != 1:
        raise UserError(
            f"apt-get download {package} failed ({_complaints(complaints)}); check the network, or "
            f"{BY_HAND}"
        )
    return files[0]


def _complaints(stderr: str) -> str:
    lines = [line for line in stderr.splitlines() if line.startswith(("E:", "W:"))]
    return " ".join(lines[:3]) or stderr.strip()[-300:] or "no message"


def _data(deb: Path):
    """Return the ar member data.tar*, as a file."""
    with deb.open("rb") as file:
        if file.read(8) != b"!<arch>\n":
            raise UserError(f"{deb}: not a Debian package (no ar archive)")
        header = file.read(60)
        while len(header) == 60 and header[48:58].strip().isdigit():
            size = int(header[48:58])
            name = header[:16].decode("ascii", "replace")
            if name.startswith("data.tar"):
                content = io.BytesIO(file.read(size))
                if ".zst" not in name:
                    return content
                import pyarrow as pa  # late: what plans jobs imports this module, too

                return pa.CompressedInputStream(content, "zstd")
            file.seek(size + size % 2, os.SEEK_CUR)  # members start at even offsets
            header = file.read(60)
    raise UserError(f"{deb}: a package without data.tar, or truncated")


def _code(language: str) -> str:
    """Return what Debian calls a language: `da`, `pt_BR` for pt_br."""
    base, _, variant = language.replace("-", "_").partition("_")
    code = SHORT.get(base, base).lower()
    if variant:
        code += f"_{variant.upper()}"
    return code


def _lists(folder: Path, code: str) -> list[Path]:
    """Return the files with descriptions in a language, sorted."""
    paths = []
    for path in sorted(folder.rglob("*Translation-*")):
        name = LIST.fullmatch(path.name)
        if name and name[1] == code and path.is_file():
            paths.append(path)
    return paths


def _sentences(lines: Iterable[str]) -> Iterator[str]:
    """Yield the sentences of paragraphs, which end at a line `.` and before a list item."""
    for paragraph in _paragraphs(lines):
        for part in END.split(paragraph):
            sentence = part.strip()
            if sentence:
                yield sentence


def _paragraphs(lines: Iterable[str]) -> Iterator[str]:
    paragraph: list[str] = []
    for line in lines:
        is_end = line.strip() in ("", ".")
        bullet = ITEM.match(line)
        if is_end or bullet:
            yield " ".join(paragraph)
            paragraph = []
        if bullet:
            line = line[bullet.end() :]
        if not is_end:
            paragraph += line.split()
    yield " ".join(paragraph)
