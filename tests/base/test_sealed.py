"""Single parquet files with a label; damage is in test_integrity."""

import pandas as pd
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from cr5.base import artefacts
from cr5.base.errors import UserError
from cr5.base.labels import DOCUMENTS

FRAME = pd.DataFrame({"concept": ["Q1", "Q2", "đ"], "n": [1, 2, 3]})


@pytest.fixture
def path(tmp_path):
    path = tmp_path / "en.parquet"
    table = pa.table({name: list(column) for name, column in FRAME.items()})
    with artefacts.written(DOCUMENTS, path, {"language": "en"}, {"draw": "x1"}) as temporary:
        pq.write_table(table, temporary, store_schema=False)  # small: every bit of it is tried
    return path


def test_others_read_it_as_any_parquet_file(path):
    pd.testing.assert_frame_equal(pd.read_parquet(path), FRAME)
    assert pq.ParquetFile(path).metadata.num_rows == 3


def test_written_twice_the_same_bytes(path, tmp_path):
    for name in "bc":
        with artefacts.written(DOCUMENTS, tmp_path / name, {"language": "en"}) as other:
            FRAME.to_parquet(other, index=False)
    assert (tmp_path / "b").read_bytes() == (tmp_path / "c").read_bytes()


def test_what_another_program_wrote_has_no_label(path):
    FRAME.to_parquet(path, index=False)
    with pytest.raises(UserError, match=r"en\.parquet: it has no label.* made by an earlier vers"):
        artefacts.checked(DOCUMENTS, path)
