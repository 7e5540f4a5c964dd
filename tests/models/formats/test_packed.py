"""The packed file: a zip file of numpy's arrays."""

import io
import json
import zipfile

import numpy as np
import pytest

import cr5
from cr5.base.errors import UserError
from cr5.models.formats import registry


@pytest.fixture
def path(small, model, tmp_path):
    path = tmp_path / "m.cr5"
    registry.write("packed", path, model, small.about, "the card", half=True)
    return path


def test_any_program_that_opens_zip_files_reads_it(small, path):
    with zipfile.ZipFile(path) as file:
        assert file.testzip() is None
        assert file.read("README.md") == b"the card"
        assert json.loads(file.read("about.json")) == small.about
        fields = json.loads(file.read("model.json"))["fields"]
        for x in small.words:
            half = np.load(io.BytesIO(file.read(f"tables.{x}.npy")))
            assert half.dtype == np.float16
            table = half.astype(float) * fields["tables"]["by"][x]["scale"]
            exact = small.drawn(x)[0]
            # half a unit in the last of 11 bits, and of what float16 has below its normal numbers
            atol = abs(exact).max() * 2.0**-39
            np.testing.assert_allclose(table, exact, rtol=2**-11, atol=atol)
            weights = np.load(io.BytesIO(file.read(f"weights.{x}.npy")))
            np.testing.assert_array_equal(weights, small.drawn(x)[1])


def test_float16_is_read_as_float32_and_near(small, path):
    found = cr5.load(path)
    assert found.about == small.about
    for x in small.words:
        rows = found.embed_counts(small.counts(x), x)
        assert rows.dtype == np.float32
        np.testing.assert_allclose(rows, small.by_hand(x, small.counts(x)), atol=3e-3)


def test_tables_of_zeros(tmp_path, small):
    from cr5.models.word_tables import WordTables

    zeros = WordTables({"en": ["a"]}, {"en": np.zeros((1, 2))}, {"en": np.ones(1)})
    registry.write("packed", tmp_path / "z.cr5", zeros, small.about, half=True)
    np.testing.assert_array_equal(registry.read(tmp_path / "z.cr5")[0].tables["en"], [[0, 0]])


def rewritten(path, name, content):
    with zipfile.ZipFile(path) as file:
        parts = {x: file.read(x) for x in file.namelist()} | {name: content}
    with zipfile.ZipFile(path, "w") as file:
        for each, data in parts.items():
            if data is not None:
                file.writestr(each, data)


def array(values):
    data = io.BytesIO()
    np.save(data, values)
    return data.getvalue()


@pytest.mark.parametrize(
    ("name", "content"),
    [
        ("weights.da.npy", None),
        ("weights.da.npy", array(np.ones(3))),
        ("tables.da.npy", array(np.ones((10, 4)))),
        ("tables.da.npy", array(np.full((10, 5), np.nan))),
        ("weights.da.npy", array(np.array([None]))),
        ("model.json", b"{"),
        ("model.json", b'{"format": 9, "class": "WordTables"}'),
        ("model.json", b'{"format": 1, "class": "X"}'),
    ],
)
def test_contents_that_do_not_fit(path, name, content):
    rewritten(path, name, content)
    with pytest.raises(UserError, match=r"m\.cr5"):
        cr5.load(path)
