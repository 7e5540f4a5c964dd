"""`cr5 index`, `search` and `align`, called as from a shell."""

import io
import json
import os
import shutil
import subprocess
import sys
from dataclasses import replace
from urllib.error import HTTPError
from urllib.parse import urlencode
from urllib.request import urlopen

import numpy as np
import pytest
from scipy import sparse

import cr5
from cr5.contracts.vocabulary import Fallbacks
from cr5.explore import serve
from cr5.models import store
from cr5.models.bank import with_bank
from cr5.retrieval import hits
from tests.kit.server import running


def test_an_index_is_built_and_searched(call, rows_of, small_folder, documents, tmp_path):
    path = tmp_path / "built"
    out, err, stopped = call("index", small_folder, path, "--to", "it", "--file", documents)
    assert (out, stopped) == ("", None)
    assert "1 of 4 texts have no word that the model knows and are never found: x" in err
    assert f"{path}: 4 texts in 'it'" in err
    answers, _ = rows_of("search", path, "--from", "en", "-k", "2", "a cat", "sea", "dog")
    assert [answer["query"] for answer in answers] == ["1", "2", "3"]
    assert [ids_of(answer) for answer in answers] == [["c", "d"], ["s", "d"], ["d", "c"]]
    nearest = {"rank": 1, "score": 0.9863939, "language": "it", "id": "c", "title": "Cat"}
    assert answers[0]["hits"][0] == nearest  # [6, 1, 0] / sqrt(37)


def ids_of(answer):
    return [hit["id"] for hit in answer["hits"]]


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
    [[first, second]] = cr5.open_index(built).search("sea cat", "en", 4)
    assert (first.id, first.title) == ("n", "N")
    assert first.score == pytest.approx(7 / 65**0.5)  # [3, 0, 2] and [1, 0, 2]
    assert (second.id, second.title) == ("d", "Dog")


def test_an_id_that_an_index_lacks_is_not_removed(call, small_folder, tmp_path):
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


@pytest.mark.parametrize("measure", ["cosine", "csls"])
def test_documents_of_a_run(rows_of, run_folder, measure):
    arguments = ["--from", "en", "--to", "it, ", "--measure", measure, "-k", "1", "cat"]
    [answer], stopped = rows_of("search", run_folder, *arguments)
    assert stopped is None
    [hit] = answer["hits"]
    assert hit["title"] == "C"
    assert answer.items() >= {"system": "cr5", "setting": "joint", "repetition": "1"}.items()


def test_the_model_of_a_run_is_told(call, run_folder):
    _, messages, _ = call("search", run_folder, "--from", "en", "cat")
    assert messages == f"{run_folder}: system cr5, setting joint, the best that is there\n"


def test_a_served_page_is_answered_what_a_search_finds(rows_of, run_folder):
    [answer], _ = rows_of("search", run_folder, "--from", "en", "--to", "it", "cat cat sea")
    asked = {"words": "cat cat sea", "from": "en", "to": "it", "system": "cr5", "measure": "none"}
    with running(serve.server(run_folder, serve.answers(run_folder, "joint"))) as address:
        told = json.load(urlopen(f"{address}/search?{urlencode(asked)}"))
        with pytest.raises(HTTPError, match="400") as refused:
            urlopen(f"{address}/search?{urlencode(asked | {'from': 'xx'})}")
    scores = [hit["score"] for hit in answer["hits"]]
    assert len(scores) == 3
    expected = {"nearest": ids_of(answer), "scores": pytest.approx(scores, abs=1e-6)}
    assert told["found"] == {"it": {"cosine": expected}}
    assert told["documents"]["it"]["c"] == ["C", "cane gatto gatto"]
    assert "does not know the language 'xx'" in json.load(refused.value)


def test_the_words_that_did_it(call, rows_of, run_folder, request):
    arguments = [run_folder, "--from", "en", "-k", "1", "--why", "cat cat cat dog"]
    [answer], _ = rows_of("search", *arguments)
    [hit] = answer["hits"]
    assert hit["id"] == "c"  # [3, 2, 0] and [6, 1, 0]
    assert hit["why"] == [
        ["cat", "gatto", pytest.approx(18 / 481**0.5)],
        ["dog", "cane", pytest.approx(2 / 481**0.5)],
    ]
    assert hit["rest"] == 0
    request.getfixturevalue("terminal")
    out, _, _ = call("search", *arguments)
    assert "cat/gatto 0.821, dog/cane 0.091" in out


@pytest.fixture
def reranking(run_folder, small_model):
    """A run whose model has a second stage, training documents and beginnings of words."""
    identity = {
        language: sparse.identity(len(words), format="csr")
        for language, words in small_model.words.items()
    }
    with_stage = replace(with_bank(small_model, identity), rerank=0.5)
    beginnings = Fallbacks(beginnings=["seaf"])
    table = np.vstack([small_model.tables["en"], [[0, 0, 1]]]).astype(np.float32)
    model = replace(
        with_stage,
        tables={**small_model.tables, "en": table},
        weights={**small_model.weights, "en": np.array([0, 1, 1, 2.0, 1])},
        fallbacks={"en": beginnings},
    )
    place = run_folder / "models" / "joint" / "best" / "1"
    about = {"system": "best", "setting": "joint", "repetition": "1", "languages": ["en", "it"]}
    store.save(place, model, about)
    return run_folder


@pytest.mark.parametrize("measure", ["cosine", "cosine+matches", "csls", "csls+matches"])
def test_what_stands_beside_a_score_adds_up_to_it(rows_of, reranking, measure):
    arguments = ["--system", "best", "--from", "en", "--why", "--measure", measure]
    [answer], _ = rows_of("search", reranking, *arguments, "cat cat cat dog")
    assert answer["measure"] == measure
    for hit in answer["hits"]:
        listed = sum(part for *_, part in hit["why"] + hit.get("matches", []))
        total = listed + hit.get("correction", 0) + hit["rest"]
        assert total == pytest.approx(hit["score"], abs=1e-6)
    assert ("matches" in answer["hits"][0]) == ("matches" in measure)
    assert ("correction" in answer["hits"][0]) == ("csls" in measure)
    if measure == "cosine":
        assert answer["hits"][0]["score"] <= 1


def test_scores_without_matches_say_their_own_measure(rows_of, reranking, monkeypatch):
    """Words of the first are matched, of the other two not."""
    monkeypatch.setattr(hits, "DEPTH", 1)
    arguments = ["--system", "best", "--from", "en", "--to", "it", "cat cat sea"]
    [answer], _ = rows_of("search", reranking, *arguments)
    measures = [hit.get("measure", answer["measure"]) for hit in answer["hits"]]
    assert measures == ["csls+matches", "csls", "csls"]
    found = cr5.open_index(reranking, system="best").search("cat cat sea", "en", 10, None, "it")
    assert [hit.measure for hit in found[0]] == measures


def test_a_served_page_means_by_a_measure_what_tables_mean(rows_of, reranking):
    """Under its plain name, with the second stage."""
    arguments = ["--system", "best", "--from", "en", "--to", "it", "cat"]
    [answer], _ = rows_of("search", reranking, *arguments)
    asked = {"words": "cat", "from": "en", "to": "it", "system": "best", "measure": "csls"}
    told = serve.answers(reranking, "joint")(asked)
    scores = [hit["score"] for hit in answer["hits"]]
    expected = {"nearest": ids_of(answer), "scores": pytest.approx(scores, abs=1e-6)}
    assert answer["measure"] == "csls+matches"
    assert told["found"] == {"it": {"csls": expected}}


def test_a_search_says_that_it_knows_more_than_the_evaluation(call, rows_of, reranking):
    arguments = ["search", reranking, "--system", "best", "--from", "en", "seafaring"]
    _, messages, _ = call(*arguments)
    assert "count here as their beginnings: this search knows more than the evaluation" in messages
    [answer], _ = rows_of(*arguments)
    assert answer["measure"] == "csls+matches"
    assert ids_of(answer)[0] == "s"
    _, messages, _ = call("search", reranking, "--system", "cr5", "--from", "en", "sea")
    assert "beginnings" not in messages


def test_a_query_of_unknown_words_has_no_hits_and_the_others_go_on(call, built, tmp_path):
    (tmp_path / "q.txt").write_text("sea\n" * 120 + "the a\n" + "dog\n")
    out, err, stopped = call("search", built, "--from", "en", "--file", tmp_path / "q.txt")
    answers = [json.loads(line) for line in out.splitlines()]
    assert stopped is None
    assert [len(answer["hits"]) for answer in answers] == [3] * 120 + [0, 3]
    assert err == f"text {tmp_path}/q.txt:121: the model knows none of its words\n"


@pytest.mark.parametrize("is_table", [False, True])
def test_output_is_utf8_whatever_the_machine_has(call, small_folder, tmp_path, is_table):
    text = {"id": "d", "text": "mare", "title": "Đường đi €"}
    (tmp_path / "docs.jsonl").write_text(json.dumps(text))
    path = tmp_path / "index"
    call("index", small_folder, path, "--to", "it", "--file", tmp_path / "docs.jsonl")
    environment = {"PYTHONPATH": os.pathsep.join(sys.path), "PYTHONIOENCODING": "ascii"}
    code = f"from cr5 import cli; cli.cli_texts.wants_table = lambda: {is_table}; cli.entry()"
    command = [sys.executable, "-c", code, "search", path, "--from", "en", "sea"]
    done = subprocess.run(command, env=os.environ | environment, capture_output=True, check=True)
    assert text["title"] in done.stdout.decode()


PLACES = {  # that cannot be searched, and what is said
    "nothing": "not there",
    "damaged": "remove {place}, the whole index, and make it again by `cr5 index`",
    "folder": "neither an index (`cr5 index`) nor a run",
    "model": "a model, which has no texts to be searched; embed yours with it by ",
    "packed.cr5": "`cr5 index {place} FOLDER --to CODE",
}


@pytest.mark.parametrize("name", PLACES)
def test_places_that_cannot_be_searched(call, small_folder, built, tmp_path, name):
    (built / "about.json").write_text("{}")  # as one of another version
    built.rename(tmp_path / "damaged")
    (tmp_path / "folder").mkdir()
    (tmp_path / "model").symlink_to(small_folder)
    call("export", small_folder, "packed", tmp_path / "packed.cr5")
    place = tmp_path / name
    _, _, stopped = call("search", place, "--from", "en", "cat")
    assert PLACES[name].format(place=place) in stopped


def test_a_damaged_index_is_made_again_where_it_was_removed(call, small_folder, built, documents):
    (built / "about.json").write_text("{}")
    again = ("index", small_folder, built, "--to", "it", "--file", documents)
    _, _, stopped = call(*again)
    assert f"remove {built}, the whole index" in stopped
    shutil.rmtree(built)
    _, _, stopped = call(*again)
    assert stopped is None


def test_all_files_of_an_index_are_verified(call, small_folder, built, tmp_path):
    n_files = len([path for path in built.rglob("*") if path.is_file()])
    line = (
        f"All {n_files - 1} files of this index are as they were written.\n"  # without about.json
    )
    assert call("verify", built) == (line, "", None)
    rows = built / "it.vector.npy"
    content = rows.read_bytes()
    rows.write_bytes(content[:-1] + bytes([content[-1] ^ 1]))
    _, _, stopped = call("verify", built)
    assert stopped.startswith(f"cr5 verify: {built} is damaged. Remove the whole index")
    assert stopped.endswith(f"\n{rows}: not what was written")
    _, _, stopped = call("index", small_folder, built, "--remove", "c")
    assert f"{rows}: not what was written; remove {built}, the whole index" in stopped
    (tmp_path / "folder").mkdir()
    _, _, stopped = call("verify", tmp_path / "folder")
    assert "neither the folder of a run" in stopped


def test_texts_of_an_index_need_their_language(call, small_folder, documents, tmp_path):
    _, _, stopped = call("index", small_folder, tmp_path / "a", "--file", documents)
    assert f"cr5 index {small_folder} {tmp_path / 'a'} --to CODE --file FILE" in stopped


def test_mistakes_of_searches(call, run_folder):
    _, _, stopped = call("search", run_folder, "--from", "en", "--to", "it,xx", "cat")
    assert "(--to): found ['xx'], expected" in stopped
    assert not (run_folder / "embedded").exists()
    _, _, stopped = call("search", run_folder, "--from", "en", "-k", "0", "cat")
    assert "k is 0" in stopped


@pytest.fixture
def align(call, small_folder, documents, tmp_path):
    """Gives what it prints and says, of a file of English texts and Italian ones."""
    path = tmp_path / "a.txt"

    def align(content, *arguments):
        path.write_text(content)
        languages = ("--from", "en", "--to", "it")
        return call("align", small_folder, path, documents, *languages, *arguments)

    return align


def test_pairs_of_two_files(align, tmp_path):
    out, messages, stopped = align("sea\ncat cat dog\nnothing\n")
    assert stopped is None
    pairs = [json.loads(line) for line in out.splitlines()]
    path = tmp_path / "a.txt"
    assert [(pair["first"], pair["second"]) for pair in pairs] == [
        (f"{path}:1", "s"),
        (f"{path}:2", "c"),
    ]
    [about] = {(pair["system"], pair["setting"], pair["measure"]) for pair in pairs}
    assert about == ("cr5", "joint", "csls")
    out, _, _ = align("sea\n", "--measure", "cosine")
    assert json.loads(out)["measure"] == "cosine"
    assert "2 pairs of 3 texts and 4" in messages
    assert "(transductive)" in messages


def test_a_table_of_pairs_for_people(align, terminal):
    out, _, _ = align("sea\n", "--measure", "cosine")
    header, _, row = out.splitlines()
    assert header.split() == ["first", "second", "score"]
    assert row.split()[-2:] == ["s", "1.000"]


def test_texts_without_known_words_have_no_pairs(align):
    out, messages, stopped = align("nothing\nat all\n")
    assert (out, stopped) == ("", None)
    assert "0 pairs of 2 texts" in messages


def test_the_number_of_candidates_is_checked(align):
    _, _, stopped = align("sea\n", "-k", "0")
    assert "k is 0" in stopped
