"""Approximate search; skipped where usearch is not installed, but for what is said then."""

import sys
from pathlib import Path

import numpy as np
import pytest

import cr5
from cr5.base.errors import UserError
from cr5.base.modules import load_module
from cr5.models import store
from cr5.retrieval.embedder import Embedder

made_up = load_module(Path(__file__).with_name("made_up.py"), "texts")
MODELS = dict(made_up.models())
QUERIES = made_up.texts("en", 40, seed=9)[1]


def index_of(kind, n=2000):
    index = cr5.Index(Embedder(MODELS[kind], {}, kind))
    index.add(*made_up.texts("it", n)[:2], "it")
    return index


@pytest.fixture
def usearch():
    pytest.importorskip("usearch", reason="usearch is not installed (extra `ann`)")


@pytest.fixture
def on_disk(usearch, tmp_path):
    """Makes an index of so many texts, with its graphs."""

    def on_disk(n):
        store.save(tmp_path / "model", MODELS["dense"], {})
        index = cr5.Index(cr5.load(tmp_path / "model"), tmp_path / "index")
        index.add(*made_up.texts("it", n)[:2], "it")
        index.build_approximate()
        return index

    return on_disk


def recall(found, exact):
    pairs = zip(found, exact, strict=True)
    return np.mean([len({x.id for x in a} & {x.id for x in b}) / len(b) for a, b in pairs])


def test_it_finds_nearly_all_of_what_the_exact_search_finds(on_disk):
    index = on_disk(2000)
    for each in (index, cr5.open_index(index.path)):
        exact, found = (each.search(QUERIES, "en", approximate=x) for x in (False, True))
        assert recall(found, exact) > 0.95
        scores = {(i, x.id): x.score for i, hits in enumerate(exact) for x in hits}
        for i, hits in enumerate(found):
            assert all(scores.get((i, x.id), x.score) == x.score for x in hits)


def test_a_graph_that_is_cut_off_is_named(on_disk):
    index = on_disk(50)
    (path,) = (index.path / "graphs").iterdir()
    path.write_bytes(path.read_bytes()[:100])
    with pytest.raises(UserError, match="not a whole graph"):
        cr5.open_index(index.path).search(QUERIES, "en", approximate=True)


def test_what_is_removed_is_not_found_and_what_is_added_is(usearch):
    index = index_of("dense")
    index.build_approximate()
    best = [hits[0].id for hits in index.search(QUERIES, "en", 1)]
    index.remove(set(best))
    index.add(["new"], [made_up.texts("it", 2000)[1][int(best[0][2:])]], "it")
    found = index.search(QUERIES, "en", approximate=True)
    assert found[0][0].id == "new"
    assert not {x.id for hits in found for x in hits} & set(best)
    assert recall(found, index.search(QUERIES, "en")) > 0.95


@pytest.mark.parametrize("kind", ["sparse", "joined", "dot", "l1"])
def test_rows_of_which_no_graph_is_built(usearch, kind):
    with pytest.raises(UserError, match="is for dense vectors, compared by cosine"):
        index_of(kind, 9).build_approximate()


def test_nothing_built_and_other_measures(usearch):
    index = index_of("dense", 9)
    with pytest.raises(UserError, match="no graphs for approximate search yet"):
        index.search(QUERIES, "en", approximate=True)
    index.add(*made_up.texts("en", 9)[:2], "en")
    with pytest.raises(UserError, match="compared by cosine; search exactly"):
        index.search(QUERIES, "en", measure="csls", approximate=True)


def test_the_library_is_named_where_it_is_missing(monkeypatch):
    monkeypatch.setitem(sys.modules, "usearch.index", None)
    with pytest.raises(UserError, match=r"needs usearch.*pip install 'cr5\[ann\]'"):
        index_of("dense", 9).build_approximate()
