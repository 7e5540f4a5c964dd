import bz2
import gzip
import lzma
import re

import pytest

from cr5.base.compressed import TruncatedError, open_stream, share_read

COMPRESS = {
    "bz2": bz2.compress,
    "gz": gzip.compress,
    "xz": lzma.compress,
}
TEXT = b"".join(b"%d bottles of beer\n" % i for i in range(5000))


def read(path, size=-1):
    with open_stream(path) as stream:
        return b"".join(iter(lambda: stream.read(size), b"")) if size > 0 else stream.read()


@pytest.fixture
def file(tmp_path):
    def write(content):
        path = tmp_path / "file.any"  # the name says nothing
        path.write_bytes(content)
        return path

    return write


@pytest.mark.parametrize("kind", COMPRESS)
@pytest.mark.parametrize("size", [-1, 1, 1000, 1 << 20])
def test_by_content_not_by_name(file, kind, size):
    content = TEXT[:2000] if size == 1 else TEXT
    assert read(file(COMPRESS[kind](content)), size) == content


def test_plain(file):
    assert read(file(TEXT)) == TEXT


@pytest.mark.parametrize("kind", COMPRESS)
def test_more_than_the_buffers_hold(file, kind):
    zeros = bytes(5 << 20)  # a little file, of which each piece is far more than a buffer
    assert read(file(COMPRESS[kind](zeros) * 2), 1 << 20) == zeros * 2


@pytest.mark.parametrize("kind", COMPRESS)
def test_joined_streams_padding_and_an_empty_stream(file, kind):
    pieces = [TEXT[:100], b"", TEXT[100:]]
    content = b"".join(map(COMPRESS[kind], pieces))
    assert read(file(content + bytes(512))) == TEXT


@pytest.mark.parametrize("kind", COMPRESS)
def test_cut_off_anywhere(file, kind):
    content = COMPRESS[kind](TEXT)
    for end in (7, 20, len(content) // 2, len(content) - 1):
        path = file(content[:end])
        with pytest.raises(TruncatedError, match=rf"{path}: "):
            read(path)


@pytest.mark.parametrize("kind", COMPRESS)
def test_damage_is_seen_in_the_first_and_in_later_streams(file, kind):
    """Python's BZ2File and LZMAFile end silently where a later stream is damaged at its start."""
    good = COMPRESS[kind](TEXT)
    for content in (good[:40] + b"????" + good[44:], good + b"what is this?", good + good[:-9]):
        with pytest.raises(TruncatedError, match="truncated or damaged"):
            read(file(content))


def test_what_came_before_the_damage_is_given_and_counted(file):
    content = gzip.compress(TEXT)
    with open_stream(file(content + content[:100])) as stream:
        assert stream.read(len(TEXT)) == TEXT
        with pytest.raises(TruncatedError) as raised:
            stream.read()
    size = len(content) + 100
    good = re.search(rf"beyond byte {size} of {size}, or (\d+) decompressed", str(raised.value))
    assert len(TEXT) <= int(good[1]) < 2 * len(TEXT)


def test_of_a_link_the_file_behind_it_is_to_be_replaced(file, tmp_path):
    target = file(gzip.compress(TEXT)[:-9])
    (tmp_path / "link").symlink_to(target)
    with pytest.raises(
        TruncatedError, match=rf"the place of {target}, .* link {tmp_path / 'link'}$"
    ):
        read(tmp_path / "link")


@pytest.mark.parametrize("kind", [*COMPRESS, "plain"])
def test_share_read(file, kind):
    with open_stream(file(COMPRESS.get(kind, bytes)(TEXT))) as stream:
        assert share_read(stream) == 0
        stream.read()
        assert share_read(stream) == 1
