import json

import pytest

from cr5.base import sealed_json
from cr5.base.errors import UserError

CONTENT = {"files": [{"name": "å", "bytes": 3}], "share": 0.1, "none": None, "pair": (1, 2)}


def test_what_is_whole_is_read(tmp_path):
    sealed_json.write(tmp_path / "a.json", CONTENT)
    assert sealed_json.read(tmp_path / "a.json") == CONTENT | {"pair": [1, 2]}
    assert json.loads((tmp_path / "a.json").read_text())["share"] == 0.1


def test_every_bit_that_flips_and_every_cut_is_noticed_or_harmless(tmp_path):
    path = tmp_path / "a.json"
    sealed_json.write(path, CONTENT)
    content, expected = path.read_bytes(), sealed_json.read(path)
    flips = [(place, bit) for place in range(len(content)) for bit in range(8)]
    harmless = 0
    for changed in [*(flipped(content, *x) for x in flips), *(content[:n] for n in range(60))]:
        path.write_bytes(changed)
        try:
            assert sealed_json.read(path) == expected
            harmless += 1
        except UserError as error:
            assert str(error).startswith(f"{path}: ")
            assert str(error).endswith(f"; remove {path} and run again")
    assert harmless < 20  # white space that became other white space


def flipped(content, place, bit):
    found = bytearray(content)
    found[place] ^= 1 << bit
    return found


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
