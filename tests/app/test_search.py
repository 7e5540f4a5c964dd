"""`cr5 search`, called as from a shell."""

import json
import os
import subprocess
import sys
from dataclasses import replace
from threading import Timer

import pytest

from cr5.app import search
from cr5.models import store
from cr5.retrieval import chunks, run_documents
from cr5.retrieval.results import Results
from cr5.retrieval.searching import Collection


def test_a_table_for_people(call, built):
    out, _, _ = call("search", built, "--from", "en", "-k", "1", "--table", "sea", "dog")
    lines = [line.split() for line in out.splitlines()]
    head = ["rank", "score", "language", "id", "title"]
    assert lines[0:2] == [["sea"], head]
    assert lines[3] == ["1", "1.000", "it", "s", "Sea"]
    assert lines[5:7] == [["dog"], head]


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
    assert len(hit["why"]) == 2  # and no pair that adds nothing
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


def test_each_line_of_a_slow_pipe_is_answered_as_it_comes(built):
    arguments = [sys.executable, "-m", "cr5", "search", built, "--from", "en", "-k", "1"]
    environment = os.environ | {"PYTHONPATH": os.pathsep.join(sys.path), "PYTHONUNBUFFERED": ""}
    pipes = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE, "env": environment}
    with subprocess.Popen(arguments, **pipes) as process:
        guard = Timer(60, process.kill)  # lest a test that fails waits for ever
        guard.start()
        for n in (1, 1, 3, 2 * search.BATCH):
            process.stdin.write(b"sea\n" * n)
            process.stdin.flush()
            found = [json.loads(process.stdout.readline()) for _ in range(n)]
            assert {x["hits"][0]["id"] for x in found} == {"s"}
        process.stdin.close()
        guard.cancel()
    assert process.returncode == 0


def test_a_file_is_searched_in_batches(call, built, tmp_path, monkeypatch):
    sizes = []
    search_counts = Collection.search_counts
    monkeypatch.setattr(
        Collection,
        "search_counts",
        lambda *x: sizes.append(x[1].shape[0]) or search_counts(*x),
    )
    (tmp_path / "q.txt").write_text("sea\n" * 250)
    out, _, _ = call("search", built, "--from", "en", "--file", tmp_path / "q.txt")
    assert (sizes, len(out.splitlines())) == ([100, 100, 50], 250)


def test_the_system_that_answered_is_named(call, run_folder, built):
    made_by = {"system": "cr5", "setting": "joint", "repetition": None}
    out, err, _ = call("search", run_folder, "--from", "en", "cat")
    assert err == f"{run_folder}: system cr5, setting joint\n"
    assert json.loads(out).items() >= made_by.items()
    (run_folder / "tables").mkdir()
    (run_folder / "tables" / "means.csv").write_text(
        "setting,system,task,similarity,metric,value,directions\n"
        "joint,cr5,documents,cosine,Success@1,.5,2\n"
    )
    out, err, _ = call("search", run_folder, "--from", "en", "cat")
    assert err == f"{run_folder}: system cr5, setting joint, of the highest Success@1\n"
    out, err, _ = call("search", built, "--from", "en", "cat")
    assert err == f"{built}: system cr5, setting joint\n"
    assert json.loads(out).items() >= made_by.items()
    _, err, _ = call("embed", run_folder, "--language", "en", "cat")
    assert "system cr5, setting joint" in err


def test_documents_of_a_run_are_embedded_once(call, recount, run_folder, small_model, monkeypatch):
    ask = ["search", run_folder, "--from", "en", "--to", "it", "cat cat dog"]
    embedded = []
    chunks_of = run_documents.chunks_of
    monkeypatch.setattr(
        run_documents, "chunks_of", lambda *x: embedded.append(x[2]) or chunks_of(*x)
    )
    first = call(*ask)
    assert call(*ask) == first
    assert embedded == ["it"]
    kept = run_folder / "embedded" / "joint" / "cr5" / "1" / "it.arrow"
    kept.write_bytes(kept.read_bytes()[:500])
    assert call(*ask) == first
    tables = {x: table[:, ::-1] for x, table in small_model.tables.items()}
    about = {"system": "cr5", "setting": "joint", "languages": ["en", "it"]}
    store.save(run_folder / "models/joint/cr5/1", replace(small_model, tables=tables), about)
    assert call(*ask) == first  # all rows are turned alike
    recount(run_folder, "it", [[3, 1, 0], [1, 2, 0], [0, 0, 1]])
    assert [x["id"] for x in json.loads(call(*ask)[0])["hits"]] == ["d", "c", "s"]
    assert embedded == ["it"] * 4


def test_what_cannot_be_kept_is_embedded_each_time(call, run_folder, monkeypatch):
    def refuse(path, *_):
        raise PermissionError(13, "Permission denied", str(path))

    monkeypatch.setattr(chunks, "save", refuse)
    out, _, stopped = call("search", run_folder, "--from", "en", "--to", "it", "sea")
    assert (json.loads(out)["hits"][0]["id"], stopped) == ("s", None)
    assert not list(run_folder.glob("embedded/**/*.arrow"))


def test_a_model_has_nothing_to_search(call, small_folder, tmp_path):
    call("export", small_folder, "packed", tmp_path / "own.cr5")
    for place in (small_folder, tmp_path / "own.cr5"):
        _, _, stopped = call("search", place, "--from", "en", "cat")
        assert f"{place}: a model, which has no texts to search: embed yours with it" in stopped


def test_a_text_of_a_file_that_cannot_be_compared_is_named(call, built, tmp_path):
    (tmp_path / "q.txt").write_text("sea\n" * 120 + "the a\n")
    out, _, stopped = call("search", built, "--from", "en", "--file", tmp_path / "q.txt")
    assert len(out.splitlines()) == 100
    assert stopped == (
        "cr5 search: text q.txt:121 cannot be compared: none of these 1 words was in a training "
        "document: a"
    )


@pytest.mark.parametrize("form", ["--json", "--table"])
def test_letters_that_the_output_cannot_encode(call, small_folder, tmp_path, form):
    text = {"id": "d", "text": "mare", "title": "Đường đi €"}
    (tmp_path / "docs.jsonl").write_text(json.dumps(text))
    path = tmp_path / "index"
    call("index", small_folder, path, "--language", "it", "--file", tmp_path / "docs.jsonl")
    command = [sys.executable, "-m", "cr5", "search", path, "--from", "en", form, "sea"]
    environment = os.environ | {
        "PYTHONPATH": os.pathsep.join(sys.path),
        "PYTHONIOENCODING": "ascii",
    }
    done = subprocess.run(command, env=environment, capture_output=True, text=True)
    assert (done.returncode, "Traceback" in done.stderr) == (0, False)
    if form == "--json":
        assert json.loads(done.stdout)["hits"][0]["title"] == text["title"]
    else:
        assert r"\u0110\u01b0\u1eddng \u0111i \u20ac" in done.stdout


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["--to", " , "], "--to"),
        (["--why"], "--why"),
        (["--system", "cr5"], "system 'cr5'"),
        (["--repetition", "2"], "repetition 2"),
        (["--model", "nowhere"], "nowhere"),
    ],
)
def test_what_an_index_cannot_be_asked(call, built, arguments, said):
    out, _, stopped = call("search", built, "--from", "en", *arguments, "cat")
    assert out == ""
    assert said in stopped


def test_what_is_neither_an_index_nor_a_run(
    call, tmp_path, run_folder, small_folder, documents, built
):
    for place, said in ((tmp_path, "neither an index nor a run"), (tmp_path / "x", "no such file")):
        _, _, stopped = call("search", place, "--from", "en", "cat")
        assert said in stopped
    _, _, stopped = call("search", run_folder, "--from", "en", "--model", "m", "cat")
    assert "for a run write --system" in stopped
    _, _, stopped = call("index", small_folder, tmp_path / "a", "--file", documents)
    assert "name the language of the texts by --language, one of en, it" in stopped
