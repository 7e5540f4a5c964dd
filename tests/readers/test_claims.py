"""Files that claim more than there is, or mean no file at all, are refused by name."""

import gzip
import io
import re
import string
import struct
import tarfile
import warnings
import zipfile
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cr5.base.archives import regular_files
from cr5.base.errors import UserError
from cr5.corpora import debian, freedict
from tests.kit.readers import TARGETS
from tests.kit.readers.archives import INDEX, ar, deb, tar
from tests.kit.readers.models import ROWS, WORDS, fasttext, packed_parts


def numbered(place, number):
    """FastText's own form with another number in a place of its header."""
    data = bytearray(fasttext(WORDS, ROWS))
    struct.pack_into("<i", data, 4 * place, number)
    return bytes(data)


def npy(shape, kind="<f4", more=b""):
    content = f"{{'descr': '{kind}', 'fortran_order': False, 'shape': {shape}, }}".encode()
    content += b" " * (-(len(content) + 11) % 64) + b"\n"
    return b"\x93NUMPY\x01\x00" + struct.pack("<H", len(content)) + content + more


def packed(changed, twice=()):
    data = io.BytesIO()
    with zipfile.ZipFile(data, "w", zipfile.ZIP_DEFLATED) as file, warnings.catch_warnings():
        warnings.simplefilter("ignore", UserWarning)
        for name, content in [*(packed_parts() | changed).items(), *twice]:
            file.writestr(name, content)
    return data.getvalue()


def members(*names, kind=tarfile.REGTYPE):
    buffer = io.BytesIO()
    with tarfile.open(fileobj=buffer, mode="w", format=tarfile.GNU_FORMAT) as file:
        for name in names:
            member = tarfile.TarInfo(name)
            member.type, member.linkname = kind, "/etc/passwd"
            file.addfile(member)
    return buffer.getvalue()


def of_size(size):
    length = b"%-10d" % len(tar({"./a": b"1"}))
    return deb({"./a": b"1"}).replace(length, b"%-10d" % size)


MANY = b"9" * 5000
BINARY = b"\nhus " + struct.pack("<2f", 1, 2)
ARRAYS = [
    *(npy((10**12, 2)), npy((-1, 2)), npy((1, 2), "<U2", bytes(16))),
    npy((2, 1), "<M8[s]", bytes(16)),
    b"\x93NUMPY\x01\x00\x06\x00{'a':\n",
    b"\x93NUMPY\x01\x00\x60\x27" + b"(" * 9999 + b"\n",
]
CASES = {
    "bin": [x + BINARY for x in (b"1000000000000 2", b"1 1000000000000", b"1 0", b"1 " + MANY)],
    # its header has the dimension, kinds of n-grams and numbers of words
    "fasttext": [
        *(numbered(2, x) for x in (1 << 30, 3)),
        *(numbered(*x) for x in ((10, 1 << 30), (12, 1 << 20), (12, 6), (16, 1 << 30))),
        # gensim's reader waits for ever for the end of a word that is cut off
        *(fasttext(WORDS, ROWS)[:end] for end in range(4, 170)),
    ],
    "packed": [
        *(packed({"tables.da.npy": x}) for x in ARRAYS),
        packed({}, [("model.json", b"{}")]),
    ],
    "packed_description": [
        b"[" * 50_000,
        b'{"format": 1, "class": "WordTables", "fields": {"words": []}}',
        b"3",
    ],
    "links": [x.encode() + b"\n" for x in ("9" * 5000 + "-0", "٠-٠", "0-0 0-", "-1-0", "3-0")],
    "deb": [
        *(ar({"debian-binary": b"2.0\n"}), ar({"data.tar.lz": b"?"}), b"!<arch>\nshort"),
        *(of_size(10**9), of_size(9_999_999_999)),
        ar({"debian-binary": b"2.0\n", "data.tar": members("./a", "./a")}),
    ],
    "tar": [
        gzip.compress(members("europarl.da"))[:-9],
        *(members("a/europarl.da", "b/europarl.da"), members("europarl.da", "europarl.da")),
        *(members("xeuroparl.da"), members(), members("europarl.da", kind=tarfile.SYMTYPE)),
    ],
    "freedict": [INDEX + b"x\t" + x + b"\tB\n" for x in (b"A" * 7, b"/" * 100_000)],
    "help_page": [
        b'<div id="DisplayArea">' + b"<span>" * 5000 + b"text" + b"</span>" * 5000 + b"</div>",
        b'<div id="DisplayArea"><p>' + b"a" * 11_000_000 + b"</p></div>",
    ],
}


@pytest.mark.parametrize("name", CASES)
def test_what_is_claimed_and_not_there_is_refused_by_name(name, tmp_path):
    target = TARGETS[name]
    path = target.prepare(tmp_path)
    for content in CASES[name]:
        error = target.outcome(path, content)
        assert isinstance(error, UserError), content[:99]
        assert name == "links" or str(tmp_path) in str(error)


def test_names_in_archives_are_only_names_and_only_files_count(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    files = ["/absolute", "../above", "./a", "con\nb", "é", "a\udcff"]
    content = members(*files)
    for kind in (tarfile.SYMTYPE, tarfile.LNKTYPE, tarfile.CHRTYPE, tarfile.FIFOTYPE):
        content = members("a", kind=kind)[:512] + content
    found = [x for x, _ in regular_files(io.BytesIO(content))]
    assert found == [*files[:-1], "a\ufffd"]
    assert list(tmp_path.iterdir()) == []


def test_damage_in_the_middle_of_an_archive_is_no_end():
    data = bytearray(tar({"a": b"1", "b": b"2"}))
    at = data.rindex(b"b\0\0\0")
    data[at : at + 1] = b"c"  # its checksum does not fit any more
    for content in (data, data[:at]):
        with pytest.raises(tarfile.ReadError):
            list(regular_files(io.BytesIO(bytes(content))))


def test_versions_that_debian_would_not_give():
    versions = ["1.0", "x:1.0", "1:0.5", "²:1", ""]
    keys = [debian.version_key(Path(f"a_{x}_all.deb")) for x in versions]
    assert max(keys) == keys[2]


@given(st.text(string.printable + '[]<>(){}"é'))
def test_asides_are_those_of_a_simple_expression(text):
    aside = re.compile(r"\[[^]]*\]|<[^>]*>|\([^)]*\)|\{[^}]*\}|\"[^\"]*\"")
    assert freedict._without_asides(text) == aside.sub(" ", text)


def test_brackets_that_are_never_closed_take_no_time():
    text = "a" + " " * 200_000 + "{" * 200_000 + "(x) c, [d] e " + '<"' * 100_000
    assert freedict._without_asides(text).replace(" ", "").startswith("a{{")
