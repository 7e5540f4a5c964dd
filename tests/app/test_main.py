"""The command, called as from a shell."""

import io
import json
import subprocess
import sys
import tracemalloc

import numpy as np
import pytest

import cr5
from cr5.app import embed
from cr5.models import store
from cr5.models.word_tables import WordTables


def test_vectors_of_texts_as_json_lines(call, small_folder):
    out, _, stopped = call("embed", small_folder, "--language", "en", "Dog!", "the sea")
    found = [json.loads(line) for line in out.splitlines()]
    assert found == [{"id": "1", "vector": [0, 1, 0]}, {"id": "2", "vector": [0, 0, 1]}]
    assert stopped is None


def test_vectors_of_texts_as_an_array(call, small_folder, tmp_path, monkeypatch):
    monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(b"gatto\nmare\n")))
    path = tmp_path / "v.npy"
    out, _, _ = call("embed", small_folder.parents[3], "--language", "it", "--out", path)
    assert out == ""
    assert np.load(path).tolist() == [[1, 0, 0], [0, 0, 1]]


def test_an_array_of_many_texts_is_as_numpy_writes_it(call, small_folder, tmp_path, monkeypatch):
    monkeypatch.setattr(embed, "BATCH", 2)
    texts = ["cat", "dog sea", "the sea", "cat cat dog", "dog"]
    call("embed", small_folder, "--language", "en", *texts, "--out", tmp_path / "v.npy")
    np.save(tmp_path / "expected.npy", cr5.load(small_folder).embed(texts, "en"))
    assert (tmp_path / "v.npy").read_bytes() == (tmp_path / "expected.npy").read_bytes()


def test_an_array_is_never_whole_in_memory(call, tmp_path, monkeypatch):
    monkeypatch.setattr(embed, "BATCH", 20)
    table = np.eye(2, 5000, dtype=np.float32)
    model = WordTables({"en": ["cat", "dog"]}, {"en": table}, {"en": np.ones(2)})
    store.save(tmp_path / "m", model, {})
    (tmp_path / "many.txt").write_text("cat\n" * 1000)
    arguments = ("--language", "en", "--file", tmp_path / "many.txt", "--out", tmp_path / "v.npy")
    tracemalloc.start()
    assert call("embed", tmp_path / "m", *arguments)[2] is None
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert np.load(tmp_path / "v.npy", mmap_mode="r").shape == (1000, 5000)
    assert peak < 1000 * 5000 * 4 / 2


@pytest.mark.parametrize("more", [[], ["--out", "v.npy"]])
def test_no_text_at_all(call, small_folder, tmp_path, monkeypatch, more):
    monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(b"\n")))
    monkeypatch.chdir(tmp_path)
    out, _, stopped = call("embed", small_folder, "--language", "en", *more)
    assert out == ""
    assert stopped.startswith("cr5 embed: standard input: the file has no text")
    assert not list(tmp_path.glob("*.npy"))


def test_vectors_by_another_repetition(call, small_folder):
    small_folder.rename(small_folder.parent / "2")
    run = small_folder.parents[3]
    out, _, _ = call("embed", run, "--language", "en", "--repetition", "2", "dog")
    assert json.loads(out)["vector"] == [0, 1, 0]


def test_what_a_model_and_a_run_hold(call, small_folder):
    out, _, _ = call("info", small_folder)
    assert [json.loads(line) for line in out.splitlines()] == [
        {"language": "en", "words": 4, "measures": "cosine, csls"},
        {"language": "it", "words": 3, "measures": "cosine, csls"},
    ]
    out, _, _ = call("info", small_folder.parents[3], "--table")
    assert [line.split() for line in out.splitlines()[::2]] == [
        ["setting", "system", "repetition", "languages", "path"],
        ["joint", "cr5", "1", "en,", "it", str(small_folder)],
    ]


def test_keys_of_a_part_and_the_schema_need_no_place(call):
    out, _, _ = call("info", "--options", "documents", "--table")
    assert [line.split()[0] for line in out.splitlines()[::2]] == ["key", "idf"]
    out, _, _ = call("info", "--schema")
    assert "systems" in json.loads(out)["properties"]
    _, _, stopped = call("info", "--options", "documnets")
    assert (
        stopped
        == "cr5 info: there is no section and no part 'documnets'; did you mean 'documents'?"
    )
    _, _, stopped = call("info")
    assert stopped.startswith("cr5 info: say of what")


def test_all_models_of_a_run_are_not_those_of_one_repetition(call, small_folder):
    _, _, stopped = call("info", small_folder.parents[3], "--repetition", "2")
    assert "all models of a run are listed; --repetition 2 is for use with --system" in stopped


def test_an_array_has_its_ending(call, small_folder):
    out, _, stopped = call("embed", small_folder, "--language", "en", "cat", "--out", "v.txt")
    assert out == ""
    assert "v.txt" in stopped


def test_it_ends_when_nobody_reads_on(small_folder, tmp_path):
    path = tmp_path / "many.txt"
    path.write_text("cat\n" * 20000)
    command = f"{sys.executable} -m cr5 embed {small_folder} --language en --file {path} | head -1"
    done = subprocess.run(command, shell=True, capture_output=True, text=True, check=True)
    assert json.loads(done.stdout) == {"id": "many.txt:1", "vector": [1, 0, 0]}
    assert done.stderr == ""


@pytest.mark.parametrize(("closed", "said"), [("<&-", "no text is given"), (">&-", "is closed")])
def test_closed_input_and_output(small_folder, closed, said):
    command = f"{sys.executable} -m cr5 embed {small_folder} --language en {closed}"
    done = subprocess.run(command, shell=True, capture_output=True, text=True)
    assert done.returncode == 1
    assert said in done.stderr
    assert "Traceback" not in done.stderr


def test_a_full_disk_is_told_in_a_line(small_folder):
    command = f"{sys.executable} -m cr5 info {small_folder} > /dev/full"
    done = subprocess.run(command, shell=True, capture_output=True, text=True)
    assert done.returncode == 1
    assert "No space left on device; make room" in done.stderr
