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
from cr5.base.text_files import named, read_lines

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
    folder, codes = Path(folder).absolute(), [_code(x) for x in descriptions]
    folder.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(dir=folder, prefix=".apt.") as name:
        state = Path(name)
        for part in ("lists/partial", "cache/archives/partial", "log"):
            (state / part).mkdir(parents=True)
        (state / "status").touch()
        languages = " ".join(f'"{x}";' for x in codes or ["none"])
        (state / "apt.conf").write_text(CONF.format(state=state, languages=languages), "utf-8")
        update = _run(state, "apt-get", "update")
        # it succeeds even if it could not fetch some or all lists
        failed = update.stderr if update.returncode or "Failed to fetch" in update.stderr else ""
        if if_there and not failed:
            known = _run(state, "apt-cache", "pkgnames").stdout.split()
            packages = sorted({*packages}.intersection(known))
        said = _run(state, "apt-get", "download", *packages).stderr if packages else ""
        found = [_only(state, package, failed + said) for package in packages]
        for code in codes:
            lists = _lists(state / "lists", code)
            if not lists:
                raise UserError(f"no descriptions in {code} ({_complaints(failed)}); {BY_HAND}")
            for path in lists:
                shutil.copyfile(path, folder / path.name)
        return [path.replace(folder / path.name) for path in found]


def package(folder: Path, name: str) -> list[Path]:
    """Return the file of a package in a folder, if there is one; UserError if there are several."""
    found = sorted(folder.glob(f"{name}_*.deb"))
    if len(found) > 1:
        raise UserError(f"{folder}: {', '.join(x.name for x in found)}; keep one of them")
    return found


def unpack(deb: Path) -> Iterator[tuple[str, bytes]]:
    """Yield path, without a leading "./", and content of the regular files of a package, deb(5)."""
    with named(deb), _data(deb) as data, tarfile.open(fileobj=data, mode="r|*") as archive:
        for member in archive:
            if member.isreg():
                yield member.name.removeprefix("./"), archive.extractfile(member).read()


def descriptions_in(folder: Path, language: str) -> list[Path]:
    """Return the files with descriptions in a language; UserError if there are none."""
    if found := _lists(folder, _code(language)):
        return found
    raise UserError(
        f"{folder}: no file Translation-{_code(language)}, of descriptions in {language!r}; "
        "correct `corpus.path` or the list of languages"
    )


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
    field, found = f"Description-{LIST.fullmatch(path.name)[1]}:", False
    checksum, lines = "", None
    for _, line in chain(read_lines(path), [("", "")]):
        if line.startswith("Description-md5:"):
            checksum = line.partition(":")[2].strip()
        elif line.startswith(field):
            lines, found = [line.partition(":")[2].strip()], True
        elif line[:1] in (" ", "\t") and line.strip(" \t\r") and lines:
            lines.append(line[1:])
        elif not line.strip(" \t\r") and lines:
            yield checksum, [lines[0], *_sentences(lines[1:])]
            lines = None
    if not found:
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


def _only(state: Path, package: str, said: str) -> Path:
    files = list(state.glob(f"{package}_*.deb"))
    if len(files) != 1:
        raise UserError(
            f"apt-get download {package} failed ({_complaints(said)}); check the network, or "
            f"{BY_HAND}"
        )
    return files[0]


def _complaints(stderr: str) -> str:
    lines = [line for line in stderr.splitlines() if line.startswith(("E:", "W:"))]
    return " ".join(lines[:3]) or stderr.strip()[-300:] or "no message"


def _data(deb: Path):
    """The ar member data.tar*, as a file."""
    with deb.open("rb") as file:
        if file.read(8) != b"!<arch>\n":
            raise UserError(f"{deb}: not a Debian package (no ar archive)")
        while len(header := file.read(60)) == 60 and header[48:58].strip().isdigit():
            size, name = int(header[48:58]), header[:16].decode("ascii", "replace")
            if name.startswith("data.tar"):
                content = io.BytesIO(file.read(size))
                if ".zst" not in name:
                    return content
                import pyarrow as pa  # late: what plans jobs imports this module, too

                return pa.CompressedInputStream(content, "zstd")
            file.seek(size + size % 2, os.SEEK_CUR)  # members start at even offsets
    raise UserError(f"{deb}: a package without data.tar, or truncated")


def _code(language: str) -> str:
    """What Debian calls a language: `da`, `pt_BR` for pt_br."""
    base, _, variant = language.replace("-", "_").partition("_")
    base = SHORT.get(base, base)
    return f"{base.lower()}_{variant.upper()}" if variant else base.lower()


def _lists(folder: Path, code: str) -> list[Path]:
    files = (x for x in folder.rglob("*Translation-*") if x.is_file())
    return sorted(x for x in files if (match := LIST.fullmatch(x.name)) and match[1] == code)


def _sentences(lines: Iterable[str]) -> Iterator[str]:
    """Sentences of a description, whose paragraphs end at a line `.` and before a list item."""
    for paragraph in _paragraphs(lines):
        yield from filter(None, map(str.strip, END.split(paragraph)))


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
