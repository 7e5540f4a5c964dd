import pandas as pd
import pytest

from cr5.base.errors import UserError
from cr5.tasks import tables


def test_tables_come_back_by_name(tmp_path):
    made = {"a": pd.DataFrame({"x": ["å", ""], "n": [1, 2]}), "b": pd.DataFrame({"y": [0.5]})}
    tables.save(tmp_path / "made", made)
    found = tables.load(tmp_path / "made")
    assert list(found) == ["a", "b"]
    for name, table in made.items():
        pd.testing.assert_frame_equal(found[name], table)


def test_a_damaged_table_is_named(tmp_path):
    tables.save(tmp_path / "made", {"a": pd.DataFrame({"n": [1, 2]})}, task="words")
    with pytest.raises(UserError, match="expected tables of a task of task 'x', found task 'words"):
        tables.load(tmp_path / "made", task="x")
    (tmp_path / "made" / "a.parquet").write_text("no")
    with pytest.raises(UserError, match=r"a\.parquet: "):
        tables.load(tmp_path / "made", task="words")
