"""Files that claim more than there is, or mean no file at all, are refused by name."""

import gzip
import io
import json
import re
import string
import struct
import tarfile
from pathlib import Path
from types import SimpleNamespace

import numpy as np
import pytest
import safetensors.numpy
from hypothesis import given
from hypothesis import strategies as st

from cr5.base.archives import regular_files
from cr5.base.errors import UserError
from cr5.corpora import debian, freedict
from cr5.corpora.fetch import download, remote
from cr5.corpora.fetch.partial import Partial, WrongError, _extent
from cr5.corpora.fetch.progress import Progress
from tests.kit.readers import TARGETS
from tests.kit.readers.archives import INDEX, ar, deb, tar
from tests.kit.readers.models import ROWS, WORDS, fasttext
from tests.kit.readers.servers import PIN, STATUS, TABLE


def numbered(place, number):
    """FastText's own form with another number in a place of its header."""
    data = bytearray(fasttext(WORDS, ROWS))
    struct.pack_into("<i", data, 4 * place, number)
    return bytes(data)


def status(key, value):
    """The status of a dump with another value for a file."""
    of = json.loads(STATUS)
    next(iter(of["jobs"]["pagepropstable"]["files"].values()))[key] = value
    return json.dumps(of).encode()


def pinned(old, new):
    table = TABLE.decode()
    assert table.count(old) == 1
    return table.replace(old, new).encode()


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
CASES = {
    "bin": [x + BINARY for x in (b"1000000000000 2", b"1 1000000000000", b"1 0", b"1 " + MANY)],
    # its header has the dimension, and numbers of n-grams and of words
    "fasttext": [
        *(numbered(2, x) for x in (1 << 30, 3)),
        *(numbered(*x) for x in ((10, 1 << 30), (16, 1 << 30))),
        # gensim's reader waits for ever for the end of a word that is cut off
        *(fasttext(WORDS, ROWS)[:end] for end in range(4, 170)),
    ],
    "packed": [
        *(struct.pack("<Q", n) + b"{}" for n in (0, 3, 1 << 40)),
        safetensors.numpy.save({"a": np.ones(2)}),
        *(safetensors.numpy.save({"a": np.ones(2)}, {"cr5": x}) for x in ("[" * 50_000, "3", "{}")),
    ],
    "dumpstatus": [
        *(status("size", x) for x in (-1, "3", True)),
        *(status(*x) for x in (("sha1", "A" * 40), ("sha1", [1]), ("md5", "b"))),
        *(b"[" * 100_000, b'{"jobs": [[]]}', b'{"jobs": {"pagepropstable": 1}}'),
    ],
    "pins": [
        *(pinned("\ta.bz2\t", f"\t{x}\t") for x in ("..", "../a", "a\0b", "a\u2028b")),
        *(pinned("\t10\t", f"\t{x}\t") for x in ("9" * 5000, "²")),
        *(pinned("dawiki\t2026", "../x\t2026"), pinned("2026-01-01", "../../..")),
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


@pytest.mark.parametrize(
    "piece", ['href="', '<a href="', "<a ", '<a href="x">', "<a href='x' ", '<a href="x">y</a', "<"]
)
def test_listings_that_would_be_tried_for_ever(piece):
    assert remote.parse_listing('Index of <a href="../"> <a ' + piece * 200_000, "x") == {}


@pytest.mark.parametrize(("size", "expected"), [(MANY, None), (b"-5", None), (b"12", 12)])
def test_sizes_in_a_listing(size, expected):
    page = f'Index of\n<a href="b">b</a>  date {size.decode()}\n'
    assert remote.parse_listing(page, "x") == {"b": expected}


SOON = ("", "soon", "Mon, 01 Jan 0001 00:00:00 +2359", "-5", "²")


@pytest.mark.parametrize("value", SOON)
def test_a_time_to_wait_that_is_none(value):
    answer = SimpleNamespace(headers={"Retry-After": value}, status_code=503, reason="", url="x")
    with pytest.raises(remote.LaterError) as error:
        remote._check(answer)
    assert error.value.seconds == 0


@pytest.mark.parametrize("value", ["bytes 5-9/٣", "bytes 5-9/" + "9" * 5000, "bytes -5-9/10"])
def test_ranges_that_are_none(value):
    answer = SimpleNamespace(status_code=206, headers={"Content-Range": value})
    with pytest.raises(remote.LaterError, match="HTTP 206 with Content-Range"):
        _extent(answer)


@pytest.mark.parametrize("value", ["9" * 5000, "-1", "٣", ""])
def test_lengths_that_are_none(value):
    answer = SimpleNamespace(status_code=200, headers={"Content-Length": value})
    assert _extent(answer) == (0, None)


@pytest.mark.parametrize("note", ["[", "[]", '{"url": 1}', "[" * 100_000])
def test_notes_of_what_came_that_are_damaged(tmp_path, note):
    (tmp_path / "a.part.json").write_text(note)
    assert Partial(tmp_path / "a", PIN).validator == ""


@pytest.mark.parametrize("total", ['"many"', "null", "7.5"])
def test_a_note_with_a_size_that_is_none(tmp_path, total):
    note = f'{{"url": "{PIN.url}", "validator": "v", "total": {total}}}'
    (tmp_path / "a.part.json").write_text(note)
    assert Partial(tmp_path / "a", PIN).total == (None if total == "null" else PIN.bytes)


def test_a_file_without_end(tmp_path):
    """Its size is pinned, but the server goes on: what is too much is soon noticed."""
    endless = SimpleNamespace(read1=lambda size, decode_content: b"a" * 100)
    with Partial(tmp_path / "a", PIN) as part:
        download._append(SimpleNamespace(raw=endless), part, Progress("a"))
        with pytest.raises(WrongError, match="expected 10 bytes, got 100"):
            _ = part.is_complete
