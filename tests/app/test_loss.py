"""What an export loses, measured on the queries of its run."""

import numpy as np
import pandas as pd
import pytest
from scipy import sparse

import cr5
from cr5.app.loss import precision
from cr5.base import artefacts
from cr5.base.labels import RANKS
from cr5.counts import bags
from cr5.models import store
from cr5.models.word_tables import WordTables
from cr5.retrieval.results import Results
from cr5.splits.drawn import Draw


@pytest.fixture
def run(tmp_path):
    """A run of four documents in two languages, of one word each."""
    folder = tmp_path / "run"
    words = {x: [f"{x}{i}" for i in range(4)] for x in ("en", "it")}
    tables = {"en": np.diag([1.0, 2, 3, 4]), "it": np.diag([1.0, 2, 3, 4])[[0, 1, 2, 2]]}
    model = WordTables(words, tables, {x: np.ones(4) for x in words})
    about = {"system": "cr5", "setting": "joint", "repetition": "1", "languages": list(words)}
    store.save(folder / "models/joint/cr5/1", model, about)
    concepts = list("abcd")
    documents = pd.DataFrame({"concept": concepts, "title": "", "n_tokens": 1, "n_unique": 1})
    for x, known in words.items():
        vocabulary = pd.DataFrame({"word": known, "document_frequency": 1})
        counts = sparse.csr_matrix(np.eye(4, dtype=np.int32))
        bags.save(folder / "bags" / x, bags.Bags(counts, vocabulary, documents), {"language": x})
    Draw(
        pd.DataFrame({"concept": concepts, "role": "test", "first": "en", "second": "it"}),
        pd.DataFrame({"concept": concepts * 2, "language": ["en"] * 4 + ["it"] * 4}),
        pd.DataFrame([["en", "it", 4, 4, 0]], columns=["first", "second", "concepts", "test", "v"]),
    ).save(folder / "draws/1")
    ranks = folder / "ranks/joint/cr5/1/documents"
    asked = pd.DataFrame({"query_language": ["en"], "target_language": ["it"]})
    with artefacts.written(RANKS, ranks) as place:
        for name in ("answers", "queries"):
            asked.to_parquet(place / f"{name}.parquet")
    return folder


def test_what_fewer_words_cost_is_measured(rows_of, run, tmp_path):
    rows, stopped = rows_of("export", run, "packed", tmp_path / "m.cr5", "--words", "3")
    assert stopped is None
    # d of Italian is where c is. From English c finds both, and ties count against the query: a and
    # b are found, 2 of 4; from Italian only d goes wrong: 3 of 4. The shortest vectors go, that of
    # a in both languages: 1 of 4 and 2 of 4.
    cosine = next(x for x in rows if x["measure"] == "cosine")
    assert [cosine[f"Success@1 {x}"] for x in ("before", "after")] == [0.625, 0.375]
    assert cosine["words"] == 6
    found = cr5.load(tmp_path / "m.cr5")
    assert found.model.words == {"en": ["en1", "en2", "en3"], "it": ["it1", "it2", "it3"]}
    done = found.about["exported"]
    assert (done["words"], done["float16"]) == (3, True)
    assert done["Success@1 before and after"]["cosine"] == [0.625, 0.375]


def test_what_is_lost_is_told_at_once(call, run, tmp_path):
    _, err, _ = call("export", run, "released", tmp_path / "m", "--words", "3")
    assert "Words are left out; there are 3 of 4 en, 3 of 4 it.\n" in err
    assert "Success@1 of the test queries by cosine: 0.6250 before, 0.3750 after.\n" in err
    alone = (run / "models/joint/cr5/1").rename(tmp_path / "alone")
    _, err, _ = call("export", alone, "released", tmp_path / "n", "--words", "2")
    assert "What this costs was not measured" in err
    assert call("export", alone, "released", tmp_path / "all")[1] == ""


def test_another_repetition_is_measured_on_its_own_queries(rows_of, run, tmp_path):
    for part in ("models/joint/cr5", "ranks/joint/cr5", "draws"):
        (run / part / "1").rename(run / part / "2")
    rows, stopped = rows_of(
        "export", run, "packed", tmp_path / "m.cr5", "--words", "3", "--repetition", "2"
    )
    assert stopped is None
    assert {x["Success@1 after"] for x in rows if x["measure"] == "cosine"} == {0.375}
    results, fitted = Results.of_model(run / "models/joint/cr5/2")
    assert (results.folder, fitted.repetition) == (run, 2)
    model = store.load(fitted.folder)
    assert precision(results, fitted, [model])[0]["cosine"] == 0.625


def test_an_export_is_made_where_pandas_is_not_there_to_measure(call, run, tmp_path, monkeypatch):
    def measure(*_):
        raise ModuleNotFoundError("No module named 'pandas'", name="pandas")

    monkeypatch.setattr("cr5.app.export.precision", measure)
    _, err, _ = call("export", run, "released", tmp_path / "m", "--words", "3")
    assert "not measured: that needs the package pandas, which is not installed: pip install" in err
    assert (tmp_path / "m").is_dir()


def test_what_cannot_be_measured_is_said(rows_of, small_folder, tmp_path):
    out = tmp_path / "m"
    rows, _ = rows_of("export", small_folder, "released", out, "--words", "2")
    assert rows[0].keys() == {"path", "format", "bytes", "words"}  # nothing was measured
    card = (out / "README.md").read_text()
    assert "Words are left out; there are 2 of 4 en, 2 of 3 it." in card
    assert "What this costs was not measured" in card
