"""Compressed files are read to the end, or refused: nothing behind a stream is passed over."""

import bz2
import gzip
import lzma

import pytest

from cr5.base.errors import UserError
from cr5.base.text_files import read_lines

LINES = [f"line {number}" for number in range(30_000)]
BEGINNING = "\n".join(LINES[:10]).encode() + b"\n"
REMAINDER = "\n".join(LINES[10:]).encode() + b"\n"
COMPRESS = {"bz2": bz2.compress, "xz": lzma.compress, "gz": gzip.compress}
NO_STREAMS = ("plain text", "cut off", "damaged", "a byte")


def lines_of(path, content):
    path.write_bytes(content)
    return [line for _, line in read_lines(path)]


@pytest.mark.parametrize("ending", COMPRESS)
def test_streams_that_follow_one_another_are_one_text(tmp_path, ending):
    compress = COMPRESS[ending]
    both = compress(BEGINNING) + compress(REMAINDER)
    between_empty_ones = compress(b"") + both + compress(b"")
    assert lines_of(tmp_path / "a", both) == LINES
    assert lines_of(tmp_path / "a", between_empty_ones) == LINES


def test_zeros_may_follow_a_stream_of_xz(tmp_path):
    first = lzma.compress(BEGINNING) + bytes(4)
    second = lzma.compress(REMAINDER) + bytes(8)
    assert lines_of(tmp_path / "a", first + second) == LINES


@pytest.mark.parametrize("ending", COMPRESS)
@pytest.mark.parametrize("kind", NO_STREAMS)
def test_what_is_no_stream_is_refused(tmp_path, ending, kind):
    compress = COMPRESS[ending]
    stream = compress(REMAINDER)
    ends = {
        "plain text": REMAINDER,
        "cut off": stream[:-20],
        "damaged": b"\x01" + stream[1:],
        "a byte": b"x",
    }
    with pytest.raises(UserError, match=str(tmp_path / "a")):
        lines_of(tmp_path / "a", compress(BEGINNING) + ends[kind])
