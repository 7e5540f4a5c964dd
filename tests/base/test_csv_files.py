import pytest

from cr5.base import csv_files, origin
from cr5.base.errors import UserError
from cr5.base.origin import Origin
from cr5.base.tables import load_csv

SOURCE = Origin(1, "a", "b", ("1",))
TEXT = "language,value\nnan,1\nđ,\n"


@pytest.fixture
def path(tmp_path):
    path = tmp_path / "scores.csv"
    path.write_text(TEXT, encoding="utf-8")
    csv_files.describe(path, SOURCE, left_out=["x"])
    return path


def test_what_is_whole_is_read(path):
    assert load_csv(path)["language"].tolist() == ["nan", "đ"]
    source, more = origin.read(path.with_suffix(".json"))
    assert (source, more["left_out"]) == (SOURCE, ["x"])


def noticed(path):
    with pytest.raises(UserError) as error:
        load_csv(path)
    assert str(error.value).startswith(f"{path}: ")
    assert str(error.value).endswith(f"; remove {path} and run again")
    return str(error.value)


def test_every_bit_that_flips_and_every_cut_is_noticed(path):
    content = path.read_bytes()
    for place in range(len(content)):
        for bit in range(8):
            flipped = bytearray(content)
            flipped[place] ^= 1 << bit
            path.write_bytes(flipped)
            assert "changed since it was written" in noticed(path)
        path.write_bytes(content[:place])
        assert f"cut off: expected {len(content)} bytes, found {place}" in noticed(path)
    path.write_bytes(content + b"en,2\n")
    assert "changed since it was written" in noticed(path)
    path.unlink()
    assert "missing" in noticed(path)


def test_nothing_said_of_it(path):
    origin.write(path.with_suffix(".json"), SOURCE)
    assert r"scores.json beside says nothing of it" in noticed(path)
    path.with_suffix(".json").unlink()
    with pytest.raises(UserError, match=r"scores\.json: not there; remove .*scores\.csv and run"):
        load_csv(path)
