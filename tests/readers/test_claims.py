"""Files that claim more than there is are refused by name."""

import struct

import numpy as np
import pytest
import safetensors.numpy

from cr5.base.errors import UserError
from tests.kit.readers import TARGETS
from tests.kit.readers.models import ROWS, WORDS, fasttext


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
