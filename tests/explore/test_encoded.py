import json

import numpy as np

from cr5.explore import encoded


def test_numbers_that_are_none_are_null(tmp_path):
    assert encoded.rounded(np.array([0.123456, np.nan, -1])) == [0.1235, None, -1]
    encoded.write(tmp_path, "x", {"é": [None, "</script>"]})
    text = (tmp_path / "x.js").read_text(encoding="utf-8")
    assert json.loads(text.removeprefix('put("x",').removesuffix(");\n")) == {
        "é": [None, "</script>"]
    }
