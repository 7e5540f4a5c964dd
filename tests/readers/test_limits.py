"""What has no end, or claims to be huge, is refused with its place, and takes no memory."""

import bz2
import gzip
import io
import lzma
import struct
import tracemalloc
import zlib

import pytest

from cr5.app import texts
from cr5.base import compressed, limits
from cr5.base.errors import UserError
from cr5.base.lines import read_lines
from cr5.corpora import dictionaries, translations
from cr5.corpora.formats.rows import labelled
from cr5.corpora.reading import records
from cr5.corpora.sources import files
from cr5.corpora.wikimedia.concepts import page_props
from cr5.corpora.wikimedia.pages import xml_pages
from cr5.fitting import alignments, given_vectors
from cr5.models import vector_readers
from cr5.models.formats.vector_files import read_weights
from cr5.tasks import ad_hoc

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


LINES = {
    "read_lines": lambda path: list(read_lines(path)),
    "jsonl": lambda path: list(records(files, path, "da")),
    "labelled": lambda path: list(labelled(path, "a", "b")),
    "dictionary": lambda path: list(dictionaries.entries(path)),
    "judgements": ad_hoc.judgements,
    "alignments": lambda path: list(alignments.entries(path)),
    "vectors": lambda path: given_vectors.read(path, 9),
    "released": lambda path: vector_readers.read_vectors(path, ["a"], 2),
    "weights": read_weights,
    "texts": lambda path: list(texts._from(str(path), "en", {})),
}


@pytest.mark.parametrize("name", LINES)
def test_a_line_without_end(file, monkeypatch, name):
    monkeypatch.setattr(limits, "LINE", MIB // 4)
    file.write_bytes(b"a " + b"1" * (12 * MIB))

    def refused():
        with pytest.raises(UserError, match=r"x\.txt, line 1: .*more than 262144 bytes"):
            LINES[name](file)

    assert peak(refused) < 8 * MIB


def test_the_longest_line_that_may_be(file, monkeypatch):
    monkeypatch.setattr(limits, "LINE", 10)
    file.write_bytes(b"123456789\n" * 2 + b"1234567890")
    assert len(list(read_lines(file))) == 3
    file.write_bytes(b"123456789\n" * 2 + b"1234567890\n")
    with pytest.raises(UserError, match=r"x\.txt, line 3: the line has more than 10 bytes"):
        list(read_lines(file))


@pytest.mark.parametrize("pack", [gzip.compress, bz2.compress, lzma.compress])
def test_a_file_that_unpacks_without_end(file, monkeypatch, pack):
    """Lines are short, and blank ones are passed over: only the expansion tells."""
    monkeypatch.setattr(limits, "EXPANDED", MIB // 8)
    monkeypatch.setattr(limits, "EXPANSION", 50)
    monkeypatch.setattr(compressed, "BUFFER", MIB // 16)
    file.write_bytes(pack(b"\n" * MIB))

    with pytest.raises(UserError, match=r"x\.txt: \d+ bytes unpack to \d+ and more, over 50"):
        list(records(files, file, "da"))


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
    with pytest.raises(UserError, match=r"needs more than 1073741824 bytes.*compress it again"):
        list(read_lines(file))
    assert not issubclass(UserError, compressed.TruncatedError)


def test_separators_of_unicode_end_no_line(file):
    lines = ["a\u2028b", "c\x85d\x0be", "f\rg", "h\x1ci"]
    file.write_text("\r\n".join(lines), encoding="utf-8", newline="")
    assert [text for _, text in read_lines(file)] == lines


def test_a_stanza_without_end(tmp_path, monkeypatch):
    monkeypatch.setattr(limits, "STANZA", 5)
    path = tmp_path / "Translation-da"
    path.write_text("Package: a\n" * 9)
    with pytest.raises(UserError, match="line 6: 5 lines without a blank one; expected Package"):
        list(translations.entries(path))


def test_a_page_without_end(monkeypatch):
    monkeypatch.setattr(limits, "PAGE", 2 * MIB)
    head = b"<mediawiki><page><revision><text>"
    stream = io.BytesIO(head + b"a" * (30 * MIB))
    with pytest.raises(UserError, match=r"x: over 2097152 bytes of XML without the end of a page"):
        list(xml_pages(stream, "x"))
    assert stream.tell() < 4 * MIB


def test_xml_of_another_kind_is_not_held_as_a_whole(monkeypatch):
    monkeypatch.setattr(limits, "PAGE", MIB)
    stream = io.BytesIO(b"<feed>" + b"<doc>text</doc>" * MIB)
    with pytest.raises(UserError, match="expected an export of MediaWiki"):
        list(xml_pages(stream, "x"))
    assert stream.tell() < 3 * MIB


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
