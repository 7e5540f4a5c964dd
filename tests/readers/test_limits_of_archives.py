"""Archives whose headers lie, or whose members are no files, put nothing anywhere."""

import gzip
import io
import lzma
import re
import string
import tarfile
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from benchmarks.readers.archives import INDEX, deb, tar
from cr5.base import limits
from cr5.base.archives import regular_files
from cr5.base.errors import UserError
from cr5.corpora import aligned, debian, freedict
from cr5.corpora.parallel import Place
from cr5.corpora.sources import libreoffice_help

ALPHABET = f"{string.ascii_uppercase}{string.ascii_lowercase}0123456789+/"  # of dictd's numbers


def archive(*members):
    """Of (name, content, type) each."""
    buffer = io.BytesIO()
    with tarfile.open(fileobj=buffer, mode="w", format=tarfile.GNU_FORMAT) as file:
        for name, content, kind in members:
            member = tarfile.TarInfo(name)
            member.size, member.type = len(content), kind
            member.linkname = "/etc/passwd"
            file.addfile(member, io.BytesIO(content))
    return buffer.getvalue()


def names(data):
    return [name for name, _, file in regular_files(io.BytesIO(data), "x") if file.read()]


def test_names_are_only_names_and_only_files_count(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    kinds = (tarfile.SYMTYPE, tarfile.LNKTYPE, tarfile.CHRTYPE, tarfile.FIFOTYPE, tarfile.DIRTYPE)
    members = [(f"a{kind!r}", b"", kind) for kind in kinds]
    files = ["/absolute", "../above", "./a", "con\nb", "é"]
    data = archive(*members, *((x, b"content", tarfile.REGTYPE) for x in files))
    assert names(data) == files
    assert list(tmp_path.iterdir()) == []


def test_a_name_that_is_not_utf_8_can_be_stored():
    data = archive(("a\udcff", b"content", tarfile.REGTYPE))
    assert names(data) == ["a\ufffd"]


@pytest.mark.parametrize("kind", [tarfile.GNUTYPE_LONGNAME, tarfile.XHDTYPE, b"?"])
def test_a_name_of_gigabytes(kind):
    header = tarfile.TarInfo("x")
    header.size, header.type = 7 << 30, kind
    stream = io.BytesIO(header.tobuf(tarfile.GNU_FORMAT) + b"\0" * (2 << 20))
    with pytest.raises(tarfile.ReadError, match="a name of 7516192768 bytes"):
        list(regular_files(stream, "x"))
    assert stream.tell() < 1 << 20


def test_a_sparse_file_of_a_terabyte():
    header = tarfile.TarInfo("x")
    header.type = tarfile.GNUTYPE_SPARSE
    data = bytearray(header.tobuf(tarfile.GNU_FORMAT))
    data[483:495] = b"%011o\0" % (1 << 32)  # of the whole file, with its holes
    data[148:156] = b"%06o\0 " % (256 + sum(data[:148]) + sum(data[156:512]))
    with pytest.raises(UserError, match=r"^x: 'x' is a sparse file"):
        list(regular_files(io.BytesIO(bytes(data) + b"\0" * 1024), "x"))


def test_damage_in_the_middle_is_no_end():
    data = bytearray(tar({"a": b"1", "b": b"2"}))
    assert names(bytes(data)) == ["a", "b"]
    at = data.rindex(b"b\0\0\0")
    data[at : at + 1] = b"c"  # its checksum does not fit any more
    with pytest.raises(tarfile.ReadError, match="bad checksum, at byte"):
        names(bytes(data))
    with pytest.raises(tarfile.ReadError):  # cut off where the header would be
        names(bytes(data[:at]))


def test_a_file_twice_in_a_package(tmp_path):
    path = tmp_path / "a_1_all.deb"
    content = archive(("./a", b"1", tarfile.REGTYPE), ("./a", b"2", tarfile.REGTYPE))
    package = deb({"./b": b"x"})
    head, old = package[:8], tar({"./b": b"x"})
    assert package.endswith(old)
    package = package[: -len(old)].replace(b"%-10d" % len(old), b"%-10d" % len(content)) + content
    assert package.startswith(head)
    path.write_bytes(package)
    with pytest.raises(UserError, match=r"a_1_all\.deb: './a' is in it twice"):
        list(debian.unpack(path))


@pytest.mark.parametrize("size", [10**9, 9_999_999_999])
def test_a_package_that_claims_to_be_large(tmp_path, size):
    path = tmp_path / "a_1_all.deb"
    data = deb({"./a": b"1"})
    length = b"%-10d" % len(tar({"./a": b"1"}))
    path.write_bytes(data.replace(length, b"%-10d" % size))
    with pytest.raises(UserError, match=r"a_1_all\.deb: truncated, \d+ bytes are missing"):
        list(debian.unpack(path))


def test_a_package_that_unpacks_without_end(tmp_path, monkeypatch):
    path = tmp_path / "a_1_all.deb"
    monkeypatch.setattr(limits, "EXPANDED", 1 << 18)
    monkeypatch.setattr(limits, "EXPANSION", 100)
    content = lzma.compress(archive(("./a", bytes(2 << 20), tarfile.REGTYPE)))
    header = b"%-16s%-12d%-6d%-6d%-8d%-10d`\n" % (b"data.tar.xz", 0, 0, 0, 100644, len(content))
    path.write_bytes(b"!<arch>\n" + header + content)
    with pytest.raises(UserError, match=r"a_1_all\.deb: \d+ bytes unpack to \d+ and more"):
        list(debian.unpack(path))
    monkeypatch.undo()
    monkeypatch.setattr(limits, "WHOLE", 1 << 20)
    with pytest.raises(UserError, match=r"\./a: more than 1048576 bytes in one piece"):
        list(debian.unpack(path))


def test_versions_that_debian_would_not_give():
    versions = ["1.0", "x:1.0", "1:0.5", "²:1", ""]
    keys = [debian.version_key(Path(f"a_{x}_all.deb")) for x in versions]
    assert max(keys) == keys[2]


def test_a_text_in_an_archive_that_unpacks_without_end(tmp_path, monkeypatch):
    monkeypatch.setattr(limits, "EXPANDED", 1 << 18)
    monkeypatch.setattr(limits, "EXPANSION", 100)
    path = tmp_path / "a.tgz"
    path.write_bytes(gzip.compress(archive(("a", b"\n" * (2 << 20), tarfile.REGTYPE))))
    with pytest.raises(UserError, match=r"a\.tgz: \d+ bytes unpack to \d+ and more"):
        aligned.read({"da": Place(str(path), "a")}, 9)


def dictionary(tmp_path, index, texts):
    path = tmp_path / "freedict-dan-eng.index"
    path.write_bytes(index)
    path.with_suffix(".dict").write_bytes(texts)
    return path


@pytest.mark.parametrize("digits", [b"A" * 7, b"/" * 100_000])
def test_a_place_in_a_dictionary_with_many_digits(tmp_path, digits):
    path = dictionary(tmp_path, INDEX + b"x\t" + digits + b"\tB\n", b"abc\n" * 9)
    with pytest.raises(UserError, match=r"line 4 of its index: no key, offset and length"):
        list(freedict.entries(path))


def test_entries_that_all_hold_the_same_text(tmp_path):
    """A thousand entries of all of the text but for their first bytes."""
    texts = b"a\n1. b\n" * 1000
    places = [f"{ALPHABET[i // 64]}{ALPHABET[i % 64]}" for i in range(1000)]
    index = "".join(f"k{i}\t{x}\tBcY\n" for i, x in enumerate(places))
    path = dictionary(tmp_path, index.encode(), texts)
    with pytest.raises(UserError, match="its entries lie over each other"):
        list(freedict.entries(path))


def test_brackets_that_are_never_closed_take_no_time(tmp_path):
    text = "a" + " " * 200_000 + "b\n" + "{" * 200_000 + "(x) c, [d] e " + '<"' * 100_000 + "\n"
    size, digits = len(text), ""
    while size:
        size, digit = divmod(size, 64)
        digits = ALPHABET[digit] + digits
    path = dictionary(tmp_path, f"a\tA\t{digits}\n".encode(), text.encode())
    first, second = list(freedict.entries(path))
    assert first[1].endswith("{ c")
    assert second[1].startswith("e < <")


@given(st.text(string.printable + '[]<>(){}"é'))
def test_asides_are_those_of_a_simple_expression(text):
    aside = re.compile(r"\[[^]]*\]|<[^>]*>|\([^)]*\)|\{[^}]*\}|\"[^\"]*\"")
    assert freedict._without_asides(text) == aside.sub(" ", text)


@pytest.mark.parametrize("depth", [200, 5000])
def test_help_pages_that_go_deep(depth):
    page = f'<div id="DisplayArea">{"<span>" * depth}text{"</span>" * depth}</div>'.encode()
    if depth == 200:
        assert libreoffice_help.parse(page, "x")[1] == [("DisplayArea", "text")]
    else:
        with pytest.raises(UserError, match=r"^x: deeper than 256 elements"):
            libreoffice_help.parse(page, "x")


def test_help_pages_with_more_text_than_is_read():
    page = b'<div id="DisplayArea"><p>' + b"a" * 11_000_000 + b"</p></div>"
    with pytest.raises(UserError, match=r"^x: (deeper than|not a help page)"):
        libreoffice_help.parse(page, "x")
