"""What has no end, or claims to be huge, is refused with its place, and takes no memory."""

import bz2
import gzip
import io
import lzma
import re
import struct
import tracemalloc
import zipfile
import zlib
from types import SimpleNamespace

import pytest

from cr5.base import compressed, limits
from cr5.base.errors import UserError
from cr5.base.lines import read_lines
from cr5.corpora.fetch import remote
from cr5.corpora.wikimedia.concepts import page_props
from cr5.models.formats import packed
from tests.kit.readers import TARGETS
from tests.kit.readers.archives import ENTRY, deb, tar
from tests.kit.readers.models import packed_parts

MIB = 1 << 20


@pytest.fixture
def file(tmp_path):
    return tmp_path / "x.txt"


def peak(call):
    """Bytes of memory that a call takes at most."""
    tracemalloc.start()
    try:
        call()
    finally:
        most = tracemalloc.get_traced_memory()[1]
        tracemalloc.stop()
    return most


OF_LINES = """
jsonl tsv labelled matrix dictionary judged queries judgements descriptions parallel word_table
texts compressed vec released
"""


@pytest.mark.parametrize("name", OF_LINES.split())
def test_a_line_without_end(tmp_path, monkeypatch, name):
    monkeypatch.setattr(limits, "LINE", MIB // 4)
    path, errors = TARGETS[name].prepare(tmp_path), []
    content = b"a " + b"1" * (24 * MIB)
    assert peak(lambda: errors.append(TARGETS[name].outcome(path, content))) < 12 * MIB
    assert re.search(f"{path}.*line 1: .*more than 262144 bytes", str(errors[0]))


def test_the_longest_line_that_may_be(file, monkeypatch):
    monkeypatch.setattr(limits, "LINE", 10)
    file.write_bytes(b"123456789\n" * 2 + b"1234567890")
    assert len(list(read_lines(file))) == 3
    file.write_bytes(b"123456789\n" * 2 + b"1234567890\n")
    with pytest.raises(UserError, match=r"x\.txt, line 3: the line has more than 10 bytes"):
        list(read_lines(file))


def tgz(name, size):
    """An archive with a file of line ends."""
    return gzip.compress(tar({name: b"\n" * size}))


def package(size):
    return deb({"./a": bytes(size)}, name="data.tar.xz", pack=lzma.compress)


def part(size):
    """A packed model with one part more."""
    data = io.BytesIO()
    with zipfile.ZipFile(data, "w", zipfile.ZIP_DEFLATED) as file:
        for name, content in (packed_parts() | {"more.npy": bytes(size)}).items():
            file.writestr(name, content)
    return data.getvalue()


EXPANDS = {"EXPANDED": MIB // 8, "EXPANSION": 50}
BEYOND = {
    "a file of gzip": ("jsonl", EXPANDS, gzip.compress(b"\n" * MIB)),
    "a file of bzip2": ("jsonl", EXPANDS, bz2.compress(b"\n" * MIB)),
    "a file of xz": ("jsonl", EXPANDS, lzma.compress(b"\n" * MIB)),
    "a text in an archive": ("tar", EXPANDS, tgz("europarl.da", 2 * MIB)),
    "a package": ("deb", EXPANDS, package(2 * MIB)),
    "a file in a package": ("deb", {"WHOLE": MIB}, package(2 * MIB)),
    "a stanza": ("descriptions", {"STANZA": 5}, b"Package: a\n" * 9),
    "a page": ("xml", {"PAGE": MIB}, b"<mediawiki><page><title>" + b"a" * (30 * MIB)),
    "XML of another kind": ("xml", {"PAGE": MIB}, b"<feed>" + b"<doc>text</doc>" * MIB),
    "a field": ("csv", {"LINE": 99}, b'concept,text_da\n1,"x\n' + 20 * b"more text\n" + b'"\n'),
    "a configuration": ("yaml", {"CONFIGURATION": 99}, b"#" * 99 + b"\na: 1\n"),
    "a dictionary of dictd": ("freedict_entries", {"WHOLE": MIB}, ENTRY + b"\n" * (2 * MIB)),
    "a packed model": ("packed", {}, part(40 * MIB)),
}


@pytest.mark.parametrize("what", BEYOND)
def test_what_has_no_end_is_refused_and_takes_no_memory(tmp_path, monkeypatch, what):
    name, small, content = BEYOND[what]
    for limit, value in small.items():
        monkeypatch.setattr(limits, limit, value)
    monkeypatch.setattr(compressed, "BUFFER", MIB // 16)
    monkeypatch.setattr(packed, "ROOM", MIB)
    path, errors = TARGETS[name].prepare(tmp_path), []
    path.write_bytes(content)
    most = peak(lambda: errors.append(TARGETS[name].outcome(path, content)))
    assert isinstance(errors[0], UserError)
    assert str(tmp_path) in str(errors[0])
    assert most < 12 * MIB  # of which xz has 8


def test_vectors_as_long_as_they_may_be(tmp_path):
    row = " ".join(["1"] * limits.NUMBERS)
    path = TARGETS["vec"].prepare(tmp_path)
    assert TARGETS["vec"].outcome(path, f"hus {row}\n".encode()) is None
    longer = TARGETS["vec"].outcome(path, f"hus {row} 1\n".encode())
    assert f"vectors of 1 to {limits.NUMBERS} numbers" in str(longer)


def test_an_answer_without_end(monkeypatch):
    monkeypatch.setattr(limits, "ANSWER", 1000)
    endless = SimpleNamespace(iter_content=lambda size: iter(lambda: b"a" * 100, b""))
    with pytest.raises(UserError, match="https://x/: more than 1000 bytes"):
        remote._content(endless, "https://x/")


def test_text_that_repeats_itself_unpacks(file):
    file.write_bytes(bz2.compress(b"the same line again\n" * 20_000))
    assert sum(1 for _ in read_lines(file)) == 20_000


def test_a_dictionary_of_xz_that_needs_too_much_memory(file):
    """The size of xz's dictionary is one byte of the block's header (.xz format, 5.3.1)."""
    data = bytearray(lzma.compress(b"text\n"))
    header = slice(12, 12 + 4 * (data[12] + 1))
    block = bytearray(data[header])
    assert block[2:4] == b"\x21\x01"  # LZMA2, one byte of properties
    block[4] = 40  # 4 GiB less a byte
    block[-4:] = struct.pack("<I", zlib.crc32(block[:-4]))
    data[header] = block
    file.write_bytes(data)
    with pytest.raises(UserError, match="needs more than 1073741824 bytes") as raised:
        list(read_lines(file))
    assert type(raised.value) is UserError  # nothing is cut off


def test_separators_of_unicode_end_no_line(file):
    lines = ["a\u2028b", "c\x85d\x0be", "f\rg", "h\x1ci"]
    file.write_text("\r\n".join(lines), encoding="utf-8", newline="")
    assert [text for _, text in read_lines(file)] == lines


def test_sql_of_one_line_takes_no_memory():
    rows = b"INSERT INTO `page_props` VALUES " + b"(1,'x','',NULL)," * MIB
    stream = io.BytesIO(rows + b"(7,'wikibase_item','Q64',NULL);\n-- Dump completed\n")
    found = []
    assert peak(lambda: found.append(page_props(stream, "x"))) < 16 * MIB
    assert found[0].qids.tolist() == [64]


def test_a_q_id_of_zero_is_no_disambiguation_page():
    rows = b"(1,'wikibase_item','Q0',NULL),(2,'wikibase_item','Q5',NULL)"
    data = b"INSERT INTO `page_props` VALUES " + rows + b";\n-- Dump completed\n"
    found = page_props(io.BytesIO(data), "x")
    assert (found.page_ids.tolist(), found.disambiguation.tolist()) == ([2], [])
