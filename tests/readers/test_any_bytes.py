"""Whatever the bytes: every reader reads them or says in a `UserError` what is wrong."""

import logging
import warnings

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cr5.base.errors import UserError
from tests.kit.readers import TARGETS

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
