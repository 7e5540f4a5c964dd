"""Segments of an index are merged, and nobody notices but by time and room."""

from pathlib import Path

import pytest

import cr5
from cr5.base.modules import load_module
from cr5.models import store
from cr5.retrieval.embedder import Embedder
from cr5.retrieval.indexes import adding

made_up = load_module(Path(__file__).with_name("made_up.py"), "texts")
MODELS = dict(made_up.models())
QUERIES = made_up.texts("en", 12, seed=9)[1]
N = 45


def by_ones(index):
    """Add texts one by one, those of no known word among them."""
    ids, texts, titles = made_up.texts("it", N)
    for number in range(N):
        text = "xyz" if number % 7 == 0 else texts[number]
        index.add([ids[number]], [text], "it", [titles[number]])
    return index


def at_once(model, kept):
    ids, texts, titles = made_up.texts("it", N)
    index = cr5.Index(model)
    index.add(
        [ids[x] for x in kept],
        ["xyz" if x % 7 == 0 else texts[x] for x in kept],
        "it",
        [titles[x] for x in kept],
    )
    return index


@pytest.mark.parametrize("kind", ["dense", "sparse", "joined"])
def test_many_small_additions_are_as_one(tmp_path, kind):
    store.save(tmp_path / "m", MODELS[kind], {})
    index = by_ones(cr5.Index(cr5.load(tmp_path / "m"), tmp_path / "a"))
    assert [row["segments"] for row in index.told()] == [4]  # 45 = 32 + 8 + 4 + 1
    assert len(list((tmp_path / "a" / "segments").iterdir())) == 4
    removed = {0, 3, 7, *range(32, 40)}
    index.remove([f"it{x}" for x in removed])
    expected = at_once(index.model, [x for x in range(N) if x not in removed])
    for found in (index, cr5.open_index(tmp_path / "a")):
        assert found.search(QUERIES, "en", N) == expected.search(QUERIES, "en", N)
        assert found.told()[0] | {"segments": 1} == expected.told()[0]


def test_what_was_removed_leaves_the_disk(tmp_path):
    store.save(tmp_path / "m", MODELS["dense"], {})
    index = cr5.Index(cr5.load(tmp_path / "m"), tmp_path / "a")
    index.add([f"number {x}" for x in range(9)], ["itaa"] * 9, "it")
    index.add(["other"], ["enaa"], "en")
    index.remove([f"number {x}" for x in range(5)])
    (path,) = (tmp_path / "a" / "segments").glob("*3/documents.arrow")
    assert b"number 5" in path.read_bytes()
    assert b"number 4" not in path.read_bytes()
    assert not list((tmp_path / "a" / "removed").glob("*"))
    index.remove(["other"])
    assert [x.name for x in (tmp_path / "a" / "segments").iterdir()] == [path.parent.name]
    assert index.sizes == cr5.open_index(tmp_path / "a").sizes == {"it": 4}


def test_no_segment_becomes_larger_than_memory_may_hold(monkeypatch):
    monkeypatch.setattr(adding, "SEGMENT", 16)
    index = by_ones(cr5.Index(Embedder(MODELS["dense"], {}, "dense")))
    assert [row["segments"] for row in index.told()] == [5]  # 16 + 16 + 8 + 4 + 1


def test_segments_with_graphs_stay():
    pytest.importorskip("usearch", reason="usearch is not installed (extra `ann`)")
    index = cr5.Index(Embedder(MODELS["dense"], {}, "dense"))
    ids, texts, _ = made_up.texts("it", 40)
    index.add(ids[:20], texts[:20], "it")
    index.build_approximate()
    index.add(ids[20:], texts[20:], "it")
    index.remove(ids[:15])
    assert [(row["segments"], row["graphs"]) for row in index.told()] == [(2, 1)]
    found = index.search(QUERIES, "en", 25, approximate=True)
    assert found == index.search(QUERIES, "en", 25)
