import base64
import json

import numpy as np
import pytest
from scipy import sparse

from cr5.explore import encoded


def decoded(entry):
    return np.frombuffer(base64.b64decode(entry["data"]), entry["type"])


def test_arrays_are_little_endian():
    entry = encoded.array(np.array([1, 258], ">u2"))
    assert base64.b64decode(entry["data"]) == b"\x01\x00\x02\x01"
    assert entry["type"] == "uint16"


def test_a_row_in_steps_of_a_127th_of_its_largest_number():
    # by hand: steps of 1.27 / 127 = .01, of 2.54 / 127 = .02, and a row of zeros
    table = encoded.table(np.array([[1.27, -0.5, 0.004], [0.0, 0.03, -2.54], [0, 0, 0]]))
    assert table["width"] == 3
    assert decoded(table["scales"]) == pytest.approx([0.01, 0.02, 0])
    values = decoded(table["values"]).reshape(3, 3)
    assert values[0].tolist() == [127, -50, 0]
    assert values[1, [0, 2]].tolist() == [0, -127]
    assert values[2].tolist() == [0, 0, 0]


def test_no_number_is_off_by_more_than_half_a_step():
    rows = np.random.default_rng(0).standard_cauchy((50, 30)).astype(np.float32)
    table = encoded.table(rows)
    back = decoded(table["values"]).reshape(rows.shape) * decoded(table["scales"])[:, None]
    bound = abs(rows).max(axis=1, keepdims=True) / 127 / 2
    assert (abs(back - rows) <= bound * (1 + 1e-5)).all()


def test_sparse_rows_and_counts_that_do_not_fit():
    entry = encoded.matrix(sparse.csr_matrix([[0, 70000, 2], [0, 0, 0], [3, 0, 0]]), np.uint16)
    assert decoded(entry["starts"]).tolist() == [0, 2, 2, 3]
    assert decoded(entry["columns"]).tolist() == [1, 2, 0]
    assert decoded(entry["values"]).tolist() == [65535, 2, 3]
    wide = sparse.csr_matrix(([1.0], ([0], [70000])), (1, 70001))
    assert decoded(encoded.matrix(wide, np.float32)["columns"]).tolist() == [70000]


def test_numbers_that_are_none_are_null(tmp_path):
    assert encoded.rounded(np.array([0.123456, np.nan, -1])) == [0.1235, None, -1]
    encoded.write(tmp_path, "x", {"é": [None, "</script>"]})
    text = (tmp_path / "x.js").read_text(encoding="utf-8")
    assert json.loads(text.removeprefix('put("x",').removesuffix(");\n")) == {
        "é": [None, "</script>"]
    }
