import json

import pytest

from cr5.base import sealed_json
from cr5.base.errors import UserError

CONTENT = {"files": [{"name": "å", "bytes": 3}], "share": 0.1, "none": None, "pair": (1, 2)}


def test_what_is_whole_is_read(tmp_path):
    sealed_json.write(tmp_path / "a.json", CONTENT)
    assert sealed_json.read(tmp_path / "a.json") == CONTENT | {"pair": [1, 2]}
    assert json.loads((tmp_path / "a.json").read_text())["share"] == 0.1


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("{}", r"not whole, or made by an earlier version of cr5 \(KeyError\('checksum'\)\)"),
        ("[]", "not whole, or made by an earlier version"),
        ("[" * 200_000, r"not whole, or made by an earlier version of cr5 \(RecursionError"),
        ('{"a": 1, "checksum": "0"}', "changed since it was written"),
        (None, "not there"),
    ],
)
def test_something_else(tmp_path, text, reason):
    if text is not None:
        (tmp_path / "a.json").write_text(text)
    with pytest.raises(UserError, match=rf"a\.json: {reason}.*; remove {tmp_path}"):
        sealed_json.read(tmp_path / "a.json", tmp_path)
