"""Compressed files are read to the end, or refused: nothing behind a stream is passed over."""

import bz2
import gzip
import lzma

import pytest

from cr5.base.errors import UserError
from cr5.base.text_files import read_lines

LINES = [f"line {number}" for number in range(30_000)]
FIRST = "\n".join(LINES[:10]).encode() + b"\n"
FOLLOWING = "\n".join(LINES[10:]).encode() + b"\n"
COMPRESS = {"bz2": bz2.compress, "xz": lzma.compress, "gz": gzip.compress}


def lines_of(path, content):
    path.write_bytes(content)
    return [line for _, line in read_lines(path)]


@pytest.mark.parametrize("ending", COMPRESS)
def test_streams_that_follow_one_another_are_one_text(tmp_path, ending):
    compress = COMPRESS[ending]
    streams = compress(FIRST) + compress(FOLLOWING)
    assert lines_of(tmp_path / "a", streams) == LINES
    assert lines_of(tmp_path / "a", compress(b"") + streams + compress(b"")) == LINES


def test_zeros_may_follow_a_stream_of_xz(tmp_path):
    streams = lzma.compress(FIRST) + bytes(4) + lzma.compress(FOLLOWING) + bytes(8)
    assert lines_of(tmp_path / "a", streams) == LINES


@pytest.mark.parametrize("ending", COMPRESS)
@pytest.mark.parametrize(
    "end",
    [
        pytest.param(lambda compress: FOLLOWING, id="plain text"),
        pytest.param(lambda compress: compress(FOLLOWING)[:-20], id="cut off"),
        pytest.param(lambda compress: b"\x01" + compress(FOLLOWING)[1:], id="damaged"),
        pytest.param(lambda compress: b"x", id="a byte"),
    ],
)
def test_what_is_no_stream_is_refused(tmp_path, ending, end):
    compress = COMPRESS[ending]
    with pytest.raises(UserError, match=str(tmp_path / "a")):
        lines_of(tmp_path / "a", compress(FIRST) + end(compress))
