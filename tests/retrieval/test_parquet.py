"""Vectors that leave for a database, and what that finds with them."""

from dataclasses import replace
from pathlib import Path

import numpy as np
import pyarrow.parquet as pq
import pytest

import cr5
from cr5.base.errors import UserError
from cr5.base.modules import load_module
from cr5.retrieval import chunks, parquet
from cr5.retrieval.embedder import Embedder

made_up = load_module(Path(__file__).with_name("made_up.py"), "texts")
MODELS = dict(made_up.models())


@pytest.fixture
def index(monkeypatch):
    monkeypatch.setattr(chunks, "SIZE", 20)
    index = cr5.Index(Embedder(MODELS["dense"], {}, "dense"))
    for language, n in (("en", 30), ("it", 50)):
        ids, texts, titles = made_up.texts(language, n)
        index.add(ids, texts, language, titles)
    index.add([7, "unknown"], ["itaa", "xyz"], "it")
    return index


def test_a_table_of_all_vectors(index, tmp_path):
    assert parquet.write(tmp_path / "a.parquet", index) == 1
    table = pq.read_table(tmp_path / "a.parquet").to_pylist()
    ids, texts, titles = made_up.texts("it", 50)
    rows = index.model.embed([*texts, "itaa"], "it")
    found = [x for x in table if x["language"] == "it"]
    assert [x["id"] for x in found] == [*ids, "7"]
    assert [x["title"] for x in found] == [*titles, ""]
    assert np.array([x["vector"] for x in found], np.float32).tolist() == rows.tolist()
    assert len(table) == 30 + 50 + 1


def test_a_database_finds_what_the_index_finds(index, tmp_path):
    duckdb = pytest.importorskip("duckdb", reason="no database is there to read the table: duckdb")
    parquet.write(tmp_path / "a.parquet", index)
    query = made_up.texts("en", 1, seed=9)[1]
    nearest = "array_cosine_similarity(vector::FLOAT[8], $row::FLOAT[8])"
    row = index.model.embed(query, "en")[0].tolist()
    with duckdb.connect() as database:
        found = database.execute(
            f"select id, {nearest} as score from read_parquet($path) where language = 'it' "
            "order by score desc limit 10",
            {"row": row, "path": str(tmp_path / "a.parquet")},
        ).fetchall()
    hits = index.search(query, "en", to="it")[0]
    assert [x for x, _ in found] == [str(hit.id) for hit in hits]
    assert [x for _, x in found] == pytest.approx([hit.score for hit in hits], abs=1e-6)


@pytest.mark.parametrize("kind", ["sparse", "joined", "directed"])
def test_what_is_no_dense_vector_is_refused(tmp_path, kind):
    index = cr5.Index(Embedder(MODELS[kind], {}, kind))
    with pytest.raises(UserError, match="the index is empty: add texts first"):
        parquet.write(tmp_path / "a.parquet", index)
    index.add(["a"], ["itaa itab"], "it")
    with pytest.raises(UserError, match="not compared by one dense vector each"):
        parquet.write(tmp_path / "a.parquet", index)
    assert not list(tmp_path.iterdir())


def test_numbers_that_no_model_made_do_not_leave(index, tmp_path):
    index._store.commit({"it": [replace(index.chunks["it"][0], largest=1e-9)]})
    with pytest.raises(UserError, match="the index is damaged"):
        parquet.write(tmp_path / "a.parquet", index)
