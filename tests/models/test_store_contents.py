"""Models whose files are whole, and none the less no models: the file that is wrong is named.

Each class's own tests have every way in which tables, weights and settings can be wrong.
"""

import json
from dataclasses import replace

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from scipy import sparse

from cr5.base import artefacts
from cr5.base.errors import UserError
from cr5.base.labels import MODELS
from cr5.models import store
from cr5.models.joined_tables import JoinedTables
from cr5.models.word_tables import DirectedWordTables, WordTables

WORDS = {"en": ["a", "b", "c"], "it": ["d", "e"]}
DENSE = WordTables(
    WORDS,
    {x: np.ones((len(words), 2), np.float32) for x, words in WORDS.items()},
    {x: np.ones(len(words)) for x, words in WORDS.items()},
    {x: np.zeros(2) for x in WORDS},
)
SPARSE = replace(
    DENSE, offsets=None, tables={x: sparse.csr_matrix(t) for x, t in DENSE.tables.items()}
)
TOWARDS = {x: dict.fromkeys(WORDS, table) for x, table in DENSE.tables.items()}
DIRECTED = DirectedWordTables(WORDS, TOWARDS, DENSE.weights)
JOINED = JoinedTables(
    **vars(DENSE),
    beside=SPARSE.tables,
    beside_weights=DENSE.weights,
    beside_term_frequency="raw",
    beta=0.5,
)

MANY = WordTables(  # few words stand in model.json
    {"en": [f"w{i}" for i in range(20)]}, {"en": np.ones((20, 2))}, {"en": np.ones(20)}
)


def refused(folder, file=""):
    artefacts.seal_folder(folder, MODELS.label({}, {}))
    with pytest.raises(UserError) as error:
        store.load(folder)
    assert str(error.value).startswith(f"{folder / file}: ")
    assert f"remove {folder}" in str(error.value)


def csr(data, indices, shape=(3, 2)):
    """With one number in each row."""
    found = sparse.csr_matrix(np.ones(shape))
    found.data, found.indices = np.array(data), np.array(indices, np.int32)
    found.indptr = np.arange(4, dtype=np.int32)
    return found


@pytest.mark.parametrize(
    ("model", "file", "content"),
    [
        (DENSE, "tables/en.npy", np.ones((3, 2), complex)),
        (DENSE, "tables/en.npy", np.full((3, 2), "x")),
        (DENSE, "tables/en.npy", np.ones((3, 2), int)),
        (DENSE, "tables/en.npy", np.ones((3, 2), bool)),
        (DENSE, "tables/en.npy", np.ones((2, 2))),
        (DENSE, "tables/en.npy", np.array([[1, 1], [1, 1], [1, np.nan]])),
        (DENSE, "weights/en.npy", np.ones(2)),
        (DENSE, "offsets/it.npy", np.ones(3)),
        (DIRECTED, "tables/en/it.npy", np.ones((4, 2))),
        (JOINED, "beside_weights/it.npy", np.ones(7)),
        (JOINED, "beside/en.npz", sparse.csr_matrix(np.ones((4, 2)))),
        (SPARSE, "tables/en.npz", csr([1.0, 1, 1], [0, 1, 9])),
        (SPARSE, "tables/en.npz", csr([1.0, 1, 1], [0, -1, 1])),
        (SPARSE, "tables/en.npz", csr([1, 1j, 1], [0, 1, 1])),
        (MANY, "words/en.parquet", pa.table({"text": list(range(20))})),
    ],
)
def test_a_file_of_something_else_is_named(tmp_path, model, file, content):
    store.save(tmp_path / "m", model, {})
    path = tmp_path / "m" / file
    write = {".npy": np.save, ".npz": sparse.save_npz}.get(path.suffix)
    write(path, content) if write else pq.write_table(content, path)
    refused(tmp_path / "m", file)


@pytest.mark.parametrize("kind", [np.float16, np.float32, np.float64, ">f4"])
def test_floating_point_numbers_of_any_width(tmp_path, kind):
    store.save(tmp_path / "m", DENSE, {})
    np.save(tmp_path / "m/tables/en.npy", np.ones((3, 2), kind))
    artefacts.seal_folder(tmp_path / "m", MODELS.label({}, {}))
    found = store.load(tmp_path / "m").embed(sparse.csr_matrix([[1, 0, 0]]), "en")
    np.testing.assert_allclose(found, [[0.5**0.5] * 2], rtol=1e-6)


def test_the_largest_numbers_of_float32_are_finite(tmp_path):
    table = np.full((3, 2), np.finfo(np.float32).max)
    store.save(tmp_path / "m", replace(DENSE, tables={**DENSE.tables, "en": table}), {})
    np.testing.assert_array_equal(store.load(tmp_path / "m").tables["en"], table)


def test_weights_that_were_computed_as_integers_are_loaded(tmp_path):
    weights = {"en": np.array([0, 1, 2]), "it": np.array([3, 4])}
    store.save(tmp_path / "m", replace(DENSE, weights=weights), {})
    found = store.load(tmp_path / "m").weights
    assert {x: w.tolist() for x, w in found.items()} == {"en": [0.0, 1.0, 2.0], "it": [3.0, 4.0]}


FIELDS = [
    ("term_frequency", {"a": 1}),
    ("norm", 3),
    ("norm", ["l2"]),
    ("measures", "cosine"),
    ("measures", 3),
    ("measures", [["l1"]]),
    ("words", 3),
    ("words", None),
    ("words", {"en": "abc"}),
    ("words", {"en": ["a", 2, "c"]}),
    ("tables", ["en"]),
    ("weights", "x"),
    ("offsets", [1]),
    ("beta", "x"),
    ("beside", 3),
    ("beside_term_frequency", 3),
]


@pytest.mark.parametrize(("name", "value"), FIELDS)
def test_a_field_of_another_type(tmp_path, name, value):
    store.save(tmp_path / "m", JOINED, {})
    path = tmp_path / "m/model.json"
    stored = json.loads(path.read_text())
    stored["fields"][name] = {"value": value}
    path.write_text(json.dumps(stored))
    refused(tmp_path / "m", "model.json")


DEEP = "[" * 200_000


def test_a_description_nested_too_deep(tmp_path):
    store.save(tmp_path / "m", DENSE, {})
    (tmp_path / "m/model.json").write_text(DEEP)
    artefacts.seal_folder(tmp_path / "m", MODELS.label({}, {}))
    with pytest.raises(UserError, match="m: "):
        store.load(tmp_path / "m")


@pytest.mark.parametrize("text", [DEEP, "[]", "3"])
def test_what_made_a_model_is_no_object(tmp_path, text):
    store.save(tmp_path / "m", DENSE, {})
    (tmp_path / "m/fit.json").write_text(text)
    artefacts.seal_folder(tmp_path / "m", MODELS.label({}, {}))
    for read in (store.about, store.origin_of):
        with pytest.raises(UserError, match=r"m/fit\.json: "):
            read(tmp_path / "m")
