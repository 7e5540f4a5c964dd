"""`cr5 export` and `cr5 import`, called as from a shell."""

import re
from dataclasses import replace

import numpy as np
import pytest
from scipy import sparse

import cr5
from cr5.models import store
from cr5.models.bank import with_bank
from cr5.models.formats import registry


def out_of(kind, tmp_path):
    if kind in ("safetensors", "static"):
        pytest.importorskip("safetensors", reason="the extra `export` is missing")
    return tmp_path / ("out.cr5" if kind == "packed" else "out")


@pytest.mark.parametrize("kind", registry.FORMATS)
def test_there_and_back(rows_of, small_folder, tmp_path, kind):
    out = out_of(kind, tmp_path)
    rows, stopped = rows_of("export", small_folder.parents[3], kind, out)
    assert stopped is None
    files = [out] if out.is_file() else [x for x in out.rglob("*") if x.is_file()]
    assert rows[0]["bytes"] == sum(x.stat().st_size for x in files)
    rows, stopped = rows_of("import", kind, out, tmp_path / "back")
    assert stopped is None
    assert [(x["language"], x["words"], x["dimension"]) for x in rows] == [
        ("en", 4, 3),
        ("it", 3, 3),
    ]
    for place in (out, tmp_path / "back"):
        found = cr5.load(place)
        assert found.languages == ("en", "it")
        rows = found.embed(["gatto", "gatto mare mare mare mare"], "it")
        np.testing.assert_allclose(rows, [[1, 0, 0], [0.6, 0, 0.8]], atol=1e-6)
        np.testing.assert_allclose(found.embed("the cat, a dog", "en"), [[5**-0.5, 2 * 5**-0.5, 0]])
        assert found.about["system"] == "cr5"
    assert store.about(tmp_path / "back") == cr5.load(out).about


def test_words_of_zero_vectors_are_no_vectors_for_others(
    rows_of, small_folder, small_model, tmp_path
):
    small_model.tables["en"][3] = 0
    store.save(tmp_path / "zero", small_model, {"system": "cr5", "setting": "joint"})
    for kind, words in (("word2vec", 3), ("packed", 4)):  # packed is the whole model
        rows, stopped = rows_of("export", tmp_path / "zero", kind, out_of(kind, tmp_path / kind))
        assert stopped is None
        assert rows[0]["words"] == words + 3
    listed = (tmp_path / "word2vec" / "out" / "cr5_en.vec").read_text().splitlines()
    assert listed[0].split() == ["3", "3"]
    assert [line.split()[0] for line in listed[1:]] == small_model.words["en"][:3]


@pytest.mark.parametrize("kind", registry.FORMATS)
def test_training_documents_go_with_the_whole_model_alone(
    rows_of, call, small_model, tmp_path, kind
):
    documents = {
        x: sparse.identity(len(words), format="csr") for x, words in small_model.words.items()
    }
    model = with_bank(small_model, documents)
    store.save(tmp_path / "kept", model, {"system": "cr5", "setting": "joint"})
    out = out_of(kind, tmp_path)
    _, said, _ = call("export", tmp_path / "kept", kind, out)
    is_whole = kind in ("packed", "safetensors")
    assert ("Training documents are left out" in said) == (not is_whole)
    found = cr5.load(out)
    assert found.measure == ("csls" if is_whole else "cosine")
    for x in model.words if is_whole else ():
        given = np.asarray(found.model.bank[x]["dense"], np.float32)
        np.testing.assert_array_equal(given, model.bank[x]["dense"].astype(np.float32))
    if kind == "safetensors":
        assert "keeps a vector of each training document" in (out / "README.md").read_text()


def test_vectors_of_other_origin_become_a_model(rows_of, tmp_path):
    (tmp_path / "some_en.vec").write_text("2 2\ncat 3 4\ndog 0 1\n")
    rows, stopped = rows_of("import", "word2vec", tmp_path / "some_en.vec", tmp_path / "m")
    assert (rows[0]["words"], stopped) == (2, None)
    found = cr5.load(tmp_path / "m")
    np.testing.assert_allclose(found.embed(["Cat!", "cat dog"], "en")[0], [0.6, 0.8])
    np.testing.assert_allclose(found.embed("cat dog", "en"), [[3 / 34**0.5, 5 / 34**0.5]])


def test_vectors_of_another_dimension_than_is_asked_for(call, tmp_path):
    (tmp_path / "some_en.vec").write_text("2 2\ncat 3 4\ndog 0 1\n")
    arguments = ("import", "word2vec", tmp_path / "some_en.vec", tmp_path / "m", "--dimension")
    assert re.search("have 2 numbers, and 7 are asked for", call(*arguments, "7")[2])
    assert not (tmp_path / "m").exists()
    assert call(*arguments, "2")[2] is None


def test_words_that_no_text_has_are_told(call, tmp_path):
    (tmp_path / "a_en.vec").write_text("4 1\ncat 3\nHello 1\nice-cold 1\nice 1\n")
    (tmp_path / "a_tr.vec").write_text("2 1\nısı 3\ni̇s 1\n")
    (tmp_path / "a_it.vec").write_text("1 1\ncittà 3\n")
    (tmp_path / "a_th.vec").write_text("1 1\nน้ำแข็งเย็น 3\n")
    _, found, _ = call("import", "word2vec", tmp_path, tmp_path / "m")
    assert found == (
        "2 of 4 words of en can never be found, such as 'Hello': texts are lower-cased, and their "
        "words are runs of letters\n"
    )


def test_one_file_of_an_export_is_not_imported_without_its_weights(call, small_folder, tmp_path):
    call("export", small_folder, "word2vec", tmp_path / "out")
    _, _, stopped = call("import", "word2vec", tmp_path / "out" / "cr5_en.vec", tmp_path / "one")
    assert stopped.endswith(f"name the folder, {tmp_path / 'out'}")
    assert not (tmp_path / "one").exists()


def test_the_card_says_what_it_is(call, small_folder, tmp_path):
    about = store.about(small_folder) | {
        "corpus": {"name": "help", "source": "libreoffice_help"},
        "data": {"trained": [], "files": [{"name": "en-it.dict"}]},
    }
    store.save(small_folder, store.load(small_folder), about)
    assert call("export", small_folder, "word2vec", tmp_path / "out")[2] is None
    card = (tmp_path / "out" / "README.md").read_text()
    assert card.startswith("---\nlicense: mpl-2.0\nlanguage:\n- en\n- it\n")
    for said in ("# cr5, fitted on help", "| en | 4 |", "Mozilla Public", "also read en-it.dict"):
        assert said in card


def test_a_second_stage_is_told_where_it_is_left_out(call, small_model, tmp_path):
    store.save(tmp_path / "model", replace(small_model, rerank=0.5), {"system": "cr5"})
    _, said, _ = call("export", tmp_path / "model", "word2vec", tmp_path / "vectors")
    assert "The second stage of searches is left out.\n" in said
    assert cr5.load(tmp_path / "vectors").model.rerank == 0
    assert call("export", tmp_path / "model", "safetensors", tmp_path / "whole")[1] == ""
    assert cr5.load(tmp_path / "whole").model.rerank == 0.5


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["word2vec", "OUT", "--float16"], "word2vec is written in float32: --float16 is for"),
        (["word2vec", "OUT", "--exact"], "word2vec is exact as it is: --exact is for packed"),
        (["packed", "OUT"], "OUT: let the name of a packed model end in .cr5"),
        (["word2vec", "."], r"\. is there already: remove it, or name another place"),
        (["word2vec", "OUT", "--system", "x"], "no system 'x'; there: cr5"),
    ],
)
def test_mistakes_of_export(rows_of, small_folder, monkeypatch, tmp_path, arguments, said):
    monkeypatch.chdir(tmp_path)
    rows, stopped = rows_of("export", small_folder.parents[3], *arguments)
    assert rows == []
    assert re.search(f"cr5 export: .*{said}", stopped)


def test_mistakes_of_import(call, tmp_path, small_folder):
    for arguments, said in (
        (["word2vec", tmp_path / "no", tmp_path / "m"], "no: no such file or folder"),
        (["static", small_folder, tmp_path / "m"], "no model that `cr5 export` wrote as static"),
        (["word2vec", small_folder, small_folder], "is there already"),
        (["word2vec", small_folder, tmp_path / "m", "--dimension", "0"], "dimension of 1 or more"),
    ):
        assert re.search(f"cr5 import: .*{said}", call("import", *arguments)[2])
    call("export", small_folder, "word2vec", tmp_path / "out")
    _, _, stopped = call("import", "static", tmp_path / "out", tmp_path / "m")
    assert "is of the format word2vec, not static" in stopped
    _, err, stopped = call("export", small_folder, "onnx", tmp_path / "m")
    assert ("no format 'onnx'" in err, stopped) == (True, 2)
    assert "static, safetensors, packed" in call("export", small_folder, "x", tmp_path)[1]
