import bz2
import random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

pytest.importorskip("numba")
from cr5.base import bzip2

RANDOM = random.Random(1)
WORDS = [RANDOM.randbytes(RANDOM.randint(1, 9)) for _ in range(5000)]
TEXT = b" ".join(RANDOM.choices(WORDS, k=60_000))  # 360 kB
# What bzip2 treats in ways of its own: few and all bytes, periods, runs about its lengths.
CONTENTS = {
    "a byte": b"a",
    "every byte": bytes(range(256)) * 3,
    "noise": RANDOM.randbytes(250_000),
    "words": TEXT,
    "a period": b"ab" * 70_000,
    "runs": b"".join(bytes([n % 7]) * n for n in range(1, 600)),
    "one run": bytes(3_000_000),
}


def decompressed(data: bytes, at_once: int = 1 << 20, most: int = 1 << 16) -> tuple[bytes, bytes]:
    """The text of the first streams, and what follows them."""
    decompressor, found = bzip2.Decompressor(), []
    while not decompressor.eof:
        piece = b""
        if decompressor.needs_input:
            piece, data = data[:at_once], data[at_once:]
            if not piece:
                raise EOFError(b"".join(found))
        found.append(bytes(decompressor.decompress(piece, most)))
        assert len(found[-1]) <= most
    return b"".join(found), decompressor.unused_data + data


@pytest.mark.parametrize("level", [1, 9])
@pytest.mark.parametrize("content", CONTENTS.values(), ids=CONTENTS)
def test_as_python_s_bz2(content, level):
    assert decompressed(bz2.compress(content, level)) == (content, b"")


def test_more_blocks_than_are_walked_at_once(monkeypatch):
    monkeypatch.setattr(bzip2, "SIDE_BY_SIDE", 2)
    data = bz2.compress(TEXT, 1) * 3  # streams of four blocks
    for at_once in (1 << 20, 100_003):
        assert decompressed(data, at_once) == (TEXT * 3, b"")


def test_what_follows_is_left():
    data = bz2.compress(b"a" * 100)
    assert decompressed(data + data + b"\0\0BZx") == (b"a" * 200, b"\0\0BZx")
    assert decompressed(data + b"BZ") == (b"a" * 100, b"BZ")


@settings(max_examples=100, deadline=None)
@given(st.lists(st.tuples(st.binary(min_size=1, max_size=3), st.integers(1, 300)), min_size=1))
def test_any_runs(runs):
    content = b"".join(piece * n for piece, n in runs)
    assert decompressed(bz2.compress(content)) == (content, b"")


def text_or_none(decompress, data: bytes) -> bytes | None:
    try:
        return decompress(data)
    except (OSError, EOFError, ValueError):
        return None


def test_damage_is_found_where_python_finds_it():
    good = bz2.compress(TEXT[:20_000])
    for place in [*range(200), *range(200, len(good), 97), *range(len(good) - 20, len(good))]:
        data = bytearray(good)
        data[place] ^= RANDOM.randint(1, 255)
        ours = text_or_none(lambda data: decompressed(data)[0], bytes(data))
        assert ours == text_or_none(bz2.decompress, bytes(data))


def test_what_comes_before_damage_is_given():
    data = bytearray(bz2.compress(TEXT, 1))
    data[-5] ^= 1  # the sum of the whole stream
    decompressor = bzip2.Decompressor()
    found = bytes(decompressor.decompress(bytes(data), 1 << 30))
    with pytest.raises(OSError, match="Invalid data stream"):
        while piece := decompressor.decompress(b"", 1 << 30):
            found += piece
    assert found == TEXT
