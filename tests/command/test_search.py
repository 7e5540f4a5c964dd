"""`cr5 index`, `search` and `align`, called as from a shell."""

import io
import json
import os
import shutil
import subprocess
import sys
from urllib.error import HTTPError
from urllib.parse import urlencode
from urllib.request import urlopen

import pytest

import cr5
from cr5.explore import serve
from tests.kit.server import running


def test_an_index_is_built_and_searched(call, rows_of, small_folder, documents, tmp_path):
    path = tmp_path / "built"
    out, err, stopped = call("index", small_folder, path, "--to", "it", "--file", documents)
    assert (out, stopped) == ("", None)
    assert "1 of 4 texts have no word that the model knows and are never found: x" in err
    assert f"{path}: 4 texts in 'it'" in err
    found, _ = rows_of("search", path, "--from", "en", "-k", "2", "a cat", "sea", "dog")
    assert [each["query"] for each in found] == ["1", "2", "3"]
    assert [[hit["id"] for hit in each["hits"]] for each in found] == [
        ["c", "d"],
        ["s", "d"],
        ["d", "c"],
    ]
    first = {"rank": 1, "score": 0.9863939, "language": "it", "id": "c", "title": "Cat"}
    assert found[0]["hits"][0] == first  # [6, 1, 0] / sqrt(37)


def test_texts_are_removed_replaced_or_left_alone(call, small_folder, built, tmp_path, monkeypatch):
    _, err, _ = call("index", small_folder, built, "--remove", "c", "--remove", "x")
    assert err.endswith(f"{built}: 2 texts in 'it'\n")
    piped = b'{"key": "n", "body": "mare mare gatto", "head": "N"}'
    monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(piped)))
    columns = ["--id", "key", "--text", "body", "--title", "head", "--file"]
    change = ["index", small_folder, built, "--to", "it", "--remove", "s", *columns]
    _, _, stopped = call(*change, tmp_path / "none.jsonl")
    assert "none.jsonl" in stopped
    assert cr5.open_index(built).sizes == {"it": 2}
    assert call(*change, "-")[2] is None
    (hits,) = cr5.open_index(built).search("sea cat", "en", 4)
    assert [(x.id, x.title) for x in hits] == [("n", "N"), ("d", "Dog")]
    assert hits[0].score == pytest.approx(7 / 65**0.5)  # [3, 0, 2] and [1, 0, 2]
    _, _, stopped = call("index", small_folder, tmp_path / "none", "--remove", "d")
    assert stopped == "cr5 index: the index has no text 'd' in any language"
    assert not (tmp_path / "none").exists()


def test_what_an_index_holds(call, rows_of, built, small_folder, documents):
    call("index", small_folder, built, "--to", "en", "--file", documents)
    call("index", small_folder, built, "--to", "it", "--remove", "c")
    expected = [{"language": "en", "texts": 4}, {"language": "it", "texts": 3}]
    assert rows_of("info", built) == (expected, None)


@pytest.mark.usefixtures("terminal")
def test_a_table_for_people(call, built):
    out, _, _ = call("search", built, "--from", "en", "-k", "1", "sea", "dog")
    lines = [line.split() for line in out.splitlines()]
    head = ["rank", "score", "language", "id", "title"]
    assert lines[0:2] == [["sea"], head]
    assert lines[3] == ["1", "1.000", "it", "s", "Sea"]
    assert lines[5:7] == [["dog"], head]


def test_documents_of_a_run(call, rows_of, run_folder):
    for measure in ("cosine", "csls"):
        arguments = ["--from", "en", "--to", "it, ", "--measure", measure, "-k", "1", "cat"]
        found, stopped = rows_of("search", run_folder, *arguments)
        assert stopped is None
        assert found[0]["hits"][0]["title"] == "C"
    assert call("search", run_folder, "--from", "en", "cat")[1] == (
        f"{run_folder}: system cr5, setting joint, the best that is there\n"
    )
    assert found[0].items() >= {"system": "cr5", "setting": "joint", "repetition": "1"}.items()


def test_a_served_page_is_answered_what_a_search_finds(rows_of, run_folder):
    rows, _ = rows_of("search", run_folder, "--from", "en", "--to", "it", "cat cat sea")
    asked = {"words": "cat cat sea", "from": "en", "to": "it", "system": "cr5", "measure": "none"}
    with running(serve.server(run_folder, serve.answers(run_folder, "joint"))) as address:
        told = json.load(urlopen(f"{address}/search?{urlencode(asked)}"))
        with pytest.raises(HTTPError, match="400") as refused:
            urlopen(f"{address}/search?{urlencode(asked | {'from': 'xx'})}")
    names, scores = zip(*[(x["id"], x["score"]) for x in rows[0]["hits"]], strict=True)
    assert len(names) == 3
    found = {"nearest": [*names], "scores": pytest.approx(scores, abs=1e-6)}
    assert told["found"] == {"it": {"cosine": found}}
    assert told["documents"]["it"]["c"] == ["C", "cane gatto gatto"]
    assert "does not know the language 'xx'" in json.load(refused.value)


def test_the_words_that_did_it(call, rows_of, run_folder, request):
    arguments = [run_folder, "--from", "en", "-k", "1", "--why", "cat cat cat dog"]
    (found,), _ = rows_of("search", *arguments)
    (hit,) = found["hits"]
    assert hit["id"] == "c"  # [3, 2, 0] and [6, 1, 0]
    assert [each[:2] for each in hit["why"]] == [["cat", "gatto"], ["dog", "cane"]]
    assert [each[2] for each in hit["why"]] == pytest.approx([18 / 481**0.5, 2 / 481**0.5])
    request.getfixturevalue("terminal")
    out, _, _ = call("search", *arguments)
    assert "cat/gatto 0.821, dog/cane 0.091" in out


def test_a_query_of_unknown_words_has_no_hits_and_the_others_go_on(call, built, tmp_path):
    (tmp_path / "q.txt").write_text("sea\n" * 120 + "the a\n" + "dog\n")
    out, err, stopped = call("search", built, "--from", "en", "--file", tmp_path / "q.txt")
    found = [json.loads(line) for line in out.splitlines()]
    assert stopped is None
    assert [len(each["hits"]) for each in found] == [3] * 120 + [0, 3]
    assert err == f"text {tmp_path}/q.txt:121: the model knows none of its words\n"


def test_output_is_utf8_whatever_the_machine_has(call, small_folder, tmp_path):
    text = {"id": "d", "text": "mare", "title": "Đường đi €"}
    (tmp_path / "docs.jsonl").write_text(json.dumps(text))
    path = tmp_path / "index"
    call("index", small_folder, path, "--to", "it", "--file", tmp_path / "docs.jsonl")
    environment = {"PYTHONPATH": os.pathsep.join(sys.path), "PYTHONIOENCODING": "ascii"}
    for is_table in (False, True):
        code = f"from cr5 import cli; cli.cli_texts.wants_table = lambda: {is_table}; cli.entry()"
        command = [sys.executable, "-c", code, "search", path, "--from", "en", "sea"]
        done = subprocess.run(command, env=os.environ | environment, capture_output=True)
        assert (done.returncode, text["title"] in done.stdout.decode()) == (0, True)


def test_what_cannot_be_searched(call, tmp_path, run_folder, small_folder, documents, built):
    (built / "about.json").write_text("{}")  # as one of another version
    call("export", small_folder, "packed", tmp_path / "own.cr5")
    for place, said in (
        (tmp_path / "x", "not there"),
        (built, f"remove {built}, the whole index, and make it again by `cr5 index`"),
        (documents.parent, "neither an index (`cr5 index`) nor a run"),
        (small_folder, "a model, which has no texts to be searched; embed yours with it by "),
        (tmp_path / "own.cr5", f"`cr5 index {tmp_path / 'own.cr5'} FOLDER --to CODE"),
    ):
        assert said in call("search", place, "--from", "en", "cat")[2]
    again = ("index", small_folder, built, "--to", "it", "--file", documents)
    assert f"remove {built}, the whole index" in call(*again)[2]
    shutil.rmtree(built)
    assert call(*again)[2] is None
    _, _, stopped = call("index", small_folder, tmp_path / "a", "--file", documents)
    assert f"cr5 index {small_folder} {tmp_path / 'a'} --to CODE --file FILE" in stopped
    _, _, stopped = call("search", run_folder, "--from", "en", "--to", "it,xx", "cat")
    assert "to: found ['xx'], expected" in stopped and not (run_folder / "embedded").exists()
    assert "k is 0" in call("search", run_folder, "--from", "en", "-k", "0", "cat")[2]


def test_pairs_of_two_files(call, small_folder, documents, tmp_path):
    path = tmp_path / "a.txt"
    path.write_text("sea\ncat cat dog\nnothing\n")
    given = ("align", small_folder, path, documents, "--from", "en", "--to", "it")
    out, err, stopped = call(*given)
    assert stopped is None
    found = [json.loads(line) for line in out.splitlines()]
    assert [(x["first"], x["second"]) for x in found] == [(f"{path}:1", "s"), (f"{path}:2", "c")]
    assert all(set(x) == {"first", "second", "score"} for x in found)
    assert "2 pairs of 3 texts and 4" in err and "(transductive)" in err
    assert "k is 0" in call(*given, "-k", "0")[2]
    path.write_text("nothing\nat all\n")
    out, err, stopped = call(*given)
    assert (out, stopped) == ("", None)
    assert "0 pairs of 2 texts" in err
