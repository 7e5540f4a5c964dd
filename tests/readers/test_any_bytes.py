"""Whatever the bytes: every reader reads them or says in a `UserError` what is wrong."""

import logging
import struct
import warnings

import numpy as np
import pytest
import safetensors.numpy
from hypothesis import given
from hypothesis import strategies as st

from cr5.base.errors import UserError
from tests.kit.readers import ROWS, TARGETS, WORDS, fasttext

LARGEST = 4096  # bytes of a mutilated file
SAID = {"yaml", "json"}  # name an address, a program, a key
ODD = [b"", b"\0", b"\xff", b"\r", b"\xef\xbb\xbf", "\u2028".encode(), b"-1", b"1e999", b"9" * 30]


def mutilated(target):
    """Valid contents with pieces taken away, put in, doubled, or cut off."""
    pieces = st.one_of(
        st.sampled_from([*ODD, *target.tokens]),
        st.binary(max_size=8),
        st.sampled_from(target.seeds).flatmap(lambda seed: st.sampled_from(_slices(seed))),
    )
    place = st.floats(0, 1)
    edits = st.lists(st.tuples(place, st.integers(0, 20), pieces, st.integers(1, 3)), max_size=4)
    return st.builds(_edited, st.sampled_from(target.seeds), edits, st.one_of(st.just(1.0), place))


def _slices(seed):
    return [seed[start : start + 16] for start in range(0, len(seed), 16)]


def _edited(seed, edits, cut):
    for place, taken, piece, times in edits:
        at = int(place * len(seed))
        seed = seed[:at] + piece * times + seed[at + taken :]
    return seed[: int(cut * len(seed))][:LARGEST]


@pytest.fixture(autouse=True)
def quiet():
    """What a reader warns of, beside what it reads, is no failure."""
    logging.disable(logging.CRITICAL)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", UserWarning)
        yield
    logging.disable(logging.NOTSET)


@pytest.mark.parametrize("name", TARGETS)
def test_valid_files_are_read(name, tmp_path):
    target = TARGETS[name]
    path = target.prepare(tmp_path)
    outcomes = [target.outcome(path, seed) for seed in target.seeds]
    assert [x for x in outcomes if x is not None] == []


@pytest.mark.parametrize("name", TARGETS)
def test_mutilated_files_are_read_or_refused(name, tmp_path):
    target = TARGETS[name]
    path = target.prepare(tmp_path)

    @given(mutilated(target))
    def read_or_refused(content):
        error = target.outcome(path, content)
        assert error is None or name in SAID or str(tmp_path) in str(error)

    read_or_refused()


@pytest.mark.parametrize("name", TARGETS)
def test_a_file_that_is_not_there_is_named(name, tmp_path):
    with pytest.raises(UserError, match=str(tmp_path)):
        TARGETS[name].read(TARGETS[name].prepare(tmp_path))


# Of these a file that is cut off is told from a whole one, but for its last byte.
WITH_AN_END = ("bin", "packed", "json")


@pytest.mark.parametrize("name", [*WITH_AN_END, "fasttext", "yaml"])
def test_files_cut_off_anywhere(name, tmp_path):
    target = TARGETS[name]
    path = target.prepare(tmp_path)
    for seed in target.seeds:
        for end in range(0, len(seed) - 1, max(1, len(seed) // 60)):
            error = target.outcome(path, seed[:end])
            assert error or name not in WITH_AN_END, end


def numbered(place, number):
    """FastText's own form with another number in a place of its header."""
    data = bytearray(fasttext(WORDS, ROWS))
    struct.pack_into("<i", data, 4 * place, number)
    return bytes(data)


MANY = b"9" * 5000
BINARY = b"\nhus " + struct.pack("<2f", 1, 2)
CASES = {
    "bin": [x + BINARY for x in (b"1000000000000 2", b"1 1000000000000", b"1 0", b"1 " + MANY)],
    # its header has the dimension, and numbers of n-grams and of words
    "fasttext": [
        *(numbered(2, x) for x in (1 << 30, 3)),
        *(numbered(*x) for x in ((10, 1 << 30), (16, 1 << 30))),
        # gensim's reader waits for ever for the end of a word that is cut off
        *(fasttext(WORDS, ROWS)[:end] for end in range(4, 170)),
    ],
    "packed": [
        *(struct.pack("<Q", n) + b"{}" for n in (0, 3, 1 << 40)),
        safetensors.numpy.save({"a": np.ones(2)}),
        *(safetensors.numpy.save({"a": np.ones(2)}, {"cr5": x}) for x in ("[" * 50_000, "3", "{}")),
    ],
}


@pytest.mark.parametrize("name", CASES)
def test_what_is_claimed_and_not_there_is_refused_by_name(name, tmp_path):
    target = TARGETS[name]
    path = target.prepare(tmp_path)
    for content in CASES[name]:
        error = target.outcome(path, content)
        assert isinstance(error, UserError), content[:99]
        assert str(tmp_path) in str(error)
