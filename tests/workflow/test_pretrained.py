"""Vectors of others, and encoders: a fitted model, written out as text, has the same ranks."""

import gzip
import json
import os
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from threading import Thread

import numpy as np
import pandas as pd
import pytest
import yaml

import cr5
from cr5.models import store
from cr5.report.named import asked
from cr5.retrieval.results import Results
from cr5.retrieval.run_documents import documents_of
from cr5.splits.drawn import Draw
from tests.tiny_encoders import write_static
from tests.workflow.every_system import vector, words_of

pytestmark = pytest.mark.slow

FITTED = {"cr5": {"rank": 10, "ranks": [2, 5], "ridges": [0.3, 0.1]}}
RELEASED = {
    "pretrained": {"path": "given/{language}.txt.gz", "dimension": 10},
    "encoder": {"path": "given/encoder"},
}
OURS, THEIRS, ENCODED = (
    f"ranks/joint/{system}/1/documents" for system in ("cr5", "pretrained", "encoder")
)
CHANGES = {
    "languages": ["aa", "bb"],
    "settings": {"joint": {}},
    "evaluation": {"measures": ["cosine", "csls"]},
}


def write_out(results, folder):
    model = store.load(results / "models" / "joint" / "cr5" / "1")
    folder.mkdir()
    for language, words in model.words.items():
        table = np.asarray(model.tables[language])
        width = 10 - table.shape[1]  # the rank that was chosen, and zeros
        with gzip.open(folder / f"{language}.txt.gz", "wt", encoding="utf-8") as file:
            for word, row in zip(words, table, strict=True):
                file.write(" ".join([word, *map(str, row), *["0"] * width]) + "\n")


@pytest.fixture(scope="module")
def run(new_run_in, tmp_path_factory):
    """Cr5 fitted, its model written out, and that read as another system."""
    made = new_run_in(tmp_path_factory.mktemp("pretrained"), **CHANGES, systems=FITTED)
    made(f"results/tiny/{OURS}")
    write_out(made.results, made.folder / "given")
    words = {word for x in CHANGES["languages"] for word in words_of(made.folder, x)}
    write_static(made.folder / "given" / "encoder", {word: vector(word) for word in sorted(words)})
    queries = asked(Draw.load(made.results / "draws" / "1"), [("aa", "bb")])["bb"]
    title = f"bb {min(queries).removeprefix('Q')}"
    examples = {"named": [{"language": "bb", "title": title}], "system": "pretrained"}
    configure(made, {"examples": examples})
    targets = (THEIRS, ENCODED, "tables/table2.md", "figures/validation.svg")
    made(*(f"results/tiny/{x}" for x in targets))
    return made


def configure(run, evaluation):
    path = run.folder / "tiny.yaml"
    given = yaml.safe_load(path.read_text()) | {"systems": FITTED | RELEASED}
    given["evaluation"] = {**CHANGES["evaluation"], **evaluation}
    path.write_text(yaml.safe_dump(given))


def test_ranks_are_the_same(run):
    for name in ("answers", "queries"):
        ours, theirs = (
            pd.read_parquet(run.results / x / f"{name}.parquet").drop(columns="system")
            for x in (OURS, THEIRS)
        )
        if name == "answers":
            assert set(ours["similarity"]) == {"cosine", "csls"}
            np.testing.assert_allclose(ours.pop("score"), theirs.pop("score"), rtol=1e-6)
        assert ours.equals(theirs)


def test_an_encoder_ranks_the_texts_of_the_same_queries(run):
    """Against the mean vector of each text's words, worked out here."""
    ours, theirs = (pd.read_parquet(run.results / x / "answers.parquet") for x in (OURS, ENCODED))
    keys = ["query_language", "target_language", "similarity", "query", "candidate", "grade"]
    assert ours[keys].equals(theirs[keys])
    candidates = pd.read_parquet(run.results / "draws" / "1" / "candidates.parquet")
    rows = {}
    for language, searched in candidates.groupby("language"):
        frame = pd.read_parquet(run.results / "documents" / f"{language}.parquet")
        texts = frame.set_index("concept")["text"][searched["concept"]]
        sums = [np.sum([vector(word) for word in text.split()], axis=0) for text in texts]
        rows[language] = pd.DataFrame(sums / np.linalg.norm(sums, axis=1)[:, None], texts.index)
    found = theirs[(theirs["similarity"] == "cosine") & (theirs["query_language"] == "aa")]
    cosines = rows["aa"].loc[found["query"]].to_numpy() @ rows["bb"].to_numpy().T
    own = cosines[np.arange(len(found)), rows["bb"].index.get_indexer(found["candidate"])]
    assert (found["rank"] == (cosines >= own[:, None] - 1e-6).sum(axis=1)).all()
    np.testing.assert_allclose(found["score"], own, atol=1e-5)


def test_an_encoder_that_has_changed_is_ranked_again(run):
    path = run.folder / "given" / "encoder" / "README.md"
    before = path.read_text()
    path.write_text("Another one.")
    planned = {str(x) for x in run.plan()}
    path.write_text(before)
    assert {"models/joint/encoder/1", ENCODED} <= planned
    assert not planned & {"models/joint/cr5/1", THEIRS}


def test_the_model_of_an_encoder_searches_the_run(run, monkeypatch):
    monkeypatch.chdir(run.folder)  # from which its folder is named
    model = cr5.load(run.results, "encoder")
    [query] = documents_of(Results(run.results), model, ["bb"]).search(
        ["aaaa aaab aaac"], "aa", k=1
    )
    assert query[0].language == "bb"


def test_the_fit_tells_what_it_found(run):
    fit = json.loads((run.results / "models/joint/pretrained/1/fit.json").read_text())["fit"]
    assert fit["warnings"] == []
    assert fit["words"]["aa"]["with_vector"] == fit["words"]["aa"]["vocabulary"] > 100


def test_table2_has_the_query_and_the_system_that_were_named(run):
    table = (run.results / "tables" / "table2.md").read_text()
    [named] = yaml.safe_load((run.folder / "tiny.yaml").read_text())["evaluation"]["examples"][
        "named"
    ]
    frame = pd.read_csv(run.results / "tables" / "table2.csv")
    assert set(frame["query_title"]) == {named["title"]}
    assert set(frame["system"]) == {"pretrained"}
    assert "bb→aa: Pretrained vectors, joint" in table


def test_every_fit_of_the_grid_is_in_the_table(run):
    frame = pd.read_csv(run.results / "tables" / "validation.csv")
    fit = json.loads((run.results / "models/joint/cr5/1/fit.json").read_text())["fit"]
    means = frame[frame["query"].isna() & (frame["option"] == "ridge")]
    assert means["score"].tolist() == pytest.approx([x["mrr"] for x in fit["validation"]], 1e-5)
    assert len(means) >= 6
    assert means.loc[means["chosen"], "value"].tolist() == [fit["ridge"]]
    of_first = frame[(frame["fit"] == 1) & (frame["option"] == "rank")]
    assert of_first["score"].iloc[0] == pytest.approx(of_first["score"].iloc[1:].mean(), 1e-5)


def test_a_file_that_an_older_one_replaced_is_read_again(run):
    path = run.folder / "given" / "aa.txt.gz"
    before, times = path.read_bytes(), path.stat()
    path.write_bytes(gzip.compress(gzip.decompress(before).replace(b" 0.", b" 0.1")))
    os.utime(path, ns=(times.st_atime_ns, times.st_mtime_ns - 10**12))
    planned = {str(x) for x in run.plan()}
    path.write_bytes(before)
    assert THEIRS in planned
    assert "models/joint/cr5/1" not in planned


def test_files_of_an_address_are_fetched_once(run):
    """From a server on the loopback; the ranks are those of the files on this machine."""
    path, ranks = run.folder / "tiny.yaml", run.results / THEIRS / "answers.parquet"
    before, expected = path.read_text(), ranks.read_bytes()
    handler = partial(SimpleHTTPRequestHandler, directory=run.folder / "given")
    with ThreadingHTTPServer(("127.0.0.1", 0), handler) as server:
        Thread(target=server.serve_forever, daemon=True).start()
        address = f"http://127.0.0.1:{server.server_port}/{{language}}.txt.gz"
        path.write_text(before.replace("given/{language}.txt.gz", address))
        done = run(f"results/tiny/{THEIRS}", check=False, no_proxy="127.0.0.1")
        server.shutdown()
    assert done.returncode == 0, done.stdout
    assert ranks.read_bytes() == expected
    [fetched] = (run.results / "fetched").glob("*aa.txt.gz")
    assert fetched.read_bytes() == (run.folder / "given" / "aa.txt.gz").read_bytes()
    assert "Nothing to be done" in run(f"results/tiny/{THEIRS}").stdout
    path.write_text(before)
