"""Word vectors and dictionaries that somebody gives, of a server and of files, to translations."""

import json
import os
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from threading import Thread

import numpy as np
import pandas as pd
import pytest

from cr5.counts import bags

pytestmark = pytest.mark.slow

WORDS, TRAIN, DIMENSION = 240, 120, 8
MAPPED = ("procrustes", "word_cca", "identical")
MEASURES = ["cosine", "csls", "inverted_softmax", "globally_corrected"]


def word(number, language):
    """As the corpus of the tests spells its words; a tenth of them are alike in all languages."""
    letters = "".join(chr(ord("a") + int(digit)) for digit in f"{number:03}")
    return ("x" if number % 10 == 0 else language[0]) + letters


def write_vectors(folder):
    """The space of bb is that of aa turned, in another order; and each has words of its own."""
    folder.mkdir()
    generator = np.random.default_rng(5)
    space = generator.normal(size=(WORDS, DIMENSION)) * np.linspace(2, 0.5, DIMENSION)
    turn = np.linalg.qr(generator.normal(size=(DIMENSION, DIMENSION)))[0]
    for language, rows in (("aa", space), ("bb", space @ turn)):
        order = generator.permutation(WORDS)
        lines = [" ".join([word(n, language), *map(str, rows[n].tolist())]) for n in order]
        lines.append(f"{language}_new_york {' '.join(['0.5'] * DIMENSION)}")
        text = "\n".join([f"{len(lines)} {DIMENSION}", *lines, ""])
        (folder / f"wiki.{language}.vec").write_text(text, encoding="utf-8")


def write_dictionaries(folder):
    folder.mkdir()
    for source, target in (("aa", "bb"), ("bb", "aa")):
        lines = [f"{word(n, source)} {word(n, target)}\n" for n in range(WORDS)]
        (folder / f"{source}-{target}.txt").write_text("".join(lines))


@pytest.fixture(scope="module")
def server(tmp_path_factory):
    """Serves the vectors on the loopback address."""
    folder = tmp_path_factory.mktemp("served") / "vectors"
    write_vectors(folder)
    handler = partial(SimpleHTTPRequestHandler, directory=folder)
    with ThreadingHTTPServer(("127.0.0.1", 0), handler) as server:
        Thread(target=server.serve_forever, daemon=True).start()
        yield f"http://127.0.0.1:{server.server_address[1]}"
        server.shutdown()


@pytest.fixture(scope="module")
def run(new_run_in, server, tmp_path_factory):
    where = "dictionaries/{source}-{target}.txt"
    made = new_run_in(
        tmp_path_factory.mktemp("mappings"),
        languages=["aa", "bb"],
        bags={"unique_words": [5, 1000], "vocabulary": "vectors"},
        vectors={"path": f"{server}/wiki.{{language}}.vec"},
        dictionary={"dictionaries": where, "limit": TRAIN},
        systems={
            "procrustes": {"directed": True, "rounds": 0},
            "word_cca": {"directed": True, "share": 1.0},
            "identical": {"module": "procrustes", "seeds": "identical", "rounds": 0},
            "cr5": {"rank": 8, "ridges": [0.1, 1.0], "validation_task": "lexicon_induction"},
        },
        tasks={"lexicon_induction": {"dictionaries": where, "offset": TRAIN}, "documents": {}},
        settings={"joint": {}},
        evaluation={"measures": MEASURES},
    )
    write_dictionaries(made.folder / "dictionaries")
    made("results/tiny/tables/scores.csv", "results/tiny/tables/dictionaries/dictionary.md")
    return made


def test_the_vocabulary_is_that_of_the_vectors(run):
    for language in ("aa", "bb"):
        words = bags.load(run.results / "bags" / language, language).words
        [fetched] = (run.results / "fetched").glob(f"*wiki.{language}.vec")
        given = fetched.read_text().splitlines()[1:]
        assert words["word"].tolist() == [line.split()[0] for line in given]
        assert words["collection_frequency"].iloc[-1] == 0  # no text has that word


@pytest.mark.parametrize("measure", MEASURES)
def test_what_was_planted_is_found_by_every_measure(run, measure):
    scores = pd.read_csv(run.results / "tables" / "scores.csv")
    found = scores[(scores["metric"] == "Success@1") & (scores["similarity"] == measure)]
    found = found[found["system"].isin(MAPPED)]
    words = found[found["task"] == "lexicon_induction"].set_index(["system", "query", "target"])
    assert len(words) == 2 * len(MAPPED)
    assert set(words["n_queries"]) == {WORDS - TRAIN}
    assert set(words["n_candidates"]) == {WORDS + 1}
    assert (words.loc[["procrustes", "word_cca"], "value"] == 1).all()
    documents = found[found["task"] == "documents"]
    assert len(documents) == 2 * len(MAPPED)
    assert (documents["value"] > 3 / documents["n_candidates"]).all()  # topics, by 8 numbers


def test_no_word_that_a_test_asks_for_was_learnt_from(run):
    pairs = {x: fit(run, x)["pairs"] for x in MAPPED}
    for system in ("procrustes", "word_cca"):
        assert {x: y["seed_pairs"] for x, y in pairs[system].items()} == {
            "aa-bb": TRAIN,
            "bb-aa": TRAIN,
        }
    # a tenth of the words are alike, and half of those are tested
    assert {x: y["seed_pairs"] for x, y in pairs["identical"].items()} == {"bb-aa": TRAIN // 10}


def test_a_system_chooses_by_words_that_train(run):
    """Each of the 120 words has one answer, and none of them is tested."""
    tried = fit(run, "cr5")["validation"]
    assert len(tried) >= 2
    assert all(1 / (WORDS + 1) < x["mrr"] <= 1 for x in tried)


def fit(run, system):
    path = run.results / "models" / "joint" / system / "1" / "fit.json"
    return json.loads(path.read_text())["fit"]


def test_the_dictionary_that_trains_is_told_of(run):
    page = (run.results / "tables" / "dictionaries" / "dictionary.md").read_text()
    assert "aa→bb" in page
    coverage = pd.read_csv(run.results / "tables" / "dictionaries" / "dictionary.csv")
    assert coverage["used"].tolist() == [TRAIN, TRAIN]


def test_another_dictionary_makes_the_fits_anew(run):
    path = run.folder / "dictionaries" / "aa-bb.txt"
    before, times = path.read_bytes(), path.stat()
    path.write_bytes(before.replace(b" bab", b" bac"))
    os.utime(path, ns=(times.st_atime_ns, times.st_mtime_ns - 10**12))
    planned = {str(x) for x in run.plan()}
    path.write_bytes(before)
    assert "models/joint/procrustes/1" in planned
    assert "vectors/aa/given.parquet" not in planned
