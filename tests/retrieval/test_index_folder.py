"""An index on disk: what it holds, and what is told of files that it did not write."""

from dataclasses import replace

import numpy as np
import pyarrow as pa
import pytest

import cr5
from cr5.base.errors import UserError
from cr5.retrieval import adding, chunks
from tests.retrieval import made_up

MODELS, model, fill = dict(made_up.models()), made_up.model, made_up.fill
QUERIES = made_up.texts("en", 5, seed=9)[1]


def contents(folder):
    return {
        path.relative_to(folder).as_posix(): path.read_bytes()
        for path in sorted(folder.rglob("*"))
        if path.is_file()
    }


@pytest.mark.parametrize("kind", ["dense", "sparse", "joined", "dot", "directed"])
def test_on_disk_it_finds_what_it_finds_in_memory(tmp_path, kind):
    embedder = model(tmp_path, kind)
    expected = fill(cr5.Index(embedder)).search(QUERIES, "en")
    written = fill(cr5.Index(embedder, tmp_path / "a"))
    saved = fill(cr5.Index(embedder)).save(tmp_path / "b")
    for index in (written, saved, cr5.open_index(tmp_path / "a"), cr5.open_index(tmp_path / "b")):
        assert index.search(QUERIES, "en") == expected
        assert index.sizes == {"en": 20, "it": 30}
    with pytest.raises(UserError, match="there is an index already"):
        written.save(tmp_path / "b")


def test_the_same_input_gives_the_same_bytes(tmp_path, monkeypatch):
    monkeypatch.setattr(chunks, "SIZE", 16)
    monkeypatch.setattr(adding, "BATCH", 8)
    for name in "ab":
        index = fill(cr5.Index(model(tmp_path), tmp_path / name))
        index.search(QUERIES, "en", measure="csls", threads=1 + (name == "b"))
        index.remove(["it3"])
    assert contents(tmp_path / "a") == contents(tmp_path / "b")
    assert len(list((tmp_path / "a").glob("*.arrow"))) == 4


def test_penalties_are_kept_until_neighbours_change(tmp_path):
    index = fill(cr5.Index(model(tmp_path), tmp_path / "a"))
    index.search(QUERIES, "en", measure="csls")
    (kept,) = (tmp_path / "a").glob("*.csls.npy")
    np.save(kept, np.load(kept) + np.arange(30, dtype=np.float32))  # seen to be used
    (hits, *_) = cr5.open_index(tmp_path / "a").search(QUERIES, "en", measure="csls")
    assert [hit.id for hit in hits] == [f"it{i}" for i in range(10)]
    index.remove(["en1"])
    assert not kept.exists()
    anew = cr5.Index(model(tmp_path))
    ids, texts, titles = (x[:1] + x[2:] for x in made_up.texts("en", 20))
    anew.add(ids, texts, "en", titles)
    fill(anew, it=30)
    found = cr5.open_index(tmp_path / "a").search(QUERIES, "en", measure="csls")
    assert found == anew.search(QUERIES, "en", measure="csls")


@pytest.mark.parametrize("before", [0, 5])
def test_an_addition_that_fails_leaves_no_text(tmp_path, monkeypatch, before):
    monkeypatch.setattr(chunks, "SIZE", 2)
    monkeypatch.setattr(adding, "BATCH", 1)
    index = cr5.Index(model(tmp_path), tmp_path / "a")
    for _ in range(2):
        with pytest.raises(UserError, match="expected a string, found int"):
            index.add(range(before + 1), ["itaa"] * before + [7], "it")
        assert (tmp_path / "a").exists() == (before > 0)
        assert index.sizes == {}
    other = cr5.Index(model(tmp_path, "sparse"), tmp_path / "a")  # there is no text of the first
    other.add(["x"], ["itaa"], "it")
    assert other.sizes == cr5.open_index(tmp_path / "a").sizes == {"it": 1}
    assert len(list((tmp_path / "a").glob("*.arrow"))) == 1


@pytest.mark.parametrize("kind", ["dense", "sparse", "joined"])
def test_many_small_additions_are_as_one(tmp_path, monkeypatch, kind):
    ids, texts, titles = made_up.texts("it", 45)
    texts[::7] = ["xyz"] * 7  # which the model does not know
    expected = cr5.Index(model(tmp_path, kind))
    expected.add(ids, texts, "it", titles)
    monkeypatch.setattr(chunks, "SIZE", 10)
    index = cr5.Index(expected.model, tmp_path / "a")
    for number in range(45):
        index.add([ids[number]], [texts[number]], "it", [titles[number]])
    assert [chunk.n for chunk in index.chunks["it"]] == [10, 10, 10, 10, 5]
    for each in (expected, index):
        each.remove([f"it{x}" for x in (0, 3, 7, *range(10, 20))])
    for found in (index, cr5.open_index(tmp_path / "a")):
        assert found.search(QUERIES, "en", 45) == expected.search(QUERIES, "en", 45)
        assert found.summary() == expected.summary()


def test_what_was_removed_leaves_the_disk(tmp_path):
    index = cr5.Index(model(tmp_path), tmp_path / "a")
    index.add([f"number {x}" for x in range(9)], ["itaa"] * 9, "it")
    index.add(["other"], ["enaa"], "en")
    index.remove(["number 4", "other"])
    (path,) = (tmp_path / "a").glob("*.arrow")
    assert b"number 5" in path.read_bytes()
    assert b"number 4" not in path.read_bytes()
    assert index.sizes == cr5.open_index(tmp_path / "a").sizes == {"it": 8}


@pytest.mark.parametrize("name", ["plot.png", "000001.arrow"])
@pytest.mark.parametrize("locked", [False, True])
def test_a_folder_of_somebody_else_is_refused_and_stays(tmp_path, name, locked):
    (tmp_path / "project").mkdir()
    (tmp_path / "project" / name).write_text("mine")
    if locked:
        (tmp_path / "project" / ".lock").touch()
    new = cr5.Index(model(tmp_path), tmp_path / "project")
    for use in (lambda: new.remove(["nosuch"]), lambda: new.add(["x"], ["itaa"], "it")):
        with pytest.raises(UserError, match=r"has no index\.json, but other files \("):
            use()
    assert (tmp_path / "project" / name).read_text() == "mine"


def test_what_an_index_did_not_write_stays_beside_it(tmp_path):
    index = fill(cr5.Index(model(tmp_path), tmp_path / "a"))
    mine = [tmp_path / "a" / name for name in ("plot.png", "data.arrow", "7.arrow", "1.csls.npy")]
    left = [tmp_path / "a" / name for name in ("000009.arrow", "0123456789abcdef.csls.npy")]
    for path in (*mine, *left):
        path.write_text("mine")
    (tmp_path / "elsewhere").write_text("mine")
    (tmp_path / "a" / "000077.arrow").symlink_to(tmp_path / "elsewhere")
    index.add(["z"], ["itac"], "it")
    assert all(path.read_text() == "mine" for path in (*mine, tmp_path / "elsewhere"))
    assert not any(path.exists() for path in (*left, tmp_path / "a" / "000077.arrow"))


def test_ids_on_disk_are_as_given_and_files_without_their_kinds_are_read(tmp_path):
    index = fill(cr5.Index(model(tmp_path), tmp_path / "a"), it=3)
    index.add([7, "8"], ["itaa", "itab"], "it")
    index.remove(["it0"])
    opened = cr5.open_index(tmp_path / "a")
    assert {hit.id for hit in opened.search(QUERIES[0], "en")[0]} == {"it1", "it2", 7, "8"}
    (path,) = (tmp_path / "a").glob("*.arrow")
    batch = pa.ipc.open_file(path.read_bytes()).get_batch(0).drop_columns(["whole"])
    with pa.ipc.new_file(path, batch.schema) as writer:
        writer.write_batch(batch)
    opened = cr5.open_index(tmp_path / "a")
    assert {hit.id for hit in opened.search(QUERIES[0], "en")[0]} == {"it1", "it2", "7", "8"}


@pytest.mark.parametrize("kind", ["dense", "joined"])
def test_damaged_files_are_named(tmp_path, kind):
    index = fill(cr5.Index(model(tmp_path, kind), tmp_path / "a"))
    index.remove(["it1"])
    for path in sorted((tmp_path / "a").rglob("*.*")):
        content = path.read_bytes()
        if path.name == ".lock":
            continue
        for damage in (content[: len(content) // 2], None):
            path.unlink()
            if damage is not None:
                path.write_bytes(damage)
            with pytest.raises(UserError, match=str(tmp_path / "a")):
                cr5.open_index(tmp_path / "a")
        path.write_bytes(content)
    assert cr5.open_index(tmp_path / "a").sizes == {"en": 20, "it": 29}


@pytest.mark.parametrize("number", [np.nan, np.inf])
def test_numbers_of_hubs_that_are_none_are_refused(tmp_path, number):
    rows = np.eye(3, dtype=np.float32)
    chunk = chunks.Chunk.of(rows, list("abc"), [""] * 3, [True] * 3)
    kept = {"en": np.array([0.5, number, 0.1], np.float32)}
    chunks.save(tmp_path / "1.arrow", replace(chunk, hubness=kept))
    with pytest.raises(UserError, match=r"1\.arrow: "):
        chunks.load(tmp_path / "1.arrow")


def test_what_changed_on_the_disk_is_found_when_it_is_looked_for(tmp_path):
    fill(cr5.Index(model(tmp_path), tmp_path / "a")).check()
    index = cr5.open_index(tmp_path / "a")
    path = tmp_path / "a" / "000002.arrow"
    content = bytearray(path.read_bytes())
    content[len(content) // 2] ^= 1
    path.write_bytes(content)
    with pytest.raises(UserError, match=r"000002\.arrow: "):
        index.check()
    path.unlink()
    with pytest.raises(UserError, match=r"000002\.arrow: "):
        index.check()


@pytest.mark.parametrize("kind", ["dense", "sparse", "joined"])
@pytest.mark.parametrize("value", [np.nan, np.inf, 1e30])
def test_numbers_that_no_model_made_are_not_searched(tmp_path, kind, value):
    fill(cr5.Index(model(tmp_path, kind), tmp_path / "a"))
    chunk = cr5.open_index(tmp_path / "a").chunks["it"][0]
    part = chunk.rows.sparse if kind == "joined" else chunk.rows
    number = (part if kind == "dense" else part.data).ravel()[0].tobytes()
    path = tmp_path / "a" / "000002.arrow"
    content = path.read_bytes()
    assert content.count(number) == 1
    path.write_bytes(content.replace(number, np.float32(value).tobytes()))
    index = cr5.open_index(tmp_path / "a")
    for use in (
        lambda: index.search(made_up.texts("en", 30, seed=9)[1], "en", 3),
        lambda: index.search(made_up.texts("en", 30, seed=9)[1], "en", 3, "csls"),
        lambda: index.search(made_up.texts("it", 5)[1], "it", 3, "csls", to="en"),
        lambda: index.add((f"x{i}" for i in range(20)), ["itaa"] * 20, "it"),
        lambda: index.remove(["it1"]),
    ):
        with pytest.raises(UserError, match=r"the index is damaged: texts in 'it' .*`cr5 info"):
            use()


def test_numbers_that_no_model_made_are_not_saved(tmp_path):
    index = fill(cr5.Index(model(tmp_path)))
    index.chunks["it"][0].rows[3, 1] = np.nan
    with pytest.raises(UserError, match="the index is damaged: texts in 'it'"):
        index.save(tmp_path / "a")
    assert not (tmp_path / "a").exists()
