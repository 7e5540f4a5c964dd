"""`cr5 index` and `cr5 search`, called as from a shell."""

import io
import json
import os
import re
import subprocess
import sys
from dataclasses import replace
from threading import Timer

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from scipy import sparse

import cr5
from cr5.app import index as command
from cr5.app import search
from cr5.base import artefacts
from cr5.base.errors import UserError
from cr5.base.labels import BAGS
from cr5.base.labels import DOCUMENTS as KEPT
from cr5.models import store
from cr5.retrieval.index_folder import model_of
from cr5.retrieval.results import Results

DOCUMENTS = [
    {"id": "d", "text": "il cane", "title": "Dog"},
    {"id": "c", "text": "gatto gatto cane", "title": "Cat"},
    {"id": "s", "text": "mare", "title": "Sea"},
    {"id": "x", "text": "altro", "title": "Unknown"},
]


@pytest.fixture
def documents(tmp_path):
    path = tmp_path / "docs.jsonl"
    path.write_text("".join(json.dumps(each) + "\n" for each in DOCUMENTS))
    return path


@pytest.fixture
def built(call, small_folder, documents, tmp_path):
    path = tmp_path / "built"
    call("index", small_folder, path, "--language", "it", "--file", documents)
    return path


@pytest.fixture
def run_folder(small_folder):
    """A run with the same documents in its bags."""
    run = small_folder.parents[3]
    for language, rows in {"it": [[1, 0, 0], [1, 2, 0], [0, 0, 1]], "en": [[0, 1, 0, 0]]}.items():
        bags, ids = run / "bags" / language, ["d", "c", "s"][: len(rows)]
        texts = [each["text"] for each in DOCUMENTS[: len(rows)]]
        table = pa.table({"concept": ids, "title": [x.upper() for x in ids], "text": texts})
        with artefacts.written(BAGS, bags, {"language": language}) as folder:
            sparse.save_npz(folder / "counts.npz", sparse.csr_matrix(rows))
            pq.write_table(table, folder / "documents.parquet")
        of = {"language": language}
        with artefacts.written(KEPT, run / "documents" / f"{language}.parquet", of) as path:
            pq.write_table(table, path)
    return run


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


def test_a_table_for_people(call, built):
    out, _, _ = call("search", built, "--from", "en", "-k", "1", "--table", "sea", "dog")
    lines = [line.split() for line in out.splitlines()]
    head = ["rank", "score", "language", "id", "title"]
    assert lines[0:2] == [["sea"], head]
    assert lines[3] == ["1", "1.000", "it", "s", "Sea"]
    assert lines[5:7] == [["dog"], head]


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


def test_documents_of_a_run(call, run_folder):
    for measure in ("cosine", "csls"):
        arguments = ["--from", "en", "--to", "it", "--measure", measure, "-k", "1", "cat"]
        out, _, stopped = call("search", run_folder, *arguments)
        assert stopped is None
        assert json.loads(out)["hits"][0]["title"] == "C"


def test_the_words_that_did_it(call, run_folder):
    arguments = [run_folder, "--from", "en", "-k", "1", "--why", "cat cat cat dog"]
    out, _, _ = call("search", *arguments)
    (hit,) = json.loads(out)["hits"]
    assert hit["id"] == "c"  # [3, 2, 0] and [6, 1, 0]
    assert [each[:2] for each in hit["why"][:2]] == [["cat", "gatto"], ["dog", "cane"]]
    assert [each[2] for each in hit["why"][:2]] == pytest.approx([18 / 481**0.5, 2 / 481**0.5])
    out, _, _ = call("search", *arguments, "--table")
    assert "cat/gatto 0.821, dog/cane 0.091" in out


def test_documents_are_read_once_for_the_words_of_many_queries(call, run_folder, monkeypatch):
    read, texts = [], Results.texts
    monkeypatch.setattr(Results, "texts", lambda run, x: read.append(x) or texts(run, x))
    queries = ["cat cat cat dog", "sea", "dog"]
    out, _, _ = call("search", run_folder, "--from", "en", "-k", "1", "--why", *queries)
    found = [json.loads(line)["hits"][0] for line in out.splitlines()]
    assert [(hit["id"], hit["why"][0][1]) for hit in found] == [
        ("c", "gatto"),
        ("s", "mare"),
        ("d", "cane"),
    ]
    assert read == ["it"]


def test_what_is_found_is_handed_on_before_more_is_read(built):
    arguments = [sys.executable, "-m", "cr5", "search", built, "--from", "en", "-k", "1"]
    environment = os.environ | {"PYTHONPATH": os.pathsep.join(sys.path), "PYTHONUNBUFFERED": ""}
    pipes = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE, "env": environment}
    with subprocess.Popen(arguments, **pipes) as process:
        guard = Timer(60, process.kill)  # lest a test that fails waits for ever
        guard.start()
        for _ in range(2):
            process.stdin.write(b"sea\n" * search.BATCH)
            process.stdin.flush()
            found = [json.loads(process.stdout.readline()) for _ in range(search.BATCH)]
            assert {x["hits"][0]["id"] for x in found} == {"s"}
        process.stdin.close()
        guard.cancel()
    assert process.returncode == 0


def test_progress_is_told(call, small_folder, tmp_path, monkeypatch):
    monkeypatch.setattr(command, "EVERY", 10)
    monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(b"gatto\n" * 25)))
    _, err, stopped = call("index", small_folder, tmp_path / "a", "--language", "it")
    assert stopped is None
    assert err.splitlines()[:2] == ["10 texts", "20 texts"]


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["--from", "fr", "cat"], "does not know the language 'fr', only en, it"),
        (["--from", "en", "--to", "en", "cat"], "no texts in 'en'; there are 4 in 'it'"),
        (["--from", "en", "--to", " , ", "cat"], "--to ' , ' names no language: write some"),
        (["--from", "en", "--to", "", "cat"], "--to '' names no language"),
        (["--from", "en", "-k", "0", "cat"], "k is 0: expected a whole number, 1 or more"),
        (["--from", "en", "--measure", "near", "cat"], "not compared by 'near'; its measures are"),
        (["--from", "en", "--measure", "csls", "cat"], "add texts in 'en' to the index"),
        (["--from", "en", "--why", "cat"], "an index keeps no texts, so --why cannot"),
        (["--from", "en", "--system", "cr5", "cat"], "of one model: leave out system 'cr5', to be"),
        (["--from", "en", "--repetition", "2", "cat"], "an index, .* leave out repetition 2"),
        (["--from", "en", "--model", "nowhere", "cat"], "its model, nowhere, is not there"),
        (["--from", "en", "gatto"], "knows none of the 1 words"),
    ],
)
def test_mistakes_are_told_in_a_line(call, built, arguments, said):
    out, _, stopped = call("search", built, *arguments)
    assert out == ""
    assert re.search(said, stopped)


def test_what_is_neither_an_index_nor_a_run(
    call, tmp_path, run_folder, small_folder, documents, built
):
    for place, said in ((tmp_path, "neither an index nor a run"), (tmp_path / "x", "no such file")):
        _, _, stopped = call("search", place, "--from", "en", "cat")
        assert said in stopped
    _, _, stopped = call("search", run_folder, "--from", "en", "--model", "m", "cat")
    assert "for a run write --system" in stopped
    for place in (run_folder, built):
        _, _, stopped = call("search", place, "--from", "en", "--approximate", "cat")
        assert "approximate search was removed" in stopped
    _, _, stopped = call("index", small_folder, tmp_path / "a", "--file", documents)
    assert "name the language of the texts by --language, one of en, it" in stopped


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


@pytest.mark.parametrize("kind", ["packed", "word2vec"])
def test_an_index_of_an_exported_model(call, run_folder, documents, tmp_path, kind):
    model = tmp_path / ("m.cr5" if kind == "packed" else "m")
    call("export", run_folder, kind, model)
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
    file = moved if moved.is_file() else next(moved.glob("*_it*"))
    content = bytearray(file.read_bytes())
    content[-2] ^= 1
    file.write_bytes(content)
    with pytest.raises(UserError, match="another model"):
        model_of(path, moved)
