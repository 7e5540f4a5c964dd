"""An index on disk: whole or as it was before, whatever happens to who writes."""

import hashlib
import json
import os
import signal
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

import cr5
from cr5.base import lock
from cr5.base.errors import UserError
from cr5.base.modules import load_module
from cr5.models import store
from cr5.retrieval.indexes import adding, segments

made_up = load_module(Path(__file__).with_name("made_up.py"), "texts")
MODELS = dict(made_up.models())
QUERIES = made_up.texts("en", 5, seed=9)[1]

KILLED = """
import os, signal, sys
import cr5
from cr5.retrieval.indexes import adding, segments

adding.SEGMENT, adding.BATCH = 8, 4
index = cr5.open_index(sys.argv[1])
written = index._store.put

def put(segment):
    found = written(segment)
    if found.name == sys.argv[2]:
        os.kill(os.getpid(), signal.SIGKILL)
    return found

index._store.put = put
index.add((f"new{i}" for i in range(40)), ("itaa itab" for _ in range(40)), "it")
"""


def model(folder, kind="dense"):
    path = folder / "models" / "joint" / kind / "1"
    if not path.exists():
        store.save(path, MODELS[kind], {"system": kind})
    return cr5.load(path)


def fill(index, **sizes):
    for language, n in (sizes or {"en": 20, "it": 30}).items():
        ids, texts, titles = made_up.texts(language, n)
        index.add(ids, texts, language, titles)
    return index


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
    with pytest.raises(UserError, match="an index is there already"):
        written.save(tmp_path / "b")


def test_the_same_input_gives_the_same_bytes(tmp_path, monkeypatch):
    monkeypatch.setattr(adding, "SEGMENT", 16)
    monkeypatch.setattr(adding, "BATCH", 8)
    for name in "ab":
        index = fill(cr5.Index(model(tmp_path), tmp_path / name))
        index.search(QUERIES, "en", measure="csls", threads=1 + (name == "b"))
        index.remove(["it3"])
    assert contents(tmp_path / "a") == contents(tmp_path / "b")
    assert len(list((tmp_path / "a" / "segments").iterdir())) == 4


def test_penalties_are_kept_until_neighbours_change(tmp_path):
    index = fill(cr5.Index(model(tmp_path), tmp_path / "a"))
    index.search(QUERIES, "en", measure="csls")
    (kept,) = (tmp_path / "a" / "penalties").iterdir()
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


@pytest.mark.parametrize("at", ["000003", "000005"])
def test_killed_while_it_writes(tmp_path, at):
    index = fill(cr5.Index(model(tmp_path), tmp_path / "a"))
    before = index.search(QUERIES, "en")
    arguments = [sys.executable, "-c", KILLED, str(tmp_path / "a"), at]
    done = subprocess.run(arguments, env=os.environ | {"PYTHONPATH": os.pathsep.join(sys.path)})
    assert done.returncode == -signal.SIGKILL
    assert (tmp_path / "a" / "segments" / at).exists()
    (tmp_path / "a" / "segments" / at / "rows.npy").write_bytes(b"cut off")
    again = cr5.open_index(tmp_path / "a")
    assert again.search(QUERIES, "en") == before
    again.remove(["en1"])
    left = {path.name for path in (tmp_path / "a" / "segments").iterdir()}
    assert left == {"000001", "000002"}
    assert again.search(QUERIES, "en") == before


def test_what_another_process_added_is_kept(tmp_path):
    first = fill(cr5.Index(model(tmp_path), tmp_path / "a"))
    second = cr5.open_index(tmp_path / "a")
    second.add(["x"], ["itaa"], "it")
    first.add(["y"], ["itab"], "it")
    assert cr5.open_index(tmp_path / "a").sizes == first.sizes == {"en": 20, "it": 32}
    with pytest.raises(UserError, match="a text 'x' already"):
        first.add(["x"], ["itab"], "it")


def test_only_one_writes(tmp_path):
    index = fill(cr5.Index(model(tmp_path), tmp_path / "a"))
    with lock.held(tmp_path / "a"):
        with pytest.raises(UserError, match="another process writes to this index"):
            index.add(["x"], ["itaa"], "it")
        index.search(QUERIES, "en", measure="csls")
    assert index.sizes == {"en": 20, "it": 30}


def test_the_model_is_found_again_or_named(tmp_path):
    run = tmp_path / "run"
    fill(cr5.Index(model(run), run / "index"))
    run.rename(tmp_path / "moved")
    index = cr5.open_index(tmp_path / "moved" / "index")  # both moved together
    expected = index.search(QUERIES, "en")
    (tmp_path / "moved" / "models").rename(tmp_path / "elsewhere")
    with pytest.raises(UserError, match=r"its model, .*1, is not there; say where it is now"):
        cr5.open_index(tmp_path / "moved" / "index")
    place = tmp_path / "elsewhere" / "joint" / "dense" / "1"
    assert cr5.open_index(tmp_path / "moved" / "index", place).search(QUERIES, "en") == expected


def test_another_model_is_refused(tmp_path):
    fill(cr5.Index(model(tmp_path), tmp_path / "a"))
    other = model(tmp_path, "sparse")
    for use in (
        lambda: cr5.Index(other, tmp_path / "a"),
        lambda: cr5.open_index(tmp_path / "a", other),
    ):
        with pytest.raises(UserError, match="was built with another model than"):
            use()
    table = tmp_path / "models/joint/dense/1/tables/en.npy"
    np.save(table, np.load(table) + 1)
    with pytest.raises(UserError, match="was built with another model than"):
        cr5.open_index(tmp_path / "a")


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


def test_an_index_json_nested_too_deep_is_damaged(tmp_path):
    (tmp_path / "index.json").write_text("[" * 200_000)
    with pytest.raises(UserError, match=r"index\.json: damaged .*; build the index again"):
        cr5.open_index(tmp_path)


def test_what_is_no_index_or_of_another_version(tmp_path):
    with pytest.raises(UserError, match=r"this is no index; expected a folder with index\.json"):
        cr5.open_index(tmp_path)
    embedder = model(tmp_path)
    with pytest.raises(UserError, match=r"something else is there already \(models\)"):
        fill(cr5.Index(embedder, tmp_path))
    fill(cr5.Index(embedder, tmp_path / "a"))
    path = tmp_path / "a" / "index.json"
    path.write_text(json.dumps(json.loads(path.read_text()) | {"format": 99}))
    with pytest.raises(UserError, match="format 99, and this version reads 1; build it again"):
        cr5.open_index(tmp_path / "a")


def test_a_path_to_the_model_is_relative_only_within_a_run(tmp_path):
    for run, inside in ((tmp_path / "run", True), (tmp_path, False)):
        place = run / "models" / "joint" / "dense" / "1" if inside else tmp_path / "a" / "b" / "m"
        store.save(place, MODELS["dense"], {})
        index = fill(cr5.Index(cr5.load(place), run / "index"))
        said = json.loads((index.path / "index.json").read_text())["model"]["path"]
        assert said == ("../models/joint/dense/1" if inside else str(place))


@pytest.mark.parametrize("numbers", [np.array([30]), np.array([-1]), np.ones(2), np.zeros((1, 1))])
def test_numbers_of_texts_that_are_not_there_are_damage(tmp_path, numbers):
    index = fill(cr5.Index(model(tmp_path), tmp_path / "a"))
    index.remove(["it1"])
    for path in (*(tmp_path / "a").glob("removed/*"), tmp_path / "a/segments/000002/unknown.npy"):
        before = path.read_bytes()
        np.save(path, numbers)
        with pytest.raises(UserError, match="a segment of an index is damaged"):
            cr5.open_index(tmp_path / "a")
        path.write_bytes(before)
    assert cr5.open_index(tmp_path / "a").sizes == {"en": 20, "it": 29}


def test_who_reads_while_another_writes_reads_again(tmp_path, monkeypatch):
    writer = fill(cr5.Index(model(tmp_path), tmp_path / "a"))
    load, met = segments.load, []

    def late(folder, *others):
        if not met:
            met.append(folder)
            writer.remove([f"en{x}" for x in range(15)])  # and its segment is written anew
            assert not folder.exists()
        return load(folder, *others)

    monkeypatch.setattr(segments, "load", late)
    assert cr5.open_index(tmp_path / "a").sizes == {"en": 5, "it": 30}
    assert met


def test_checksums_are_those_of_other_programs(tmp_path):
    fill(cr5.Index(model(tmp_path), tmp_path / "a")).check()
    for folder in (tmp_path / "a" / "segments").iterdir():
        lines = (folder / "SHA256SUMS").read_text().splitlines()
        noted = {line.split()[1]: line.split()[0] for line in lines}
        files = [x for x in folder.iterdir() if x.name != "SHA256SUMS"]
        assert noted == {x.name: hashlib.sha256(x.read_bytes()).hexdigest() for x in files}


@pytest.mark.parametrize("name", ["rows.npy", "documents.arrow", "SHA256SUMS"])
def test_what_changed_on_the_disk_is_found_when_it_is_looked_for(tmp_path, name):
    fill(cr5.Index(model(tmp_path), tmp_path / "a"))
    index = cr5.open_index(tmp_path / "a")
    path = tmp_path / "a" / "segments" / "000002" / name
    content = bytearray(path.read_bytes())
    content[len(content) // 2] ^= 1
    path.write_bytes(content)
    with pytest.raises(UserError, match=r"segments/000002/.*: missing, or not what was written"):
        index.check()
    path.unlink()
    with pytest.raises(UserError, match=f"000002/{name}: missing"):
        index.check()


@pytest.mark.parametrize("kind", ["dense", "sparse", "joined"])
@pytest.mark.parametrize("value", [np.nan, np.inf, 1e30])
@pytest.mark.parametrize("measure", ["cosine", "csls"])
def test_numbers_that_no_model_made_are_not_searched(tmp_path, kind, value, measure):
    if (value, measure) == (1e30, "csls"):
        return  # what it takes off a cosine has no bound
    fill(cr5.Index(model(tmp_path, kind), tmp_path / "a"))
    folder = tmp_path / "a" / "segments" / "000002"
    path = folder / ("data.npy" if (folder / "data.npy").exists() else "rows.npy")
    rows = np.load(path)
    rows[:1] = value
    np.save(path, rows)
    index = cr5.open_index(tmp_path / "a")
    with pytest.raises(UserError, match=r"the index is damaged: texts in 'it' .*`cr5 info INDEX`"):
        index.search(made_up.texts("en", 30, seed=9)[1], "en", 3, measure)
    if value != 1e30:
        for use in (
            lambda: index.search(made_up.texts("it", 5)[1], "it", 3, "csls", to="en"),
            lambda: index.add((f"x{i}" for i in range(20)), ["itaa"] * 20, "it"),
        ):
            with pytest.raises(UserError, match="the index is damaged: texts in 'it'"):
                use()
