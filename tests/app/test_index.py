"""`cr5 index`, called as from a shell."""

import io
import json
import subprocess
import sys
from dataclasses import replace

import pytest

import cr5
from cr5.app import index as command
from cr5.base.errors import UserError
from cr5.models import store
from cr5.retrieval.index_json import model_of


def test_texts_are_removed_and_added(call, small_folder, built):
    _, err, _ = call("index", small_folder, built, "--remove", "c", "--remove", "x")
    assert "2 texts removed" in err
    assert "2 texts in 'it'" in err
    out, _, _ = call("search", built, "--from", "en", "cat")
    assert [hit["id"] for hit in json.loads(out)["hits"]] == ["d", "s"]


@pytest.mark.parametrize(("named", "n"), [([], 3), (["--file", "-"], 4)])
def test_what_is_piped_in_is_added_beside_a_removal_if_it_is_named(
    call, small_folder, built, monkeypatch, named, n
):
    monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(b'{"id": "n", "text": "mare"}')))
    removal = ["index", small_folder, built, "--language", "it", "--remove", "c"]
    _, err, stopped = call(*removal, *named)
    assert stopped is None
    assert cr5.open_index(built).sizes == {"it": n}
    said = "standard input is not read; to add texts from it, write --file -"
    assert (said in err) == (not named)


def test_nobody_writes_where_there_is_no_input(small_folder, built):
    command = [sys.executable, "-m", "cr5", "index", small_folder, built, "--remove", "c"]
    done = subprocess.run(command, stdin=subprocess.DEVNULL, capture_output=True, text=True)
    assert done.stderr == f"1 text removed\n{built}: 3 texts in 'it'\n"


def test_texts_are_replaced_or_left_alone(call, small_folder, built, tmp_path):
    arguments = ["index", small_folder, built, "--language", "it", "--remove", "c", "--file"]
    _, _, stopped = call(*arguments, tmp_path / "none.jsonl")
    assert "none.jsonl" in stopped
    assert cr5.open_index(built).sizes == {"it": 4}
    path = tmp_path / "new.jsonl"
    path.write_text('{"id": "c", "text": "mare mare gatto"}\n')
    _, err, stopped = call(*arguments, path)
    assert (err.splitlines()[0], stopped) == ("1 text removed", None)
    assert cr5.open_index(built).sizes == {"it": 4}
    (hits,) = cr5.open_index(built).search("sea cat", "en", 4)
    assert [x.id for x in hits] == ["s", "c", "d"]
    assert hits[1].score == pytest.approx(7 / 65**0.5)  # [3, 0, 2] and [1, 0, 2]


def test_progress_is_told(call, small_folder, tmp_path, monkeypatch):
    monkeypatch.setattr(command, "EVERY", 10)
    monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(b"gatto\n" * 25)))
    _, err, stopped = call("index", small_folder, tmp_path / "a", "--language", "it")
    assert stopped is None
    assert err.splitlines()[:2] == ["10 texts", "20 texts"]


def test_what_an_index_holds(call, built, small_folder, documents):
    call("index", small_folder, built, "--language", "en", "--file", documents)
    call("index", small_folder, built, "--language", "it", "--remove", "c")
    out, _, stopped = call("info", built)
    rest = {"measures": "cosine, csls", "model": str(small_folder)}
    assert stopped is None
    assert [json.loads(line) for line in out.splitlines()] == [
        {"language": "en", "texts": 4, "unknown": 4} | rest,
        {"language": "it", "texts": 3, "unknown": 1} | rest,
    ]
    path = built / "index.json"
    said = json.loads(path.read_text())
    ((name, checksum),) = said["languages"]["it"].items()
    said["languages"]["it"][name] = checksum + 1  # opened and searched without a word
    path.write_text(json.dumps(said))
    _, _, stopped = call("info", built)
    assert f"{built / name}.arrow: missing, or its checksum differs" in stopped
    _, _, stopped = call("info", built, "--system", "cr5", "--repetition", "2")
    assert "is an index, of one model: leave out system 'cr5', repetition 2" in stopped
    _, _, stopped = call("info", small_folder, "--model", "m")
    assert "is not an index, whose model it would name" in stopped


def test_an_index_knows_its_model(call, run_folder, documents, tmp_path, small_model):
    """Of two systems of a run the first is taken unless one is named."""
    about = {"system": "other", "setting": "joint", "languages": ["en", "it"]}
    tables = {x: table + 1 for x, table in small_model.tables.items()}
    other = run_folder / "models" / "joint" / "other" / "1"
    store.save(other, replace(small_model, tables=tables), about)
    path = tmp_path / "index"
    add = ["--language", "it", "--file", documents]
    _, err, _ = call("index", run_folder, path, "--system", "other", *add)
    assert f"{run_folder}: system other, setting joint\n" in err
    _, err, stopped = call("index", run_folder, path, "--remove", "c")
    assert stopped is None
    assert f"{path}: system other, setting joint, which made this index\n" in err
    assert "1 text removed" in err
    _, _, stopped = call("index", run_folder, path, *add, "--remove", "d", "--remove", "s")
    assert "the text 'x' exists already" in stopped
    _, _, stopped = call("index", run_folder, path, "--system", "cr5", "--remove", "d")
    assert f"built with another model than {run_folder / 'models/joint/cr5/1'}" in stopped
    _, _, stopped = call("index", run_folder, tmp_path / "none", "--remove", "d")
    assert f"{tmp_path / 'none'}: not an index, so nothing can be removed from it" in stopped
    assert not (tmp_path / "none").exists()


def test_another_model_of_the_run_is_refused_with_the_name_of_the_first(
    call, built, small_folder, small_model, documents
):
    other = small_folder.parents[1] / "other" / "1"
    tables = {x: table + 1 for x, table in small_model.tables.items()}
    store.save(other, replace(small_model, tables=tables), {"system": "other"})
    run = small_folder.parents[3]
    arguments = ["index", run, built, "--system", "other", "--language", "it", "--file", documents]
    _, _, stopped = call(*arguments)
    assert (
        f"built with another model than {other}: with the one that was at {small_folder}" in stopped
    )
    assert "--model" not in stopped


def test_an_index_of_an_exported_model(call, run_folder, documents, tmp_path):
    model = tmp_path / "m.cr5"
    call("export", run_folder, "packed", model)
    path = tmp_path / "of_export"
    arguments = ["index", model, path, "--language", "it", "--file", documents]
    assert call(*arguments)[2] is None
    out, _, _ = call("search", path, "--from", "en", "sea")
    assert json.loads(out)["hits"][0]["id"] == "s"
    moved = model.rename(tmp_path / f"moved_{model.name}")
    _, _, stopped = call("search", path, "--from", "en", "sea")
    assert f"its model, {model}, is not there" in stopped
    out, _, _ = call("search", path, "--from", "en", "--model", moved, "sea")
    assert json.loads(out)["hits"][0]["id"] == "s"
    content = bytearray(moved.read_bytes())
    content[-2] ^= 1
    moved.write_bytes(content)
    with pytest.raises(UserError, match="another model"):
        model_of(path, moved)


def test_an_index_is_built_and_searched(call, small_folder, documents, tmp_path):
    path = tmp_path / "built"
    arguments = ["index", small_folder, path, "--language", "it", "--file", documents]
    out, err, stopped = call(*arguments)
    assert (out, stopped) == ("", None)
    assert "1 of 4 texts have no word that the model knows and are never found: x" in err
    assert f"{path}: 4 texts in 'it'" in err
    out, _, _ = call("search", path, "--from", "en", "-k", "2", "a cat", "sea", "dog")
    found = [json.loads(line) for line in out.splitlines()]
    assert [each["query"] for each in found] == ["1", "2", "3"]
    assert [[hit["id"] for hit in each["hits"]] for each in found] == [
        ["c", "d"],
        ["s", "d"],
        ["d", "c"],
    ]
    first = {"rank": 1, "score": 0.9863939, "language": "it", "id": "c", "title": "Cat"}
    assert found[0]["hits"][0] == first  # [6, 1, 0] / sqrt(37)
