import json

import numpy as np
import pytest
from scipy import sparse

from cr5.models import word_tables
from cr5.models.word_tables import WordTable


@pytest.fixture
def table():
    vectors = np.array([[1, 0], [0, 1], [1, 1]], np.float32)
    return WordTable(["a", "b c", "ñ"], np.array([1.0, 2.0, 0.5]), vectors, "raw")


def test_embedding_by_hand(table):
    counts = sparse.csr_matrix([[2, 1, 0], [0, 0, 0], [0, 0, 4]])
    # 2 x 1 x (1, 0) + 1 x 2 x (0, 1) = (2, 2); nothing; 4 x 0.5 x (1, 1)
    half = np.sqrt(0.5)
    expected = [[half, half], [0, 0], [half, half]]
    found = word_tables.embed(counts, table)
    np.testing.assert_allclose(found, expected, rtol=1e-6)
    assert found.dtype == np.float32


def test_sparse_vectors_give_the_same_embedding(table):
    counts = sparse.csr_matrix([[2, 1, 0], [0, 0, 0], [1, 0, 4]])
    other = WordTable(table.words, table.weights, sparse.csr_matrix(table.vectors), "raw")
    found = word_tables.embed(counts, other)
    assert sparse.issparse(found)
    np.testing.assert_allclose(found.toarray(), word_tables.embed(counts, table), rtol=1e-6)


def test_chunks_change_no_bit(table, monkeypatch):
    counts = sparse.csr_matrix(np.random.default_rng(0).poisson(1, (50, 3)))
    whole = word_tables.embed(counts, table)
    monkeypatch.setattr(word_tables, "CHUNK", 7)
    np.testing.assert_array_equal(word_tables.embed(counts, table), whole)


def test_no_documents(table):
    assert word_tables.embed(sparse.csr_matrix((0, 3)), table).shape == (0, 2)


@pytest.mark.parametrize("is_sparse", [False, True])
def test_saved_and_loaded_and_the_same_bytes(table, tmp_path, is_sparse):
    vectors = sparse.csr_matrix(table.vectors) if is_sparse else table.vectors
    kept = WordTable(table.words, table.weights, vectors, "log")
    for name in ("x", "y"):
        word_tables.save(tmp_path / name, {"en": kept}, {"seed": 3})
    loaded = word_tables.load(tmp_path / "x", "en")
    assert loaded.words == table.words
    assert loaded.term_frequency == "log"
    np.testing.assert_array_equal(loaded.weights, table.weights)
    dense = loaded.vectors.toarray() if is_sparse else loaded.vectors
    np.testing.assert_array_equal(dense, table.vectors)
    assert json.loads((tmp_path / "x" / "fit.json").read_text())["seed"] == 3
    for file in (tmp_path / "x").rglob("*.*"):
        other = tmp_path / "y" / file.relative_to(tmp_path / "x")
        assert file.read_bytes() == other.read_bytes()
