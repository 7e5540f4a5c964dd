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


def test_nothing_said_of_it(path):
    origin.write(path.with_suffix(".json"), SOURCE)
    with pytest.raises(UserError, match=r"scores\.json beside says nothing of it; remove"):
        load_csv(path)
    path.with_suffix(".json").unlink()
    with pytest.raises(UserError, match=r"scores\.json: not there; remove .*scores\.csv and run"):
        load_csv(path)
