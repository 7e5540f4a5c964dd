"""The same rows from every format; what is none of them is refused."""

import json

import pandas as pd
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from cr5.base.errors import UserError
from cr5.corpora.formats.rows import rows

ROWS = [{"concept": "a", "text": "Én, to\n3"}, {"concept": "b", "text": 'said "no"'}]
FRAME = pd.DataFrame(ROWS)
TABLE = pa.Table.from_pandas(FRAME, preserve_index=False)
NAMES = ("concept", "text")


def lines(path):
    path.write_text("".join(json.dumps(x) + "\n" for x in ROWS))


FORMATS = {
    "a.jsonl": lines,
    "a": lines,
    "a.csv": lambda path: FRAME.to_csv(path, index=False),
    "index.csv": lambda path: FRAME.to_csv(path),
    "a.tsv": lambda path: FRAME.to_csv(path, index=False, sep="\t"),
    "b": lambda path: FRAME.to_csv(path, index=False, sep="\t"),
    "a.csv.gz": lambda path: FRAME.to_csv(path, index=False),
    "a.csv.xz": lambda path: FRAME.to_csv(path, index=False),
    "a.parquet": lambda path: pq.write_table(TABLE, path),
    "c": lambda path: pq.write_table(TABLE, path),
}


@pytest.mark.parametrize("name", FORMATS)
def test_the_same_rows(tmp_path, name):
    FORMATS[name](tmp_path / name)
    found = list(rows(tmp_path / name, NAMES))
    assert [{x: row.fields[x] for x in NAMES} for row in found] == ROWS
    assert all(row.where.startswith(str(tmp_path / name)) for row in found)


def test_only_wanted_columns_of_a_table_are_read(tmp_path):
    path = tmp_path / "a.parquet"
    pq.write_table(TABLE, path)
    assert [row.fields for row in rows(path, ["text", "more"])] == [
        {"text": x["text"]} for x in ROWS
    ]
    with pytest.raises(UserError, match="none of the wanted columns; it has concept, text"):
        list(rows(path, ["more"]))
