"""A folder that an index is written to: what is not the index's own stays."""

import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

import cr5
from cr5.base.errors import UserError
from cr5.base.modules import load_module
from cr5.models import store
from cr5.retrieval.indexes import adding

made_up = load_module(Path(__file__).with_name("made_up.py"), "texts")

KILLED = """
import os, signal, sys
import cr5
from cr5.retrieval.indexes import segments

segments.load = lambda *_: os.kill(os.getpid(), signal.SIGKILL)
cr5.Index(cr5.load(sys.argv[1]), sys.argv[2]).add(["x"], ["itaa"], "it")
"""


@pytest.fixture
def model(tmp_path):
    store.save(tmp_path / "m", dict(made_up.models())["dense"], {})
    return cr5.load(tmp_path / "m")


@pytest.fixture
def index(model, tmp_path):
    index = cr5.Index(model, tmp_path / "a")
    index.add(["x", "y"], ["itaa", "itab"], "it")
    return index


def written(path):
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text("mine")
    return path


@pytest.mark.parametrize(
    "name", ["graphs/plot.png", "segments/precious/data", "segments/000001/data"]
)
@pytest.mark.parametrize("locked", [False, True])
def test_a_folder_of_somebody_else_is_refused_and_stays(model, tmp_path, name, locked):
    mine = written(tmp_path / "project" / name)
    if locked:
        (tmp_path / "project" / ".lock").touch()
    new = cr5.Index(model, tmp_path / "project")
    with pytest.raises(UserError, match=r"something else is there|without an index\.json"):
        new.remove(["nosuch"])
    with pytest.raises(UserError, match=r"something else is there|without an index\.json"):
        new.add(["x"], ["itaa"], "it")
    assert mine.read_text() == "mine"


def test_what_an_index_did_not_name_stays_beside_it(index, tmp_path):
    names = ("graphs/plot.png", "segments/precious/data", "removed/7.npy", "penalties/1.it.npy")
    mine = [written(index.path / name) for name in names]
    left = ("graphs/000009", "segments/000009/rows.npy", "removed/000009.npy")
    left += ("penalties/000009.zh.min.0123456789ab.npy", "graphs/.000001.part-ab_c/000001")
    left = [written(index.path / name) for name in left]
    index.add(["z"], ["itac"], "it")
    assert all(path.read_text() == "mine" for path in mine)
    assert not any(path.exists() for path in left)


def test_segments_that_lost_their_index_json_are_kept(index):
    said = (index.path / "index.json").read_bytes()
    (index.path / "index.json").unlink()
    again = cr5.Index(index.model, index.path)
    with pytest.raises(UserError, match=r"/a: segments without an index\.json: bring it back, or"):
        again.add(["z"], ["itac"], "it")
    (index.path / "index.json").write_bytes(said)
    assert cr5.open_index(index.path).sizes == {"it": 2}


def test_a_first_addition_that_was_killed_is_done_again(model, tmp_path):
    arguments = [sys.executable, "-c", KILLED, str(tmp_path / "m"), str(tmp_path / "a")]
    done = subprocess.run(arguments, env=os.environ | {"PYTHONPATH": os.pathsep.join(sys.path)})
    assert done.returncode == -signal.SIGKILL
    assert (tmp_path / "a/segments/000001").exists()
    index = cr5.Index(model, tmp_path / "a")
    index.add(["x"], ["itaa"], "it")
    assert index.sizes == cr5.open_index(tmp_path / "a").sizes == {"it": 1}
    assert [x.name for x in (tmp_path / "a/segments").iterdir()] == ["000001"]


@pytest.mark.parametrize("before", [0, 5])
def test_a_first_addition_that_fails_leaves_nothing(model, tmp_path, monkeypatch, before):
    monkeypatch.setattr(adding, "SEGMENT", 2)
    monkeypatch.setattr(adding, "BATCH", 1)
    texts = ["itaa"] * before + [7]
    index = cr5.Index(model, tmp_path / "a")
    with pytest.raises(UserError, match="expected a string, found int"):
        index.add(range(before + 1), texts, "it")
    assert not (tmp_path / "a").exists()
    (tmp_path / "a").mkdir()  # whoever made it keeps it
    with pytest.raises(UserError, match="expected a string, found int"):
        index.add(range(before + 1), texts, "it")
    assert [x.name for x in (tmp_path / "a").iterdir()] == [".lock"]
    index.add(["x"], ["itaa"], "it")
    assert [x.name for x in (tmp_path / "a/segments").iterdir()] == ["000001"]


def test_a_later_addition_that_fails_leaves_the_index(index):
    with pytest.raises(UserError, match="expected a string, found int"):
        index.add(["z"], [7], "it")
    assert cr5.open_index(index.path).sizes == {"it": 2}


def test_a_link_is_removed_and_not_what_it_leads_to(index, tmp_path):
    mine = written(tmp_path / "elsewhere/data")
    (index.path / "segments/000077").symlink_to(mine.parent)
    index.remove(["x"])
    assert not (index.path / "segments/000077").is_symlink()
    assert mine.read_text() == "mine"
