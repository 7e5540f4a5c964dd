import bz2
import gzip
import lzma
from zipfile import ZIP_DEFLATED, ZIP_STORED, ZipFile

import pyarrow as pa
import pytest

from cr5.base import compressed
from cr5.base.errors import UserError
from cr5.base.not_text import refusing_markup
from cr5.base.text_files import open_stream, read_lines
from tests.kit.archives import tar


def zstd(content):
    sink = pa.BufferOutputStream()
    with pa.CompressedOutputStream(sink, "zstd") as stream:
        stream.write(content)
    return sink.getvalue().to_pybytes()


STREAMS = {"bz2": bz2.compress, "gz": gzip.compress, "xz": lzma.compress, "zst": zstd}
COMPRESS = STREAMS | {"plain": bytes}
LINES = [f"{i} bottles of øl" for i in range(5000)]
TEXT = "\n".join(LINES).encode()


@pytest.fixture
def file(tmp_path):
    return tmp_path / "file.any"  # the name says nothing


@pytest.mark.parametrize("kind", COMPRESS)
def test_any_compression_in_one_stream_or_several(file, kind):
    compress = COMPRESS[kind]
    several = compress(b"") + compress(TEXT[:99]) + compress(TEXT[99:]) + compress(b"")
    for content in (compress(TEXT), several):
        file.write_bytes(content)
        assert [text for _, text in read_lines(file)] == LINES
        with open_stream(file) as stream:
            assert stream.read(9) + stream.read() == TEXT


@pytest.mark.parametrize("kind", STREAMS)
def test_what_is_cut_off_or_damaged_is_named(file, kind):
    content = COMPRESS[kind](TEXT)
    middle = len(content) // 2
    damaged = content[:middle] + b"????" + content[middle + 4 :]
    cut = [content[:end] for end in (7, 20, middle, len(content) - 1)]
    if kind != "zst":  # pyarrow writes no checksums, as the command zstd does
        cut.append(damaged)
    for bad in cut:
        file.write_bytes(bad)
        with pytest.raises(UserError, match=f"{file}.* get the whole file again$"):
            list(read_lines(file))
    file.write_bytes(content[:-9])
    with pytest.raises(UserError, match=r"it is cut off: get the whole file again$"):
        list(read_lines(file))


def test_lines_with_where_they_stand(file):
    file.write_bytes("\ufeffæ\r\n\nb\u2028c\x85d\x0be\x1cf".encode())
    assert list(read_lines(file)) == [
        (f"{file}, line 1", "æ"),
        (f"{file}, line 2", ""),
        (f"{file}, line 3", "b\u2028c\x85d\x0be\x1cf"),
    ]
    file.write_bytes(b"a\n\xff\n")
    with pytest.raises(UserError, match=f"{file}, line 2: this is not UTF-8"):
        list(read_lines(file))
    assert [text for _, text in read_lines(file, "latin-1")] == ["a", "ÿ"]
    file.write_bytes("a\né\n".encode())
    with pytest.raises(UserError, match=f"{file}, line 2: this is UTF-8, not latin-1"):
        list(read_lines(file, "latin-1"))


@pytest.mark.parametrize(
    ("content", "expected", "told"),
    [
        (b"a\rb\r\rc", ["a", "b", "", "c"], ""),  # of an old Mac
        (b"a\rb\r", ["a", "b"], ""),
        (b"a\rb\r\n", ["a", "b"], ""),
        (b"a\r\nb\r\n\r\n", ["a", "b", ""], None),
        (b"a\rb\nc\rd\n", ["a\rb", "c\rd"], ""),  # lines of parallel text go by line feeds
        (b"a\nb\rc\n", ["a", "b\rc"], ""),
        (b"a\n", ["a"], None),
        (b"", [], None),
    ],
)
def test_carriage_returns_alone_end_all_lines_or_none(file, caplog, content, expected, told):
    file.write_bytes(content)
    assert [text for _, text in read_lines(file)] == expected
    places = [record.getMessage().partition(":")[0] for record in caplog.records]
    assert places == ([] if told is None else [f"{file}{told}"])


FORMATS = {  # the first bytes of files, as their specifications have them
    "7z": bytes.fromhex("377abcaf271c0004"),
    "rar": b"Rar!\x1a\x07\x01\x00",
    "PDF": b"%PDF-1.7\n",
    "Office": bytes.fromhex("d0cf11e0a1b11ae1"),
    "RTF": b"{\\rtf1\\ansi",
    "tar": tar({"a.txt": b"a\n"}),
    "PostScript": b"%!PS-Adobe-3.0\n",
    "ar": b"!<arch>\ndebian-binary   ",
    "web pages": b"WARC/1.0\r\n",
    "lzma": lzma.compress(b"a", lzma.FORMAT_ALONE),
    "lz4": bytes.fromhex("04224d18"),
    "Z": bytes.fromhex("1f9d90"),
    "compressed twice": gzip.compress(bz2.compress(b"a")),
}


def zipped(path, contents):
    """Write a zip archive of files by their names."""
    with ZipFile(path, "w", ZIP_DEFLATED) as archive:
        for name, content in contents.items():
            archive.writestr(name, content)


def test_a_zip_archive_of_one_file_is_read(file):
    zipped(file, {"a/": b"", "a/b.txt": TEXT, "__MACOSX/a/b.txt": b"x"})
    assert [text for _, text in read_lines(file)] == LINES
    with open_stream(file) as stream:
        assert stream.read(9) + stream.read() == TEXT


def encrypted(content):
    """An archive that says in both of its places that its only file is encrypted."""
    for mark, flags in ((b"PK\x03\x04", 6), (b"PK\x01\x02", 8)):
        place = content.index(mark) + flags
        content = content[:place] + b"\x01" + content[place + 1 :]
    return content


UNREADABLE = [  # what becomes of an archive with one file, and what is said
    (encrypted, "this zip archive is encrypted; unpack it"),
    (
        lambda content: content[:-30],
        r"this zip archive cannot be read \(.*\); unpack it, or get it",
    ),
    (lambda content: content.replace(b"abcdefgh", b"abcdefgx", 1), r"cannot be read \(Bad CRC"),
    (gzip.compress, "this is a zip archive, compressed again; unpack it"),
]


@pytest.mark.parametrize(("change", "message"), UNREADABLE)
def test_zip_archives_that_cannot_be_read_are_refused(file, change, message):
    with ZipFile(file, "w", ZIP_STORED) as archive:
        archive.writestr("a.txt", "abcdefgh")
    file.write_bytes(change(file.read_bytes()))
    with pytest.raises(UserError, match=f"{file}: .*{message}"):
        list(read_lines(file))


def test_zip_archives_of_several_files_or_of_no_text_are_refused(file, monkeypatch):
    zipped(file, {"[Content_Types].xml": "x", "word/document.xml": "y"})
    with pytest.raises(UserError, match=f"{file}: this is a zip archive with 2 files, .*; unpack"):
        list(read_lines(file))
    zipped(file, {})
    with pytest.raises(UserError, match=f"{file}: this is a zip archive with 0 files, "):
        list(read_lines(file))
    monkeypatch.setattr(compressed, "LARGE", 1000)
    zipped(file, {"a.txt": b"\n" * 1_000_000})
    with pytest.raises(UserError, match=r"a\.txt would unpack from [\d,]+ bytes to 1,000,000, .*"):
        list(read_lines(file))


@pytest.mark.parametrize("name", ["a.br", "a.txt.br"])
def test_breton_is_read_and_brotli_refused(tmp_path, name):
    (tmp_path / name).write_text("glav hag avel, ur c'hazh gwenn ha du é" + "é" * 300)
    assert len(list(read_lines(tmp_path / name))) == 1
    (tmp_path / name).write_bytes(bytes.fromhex("1b0b00f825004a9042"))
    with pytest.raises(UserError, match="this is compressed as br; unpack it"):
        list(read_lines(tmp_path / name))


def test_an_old_tar_archive_without_a_mark_is_known_by_its_checksum(file):
    header = bytearray(tar({"a.txt": b"a\n"}))
    header[257:265] = bytes(8)
    header[148:156] = b" " * 8
    header[148:156] = b"%06o\0 " % sum(header[:512])
    file.write_bytes(bytes(header))
    with pytest.raises(UserError, match="this is a tar archive; unpack it"):
        list(read_lines(file))


@pytest.mark.parametrize("compress", COMPRESS.values())
@pytest.mark.parametrize("name", FORMATS)
def test_archives_and_documents_are_refused_by_name(file, name, compress):
    file.write_bytes(compress(FORMATS[name]))
    with pytest.raises(UserError, match=rf"{file}: this is .*\b{name}\b.*; (unpack|save)"):
        list(read_lines(file))


@pytest.mark.parametrize(
    ("encoding", "said"),
    [
        ("utf-16-le", "NUL"),
        ("utf-16-be", "NUL"),
        ("utf-32-le", "NUL"),
        ("utf-16", "this is UTF-16"),
        ("utf-32", "this is UTF-32"),
        ("iso2022_jp", "ESC"),
        ("iso2022_kr", "ESC|SO"),
        ("shift_jis", "this is not UTF-8"),
        ("gb18030", "this is not UTF-8"),
        ("hz", "this is HZ"),
    ],
)
def test_other_encodings_are_refused(file, encoding, said):
    file.write_bytes("a\n\u65e5\u672c\n".encode(encoding))
    with pytest.raises(UserError, match=rf"{file}, line [12]: .*({said}).* convert the file"):
        list(read_lines(file))


TAGS = [
    '<s id="1">a</s>',
    "<seg>a",
    "<tu>",
    "<page>",
    "<root>",
    '<tt xml:lang="en">',
    "<text>",
    "<a\nb='c'>",
]
MARKUP = {
    "HTML": [
        "<!DOCTYPE html>\n<p>a",
        "\n <html lang=en>\n",
        "<head>\n",
        '<div class="a">b</div>\n<p>c</p>',
        "<b>Bold</b> words\nb",
        "<li>a\n",
        "<br>a\n",
    ],
    "XML": ['<?xml version="1.0"?>\n<tmx>', "<!DOCTYPE tmx SYSTEM 'x'>", "<DOC>\n<DOCNO>", *TAGS],
    "PHP": ["<?php echo 1;\n"],
    "sentences and their translations": ["a cat ||| un gatto\n"],
    "e-mail": ["From a@b.org Mon Jan 1\n", "Subject: a\nX-Spam: b\n\nText", "To: a\nFrom: b\n"],
    "PO": [
        '# Of somebody\n#, fuzzy\nmsgid ""\nmsgstr ""\n',
        'msgctxt "a"\nmsgid "b"',
        'domain "a"\n',
    ],
    "subtitles": [
        "1\n00:00:01,000 --> 00:00:02,000\na",
        "WEBVTT\n\n00:01.000 -->",
        "0:00:01.000,0:00:02.000\na",
        "[00:12.00]a\n",
        "{0}{25}a\n",
    ],
}
ORDINARY = [
    "<3 you\n<b",
    "<I am here\n",
    "Subject: a\nbody",
    "To: you\nb",
    "# Title\n---\nkey: value",
    "\\documentclass{article}\n\\begin{a}",
    "1\n2\n3",
    "msgid is a key\n",
    "# A\n\nb <html>",
    "",
    "#\n" * 300,
]


@pytest.mark.parametrize("kind", MARKUP)
def test_markup_as_lines_is_refused_by_its_beginning(file, kind):
    for content in MARKUP[kind]:
        file.write_text(content)
        with pytest.raises(UserError, match=rf"{file}, line [1-3]: this is .*{kind}"):
            list(refusing_markup(read_lines(file)))


@pytest.mark.parametrize("content", ORDINARY)
def test_texts_that_speak_of_markup_are_passed_on(file, content):
    file.write_text(content)
    assert list(refusing_markup(read_lines(file))) == list(read_lines(file))
