"""`cr5 align`, called as from a shell."""

import json


def test_pairs_of_two_files(call, small_folder, documents, tmp_path):
    path = tmp_path / "a.txt"
    path.write_text("sea\ncat cat dog\nnothing\n")
    given = ("align", small_folder, path, documents, "--from", "en", "--to", "it")
    out, err, stopped = call(*given)
    assert stopped is None
    found = [json.loads(line) for line in out.splitlines()]
    assert [(x["first"], x["second"]) for x in found] == [("a.txt:1", "s"), ("a.txt:2", "c")]
    assert all(set(x) == {"first", "second", "score", "confidence"} for x in found)
    assert "2 pairs of 3 texts and 4" in err and "(transductive)" in err
    table, _, _ = call(*given, "--table", "--least", "1")
    assert len(table.splitlines()) <= 2 + len(found)
    assert table.split()[:4] == ["first", "second", "score", "confidence"]


def test_what_is_not_possible(call, small_folder, documents, tmp_path):
    given = ("align", small_folder, tmp_path / "none.txt", documents, "--from", "en", "--to", "it")
    assert "no such file" in call(*given)[2]
    assert "--least 2: a confidence is between 0 and 1" in call(*given, "--least", "2")[2]
    assert "k is 0" in call(*given, "-k", "0")[2]


def test_texts_of_which_no_word_is_known(call, small_folder, documents, tmp_path):
    path = tmp_path / "a.txt"
    path.write_text("nothing\nat all\n")
    out, err, stopped = call("align", small_folder, path, documents, "--from", "en", "--to", "it")
    assert stopped is None
    assert not out
    assert f"no text of {path}" in err and "are --from and --to their languages?" in err
