import bz2
import gzip
import lzma

import pytest

from cr5.base.errors import UserError
from cr5.base.text_files import open_stream, read_lines

COMPRESS = {"bz2": bz2.compress, "gz": gzip.compress, "xz": lzma.compress, "plain": bytes}
LINES = [f"{i} bottles of øl" for i in range(5000)]
TEXT = "\n".join(LINES).encode()


@pytest.fixture
def file(tmp_path):
    return tmp_path / "file.any"  # the name says nothing


@pytest.mark.parametrize("kind", COMPRESS)
def test_any_compression_in_one_stream_or_several(file, kind):
    compress = COMPRESS[kind]
    for content in (compress(TEXT), compress(TEXT[:99]) + compress(TEXT[99:])):
        file.write_bytes(content)
        assert [text for _, text in read_lines(file)] == LINES
        with open_stream(file) as stream:
            assert stream.read(9) + stream.read() == TEXT


@pytest.mark.parametrize("kind", [x for x in COMPRESS if x != "plain"])
def test_what_is_cut_off_or_damaged_is_named(file, kind):
    content = COMPRESS[kind](TEXT)
    middle = len(content) // 2
    damaged = content[:middle] + b"????" + content[middle + 4 :]
    for bad in (*(content[:end] for end in (7, 20, middle, len(content) - 1)), damaged):
        file.write_bytes(bad)
        with pytest.raises(UserError, match=f"{file}"):
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
