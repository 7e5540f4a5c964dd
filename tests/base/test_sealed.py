"""Single parquet files: whatever happens to one of their bits is noticed."""

import shutil

import pandas as pd
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from cr5.base import artefacts
from cr5.base.errors import UserError
from cr5.base.labels import DOCUMENTS, VECTORS, Kind

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
    label = artefacts.checked(DOCUMENTS, path, language="en")
    assert (label.kind, label.subject, label.depends_on) == (
        "documents",
        {"language": "en"},
        {"draw": "x1"},
    )


def test_written_twice_the_same_bytes(path, tmp_path):
    for name in "bc":
        with artefacts.written(DOCUMENTS, tmp_path / name, {"language": "en"}) as other:
            FRAME.to_parquet(other, index=False)
    assert (tmp_path / "b").read_bytes() == (tmp_path / "c").read_bytes()


def noticed(path, content=None):
    if content is not None:
        path.write_bytes(content)
    try:
        artefacts.checked(DOCUMENTS, path, language="en")
    except UserError as error:
        said = str(error)
        return said.startswith(f"{path}: ") and said.endswith(f"; remove {path} and run again")
    return False


def put(file, place, byte):
    file.seek(place)
    file.write(bytes([byte]))


def test_every_bit_that_flips_is_noticed(path):
    content = path.read_bytes()
    passed = []
    with path.open("r+b", buffering=0) as file:
        for place, byte in enumerate(content):
            for bit in range(8):
                put(file, place, byte ^ 1 << bit)
                if not noticed(path):
                    passed.append((place, bit))
            put(file, place, byte)
    assert not passed
    artefacts.checked(DOCUMENTS, path, language="en")  # the loop looked at what it should


def test_every_end_that_is_cut_off_or_added_is_noticed(path):
    content = path.read_bytes()
    assert all(noticed(path, content[:size]) for size in range(len(content)))
    assert noticed(path, content + b"\0")
    assert noticed(path, content + content)


def test_what_another_program_wrote_has_no_label(path):
    FRAME.to_parquet(path, index=False)
    with pytest.raises(UserError, match=r"en\.parquet: it has no label.* made by an earlier vers"):
        artefacts.checked(DOCUMENTS, path)


@pytest.mark.parametrize(
    ("kind", "subject", "message"),
    [
        (VECTORS, {}, "expected word vectors, found documents"),
        (DOCUMENTS, {"language": "it"}, "expected documents of language 'it', found language 'en'"),
        (
            Kind("documents", 2),
            {},
            "made by another version of cr5: .*format 2, found format 1",
        ),
    ],
)
def test_another_kind_language_or_format(path, kind, subject, message):
    with pytest.raises(UserError, match=rf"en\.parquet: {message}; remove {path} and run again"):
        artefacts.checked(kind, path, **subject)


def test_one_of_another_language_in_its_place(path, tmp_path):
    with artefacts.written(DOCUMENTS, tmp_path / "it.parquet", {"language": "it"}) as temporary:
        FRAME.to_parquet(temporary, index=False)
    shutil.copy(tmp_path / "it.parquet", path)
    with pytest.raises(UserError, match="expected documents of language 'en', found language 'it'"):
        artefacts.checked(DOCUMENTS, path, language="en")


def test_a_missing_file(tmp_path):
    with pytest.raises(UserError, match=r"a\.parquet: no such file; expected documents; remove"):
        artefacts.checked(DOCUMENTS, tmp_path / "a.parquet")
