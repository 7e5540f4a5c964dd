"""`cr5 export`, called as from a shell."""

import re
from dataclasses import replace

import numpy as np
import pytest
from scipy import sparse

import cr5
from cr5.models import export, store
from cr5.models.bank import with_bank

WHOLE = ("packed",)


def out_of(kind, tmp_path):
    return tmp_path / ("out.cr5" if kind == "packed" else "out")


@pytest.mark.parametrize("kind", export.FORMATS)
def test_what_is_written_and_there_and_back(rows_of, small_folder, tmp_path, kind):
    out = out_of(kind, tmp_path)
    rows, stopped = rows_of("export", small_folder.parents[3], kind, out)
    assert stopped is None
    files = [out] if out.is_file() else [x for x in out.rglob("*") if x.is_file()]
    assert rows[0]["bytes"] == sum(x.stat().st_size for x in files)
    assert rows[0]["words"] == 7
    if kind not in WHOLE:
        return
    found = cr5.load(out)
    assert found.languages == ("en", "it")
    rows = found.embed(["gatto", "gatto mare mare mare mare"], "it")
    np.testing.assert_allclose(rows, [[1, 0, 0], [0.6, 0, 0.8]], atol=1e-6)
    np.testing.assert_allclose(found.embed("the cat, a dog", "en"), [[5**-0.5, 2 * 5**-0.5, 0]])
    assert found.about["system"] == "cr5"


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


@pytest.mark.parametrize("kind", export.FORMATS)
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
    assert ("Training documents are left out" in said) == (kind not in WHOLE)
    if kind not in WHOLE:
        return
    found = cr5.load(out)
    assert found.measure == "csls"
    for x in model.words:
        given = np.asarray(found.model.bank[x]["dense"], np.float32)
        np.testing.assert_array_equal(given, model.bank[x]["dense"].astype(np.float32))


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
    assert call("export", tmp_path / "model", "packed", tmp_path / "m.cr5", "--exact")[1] == ""
    assert cr5.load(tmp_path / "m.cr5").model.rerank == 0.5


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
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


def test_a_format_that_is_not_known(call, small_folder, tmp_path):
    _, err, stopped = call("export", small_folder, "onnx", tmp_path / "m")
    assert ("invalid choice: 'onnx'" in err, stopped) == (True, 2)
    assert all(kind in err for kind in export.FORMATS)
