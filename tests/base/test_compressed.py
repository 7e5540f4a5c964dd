"""Compressed files are read to the end, or refused: nothing behind a stream is passed over."""

import bz2
import gzip
import lzma

import pytest

from cr5.base.errors import UserError
from cr5.base.text_files import read_lines
from cr5.texts.rows import rows

LINES = [f"line {number}" for number in range(30_000)]
BEGINNING = "\n".join(LINES[:10]).encode() + b"\n"
REMAINDER = "\n".join(LINES[10:]).encode() + b"\n"
COMPRESS = {"bz2": bz2.compress, "xz": lzma.compress, "gz": gzip.compress}
NO_STREAMS = ("plain text", "cut off", "damaged", "a byte")


def lines_of(path, content):
    path.write_bytes(content)
    return [line for _, line in read_lines(path)]


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


@pytest.mark.parametrize("ending", COMPRESS)
def test_what_to_do_with_a_damaged_file_is_said_once(tmp_path, ending):
    stream = COMPRESS[ending](REMAINDER)
    for damaged in (stream[:-20], stream[:-20] + b"x" + stream[-19:]):
        with pytest.raises(UserError) as refusal:
            lines_of(tmp_path / "a", damaged)
        assert str(refusal.value).count("get the whole file again") == 1


OBJECTS = b'{"text": "one"}\n' * 9


@pytest.mark.parametrize(("ending", "length"), [("bz2", 10), ("gz", 8), ("xz", 24)])
def test_what_no_json_is_in_a_damaged_file_is_told_as_its_damage(tmp_path, ending, length):
    """The last bytes of each format hold a checksum of all."""
    path = tmp_path / f"a.jsonl.{ending}"
    whole = COMPRESS[ending](b'{"text: "one"}\n' + OBJECTS)
    path.write_bytes(whole)
    with pytest.raises(UserError, match="line 1: not JSON"):
        list(rows(path, ["text"]))
    at = len(whole) - length
    path.write_bytes(whole[:at] + bytes([whole[at] ^ 1]) + whole[at + 1 :])
    with pytest.raises(
        UserError, match=r"a\.jsonl.*; it may be damaged: get the whole file again$"
    ):
        list(rows(path, ["text"]))
