"""The decoder of bzip2, beside Python's."""

import bz2
import io
import os
import random
import subprocess
import sys

import pytest

from cr5.base import bunzip2

TEXT = b"".join(b"%d bottles of beer, %d of wine\n" % (i, i * i % 977) for i in range(20_000))
RANDOM = random.Random(5).randbytes(250_000)
RUNS = b"".join(bytes([n % 251]) * n for n in (*range(1, 12), *range(250, 270), 509, 513, 5000))


def unpack(data, most=1 << 20):
    decoder = bunzip2.Decoder(io.BytesIO(data))
    return b"".join(iter(lambda: bytes(decoder.read(most)), b""))


def python(data):
    """What Python's bz2 makes of streams and padding; None if they are damaged."""
    found = b""
    try:
        while data:
            stream = bz2.BZ2Decompressor()
            found += stream.decompress(data)
            if not stream.eof:
                return None
            data = stream.unused_data.lstrip(b"\0")
    except OSError:
        return None
    return found


def assert_same(data):
    """The decoder returns what Python's does, or both fail."""
    expected = python(data)
    try:
        assert unpack(data) == expected
    except (EOFError, OSError) as error:
        assert expected is None or "randomised" in str(error)


@pytest.mark.parametrize(
    "content",
    [
        b"",
        b"a",
        b"aaaa",
        bytes(range(256)) * 40,
        RUNS,
        bytes(900_000),
        b"ab" * 200_000,  # the transform of a repeated text falls into cycles
        b"abcabcabd" * 7,
        bytes([255]) * 45_000_000,  # in one block of runs
        b"".join(bytes([i % 256] * 4) for i in range(180_000)),  # counts of 0
    ],
    ids=lambda content: f"{content[:3]!r}{len(content)}",
)
def test_contents(content):
    assert unpack(bz2.compress(content)) == content


def test_streams_and_padding_across_windows():
    """Streams of three sizes and paddings of four end in another place of each window."""
    sizes = [100, 1700, 250_000]
    packed = [bz2.compress(RANDOM[:size], 1 + i) for i, size in enumerate(sizes)]
    order = [i % 3 for i in range(9 * bunzip2.WINDOW // len(packed[2]))]
    data = b"".join(packed[i] + bytes(n % 4) for n, i in enumerate(order))
    assert len(data) > 2 * bunzip2.WINDOW
    assert unpack(data + bytes(2000)) == b"".join(RANDOM[: sizes[i]] for i in order)


def test_cut_off_anywhere_what_came_before_is_given():
    first, second = bz2.compress(TEXT[:200]), bz2.compress(TEXT[200:300])
    whole = first + second
    ends = {0: 0, len(first) - 10: 200, len(whole) - 10: 300}  # a stream's end has 10 bytes
    for cut in set(range(1, len(whole))) - {len(first)}:
        decoder, found = bunzip2.Decoder(io.BytesIO(whole[:cut])), b""
        with pytest.raises(EOFError, match="ends in the middle"):
            while True:
                data = decoder.read(1000)
                assert data
                found += data
        assert found == TEXT[: max(size for end, size in ends.items() if end <= cut)]


def test_any_bit_wrong():
    content = TEXT[:300] + RUNS[:300]
    good = bz2.compress(content) + bz2.compress(content[:50])
    for bit in range(8 * len(good)):
        data = bytearray(good)
        data[bit >> 3] ^= 1 << (bit & 7)
        assert_same(bytes(data))


def test_damaged_at_random():
    chance = random.Random(28)
    for _ in range(1500):
        start, size = chance.randrange(500_000), chance.choice([1, 3, 20, 100, 1000])
        content = chance.choice([TEXT, RANDOM, RUNS, bytes(500)])[start % 5000 :][:size]
        data = bytearray(bz2.compress(content, chance.randint(1, 9)) * chance.randint(1, 2))
        for _ in range(chance.randint(1, 4)):
            place = chance.randrange(len(data))
            data[place : place + chance.randrange(3)] = chance.randbytes(chance.randrange(3))
        assert_same(bytes(data))


def test_headers_at_random():
    """What comes from the file is checked before it is a place in an array."""
    chance = random.Random(29)
    start = b"BZh1\x31\x41\x59\x26\x53\x59" + bytes(7)
    for _ in range(500):
        some = bytes(chance.choice([0, 255, 73, chance.randrange(256)]) for _ in range(300))
        assert_same(start + chance.choice([b"", b"\0\x80\0\xff\xff", b"\0\xff"]) + some)


@pytest.mark.slow
def test_no_place_out_of_an_array(tmp_path):
    """Numba checks indexes only if it is told to."""
    checked = {"NUMBA_BOUNDSCHECK": "1", "NUMBA_CACHE_DIR": str(tmp_path)}
    command = [sys.executable, "-m", "pytest", "-n", "0", "-q", __file__, "-m", "not slow"]
    done = subprocess.run(command, env=os.environ | checked, capture_output=True, text=True)
    assert done.returncode == 0, done.stdout
