"""An index on disk that others use: whole or as it was before."""

import os
import signal
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from threading import Event

import pytest

import cr5
from cr5.base.errors import UserError
from cr5.base.files import alone
from tests.retrieval import made_up

model, fill = made_up.model, made_up.fill
QUERIES = made_up.texts("en", 5, seed=9)[1]

KILLED = """
import os, signal, sys
import cr5
from cr5.retrieval import adding, chunks

chunks.SIZE, adding.BATCH = 8, 4
index = cr5.Index(cr5.load(sys.argv[1]), sys.argv[2])
save = chunks.save

def killed(path, chunk):
    save(path, chunk)
    if path.name == sys.argv[3]:
        os.kill(os.getpid(), signal.SIGKILL)

chunks.save = killed
index.add((f"new{i}" for i in range(40)), ("itaa itab" for _ in range(40)), "it")
"""


def killed(folder, at):
    arguments = [sys.executable, "-c", KILLED, folder / "models/joint/dense/1", folder / "a", at]
    done = subprocess.run(arguments, env=os.environ | {"PYTHONPATH": os.pathsep.join(sys.path)})
    assert done.returncode == -signal.SIGKILL
    assert (folder / "a" / at).exists()


@pytest.mark.parametrize("at", ["000003.arrow", "000005.arrow"])
def test_killed_while_it_writes(tmp_path, at):
    index = fill(cr5.Index(model(tmp_path), tmp_path / "a"))
    before = index.search(QUERIES, "en")
    killed(tmp_path, at)
    (tmp_path / "a" / at).write_bytes(b"cut off")
    again = cr5.open_index(tmp_path / "a")
    assert again.search(QUERIES, "en") == before
    again.remove(["en1"])
    left = {path.name for path in (tmp_path / "a").glob("*.arrow")}
    assert left == {"000002.arrow", "000003.arrow"}
    assert again.search(QUERIES, "en") == before


def test_a_first_addition_that_was_killed_is_done_again(tmp_path):
    embedder = model(tmp_path)
    killed(tmp_path, "000001.arrow")
    assert cr5.open_index(tmp_path / "a").sizes == {}
    index = fill(cr5.Index(embedder, tmp_path / "a"))
    assert index.sizes == cr5.open_index(tmp_path / "a").sizes == {"en": 20, "it": 30}
    assert len(list((tmp_path / "a").glob("*.arrow"))) == 2


def test_only_one_writes(tmp_path):
    index = fill(cr5.Index(model(tmp_path), tmp_path / "a"))
    with alone(tmp_path / "a"):
        with pytest.raises(UserError, match="writes there"):
            index.add(["x"], ["itaa"], "it")
        index.search(QUERIES, "en", measure="csls")
        assert list((tmp_path / "a").glob("*.csls.npy"))  # kept without the lock
    assert index.sizes == {"en": 20, "it": 30}


def test_what_another_wrote_since_is_not_lost(tmp_path):
    one = fill(cr5.Index(model(tmp_path), tmp_path / "a"))
    cr5.open_index(tmp_path / "a").add(["x"], ["itaa"], "it")
    one.add(["y"], ["itaa"], "it")
    assert one.sizes == cr5.open_index(tmp_path / "a").sizes == {"en": 20, "it": 32}


@pytest.mark.parametrize("where", ["memory", "folder"])
def test_thirty_threads_add_while_others_search(tmp_path, where):
    index = fill(cr5.Index(model(tmp_path), None if where == "memory" else tmp_path / "a"))
    _, texts, _ = made_up.texts("it", 60, seed=3)
    ends = Event()

    def add(number):
        at = slice(2 * number, 2 * number + 2)
        return index.add(range(60)[at], texts[at], "it", ["new"] * 2).texts

    def search():
        found = []
        while not ends.is_set() or not found:
            for measure in ("cosine", "csls"):
                for hits in index.search(QUERIES, "en", 95, measure, threads=1):
                    found.append(len(hits))
                    assert len({hit.id for hit in hits}) == len(hits)
                    assert all((hit.title == "new") == isinstance(hit.id, int) for hit in hits)
        return found

    with ThreadPoolExecutor(32) as pool:
        searches = [pool.submit(search) for _ in range(2)]
        added = list(pool.map(add, range(30)))
        ends.set()
        sizes = [each.result() for each in searches]
    assert added == [2] * 30
    assert all(30 <= n <= 90 and n % 2 == 0 for found in sizes for n in found)
    expected = fill(cr5.Index(index.model))
    expected.add(range(60), texts, "it", ["new"] * 60)
    assert index.sizes == {"en": 20, "it": 90}
    for measure in ("cosine", "csls"):
        hits = [
            {(x.id, x.score) for x in hits} for hits in index.search(QUERIES, "en", 90, measure)
        ]
        wanted = expected.search(QUERIES, "en", 90, measure)
        assert hits == [{(x.id, x.score) for x in each} for each in wanted]
