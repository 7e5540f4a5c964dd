"""Readers of archives: tar, Debian packages, the pages and dictionaries in them."""

import gzip
import io
import tarfile
from collections.abc import Callable
from pathlib import Path

from cr5.corpora import aligned, debian, dictionaries
from cr5.corpora.parallel import Place
from cr5.corpora.sources import debian_documentation
from cr5.corpora.sources.libreoffice_help import LibreofficeHelp, parse
from tests.kit.readers.target import Target, through
from tests.kit.sources import records

PAGE = (
    '<!DOCTYPE html><html><head><title>Sæt ind</title></head><body><div id="DisplayArea">'
    '<h1 id="h">A<br/>b</h1><p id="x">Tryk <span class="MAC">Cmd</span>&nbsp;&#x1F600;'
    "<script>no</script><table><tr><td>1</td></tr></table> hale</p><ul><li>é</ul></div></body>"
).encode()
INDEX = b"00databaseshort\tA\tE\nbank\tE\t4\nhus\tE\t4\n"
ENTRY = "abc\nbank /ˈbanʔk/ <n>\n1. bank\n2. [penge] money box, piggy bank\n   Note: x\n".encode()
HELP = "usr/share/libreoffice/help/da/text/swriter/a.html"


def tar(files: dict[str, bytes], kind: int = tarfile.GNU_FORMAT) -> bytes:
    """An archive with a folder, a link and files."""
    buffer = io.BytesIO()
    with tarfile.open(fileobj=buffer, mode="w", format=kind) as archive:
        for name, type_ in (("./usr", tarfile.DIRTYPE), ("./link", tarfile.SYMTYPE)):
            member = tarfile.TarInfo(name)
            member.type, member.linkname = type_, "../../etc" * (type_ == tarfile.SYMTYPE)
            archive.addfile(member)
        for name, content in files.items():
            member = tarfile.TarInfo(name)
            member.size = len(content)
            archive.addfile(member, io.BytesIO(content))
    return buffer.getvalue()


def ar(members: dict[str, bytes]) -> bytes:
    """An archive of the kind that packages are."""
    parts = [b"!<arch>\n"]
    for name, content in members.items():
        header = f"{name:<16}{0:<12}{0:<6}{0:<6}{100644:<8}{len(content):<10}`\n"
        parts += [header.encode(), content, b"\n" * (len(content) % 2)]
    return b"".join(parts)


def deb(
    files: dict[str, bytes],
    kind: int = tarfile.GNU_FORMAT,
    name: str = "data.tar",
    pack: Callable[[bytes], bytes] = bytes,
) -> bytes:
    """A package; one member is of odd size, and the next begins at an even place."""
    data = pack(tar(files, kind))
    return ar({"debian-binary": b"2.0\n", "control.tar": b"odd", name: data})


def _member(path: Path) -> None:
    through(aligned._texts(Place(str(path), "europarl.da")))


def _manuals(path: Path) -> None:
    for _, paragraphs in debian_documentation.of_package(path, "da"):
        through(paragraphs)


def _pages(path: Path) -> None:
    through(records(LibreofficeHelp, path.parent, "da"))


MANUALS = {
    "./usr/share/man/da/man1/x.1.gz": gzip.compress(b".SH NAME\nx \\- \\fBse\\fR\n", mtime=0),
    "./usr/share/doc/x.html": PAGE,
}
LONG = {"./" + "å" * 90 + "/europarl.da": b"et\nto\n"}
DICTD = {
    "./usr/share/dictd/freedict-dan-eng.index": INDEX,
    "./usr/share/dictd/freedict-dan-eng.dict.dz": gzip.compress(ENTRY, mtime=0),
}
ENGLISH = deb({f"./{HELP.replace('/da/', '/en-US/')}": PAGE.replace("Sæt".encode(), b"Put")})

TARGETS = [
    Target(
        "tar",
        "europarl.tar",
        _member,
        (tar({"./t/europarl.da": b"et\nto\n"}), tar(LONG), tar(LONG, tarfile.PAX_FORMAT)),
    ),
    Target(
        "deb",
        "a_1_all.deb",
        lambda path: through(debian.unpack(path)),
        (deb({"./a": b"x"}), deb(LONG, tarfile.PAX_FORMAT)),
    ),
    Target(
        "help",
        "libreoffice-help-da_1_all.deb",
        _pages,
        (deb({f"./{HELP}": PAGE}),),
        {"libreoffice-help-en-us_1_all.deb": ENGLISH},
    ),
    Target("manuals", "manpages-da_1_all.deb", _manuals, (deb(MANUALS),)),
    Target(
        "help_page",
        "page.html",
        lambda path: parse(path.read_bytes(), str(path)),
        (PAGE,),
        tokens=(b"<p>", b"</p>", b"<table>", b"<!--", b"&#0;", b'id="DisplayArea"', b"<svg>"),
    ),
    Target(
        "freedict",
        "freedict-dan-eng.index",
        lambda path: through(dictionaries.entries(path)),
        (INDEX,),
        {"freedict-dan-eng.dict": ENTRY},
    ),
    Target(
        "freedict_entries",
        "freedict-dan-eng.dict",
        lambda path: through(dictionaries.entries(path.with_suffix(".index"))),
        (ENTRY,),
        {"freedict-dan-eng.index": INDEX},
    ),
    Target(
        "freedict_package",
        "dict_1_all.deb",
        lambda path: through(dictionaries.entries(path)),
        (deb(DICTD),),
    ),
]
