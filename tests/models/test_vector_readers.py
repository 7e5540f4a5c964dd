import gzip

import numpy as np
import pytest

from cr5.models.vector_readers import read_vectors

LINES = "new york 1 2 3\nhus 0.5 -1e-3 2\nhus 9 9 9\nbe\u0301 7 8 9\n3 4 5 6\n\u00a0x 1 1 1 \n"


@pytest.fixture
def write(tmp_path):
    def write(text, name="x_da.txt"):
        path = tmp_path / name
        data = text if isinstance(text, bytes) else text.encode()
        path.write_bytes(gzip.compress(data) if name.endswith(".gz") else data)
        return path

    return write


@pytest.mark.parametrize("name", ["x_da.txt", "x_da.txt.gz"])
def test_the_word_is_all_before_the_last_fields(write, name):
    words = ["bil", "hus", "new york", "bé", "3", "york", "\u00a0x"]
    found = read_vectors(write(LINES, name), words, 3)
    assert found.table.dtype == np.float32
    np.testing.assert_array_equal(
        found.table,
        np.float32([[0] * 3, [0.5, -1e-3, 2], [1, 2, 3], [7, 8, 9], [4, 5, 6], [0] * 3, [1] * 3]),
    )
    assert found.has.tolist() == [False, True, True, True, True, False, True]
    assert found.n_words == 6


def test_a_header_of_word2vec_is_no_word(write):
    found = read_vectors(write("2000 3\nhus 1 2 3\n"), ["hus", "2000"], 3)
    assert found.table.tolist() == [[1, 2, 3], [0, 0, 0]]
    assert found.n_words == 1


def test_a_byte_order_mark_is_no_part_of_the_first_word(write):
    found = read_vectors(write("\ufeffhus 1 2\nbil 3 4\n"), ["hus", "bil"], 2)
    assert found.table.tolist() == [[1, 2], [3, 4]]
